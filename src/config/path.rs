//! Where the file of settings is, and where relative paths in it lead. It is told the environment, and reads no other.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::{File, FileError, boards, parse};

/// The variable that names a file of settings.
const VARIABLE: &str = "RANKTOP_CONFIG";

/// What of the environment says where the file is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// `RANKTOP_CONFIG`.
    pub named: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`; one that is not absolute counts for nothing, as the XDG Base Directory Specification has it.
    pub config_home: Option<PathBuf>,
    /// `HOME`.
    pub home: Option<PathBuf>,
}

impl Places {
    /// As the environment has them. A variable that is set and empty counts as one that is not set.
    pub fn from_env() -> Self {
        let path = |name: &str| env::var_os(name).filter(|text: &OsString| !text.is_empty()).map(PathBuf::from);
        Self { named: path(VARIABLE), config_home: path("XDG_CONFIG_HOME"), home: path("HOME") }
    }

    /// Reads the file of settings: `asked`, which an option named, else the one that the environment names, else the one
    /// in its usual place, which alone need not be there.
    pub fn read(&self, asked: Option<&Path>) -> Result<Option<File>, FileError> {
        let named = asked.or(self.named.as_deref());
        let Some(path) = named.map(Path::to_owned).or_else(|| self.usual()) else { return Ok(None) };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if named.is_none() && is_absence(error.kind()) => return Ok(None),
            Err(error) => return Err(FileError::Unreadable { path, why: error.to_string() }),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let parsed =
            parse(&text, |value| self.resolve(folder, value)).and_then(|entries| Ok((entries, boards(&text)?)));
        match parsed {
            Ok((entries, boards)) => Ok(Some(File { path, entries, boards })),
            Err(fault) => Err(FileError::Faulty { path, fault }),
        }
    }

    fn usual(&self) -> Option<PathBuf> {
        let config_home = self.config_home.clone().filter(|path| path.is_absolute());
        let config_home = config_home.or_else(|| Some(self.home.as_ref()?.join(".config")))?;
        Some(config_home.join("ranktop").join("config.toml"))
    }

    /// A path in a file of `folder`: what is relative is so to the file, wherever the program is started.
    fn resolve(&self, folder: &Path, path: &str) -> String {
        let full = match (path.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => folder.join(path),
        };
        // Settings are text; a folder that is none leaves the path as it is written.
        full.to_str().unwrap_or(path).to_owned()
    }
}

/// A folder of the usual place may be missing, or be a file of somebody else's.
fn is_absence(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(config_home: Option<&str>, home: Option<&str>) -> Places {
        Places { named: None, config_home: config_home.map(PathBuf::from), home: home.map(PathBuf::from) }
    }

    #[test]
    fn the_usual_place() {
        for (config_home, home, place) in [
            (Some("/x"), Some("/h"), Some("/x/ranktop/config.toml")),
            (Some("x"), Some("/h"), Some("/h/.config/ranktop/config.toml")),
            (None, Some("/h"), Some("/h/.config/ranktop/config.toml")),
            (Some("/x"), None, Some("/x/ranktop/config.toml")),
            (None, None, None),
        ] {
            assert_eq!(places(config_home, home).usual(), place.map(PathBuf::from), "{config_home:?} {home:?}");
        }
    }

    #[test]
    fn relative_paths_are_relative_to_the_file() {
        let places = places(None, Some("/h"));
        for (path, full) in [("a/b", "/f/a/b"), ("/a", "/a"), ("~/a", "/h/a"), ("~a", "/f/~a")] {
            assert_eq!(places.resolve(Path::new("/f"), path), full, "{path}");
        }
    }
}
