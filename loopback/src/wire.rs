//! The stream of a connection. It remembers which request it is reading, gives the errors of the framework the body that
//! every error has, and ends a connection whose client does not read.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use switchboard_connections::bare_error::{self, RequestStart};
use switchboard_connections::held::release;
use switchboard_http::server::worded::worded;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::place::Place;

/// The longest time that the head of the first request of a connection takes.
pub(super) const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// The most bytes of the first line of a request that are remembered.
const LINE_MAX: usize = 2_048;
/// The longest time that an answer waits for the client to take more of it.
const UNREAD_MAX: Duration = Duration::from_secs(30);
/// The time for which the rest of a refused request is read and dropped, so that its sender sees the answer.
const LINGER: Duration = Duration::from_secs(1);

/// The stream of a connection.
pub(crate) struct Wire<S> {
    stream: S,
    place: Arc<Place>,
    head: Head,
    /// An error that is not written yet.
    held: Vec<u8>,
    /// Runs while the client takes nothing of what is written.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Runs at the end, while the client may be sending.
    lingering: Option<Pin<Box<Sleep>>>,
}

/// The head that a connection reads. Clones are the same one.
#[derive(Clone, Debug, Default)]
pub(super) struct Head(Arc<Mutex<HeadState>>);

#[derive(Debug, Default)]
struct HeadState {
    /// The beginning of its first line.
    line: Vec<u8>,
    of_turn: usize,
    /// It did not come in time.
    is_late: bool,
    /// The status with which the framework has refused it.
    refused: Option<u16>,
}

impl Head {
    /// It did not come in time: the connection is to answer that, and to end.
    pub(super) fn be_late(&self) {
        self.state().is_late = true;
    }

    /// The first line of a head that was refused, with the status.
    pub(super) fn refused(&self) -> Option<(String, u16)> {
        let state = self.state();
        let status = state.refused?;
        let line = String::from_utf8_lossy(&state.line);
        Some((line.trim_end().to_owned(), status))
    }

    fn note(&self, turn: usize, bytes: &[u8]) {
        let mut state = self.state();
        if state.of_turn != turn {
            state.of_turn = turn;
            state.line.clear();
        }
        if state.line.ends_with(b"\n") {
            return;
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let line = end.and_then(|end| bytes.get(..=end)).unwrap_or(bytes);
        let room = LINE_MAX.saturating_sub(state.line.len());
        let part = line.get(..room.min(line.len())).unwrap_or_default();
        state.line.extend_from_slice(part);
    }

    /// The answer to a head that did not come in time, once; nothing if no byte of it has come.
    fn late_answer(&self) -> Option<Vec<u8>> {
        let mut state = self.state();
        let answer = bare_error::time_out(&state.start(), HEAD_DEADLINE, worded);
        state.refused = answer.as_ref().map(|_| 408);
        answer
    }

    fn is_late(&self) -> bool {
        self.state().is_late
    }

    fn state(&self) -> MutexGuard<'_, HeadState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeadState {
    fn start(&self) -> RequestStart {
        let mut start = RequestStart::default();
        start.note(0, &self.line);
        start
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Wire<S> {
    pub(super) fn new(stream: S, place: Arc<Place>, head: Head) -> Self {
        Self {
            stream,
            place,
            head,
            held: Vec::new(),
            stalled: None,
            lingering: None,
        }
    }

    fn write(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let progress = Pin::new(&mut self.stream).poll_write(context, bytes);
        if progress.is_ready() {
            self.stalled = None;
            return progress;
        }
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(UNREAD_MAX)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Writes what was held back.
    fn release(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut bytes = std::mem::take(&mut self.held);
        let released = release(&mut bytes, |part| self.write(context, part));
        self.held = bytes;
        released
    }

    /// Reads and drops what the client still sends; ready when it has ended or the time is over.
    fn linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let lingering = self
            .lingering
            .get_or_insert_with(|| Box::pin(sleep(LINGER)));
        let mut dropped = [0; 8_192];
        // In each turn a bounded part: a client that sends without end must not keep the thread.
        for _ in 0..64 {
            if lingering.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            let mut buffer = ReadBuf::new(&mut dropped);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                return Poll::Ready(());
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        let before = buffer.filled().len();
        let read = Pin::new(&mut wire.stream).poll_read(context, buffer);
        let new = buffer.filled().get(before..).unwrap_or_default();
        wire.head.note(wire.place.turn(), new);
        // A request that came in the last moment goes on.
        if read.is_ready() || !wire.head.is_late() || wire.place.turn() % 2 == 1 {
            return read;
        }
        if wire.lingering.is_none()
            && let Some(answer) = wire.head.late_answer()
        {
            // The framework closes the connection after this. A client that takes nothing needs no answer.
            drop(Pin::new(&mut wire.stream).poll_write(context, &answer));
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        ready!(wire.release(context))?;
        match bare_error::begins_at(bytes) {
            None => wire.write(context, bytes),
            Some(0) => {
                let mut state = wire.head.state();
                wire.held = bare_error::with_body(bytes, &state.start(), worded);
                let head = str::from_utf8(&wire.held).ok();
                state.refused = head.and_then(|head| head.split(' ').nth(1)?.parse().ok());
                drop(state);
                Poll::Ready(Ok(bytes.len()))
            }
            Some(before) => wire.write(context, bytes.get(..before).unwrap_or_default()),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        ready!(wire.release(context))?;
        Pin::new(&mut wire.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        if wire.lingering.is_none() {
            ready!(wire.release(context))?;
            ready!(Pin::new(&mut wire.stream).poll_shutdown(context))?;
            if !wire.place.is_sending() {
                return Poll::Ready(Ok(()));
            }
        }
        wire.linger(context).map(Ok)
    }
}
