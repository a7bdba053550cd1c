//! A clock of the calendar that a test sets, for all processes that are started by it. It runs on from where it was set;
//! time-outs, which are measured otherwise, do not notice.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use jiff::Timestamp;
use tempfile::TempDir;

/// A clock of the tests' own.
pub struct Clock {
    folder: TempDir,
    preload: String,
}

impl Clock {
    /// A clock that shows this moment, such as `2026-10-25T22:30:00Z`.
    #[track_caller]
    pub fn at(moment: &str) -> Self {
        // The library that does it is where its own command says.
        let output = Command::new("faketime")
            .args(["-f", "+0", "printenv", "LD_PRELOAD"])
            .output()
            .expect("cannot run 'faketime': install the Debian package 'faketime'");
        let preload = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        assert!(!preload.is_empty(), "faketime tells of no library");
        // A server's own allocator asks for the time as it starts, which this library answers by asking for memory: both
        // would wait for each other. The C library's allocator asks nobody.
        let preload = format!("{preload}:libc.so.6");
        let clock = Self { folder: tempfile::tempdir().unwrap(), preload };
        clock.set(moment);
        clock
    }

    /// Sets it to this moment, for processes that run already as well.
    #[track_caller]
    pub fn set(&self, moment: &str) {
        let moment: Timestamp = moment.parse().unwrap();
        let ahead = moment.as_second() - Timestamp::now().as_second();
        let beside = self.folder.path().join("next");
        fs::write(&beside, format!("{ahead:+}\n")).unwrap();
        // Nobody reads half of it.
        fs::rename(beside, self.file()).unwrap();
    }

    /// The environment of processes that go by this clock.
    pub fn environment(&self) -> Vec<(String, String)> {
        let file = self.file().display().to_string();
        [
            ("LD_PRELOAD", self.preload.as_str()),
            ("FAKETIME_TIMESTAMP_FILE", &file),
            ("FAKETIME_NO_CACHE", "1"),
            ("DONT_FAKE_MONOTONIC", "1"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("clock")
    }
}
