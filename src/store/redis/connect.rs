//! Connecting: from an address and a login to a home, within a time limit. No password ever leaves this file.

use std::fmt;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::io::tcp::TcpSettings;
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, ProtocolVersion, PushKind,
};

use super::write::RedisWriter;
use super::{RedisHome, error};
use crate::board::trouble::Trouble;

/// Where a server is and how to log in. Its text and its debug text name the address and nothing else.
#[derive(Clone)]
pub struct Target {
    info: ConnectionInfo,
    connect_timeout: Duration,
    timeout: Duration,
}

/// An address that cannot be used. The text does not repeat it, for a password may stand in it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the address of the server is not of the form redis://[user[:password]@]host[:port][/db], rediss://… or unix:///path"
)]
pub struct WrongAddress;

impl Target {
    /// Reads an address. `connect_timeout` bounds name, connection and login together, `timeout` each answer.
    pub fn new(address: &str, connect_timeout: Duration, timeout: Duration) -> Result<Self, WrongAddress> {
        let info = address.into_connection_info().map_err(|_| WrongAddress)?;
        let settings = info.redis_settings().clone().set_skip_set_lib_name();
        // Without it a second small command waits for the acknowledgement of the first.
        let info = info.set_tcp_settings(TcpSettings::default().set_nodelay(true)).set_redis_settings(settings);
        Ok(Self { info, connect_timeout, timeout })
    }

    /// Logs in as `user`, whatever the address says.
    pub fn with_user(mut self, user: &str) -> Self {
        let settings = self.info.redis_settings().clone().set_username(user);
        self.info = self.info.set_redis_settings(settings);
        self
    }

    /// Logs in with `password`, whatever the address says.
    pub fn with_password(mut self, password: &str) -> Self {
        let settings = self.info.redis_settings().clone().set_password(password);
        self.info = self.info.set_redis_settings(settings);
        self
    }

    /// Waits longer for each answer, for a command that takes its time.
    pub fn with_more_patience(mut self, more: Duration) -> Self {
        self.timeout = self.timeout.saturating_add(more);
        self
    }

    /// The host of the address, where it has one.
    pub fn host(&self) -> Option<&str> {
        match self.info.addr() {
            ConnectionAddr::Tcp(host, _) | ConnectionAddr::TcpTls { host, .. } => Some(host),
            _ => None,
        }
    }

    /// The number of the database.
    pub fn database(&self) -> i64 {
        self.info.redis_settings().db()
    }

    /// Uses database `number`, whatever the address says.
    pub fn with_database(mut self, number: i64) -> Self {
        let settings = self.info.redis_settings().clone().set_db(number);
        self.info = self.info.set_redis_settings(settings);
        self
    }

    /// True where the address itself has a password.
    pub fn has_password(&self) -> bool {
        self.info.redis_settings().password().is_some()
    }

    /// Connects and logs in. `told` is called whenever the server says that something that was read has changed;
    /// without it the connection speaks the older protocol.
    pub async fn connect(&self, told: Option<impl Fn() + Send + Sync + 'static>) -> Result<Connected, Trouble> {
        if let Some(told) = told {
            let settings = self.info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
            let config = self.config().set_push_sender(move |push: redis::PushInfo| {
                // Whoever is told of a connection that is gone asks, and finds out.
                if matches!(push.kind, PushKind::Invalidate | PushKind::Disconnection) {
                    told();
                }
                Ok::<(), redis::aio::SendError>(())
            });
            match self.open(self.info.clone().set_redis_settings(settings), &config).await {
                Ok(connection) => {
                    let mut home = RedisHome::new(connection, self.timeout);
                    let pushes = home.track().await?;
                    return Ok(Connected { home, pushes });
                }
                // A server that does not know the newer protocol, or may not be asked for it, is polled.
                Err(Trouble::Server(_)) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        let home = RedisHome::new(self.open(self.info.clone(), &self.config()).await?, self.timeout);
        Ok(Connected { home, pushes: false })
    }

    /// Connects and logs in to write.
    pub async fn connect_writer(&self) -> Result<RedisWriter, Trouble> {
        Ok(RedisWriter::new(self.open(self.info.clone(), &self.config()).await?, self.timeout))
    }

    fn config(&self) -> AsyncConnectionConfig {
        AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.connect_timeout))
            .set_response_timeout(Some(self.timeout))
    }

    async fn open(
        &self,
        info: ConnectionInfo,
        config: &AsyncConnectionConfig,
    ) -> Result<MultiplexedConnection, Trouble> {
        let trouble = |error: redis::RedisError| match error::trouble(&error, self.connect_timeout) {
            Trouble::Silent(limit) => {
                Trouble::Unreachable(format!("no connection within {}", humantime::format_duration(limit)))
            }
            trouble => trouble,
        };
        let client = Client::open(info).map_err(trouble)?;
        client.get_multiplexed_async_connection_with_config(config).await.map_err(trouble)
    }
}

/// A connection that stands.
pub struct Connected {
    /// The home behind it.
    pub home: RedisHome,
    /// Whether the server tells of changes by itself.
    pub pushes: bool,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info.addr() {
            ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => write!(f, "{host}:{port}"),
            ConnectionAddr::Unix(path) => write!(f, "{}", path.display()),
            _ => f.write_str("the server"),
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl RedisHome {
    /// Asks the server to tell of changes to what is read. False where that is refused.
    async fn track(&mut self) -> Result<bool, Trouble> {
        let mut pipeline = redis::Pipeline::with_capacity(1);
        pipeline.cmd("CLIENT").arg("TRACKING").arg("ON");
        let reply = self.send(&pipeline).await?.pop();
        Ok(matches!(reply, Some(redis::Value::Okay)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(address: &str) -> Result<Target, WrongAddress> {
        Target::new(address, Duration::from_secs(1), Duration::from_secs(1))
    }

    #[test]
    fn names_the_address_and_never_the_password() {
        let text = |address: &str| {
            let target = target(address).unwrap();
            assert_eq!(format!("{target:?}"), target.to_string());
            target.to_string()
        };
        assert_eq!(text("redis://ada:s3cret@example:7000/2"), "example:7000");
        assert_eq!(text("redis://:p%40ss%2Fw%3A%25@127.0.0.1"), "127.0.0.1:6379");
        assert_eq!(text("rediss://example"), "example:6379");
        assert_eq!(text("unix:///run/redis.sock"), "/run/redis.sock");
        for wrong in ["http://secret@x", "", "redis", "unix:"] {
            let error = target(wrong).map(|target| target.to_string()).unwrap_err().to_string();
            assert!(!error.contains("secret"));
        }
    }

    #[test]
    fn passwords_of_any_characters() {
        let password = |target: &Target| target.info.redis_settings().password().map(str::to_owned);
        let own = target("redis://:o%23%40wn%2F%3A%25@example").unwrap();
        assert_eq!((own.has_password(), password(&own).as_deref()), (true, Some("o#@wn/:%")));
        assert_eq!(password(&own.with_password("#@%/:")).as_deref(), Some("#@%/:"));
        assert!(!target("redis://example").unwrap().has_password());
    }
}
