//! Counting what comes in over a connection, below the client library, which does not tell. It knows nothing of what the
//! bytes mean.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How many bytes have come. Clones count together.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Bytes so far, encryption aside.
    pub(super) fn got(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// The same stream, with what comes counted.
    pub(super) fn on<S>(&self, stream: S) -> Metered<S> {
        Metered { stream, meter: self.clone() }
    }
}

/// A stream whose incoming bytes are counted.
pub(super) struct Metered<S> {
    stream: S,
    meter: Meter,
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.meter.0.fetch_add((buffer.filled().len() - before) as u64, Ordering::Relaxed);
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn counts_what_comes_and_nothing_else() {
        let (near, mut far) = tokio::io::duplex(64);
        let meter = Meter::default();
        let mut near = meter.on(near);
        near.write_all(b"GET v").await.unwrap();
        far.write_all(b"$1\r\n7\r\n").await.unwrap();
        assert_eq!(meter.got(), 0);
        near.read_exact(&mut [0; 7]).await.unwrap();
        assert_eq!(meter.got(), 7);
    }
}
