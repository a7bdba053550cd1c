//! Where exported rows go: standard output, or a file that is there only once it is whole. It counts the digest of what it
//! was given and knows nothing of rows.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::exit::{Exit, Failure};

/// So much is written at once.
const BUFFER: usize = 256 * 1024;

/// Takes bytes, and keeps a digest of them.
pub(super) struct Sink {
    out: BufWriter<Hashing>,
    name: String,
}

struct Hashing {
    to: To,
    hash: Sha256,
}

enum To {
    /// Written as the rows come.
    Open(File),
    /// Beside `path`, whose place it takes at the end; gone when it is dropped before.
    Beside { file: NamedTempFile, path: PathBuf },
}

impl Sink {
    /// Opens the file at `path`, or standard output. What is at `path` stays as it is until [`Sink::finish`]; only what
    /// is no plain file, such as a pipe or a device, is written to right away.
    pub(super) fn open(path: Option<&Path>, force: bool) -> Result<Self, Failure> {
        let name = path.map_or_else(|| "standard output".into(), |path| format!("'{}'", path.display()));
        if !force && path.is_some_and(Path::is_file) {
            return Err(Failure::new(Exit::Usage, format!("the file {name} exists"))
                .with_hint("replace it with --force, or name another file"));
        }
        let opened = match path {
            None => io::stdout().as_fd().try_clone_to_owned().map(|fd| To::Open(fd.into())),
            Some(path) => open(path),
        };
        match opened {
            Ok(to) => {
                let out = BufWriter::with_capacity(BUFFER, Hashing { to, hash: Sha256::new() });
                Ok(Self { out, name })
            }
            Err(error) => Err(unwritten(&name, &error)),
        }
    }

    /// True where something is left behind unless the sink is dropped.
    pub(super) fn is_beside(&self) -> bool {
        matches!(self.out.get_ref().to, To::Beside { .. })
    }

    /// What is written to, as messages name it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Writes what is left, makes a file last and puts it in its place; the SHA-256 of all bytes, in hexadecimal.
    pub(super) fn finish(mut self) -> io::Result<String> {
        self.out.flush()?;
        let (Hashing { to, hash }, _) = self.out.into_parts();
        if let To::Beside { file, path } = to {
            // A name that outlives a crash must not name half a file.
            file.as_file().sync_all()?;
            file.persist(path)?;
        }
        Ok(hash.finalize().iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        }))
    }
}

/// A failure to write to what messages name `name`.
pub(super) fn unwritten(name: &str, error: &io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("cannot write {name}: {error}"))
}

fn open(path: &Path) -> io::Result<To> {
    let Ok(found) = fs::metadata(path) else { return beside(path.to_owned()) };
    if found.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // A link keeps pointing where it points.
    if found.is_file() {
        beside(fs::canonicalize(path)?)
    } else {
        Ok(To::Open(OpenOptions::new().write(true).open(path)?))
    }
}

fn beside(path: PathBuf) -> io::Result<To> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As for any other new file, the user's mask takes away what others may not do.
    let permissions = Permissions::from_mode(0o666);
    let file = tempfile::Builder::new().prefix(".ranktop-").permissions(permissions).tempfile_in(folder)?;
    Ok(To::Beside { file, path })
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = match &mut self.to {
            To::Open(file) => file.write(bytes),
            To::Beside { file, .. } => file.as_file_mut().write(bytes),
        }?;
        self.hash.update(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
