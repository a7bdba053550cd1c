//! A real `redis-server` for one test: private, empty, gone with its guard. What the test does with it is not its concern.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tempfile::TempDir;

use super::{Authority, DEADLINE, Identity, process_state, signal, wait_until};

/// Ports that [`RedisServer::start_tcp`] tries: between choosing a free one and the server's bind, another may take it.
const PORTS_TRIED: usize = 10;

/// A running server that is killed, with everything it wrote, when the guard is dropped.
pub struct RedisServer {
    child: Child,
    args: Vec<String>,
    environment: Vec<(String, String)>,
    port: Option<u16>,
    is_stopped: AtomicBool,
    dir: TempDir,
}

impl RedisServer {
    /// A server on a unix socket only.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same with further command-line settings, such as `&["--maxmemory", "1mb"]`. They win over the harness's own.
    pub fn start_with(args: &[&str]) -> Self {
        Self::launch(None, args, &[], false).unwrap_or_else(|log| panic!("redis-server did not start:\n{log}"))
    }

    /// A server with these environment variables, such as those of a clock.
    pub fn start_in(environment: &[(String, String)]) -> Self {
        Self::launch(None, &[], environment, false).unwrap_or_else(|log| panic!("redis-server did not start:\n{log}"))
    }

    /// A server on the unix socket and on a free port of 127.0.0.1.
    pub fn start_tcp() -> Self {
        Self::start_tcp_with(&[])
    }

    /// [`RedisServer::start_tcp`] with further settings.
    pub fn start_tcp_with(args: &[&str]) -> Self {
        Self::listen(args, false)
    }

    /// A sentinel that watches nothing yet, on the unix socket and on a free port of 127.0.0.1.
    pub fn start_sentinel(args: &[&str]) -> Self {
        Self::listen(args, true)
    }

    fn listen(args: &[&str], is_sentinel: bool) -> Self {
        let mut log = String::new();
        for _ in 0..PORTS_TRIED {
            match Self::launch(Some(free_port()), args, &[], is_sentinel) {
                Ok(server) => return server,
                Err(text) if text.contains("Address already in use") => log = text,
                Err(text) => panic!("redis-server did not start:\n{text}"),
            }
        }
        panic!("{PORTS_TRIED} free ports were taken by others in turn:\n{log}");
    }

    /// A server on the unix socket and, in TLS and in nothing else, on a free port of 127.0.0.1. It shows a certificate
    /// of its own and `args` say the rest, such as `&["--tls-auth-clients", "no"]`.
    pub fn start_tls(authority: &Authority, identity: &Identity, args: &[&str]) -> Self {
        let path = |path: &Path| path.to_str().unwrap().to_owned();
        let (ca, certificate, key) = (path(&authority.file()), path(&identity.certificate), path(&identity.key));
        let mut log = String::new();
        for _ in 0..PORTS_TRIED {
            let port = free_port();
            let number = port.to_string();
            let mut all = vec!["--port", "0", "--tls-port", &number, "--tls-cert-file", &certificate];
            all.extend(["--tls-key-file", &key, "--tls-ca-cert-file", &ca].iter().chain(args));
            match Self::launch(Some(port), &all, &[], false) {
                Ok(server) => return server,
                Err(text) if text.contains("Address already in use") => log = text,
                Err(text) => panic!("redis-server did not start with TLS:\n{text}"),
            }
        }
        panic!("{PORTS_TRIED} free ports were taken by others in turn:\n{log}");
    }

    /// `rediss://host:port` of a server that was started with TLS.
    pub fn tls_url(&self, host: &str) -> String {
        format!("rediss://{host}:{}", self.port.expect("the server was started without a port"))
    }

    /// The server's address in the form that ranktop's `--url` takes: `unix:///…`.
    pub fn url(&self) -> String {
        format!("unix://{}", self.socket().display())
    }

    /// `127.0.0.1:port` of a server that was started with a port.
    pub fn tcp_address(&self) -> String {
        let port = self.port.expect("the server was started without a port");
        format!("127.0.0.1:{port}")
    }

    /// The port of a server that was started with one.
    pub fn tcp_port(&self) -> u16 {
        self.port.expect("the server was started without a port")
    }

    /// `redis://127.0.0.1:port` of a server that was started with a port.
    pub fn tcp_url(&self) -> String {
        format!("redis://{}", self.tcp_address())
    }

    /// The path of the unix socket.
    pub fn socket(&self) -> PathBuf {
        self.dir.path().join("s")
    }

    /// A new connection. It has no read timeout: a timed read of a socket fails where a signal interrupts it. So that no
    /// test waits for ever, a stopped server is refused.
    #[track_caller]
    pub fn client(&self) -> redis::Connection {
        assert!(!self.is_stopped.load(Ordering::SeqCst), "a stopped server never answers: 'cont' it first");
        redis::Client::open(self.url())
            .and_then(|client| client.get_connection())
            .unwrap_or_else(|error| panic!("cannot connect to '{}': {error}", self.url()))
    }

    /// Sends one command (words as text or as bytes) over a connection of its own. An error reply fails the test.
    #[track_caller]
    pub fn cmd<A: AsRef<[u8]>>(&self, words: &[A]) -> redis::Value {
        self.try_cmd(words).unwrap_or_else(|error| {
            let words: Vec<_> = words.iter().map(|word| word.as_ref().escape_ascii().to_string()).collect();
            panic!("{}: {error}", words.join(" "))
        })
    }

    /// [`RedisServer::cmd`] where an error reply is what the test is after.
    pub fn try_cmd<A: AsRef<[u8]>>(&self, words: &[A]) -> redis::RedisResult<redis::Value> {
        let mut command = redis::Cmd::new();
        for word in words {
            command.arg(word.as_ref());
        }
        command.query(&mut self.client())
    }

    /// The server's process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Freezes the process: its sockets still accept, nothing answers. Returns once it is frozen.
    pub fn stop(&self) {
        assert!(signal(self.pid(), "STOP"), "redis-server is gone");
        wait_until("redis-server to be stopped", || process_state(self.pid()) == Some('T'));
        self.is_stopped.store(true, Ordering::SeqCst);
    }

    /// Lets a stopped server go on.
    pub fn cont(&self) {
        assert!(signal(self.pid(), "CONT"), "redis-server is gone");
        self.is_stopped.store(false, Ordering::SeqCst);
    }

    /// Kills the server at once, as a crash would. [`RedisServer::restart`] brings it back.
    pub fn kill(&mut self) {
        // Fails only where the process has ended, which is what is wanted.
        self.child.kill().ok();
        self.child.wait().unwrap();
    }

    /// Kills the server if it runs and starts an empty one at the same addresses.
    pub fn restart(&mut self) {
        self.kill();
        self.is_stopped.store(false, Ordering::SeqCst);
        self.child = spawn(&self.args, &self.environment);
        self.wait_ready().unwrap_or_else(|log| panic!("redis-server did not start again:\n{log}"));
    }

    /// What the server has logged so far, over all its starts.
    pub fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }

    /// Starts and waits; the error is the log of a server that ended instead of answering.
    fn launch(
        port: Option<u16>,
        extra: &[&str],
        environment: &[(String, String)],
        is_sentinel: bool,
    ) -> Result<Self, String> {
        let dir = tempfile::Builder::new().prefix("ranktop-").tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).display().to_string();
        let mut args: Vec<String> = [
            "--port",
            &port.unwrap_or(0).to_string(),
            "--bind",
            "127.0.0.1",
            "--unixsocket",
            &at("s"),
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            &dir.path().display().to_string(),
            "--logfile",
            &at("log"),
        ]
        .map(str::to_owned)
        .to_vec();
        args.extend(extra.iter().map(|&arg| arg.to_owned()));
        if is_sentinel {
            // A sentinel writes what it learns to its settings.
            fs::write(at("sentinel.conf"), "").unwrap();
            args.insert(0, at("sentinel.conf"));
            args.push("--sentinel".to_owned());
        }
        let mut server = Self {
            child: spawn(&args, environment),
            args,
            environment: environment.to_vec(),
            port,
            is_stopped: AtomicBool::new(false),
            dir,
        };
        server.wait_ready().map(|()| server)
    }

    fn wait_ready(&mut self) -> Result<(), String> {
        let mut has_ended = false;
        wait_until("redis-server to answer PING", || {
            has_ended = self.child.try_wait().unwrap().is_some();
            has_ended || self.answers()
        });
        if has_ended { Err(self.log()) } else { Ok(()) }
    }

    /// Whether the server serves commands. One that asks for a password does, one that is loading does not.
    fn answers(&self) -> bool {
        let ping = || {
            let mut stream = UnixStream::connect(self.socket())?;
            stream.set_read_timeout(Some(DEADLINE))?;
            stream.write_all(b"*1\r\n$4\r\nPING\r\n")?;
            let mut reply = String::new();
            BufReader::new(stream).read_line(&mut reply)?;
            Ok::<_, std::io::Error>(reply)
        };
        ping().is_ok_and(|reply| reply.starts_with("+PONG") || reply.starts_with("-NOAUTH"))
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
        if thread::panicking() {
            eprintln!("--- log of {} ---\n{}", self.url(), self.log());
        }
    }
}

fn spawn(args: &[String], environment: &[(String, String)]) -> Child {
    let spawned = Command::new("redis-server")
        .args(args)
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    spawned.unwrap_or_else(|error| match error.kind() {
        ErrorKind::NotFound => {
            panic!("redis-server is not on PATH: install the Debian package 'redis-server'")
        }
        _ => panic!("cannot start redis-server: {error}"),
    })
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
