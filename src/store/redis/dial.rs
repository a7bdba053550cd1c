//! Dialling: from an address to a line, in phases that each have a limit and a name: finding the host's addresses,
//! connecting to one of them, TLS. Logging in comes after and is not this file's concern.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use redis::ConnectionAddr;
use tokio::net::{TcpStream, UnixStream, lookup_host};
use tokio::time::timeout;

use super::tls::Security;
use crate::query::error::StoreError;
use crate::store::redis::stream::{Kind, Stream};

/// Opens a line to `address`. Each phase may take `limit`; `is_known` is shared by all lines to the same server.
pub(super) async fn dial(
    address: &ConnectionAddr,
    security: &Security,
    limit: Duration,
    is_known: &Arc<AtomicBool>,
) -> Result<Stream, StoreError> {
    match address {
        ConnectionAddr::Unix(path) => Ok(Stream::new(open_socket(path, limit).await?, Kind::Socket, is_known)),
        ConnectionAddr::Tcp(host, port) => {
            let stream = connect(&look_up(host, *port, limit).await?, limit).await?;
            match security {
                Security::Plain => Ok(Stream::new(stream, Kind::Plain, is_known)),
                Security::Tls(tls) => Ok(Stream::new(tls.secure(host, stream, limit).await?, Kind::Tls, is_known)),
            }
        }
        _ => Err(StoreError::Unreachable("its address is of a kind that is not known here".to_owned())),
    }
}

async fn open_socket(path: &Path, limit: Duration) -> Result<UnixStream, StoreError> {
    match timeout(limit, UnixStream::connect(path)).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(error)) => Err(StoreError::Unreachable(cause(&error))),
        Err(_) => Err(StoreError::Unreachable(no_connection(limit))),
    }
}

/// The addresses of a host, in the order in which the system wants them tried.
async fn look_up(host: &str, port: u16, limit: Duration) -> Result<Vec<SocketAddr>, StoreError> {
    let found = match timeout(limit, lookup_host((host, port))).await {
        Ok(found) => found.map(Vec::from_iter),
        Err(_) => {
            return Err(StoreError::Unreachable(format!("no address of host '{host}' found within {}", told(limit))));
        }
    };
    match found {
        Ok(addresses) if addresses.is_empty() => Err(StoreError::Unreachable(format!("host '{host}' has no address"))),
        Ok(addresses) => Ok(addresses),
        Err(error) => {
            let text = error.to_string();
            let reason = text.strip_prefix("failed to lookup address information: ").unwrap_or(&text);
            Err(StoreError::Unreachable(format!("unknown host '{host}': {reason}")))
        }
    }
}

/// Connects to the first of `addresses` that takes a connection; each has an equal share of `limit`.
async fn connect(addresses: &[SocketAddr], limit: Duration) -> Result<TcpStream, StoreError> {
    let share = limit / u32::try_from(addresses.len().max(1)).unwrap_or(u32::MAX);
    let mut failures = Vec::new();
    for address in addresses {
        let reason = match timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                // Else a second small command waits for the acknowledgement of the first. It is no more than slow where
                // it cannot be set.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Ok(Err(error)) => cause(&error),
            Err(_) => no_connection(share),
        };
        failures.push((address, reason));
    }
    Err(StoreError::Unreachable(summary(&failures)))
}

/// Why none of the addresses took a connection.
fn summary(failures: &[(&SocketAddr, String)]) -> String {
    match failures {
        [] => "it has no address".to_owned(),
        [(_, first), rest @ ..] if rest.iter().all(|(_, reason)| reason == first) => first.clone(),
        _ => {
            let each: Vec<_> = failures.iter().map(|(address, reason)| format!("{reason} at {address}")).collect();
            each.join(", ")
        }
    }
}

/// Why there is no connection, in words that are the same on every system.
fn cause(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused: nothing listens there".to_owned(),
        io::ErrorKind::NetworkUnreachable => "there is no way to its network from here".to_owned(),
        io::ErrorKind::HostUnreachable => "there is no way to its host from here".to_owned(),
        io::ErrorKind::NotFound => "there is no such socket".to_owned(),
        io::ErrorKind::PermissionDenied => "connecting to it is not permitted to this user".to_owned(),
        _ => error.to_string(),
    }
}

fn no_connection(limit: Duration) -> String {
    format!("no connection within {}", told(limit))
}

/// A limit as it is told: shares of it need not be told to the nanosecond.
pub(super) fn told(limit: Duration) -> humantime::FormattedDuration {
    let whole = Duration::from_millis(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
    humantime::format_duration(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    const LIMIT: Duration = Duration::from_secs(5);

    #[tokio::test]
    async fn addresses_are_tried_in_turn() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let open = listener.local_addr().unwrap();
        // Bound and not listening: nobody else can come to listen there meanwhile.
        let bound = tokio::net::TcpSocket::new_v4().unwrap();
        bound.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let shut = bound.local_addr().unwrap();
        let stream = connect(&[shut, open], LIMIT).await.unwrap();
        assert_eq!(stream.peer_addr().unwrap(), open);
        assert!(stream.nodelay().unwrap());
        let trouble = connect(&[shut, shut], LIMIT).await.unwrap_err();
        assert_eq!(trouble, StoreError::Unreachable("connection refused: nothing listens there".to_owned()));
    }

    #[test]
    fn reasons_that_differ_are_told_with_their_addresses() {
        let (one, other) = ("[::1]:6379".parse().unwrap(), "127.0.0.1:6379".parse().unwrap());
        let failures = [(&one, "refused".to_owned()), (&other, no_connection(Duration::from_secs(2) / 3))];
        assert_eq!(summary(&failures), "refused at [::1]:6379, no connection within 666ms at 127.0.0.1:6379");
    }

    #[tokio::test]
    async fn a_name_that_cannot_be_one_is_an_unknown_host() {
        // A label of a name has at most 63 bytes (RFC 1035, section 2.3.4), so nobody is asked for it.
        let name = "a".repeat(64);
        let trouble = look_up(&name, 1, LIMIT).await.unwrap_err().to_string();
        assert!(trouble.contains(&format!("unknown host '{name}': ")), "{trouble}");
    }

    #[test]
    fn causes_are_sentences() {
        for kind in [io::ErrorKind::NetworkUnreachable, io::ErrorKind::HostUnreachable, io::ErrorKind::NotFound] {
            let text = cause(&io::Error::from(kind));
            assert!(text.starts_with("there is no "), "{text}");
        }
    }
}
