//! A program to be run by a test: its arguments and an environment that holds nothing of the user's. It is run to its end
//! without a terminal here, or in one by `pty`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;

use tempfile::TempDir;

use super::{DEADLINE, Pty, signal};

/// What of the tester's environment a program may see: where commands and temporary files are.
const INHERITED: [&str; 2] = ["PATH", "TMPDIR"];

/// The built ranktop with these arguments.
pub fn ranktop(args: &[&str]) -> Program {
    Program::new(env!("CARGO_BIN_EXE_ranktop"), args)
}

/// A command line with its environment and input. It runs in the package's folder, with an empty home of its own.
pub struct Program {
    words: Vec<OsString>,
    env: BTreeMap<OsString, OsString>,
    stdin: Vec<u8>,
    home: TempDir,
}

impl Program {
    /// Any program, found on PATH.
    pub fn new(program: &str, args: &[&str]) -> Self {
        let home = tempfile::Builder::new().prefix("ranktop-home-").tempdir().unwrap();
        let mut env: BTreeMap<OsString, OsString> =
            INHERITED.iter().filter_map(|&name| Some((name.into(), std::env::var_os(name)?))).collect();
        for (name, value) in
            [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8"), ("TZ", "UTC")]
        {
            env.insert(name.into(), value.into());
        }
        env.insert("HOME".into(), home.path().into());
        env.insert("XDG_CONFIG_HOME".into(), home.path().join("config").into());
        let words = std::iter::once(program).chain(args.iter().copied()).map(OsString::from).collect();
        Self { words, env, stdin: Vec::new(), home }
    }

    /// Adds one argument, which need not be UTF-8.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.words.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, args: &[&str]) -> Self {
        self.words.extend(args.iter().map(OsString::from));
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.insert(name.into(), value.as_ref().to_owned());
        self
    }

    /// Takes an environment variable away.
    #[must_use]
    pub fn without_env(mut self, name: &str) -> Self {
        self.env.remove(OsStr::new(name));
        self
    }

    /// What the program reads on standard input when it is run without a terminal; nothing unless said.
    #[must_use]
    pub fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.stdin = bytes.as_ref().into();
        self
    }

    /// The program's home folder.
    pub fn home(&self) -> &std::path::Path {
        self.home.path()
    }

    /// Starts the program in a pseudo-terminal of `columns` by `rows`.
    pub fn pty(self, columns: u16, rows: u16) -> Pty {
        Pty::start(self, columns, rows)
    }

    /// Runs the program to its end with pipes for a terminal. One that has not ended by [`DEADLINE`] fails the test.
    #[track_caller]
    pub fn run(self) -> Run {
        let command = self.to_string();
        let mut child = Command::new(&self.words[0])
            .args(&self.words[1..])
            .env_clear()
            .envs(&self.env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot run {command}: {error}"));
        let pid = child.id();
        let mut input = child.stdin.take().unwrap();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            // A program may end without reading its input.
            input.write_all(&self.stdin).ok();
        });
        thread::spawn(move || sender.send(child.wait_with_output()));
        let Ok(output) = receiver.recv_timeout(DEADLINE) else {
            signal(pid, "KILL");
            let rest = receiver.recv_timeout(DEADLINE);
            panic!("{command} has not ended within {DEADLINE:?}: {rest:?}");
        };
        let output = output.unwrap();
        Run { command, code: exit_code(output.status), stdout: output.stdout, stderr: output.stderr }
    }

    pub(super) fn words(&self) -> &[OsString] {
        &self.words
    }

    pub(super) fn environment(&self) -> &BTreeMap<OsString, OsString> {
        &self.env
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.words.iter().map(|word| word.to_string_lossy()).collect();
        f.write_str(&words.join(" "))
    }
}

/// An exit status as a shell tells it: 128 and the signal's number for a program that a signal ended.
pub(super) fn exit_code(status: ExitStatus) -> i32 {
    status
        .code()
        .or_else(|| status.signal().map(|number| 128 + number))
        .expect("a process that has ended did so by itself or by a signal")
}

/// What came of a program that was run to its end. The assertions show all of it when they fail.
pub struct Run {
    /// The command line, for messages.
    pub command: String,
    /// The exit code; 128 + n after signal n.
    pub code: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

impl Run {
    /// Standard output as text.
    #[track_caller]
    pub fn out(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap_or_else(|_| panic!("standard output is not UTF-8\n{self}"))
    }

    /// Standard error as text.
    #[track_caller]
    pub fn err(&self) -> &str {
        std::str::from_utf8(&self.stderr).unwrap_or_else(|_| panic!("standard error is not UTF-8\n{self}"))
    }

    /// Standard output as one JSON value.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|error| panic!("standard output is not JSON: {error}\n{self}"))
    }

    /// The exit code is `code`.
    #[track_caller]
    pub fn assert_code(&self, code: i32) -> &Self {
        assert!(self.code == code, "expected exit code {code}\n{self}");
        self
    }

    /// Exit code 0 and nothing on standard error.
    #[track_caller]
    pub fn assert_clean(&self) -> &Self {
        assert!(self.code == 0 && self.stderr.is_empty(), "expected exit code 0 and no message\n{self}");
        self
    }

    /// Standard output is exactly `text`.
    #[track_caller]
    pub fn assert_out(&self, text: &str) -> &Self {
        assert!(self.out() == text, "expected on stdout: {text:?}\n{self}");
        self
    }

    /// Standard output contains `text`.
    #[track_caller]
    pub fn assert_out_has(&self, text: &str) -> &Self {
        assert!(self.out().contains(text), "expected on stdout: …{text:?}…\n{self}");
        self
    }

    /// Standard error contains `text`.
    #[track_caller]
    pub fn assert_err_has(&self, text: &str) -> &Self {
        assert!(self.err().contains(text), "expected on stderr: …{text:?}…\n{self}");
        self
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ {}\nexit code {}", self.command, self.code)?;
        writeln!(f, "--- stdout ---\n{}", String::from_utf8_lossy(&self.stdout))?;
        write!(f, "--- stderr ---\n{}", String::from_utf8_lossy(&self.stderr))
    }
}
