//! A primary with two replicas and three sentinels that watch it, each a process of its own, gone with the guard. What
//! fails, and when, a test decides.

use std::time::Instant;

use redis::{RedisResult, Value};

use super::{DEADLINE, RedisServer, wait_until};

/// What the sentinels call the primary.
const NAME: &str = "spring";

/// The servers and their sentinels.
pub struct SentinelSet {
    /// The one that was the primary at first, then its replicas.
    pub servers: Vec<RedisServer>,
    /// The sentinels.
    pub sentinels: Vec<RedisServer>,
    password: Option<&'static str>,
    sentinel_password: Option<&'static str>,
}

impl SentinelSet {
    /// Everything runs and knows each other.
    pub fn start() -> Self {
        Self::launch(None, None)
    }

    /// The same with a password for the servers and another for the sentinels.
    pub fn start_with_passwords(servers: &'static str, sentinels: &'static str) -> Self {
        Self::launch(Some(servers), Some(sentinels))
    }

    fn launch(password: Option<&'static str>, sentinel_password: Option<&'static str>) -> Self {
        let login: Vec<&str> =
            password.iter().flat_map(|password| ["--requirepass", password, "--masterauth", password]).collect();
        let speed = ["--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"];
        let primary = RedisServer::start_tcp_with(&[&speed[..], &login].concat());
        let port = primary.tcp_port().to_string();
        let of = ["--replicaof", "127.0.0.1", &port];
        let replica = || RedisServer::start_tcp_with(&[&speed[..], &login, &of].concat());
        let servers = vec![primary, replica(), replica()];
        let login: Vec<&str> = sentinel_password.iter().flat_map(|password| ["--requirepass", password]).collect();
        let sentinels = (0..3).map(|_| RedisServer::start_sentinel(&login)).collect();
        let set = Self { servers, sentinels, password, sentinel_password };
        for server in 1..set.servers.len() {
            wait_until("the replicas to be linked", || set.info(server).contains("master_link_status:up"));
        }
        for sentinel in 0..set.sentinels.len() {
            set.watch(sentinel, &port);
        }
        set.wait_settled(0);
        set
    }

    /// Waits until every sentinel takes this server for a sound primary, knows the others and its replicas, and has ended
    /// the last failover: before that it begins no other one.
    #[track_caller]
    pub fn wait_settled(&self, primary: usize) {
        let port = self.servers[primary].tcp_port().to_string();
        wait_until("the sentinels to have settled", || {
            (0..self.sentinels.len()).all(|sentinel| {
                let value = self.sentinel(sentinel, &["SENTINEL", "MASTER", NAME]).unwrap();
                let wanted =
                    [("port", port.as_str()), ("num-other-sentinels", "2"), ("num-slaves", "2"), ("flags", "master")];
                wanted.iter().all(|(name, wanted)| field(&value, name) == *wanted)
            })
        });
    }

    fn watch(&self, sentinel: usize, port: &str) {
        // Sentinels talk to each other every few seconds; a test has no time for that. Older ones know no such setting.
        // What they know of a replica must not be older than five of their pings for it to be made the primary: those are
        // left as they are.
        let speed = ["INFO-PERIOD", "200", "ASK-PERIOD", "100", "PUBLISH-PERIOD", "200"];
        self.sentinel(sentinel, &[&["SENTINEL", "DEBUG"], &speed[..]].concat()).ok();
        if let Some(password) = self.sentinel_password {
            self.sentinel(sentinel, &["SENTINEL", "CONFIG", "SET", "sentinel-pass", password]).unwrap();
        }
        self.sentinel(sentinel, &["SENTINEL", "MONITOR", NAME, "127.0.0.1", port, "2"]).unwrap();
        let mut set = vec!["SENTINEL", "SET", NAME, "down-after-milliseconds", "500", "failover-timeout", "5000"];
        set.extend(self.password.iter().flat_map(|password| ["auth-pass", password]));
        self.sentinel(sentinel, &set).unwrap();
    }

    /// The options with which ranktop finds the primary. The logins in the URLs are the sentinels'.
    pub fn args(&self) -> Vec<String> {
        let login = self.sentinel_password.map(|password| format!(":{password}@")).unwrap_or_default();
        let urls = self.sentinels.iter().map(|sentinel| format!("redis://{login}{}", sentinel.tcp_address()));
        urls.flat_map(|url| ["--url".to_owned(), url]).chain(["--sentinel".to_owned(), NAME.to_owned()]).collect()
    }

    /// Sends a command to a server.
    pub fn server(&self, index: usize, words: &[&str]) -> RedisResult<Value> {
        send(&self.servers[index], self.password, words)
    }

    /// Sends a command to a sentinel.
    pub fn sentinel(&self, index: usize, words: &[&str]) -> RedisResult<Value> {
        send(&self.sentinels[index], self.sentinel_password, words)
    }

    /// What a server says of its replication.
    #[track_caller]
    pub fn info(&self, server: usize) -> String {
        let mut info = None;
        // A sentinel that makes a replica of a server cuts whoever is connected to it.
        wait_until("a server to tell of its replication", || {
            let told = self.server(server, &["INFO", "replication"]);
            info = told.ok().and_then(|value| redis::from_redis_value(value).ok());
            info.is_some()
        });
        info.unwrap()
    }

    /// The index of the server that a sentinel tells of as the primary.
    pub fn told_by(&self, sentinel: usize) -> usize {
        let told = self.sentinel(sentinel, &["SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME]).unwrap();
        let (_, port): (String, u16) = redis::from_redis_value(told).unwrap();
        self.servers.iter().position(|server| server.tcp_port() == port).unwrap()
    }

    /// Waits until all sentinels tell of another primary than `before`; that one, and when the first of them did.
    #[track_caller]
    pub fn wait_failover(&self, before: usize) -> (usize, Instant) {
        let mut first = None;
        let mut primary = before;
        wait_until("the failover", || {
            let told: Vec<_> = (0..self.sentinels.len()).map(|sentinel| self.told_by(sentinel)).collect();
            if let Some(another) = told.iter().find(|told| **told != before) {
                first.get_or_insert_with(Instant::now);
                primary = *another;
            }
            told.iter().all(|told| *told == primary) && primary != before
        });
        (primary, first.unwrap())
    }

    /// Has the sentinels replace the primary.
    pub fn fail_over(&self) {
        let deadline = Instant::now() + DEADLINE;
        // Refused for as long as the last one is going on.
        while let Err(error) = self.sentinel(0, &["SENTINEL", "FAILOVER", NAME]) {
            assert!(Instant::now() < deadline, "{error}");
        }
    }
}

fn send(server: &RedisServer, password: Option<&str>, words: &[&str]) -> RedisResult<Value> {
    let login = password.map(|password| format!(":{password}@")).unwrap_or_default();
    let client = redis::Client::open(format!("redis://{login}{}", server.tcp_address())).unwrap();
    redis::cmd(words[0]).arg(&words[1..]).query(&mut client.get_connection()?)
}

/// A field of what a sentinel says of a server.
fn field(value: &Value, name: &str) -> String {
    let text = |value: &Value| redis::from_redis_value::<String>(value.clone()).unwrap_or_default();
    let mut fields = value.as_map_iter().unwrap();
    fields.find(|(key, _)| text(key) == name).map(|(_, value)| text(value)).unwrap_or_default()
}
