//! The line to a server: bytes to and fro, whatever carries them. It listens to the very first of them, which tell a
//! Redis server from a TLS port and from any other peer, and keeps in words why the line ended: the client library tells
//! most of those who wait for an answer no more than that it did. What the bytes mean is not its concern.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use redis::RedisError;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::query::error::StoreError;
use crate::store::redis::{error, tls_error};

/// The first byte of an alert and of a handshake in TLS (RFC 8446, section 5.1): what a TLS port says to whoever does
/// not speak TLS.
const TLS_RECORDS: [u8; 2] = [0x15, 0x16];
/// The first bytes of replies in either protocol of Redis (its "RESP protocol spec").
const REPLIES: &[u8] = b"+-:$*_#,(!=%~>|";
/// What an alert of TLS, or an error of a server, takes at most.
const LAST_WORDS: usize = 2_048;
/// Words that are older are not about the end of the connection.
const LAST_WORDS_AGE: Duration = Duration::from_secs(2);

/// What carries bytes.
pub(super) trait Carrier: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Carrier for T {}

/// How bytes are carried, as far as words about it differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A socket in the file system.
    Socket,
    /// TCP without TLS.
    Plain,
    /// TLS.
    Tls,
}

/// A line to a server.
pub(super) struct Stream {
    carrier: Box<dyn Carrier>,
    kind: Kind,
    /// Something that begins like a reply has come.
    has_heard: bool,
    /// The same of any line to this server, so that nobody doubts what it is.
    is_known: Arc<AtomicBool>,
    /// The first byte, which tells the protocol that the login was answered in.
    first: Arc<AtomicU8>,
    /// The end of what came last, and when: a peer that refuses says why and closes.
    last: (Vec<u8>, Option<Instant>),
    ending: CloseReason,
    meter: ByteCounter,
}

/// How many bytes have come, which the client library does not tell. Clones count together.
#[derive(Clone, Debug, Default)]
pub(super) struct ByteCounter(Arc<AtomicU64>);

impl ByteCounter {
    /// Bytes so far.
    pub(super) fn got(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a line ended, once it has, and whether the peer ended it without a word about why.
#[derive(Clone, Default)]
pub(super) struct CloseReason(Arc<OnceLock<(StoreError, bool)>>);

impl CloseReason {
    /// The trouble behind an error of the client library, which waits `timeout` for an answer.
    pub(super) fn trouble(&self, error: &RedisError, timeout: Duration) -> StoreError {
        match self.0.get() {
            Some((trouble, _)) if error.is_io_error() => trouble.clone(),
            _ => error::trouble(error, timeout),
        }
    }

    /// True where the peer has hung up without a word.
    pub(super) fn is_hang_up(&self) -> bool {
        self.0.get().is_some_and(|(_, is_hang_up)| *is_hang_up)
    }
}

impl Stream {
    /// A line over `carrier`. `is_known` is shared by all lines to the same server.
    pub(super) fn new(carrier: impl Carrier + 'static, kind: Kind, is_known: &Arc<AtomicBool>) -> Self {
        Self {
            carrier: Box::new(carrier),
            kind,
            has_heard: false,
            is_known: is_known.clone(),
            first: Arc::default(),
            last: (Vec::new(), None),
            ending: CloseReason::default(),
            meter: ByteCounter::default(),
        }
    }

    /// Tells why the line ended, also after it is gone.
    pub(super) fn ending(&self) -> CloseReason {
        self.ending.clone()
    }

    /// Counts what comes, also after the line is gone.
    pub(super) fn meter(&self) -> ByteCounter {
        self.meter.clone()
    }

    /// The first byte that came, also after the line is gone; 0 before.
    pub(super) fn first(&self) -> Arc<AtomicU8> {
        self.first.clone()
    }

    fn is_known(&self) -> bool {
        self.is_known.load(Ordering::Relaxed)
    }

    /// Keeps the first reason why the line ended. The error is of a kind after which the library gives a connection up.
    fn end(&self, trouble: StoreError, is_hang_up: bool) -> io::Error {
        let error = io::Error::new(io::ErrorKind::ConnectionAborted, trouble.to_string());
        // What comes later follows from the first.
        let _ = self.ending.0.set((trouble, is_hang_up));
        error
    }

    fn unreachable(&self, what: &str) -> io::Error {
        self.end(StoreError::Unreachable(what.to_owned()), false)
    }

    /// The peer has closed the connection. An error that it sent just before says why; `else_said` is said otherwise.
    fn closed(&self, else_said: &str) -> io::Error {
        let (words, at) = &self.last;
        match error_in(words).filter(|_| at.is_some_and(|at| at.elapsed() < LAST_WORDS_AGE)) {
            Some(said) => self.end(StoreError::TurnedAway(said), false),
            None => self.end(StoreError::Unreachable(else_said.to_owned()), true),
        }
    }

    /// Takes note of what came.
    fn hear(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first()
            && self.first.load(Ordering::Relaxed) == 0
        {
            self.first.store(*first, Ordering::Relaxed);
        }
        if !bytes.is_empty() {
            let (words, at) = &mut self.last;
            // Of a reply that comes in pieces the last piece is enough: errors are short.
            words.clear();
            words.extend_from_slice(bytes.get(bytes.len().saturating_sub(LAST_WORDS)..).unwrap_or_default());
            *at = Some(Instant::now());
        }
    }

    /// What the first byte, or its absence, gives away.
    fn listen(&mut self, first: Option<u8>) -> io::Result<()> {
        match first {
            Some(byte) if REPLIES.contains(&byte) => {
                self.has_heard = true;
                self.is_known.store(true, Ordering::Relaxed);
                Ok(())
            }
            Some(byte) if self.kind == Kind::Plain && TLS_RECORDS.contains(&byte) => Err(self.unreachable(
                "the port answers, but not as Redis does: it is a TLS port; try rediss:// instead of redis://",
            )),
            Some(_) => Err(self.unreachable("the port answers, but not as Redis does: it is another kind of server")),
            None if self.is_known() => Err(self.closed("it closed the connection")),
            None => Err(self.closed(match self.kind {
                Kind::Socket => "it closed the connection before it said a word",
                Kind::Plain => {
                    "it closed the connection before it said a word: it may be a TLS port; try rediss:// instead of \
                     redis://"
                }
                Kind::Tls => {
                    "it closed the connection right after the TLS handshake: it may want a client's certificate \
                     (--tls-cert)"
                }
            })),
        }
    }

    /// An error of the carrier in words, where there are better ones than its own.
    fn explain(&self, error: &io::Error) -> io::Error {
        if let Some(trouble) = tls_error::of_io(error, None) {
            return self.end(trouble, false);
        }
        let is_closed = [
            io::ErrorKind::BrokenPipe,
            io::ErrorKind::ConnectionAborted,
            io::ErrorKind::ConnectionReset,
            io::ErrorKind::UnexpectedEof,
        ];
        match self.kind {
            _ if !is_closed.contains(&error.kind()) => self.unreachable(&error.to_string()),
            _ if self.is_known() => self.closed("it closed the connection"),
            Kind::Tls => self.closed(
                "it broke the connection off right after the TLS handshake: it may want a client's certificate \
                 (--tls-cert)",
            ),
            Kind::Plain => self.closed(
                "it broke the connection off before it said a word: it may be a TLS port; try rediss:// instead of \
                 redis://",
            ),
            Kind::Socket => self.closed("it broke the connection off before it said a word"),
        }
    }

    /// A peer that refuses says why and closes. Where that is found out by a write, the reason still waits to be read.
    fn last_words(&mut self, context: &mut Context<'_>, error: &io::Error) -> io::Error {
        let mut space = [0; LAST_WORDS];
        let mut words = ReadBuf::new(&mut space);
        match Pin::new(&mut *self).poll_read(context, &mut words) {
            Poll::Ready(Err(reason)) => reason,
            _ => self.explain(error),
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let start = buf.filled().len();
        let read = ready!(Pin::new(&mut self.carrier).poll_read(context, buf));
        Poll::Ready(match read {
            Ok(()) => {
                self.meter.0.fetch_add((buf.filled().len() - start) as u64, Ordering::Relaxed);
                let came = buf.filled().get(start..).unwrap_or_default();
                let first = came.first().copied();
                self.hear(came);
                let heard = match first {
                    Some(_) if self.has_heard => Ok(()),
                    None if self.has_heard => Err(self.closed("it closed the connection")),
                    _ => self.listen(first),
                };
                // A read that fails brings no bytes.
                heard.inspect_err(|_| buf.set_filled(start))
            }
            Err(error) => Err(self.explain(&error)),
        })
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.carrier).poll_write(context, bytes));
        Poll::Ready(written.map_err(|error| self.last_words(context, &error)))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = ready!(Pin::new(&mut self.carrier).poll_flush(context));
        Poll::Ready(flushed.map_err(|error| self.last_words(context, &error)))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.carrier).poll_shutdown(context)
    }
}

/// The error that bytes end with, as the last line of theirs: the whole of it.
fn error_in(bytes: &[u8]) -> Option<String> {
    let line = bytes.strip_suffix(b"\r\n")?;
    let start = line.windows(2).rposition(|pair| pair == b"\r\n").map_or(0, |end| end + 2);
    let said = line.get(start..)?.strip_prefix(b"-")?;
    Some(String::from_utf8_lossy(said).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    /// What a line brings whose peer says `words` and closes, if anything, and the trouble that it ends with.
    async fn heard(kind: Kind, words: &[u8]) -> Result<(Vec<u8>, String), String> {
        let (mut peer, carrier) = duplex(64);
        peer.write_all(words).await.unwrap();
        drop(peer);
        let mut heard = Vec::new();
        let mut line = Stream::new(carrier, kind, &Arc::default());
        let error = RedisError::from(line.read_to_end(&mut heard).await.unwrap_err());
        assert_eq!(line.meter().got(), words.len() as u64);
        let trouble = line.ending().trouble(&error, Duration::from_secs(1)).to_string();
        if heard.is_empty() { Err(trouble) } else { Ok((heard, trouble)) }
    }

    #[tokio::test]
    async fn replies_pass() {
        for kind in [Kind::Socket, Kind::Plain, Kind::Tls] {
            let (heard, ending) = heard(kind, b"+OK\r\n\x15").await.unwrap();
            assert_eq!((&*heard, &*ending), (&b"+OK\r\n\x15"[..], "cannot connect: it closed the connection"));
        }
    }

    #[tokio::test]
    async fn peers_that_are_no_redis_are_named() {
        for (kind, words, part) in [
            (Kind::Plain, b"\x15\x03\x01\x00\x02\x02\x46".as_slice(), "try rediss://"),
            (Kind::Plain, b"", "it may be a TLS port"),
            (Kind::Plain, b"HTTP/1.1 400 Bad Request", "another kind of server"),
            (Kind::Tls, b"HTTP/1.1 400 Bad Request", "another kind of server"),
            (Kind::Tls, b"", "--tls-cert"),
            (Kind::Socket, b"", "before it said a word"),
        ] {
            let text = heard(kind, words).await.unwrap_err();
            assert!(text.contains(part), "{text}");
        }
    }
}
