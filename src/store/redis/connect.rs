//! Connecting: from an address and a login to a home, in phases that each have a time limit: `dial` has the first ones,
//! the login is here. No password ever leaves this file.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, ConnectionAddr, ConnectionInfo, ErrorKind, IntoConnectionInfo, ProtocolVersion, PushKind,
    RedisConnectionInfo, RedisError,
};
use tokio::task::JoinHandle;
use tokio::time;
use tracing::info;

use super::RedisSource;
use super::dial::{dial, told};
use super::hang_up::Again;
use super::tls::{Security, Tls};
use super::write::RedisWriter;
use crate::query::error::StoreError;
use crate::store::redis::stream::{ByteCounter, CloseReason};
use crate::store::redis::topology::OnInvalidate;

/// Where a server is and how to log in. Its text and its debug text name the address and nothing else.
#[derive(Clone)]
pub struct Target {
    info: ConnectionInfo,
    security: Security,
    connect_timeout: Duration,
    timeout: Duration,
    /// The server has answered as Redis does, over one connection or another.
    is_known: Arc<AtomicBool>,
}

/// An address that cannot be used. The text does not repeat it, for a password may stand in it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the address of the server is not of the form redis://[user[:password]@]host[:port][/db], rediss://… or unix:///path"
)]
pub struct WrongAddress;

impl Target {
    /// Reads an address. `connect_timeout` bounds each phase of connecting: finding the host, the connection, TLS, the
    /// login; `timeout` bounds each answer. Over TLS the system's authorities are trusted.
    pub fn new(address: &str, connect_timeout: Duration, timeout: Duration) -> Result<Self, WrongAddress> {
        let (scheme, rest) = address.split_once("://").ok_or(WrongAddress)?;
        // A password with such characters in it would be taken for a host, and shown.
        let tail = rest.find(['/', '?', '#']).and_then(|end| rest.get(end..)).unwrap_or_default();
        if tail.contains(['@', '#']) {
            return Err(WrongAddress);
        }
        let (scheme, security) = match scheme.to_ascii_lowercase().as_str() {
            "rediss" => ("redis", Security::Tls(Tls::of_system())),
            "valkeys" => ("valkey", Security::Tls(Tls::of_system())),
            _ => (scheme, Security::Plain),
        };
        let info = format!("{scheme}://{rest}").into_connection_info().map_err(|_| WrongAddress)?;
        let settings = info.redis_settings().clone().set_skip_set_lib_name();
        Ok(Self {
            info: info.set_redis_settings(settings),
            security,
            connect_timeout,
            timeout,
            is_known: Arc::default(),
        })
    }

    /// True where the address asks for TLS.
    pub fn is_tls(&self) -> bool {
        matches!(self.security, Security::Tls(_))
    }

    /// Uses `tls` where the address asks for TLS.
    pub fn with_tls(mut self, tls: Tls) -> Self {
        if self.is_tls() {
            self.security = Security::Tls(tls);
        }
        self
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
    pub async fn connect(&self, told: Option<impl Fn() + Send + Sync + 'static>) -> Result<Connected, StoreError> {
        self.connect_and_tell(told.map(|told| Arc::new(told) as OnInvalidate)).await
    }

    pub(super) async fn connect_and_tell(&self, told: Option<OnInvalidate>) -> Result<Connected, StoreError> {
        let mut hung_up = None;
        if let Some(told) = &told {
            match self.connect_newer(told).await? {
                Newer::Connected(mut connected) => {
                    connected.home.again = Some(self.again(Some(told), connected.pushes));
                    return Ok(*connected);
                }
                Newer::Refused => {}
                Newer::HungUp(trouble) => hung_up = Some(trouble),
            }
        }
        let login = self.open(self.info.redis_settings(), self.config()).await;
        let opened = login.map_err(|(trouble, _)| hung_up.clone().unwrap_or(trouble))?;
        let mut home = RedisSource::new(opened.connection, self.timeout);
        if let Some(trouble) = hung_up {
            // Whether it hangs up at the newer protocol or at whatever is said: any answer will do.
            home.ping().await.map_err(|_| trouble)?;
            info!("the server hangs up at the newer protocol: polling it by the older one");
        }
        home.again = Some(self.again(told.as_ref(), false));
        Ok(Connected { home, pushes: false })
    }

    /// By the newer protocol, in which a server tells of changes by itself.
    async fn connect_newer(&self, told: &OnInvalidate) -> Result<Newer, StoreError> {
        let settings = self.info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
        let told = told.clone();
        let config = self.config().set_push_sender(move |push: redis::PushInfo| {
            // A connection that ends tells of nothing any more: whoever asks next finds out.
            if matches!(push.kind, PushKind::Invalidate | PushKind::Disconnection) {
                told();
            }
            Ok::<(), redis::aio::SendError>(())
        });
        match self.open(&settings, config).await {
            Ok(opened) => {
                let mut home = RedisSource::new(opened.connection, self.timeout);
                // One that grants the newer protocol and answers in the older one tells of nothing by itself.
                if opened.first.load(Ordering::Relaxed) != MAP {
                    return Ok(Newer::Connected(Box::new(Connected { home, pushes: false })));
                }
                match home.track().await {
                    Ok(pushes) => Ok(Newer::Connected(Box::new(Connected { home, pushes }))),
                    Err(trouble) if home.driver.is_hang_up() => Ok(Newer::HungUp(trouble)),
                    Err(trouble) => Err(trouble),
                }
            }
            // A server that does not know the newer protocol, or may not be asked for it, is polled.
            Err((StoreError::Other(_), _)) => Ok(Newer::Refused),
            Err((trouble, is_hang_up)) if is_hang_up => Ok(Newer::HungUp(trouble)),
            Err((trouble, _)) => Err(trouble),
        }
    }

    /// Connects and logs in to write.
    pub async fn connect_writer(&self) -> Result<RedisWriter, StoreError> {
        let opened = self.open(self.info.redis_settings(), self.config()).await.map_err(|(trouble, _)| trouble)?;
        RedisWriter::new(opened.connection, self.timeout).of_known_release().await
    }

    fn again(&self, told: Option<&OnInvalidate>, pushes: bool) -> Again {
        Again::new(self.clone(), told.cloned(), pushes)
    }

    fn config(&self) -> AsyncConnectionConfig {
        AsyncConnectionConfig::new().set_response_timeout(Some(self.timeout))
    }

    /// Dials and logs in. With the trouble comes whether the server hung up at the login, without a word.
    async fn open(
        &self,
        settings: &RedisConnectionInfo,
        config: AsyncConnectionConfig,
    ) -> Result<Opened, (StoreError, bool)> {
        let dialled = dial(self.info.addr(), &self.security, self.connect_timeout, &self.is_known).await;
        let line = dialled.map_err(|trouble| (trouble, false))?;
        let (ending, meter, first) = (line.ending(), line.meter(), line.first());
        let login = MultiplexedConnection::new_with_config(settings, line, config);
        match time::timeout(self.connect_timeout, login).await {
            Ok(Ok((connection, driver))) => {
                let driver = Driver { task: tokio::spawn(driver), ending, meter };
                Ok(Opened { connection: (connection, driver), first })
            }
            Ok(Err(error)) => Err((self.login_trouble(&error, settings, &ending), ending.is_hang_up())),
            Err(_) => {
                let limit = told(self.connect_timeout);
                let text =
                    format!("no answer to the login within {limit}: it takes connections, but may be stopped or busy");
                Err((StoreError::Unreachable(text), false))
            }
        }
    }

    /// Why a login failed. The client library wraps what the server said to two of the commands it logs in by.
    fn login_trouble(&self, error: &RedisError, settings: &RedisConnectionInfo, ending: &CloseReason) -> StoreError {
        if error.kind() == ErrorKind::AuthenticationFailed && error.code().is_none() {
            return StoreError::Auth(
                "the server refuses the user or the password; one that has no password refuses every one".to_owned(),
            );
        }
        if error.to_string().starts_with("Redis server refused to switch database") {
            let reason = error.detail().unwrap_or("for no reason");
            return StoreError::Other(format!("it refuses database {}, named in the URL: {reason}", settings.db()));
        }
        ending.trouble(error, self.connect_timeout)
    }
}

/// The first byte of the answer to HELLO in the newer protocol: a map.
const MAP: u8 = b'%';

/// What came of connecting by the newer protocol.
enum Newer {
    Connected(Box<Connected>),
    Refused,
    HungUp(StoreError),
}

/// A connection that is logged in, and the first byte that came over it.
struct Opened {
    connection: (MultiplexedConnection, Driver),
    first: Arc<AtomicU8>,
}

/// What drives a connection in the background; it ends with its guard, also where the server never answers.
pub(super) struct Driver {
    task: JoinHandle<()>,
    ending: CloseReason,
    meter: ByteCounter,
}

impl Driver {
    /// The trouble behind an error of the connection, which waits `timeout` for an answer.
    pub(super) fn trouble(&self, error: &RedisError, timeout: Duration) -> StoreError {
        self.ending.trouble(error, timeout)
    }

    /// True where the server has hung up, without a word.
    pub(super) fn is_hang_up(&self) -> bool {
        self.ending.is_hang_up()
    }

    /// Bytes that have come so far, encryption aside.
    pub(super) fn got(&self) -> u64 {
        self.meter.got()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A connection that stands.
pub struct Connected {
    /// The home behind it.
    pub home: RedisSource,
    /// Whether the server tells of changes by itself.
    pub pushes: bool,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info.addr() {
            // The colons of an IPv6 address are not to run into the port's.
            ConnectionAddr::Tcp(host, port) if host.contains(':') => write!(f, "[{host}]:{port}"),
            ConnectionAddr::Tcp(host, port) => write!(f, "{host}:{port}"),
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

impl RedisSource {
    /// Asks for any answer at all.
    async fn ping(&mut self) -> Result<(), StoreError> {
        let mut pipeline = redis::Pipeline::with_capacity(1);
        pipeline.cmd("PING");
        self.send(&pipeline).await.map(drop)
    }

    /// Asks the server to tell of changes to what is read. False where that is refused.
    async fn track(&mut self) -> Result<bool, StoreError> {
        let mut pipeline = redis::Pipeline::with_capacity(1);
        pipeline.cmd("CLIENT").arg("TRACKING").arg("ON");
        match self.send(&pipeline).await?.pop() {
            Some(redis::Value::Okay) => Ok(true),
            // Refused for now, not for good: else the connection would be without it for as long as it stands.
            Some(redis::Value::ServerError(error)) => {
                let trouble = super::error::server_trouble(&error, "CLIENT TRACKING", &"".into());
                if trouble.is_passing() { Err(trouble) } else { Ok(false) }
            }
            _ => Err(super::reply::malformed("CLIENT TRACKING")),
        }
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
        assert_eq!(text("redis://[::1]:7000"), "[::1]:7000");
        let wrong = [
            "http://secret@x",
            "",
            "redis",
            "unix:",
            "redis://secret/x@example",
            "redis://ada:12?secret@example",
            "redis://secret#x@example",
            "rediss://example/#insecure",
            "re\tdiss://secret@example",
        ];
        for wrong in wrong {
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
