//! Requests that leave in pieces: receivers are tested with them in worlds. The service itself sends each request as fast
//! as the network takes it.

use std::io;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// The pace of a request: so many bytes at once, and a pause behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The longest piece, in bytes.
    pub piece: NonZeroUsize,
    /// The pause between two pieces.
    pub pause: Duration,
}

/// A connection on which pieces are written.
#[derive(Debug)]
pub(super) struct Paced<S> {
    stream: S,
    pace: Pace,
    /// The time at which the next piece is due; none before the first one.
    due: Option<Instant>,
    /// The end of the pause behind the last piece.
    pause: Pin<Box<Sleep>>,
}

impl<S> Paced<S> {
    /// The first piece leaves at once.
    pub(super) fn new(stream: S, pace: Pace) -> Self {
        Self {
            stream,
            pace,
            due: None,
            pause: Box::pin(sleep(Duration::ZERO)),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(task, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.pause.as_mut().poll(task).is_pending() {
            return Poll::Pending;
        }
        let length = bytes.len().min(self.pace.piece.get());
        let piece = bytes.get(..length).unwrap_or(bytes);
        let progress = Pin::new(&mut self.stream).poll_write(task, piece);
        if progress.is_ready() {
            // From when it was due, not from now: pauses that a busy machine makes longer do not add up.
            let due = self.due.unwrap_or_else(Instant::now) + self.pace.pause;
            self.due = Some(due);
            self.pause.as_mut().reset(due);
        }
        progress
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(task)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn bytes_arrive_in_pieces_with_pauses() {
        let (near, mut far) = tokio::io::duplex(1_024);
        let pace = Pace {
            piece: NonZeroUsize::new(4).unwrap(),
            pause: Duration::from_secs(1),
        };
        let start = Instant::now();
        let write = tokio::spawn(async move {
            let mut near = Paced::new(near, pace);
            near.write_all(b"ten bytes.").await.unwrap();
        });
        let mut pieces = Vec::new();
        let mut piece = [0; 1_024];
        while let Ok(length @ 1..) = far.read(&mut piece).await {
            pieces.push((length, start.elapsed().as_secs()));
        }
        write.await.unwrap();
        assert_eq!(pieces, [(4, 0), (4, 1), (2, 2)]);
    }
}
