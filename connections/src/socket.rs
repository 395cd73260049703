//! The stream of a connection, as the framework reads and writes it. It ends a connection whose client does not read
//! its answers, and takes in no more requests than can be answered. At the end of a round it leaves its connection to the
//! process, if no request is in progress.

mod next_request;
#[cfg(test)]
mod tests;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::AsFd as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use bytes::{Buf, BytesMut};
use switchboard_network::limits::connections::{Connections, Phase, Seat, SeatWaker};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::bare_error::{self, RequestStart, WordError};
use crate::head_deadline::{HeadDeadline, KEEP_ALIVE};
use crate::held::release;
use crate::intake::{Intake, handed_over};
use crate::kept::{KeptConnection, KeptConnections};
use crate::socket::next_request::NextRequest;

/// A connection as the service of a worker takes it.
pub type Connected = (Socket, Option<SocketAddr>);

/// The stream of a connection.
pub struct Socket {
    stream: TcpStream,
    intake: Intake,
    /// The bytes that were read and not handed over.
    ahead: BytesMut,
    /// True when the framework has to process what was handed over before it gets more.
    is_turn_over: bool,
    /// True when reading was refused, so that the reader has to be woken when that is over.
    is_withheld: bool,
    /// The longest time an answer waits for the client to take more of it.
    patience: Duration,
    /// Runs while the client takes nothing of what is written.
    stalled: Option<Pin<Box<Sleep>>>,
    start: RequestStart,
    word: WordError,
    head_deadline: HeadDeadline,
    seat: Seat,
    seat_waker: SeatWaker,
    /// The bytes that look like an error of the framework and are not written yet.
    held: Vec<u8>,
    kept: KeptConnections,
    next_request: NextRequest,
    /// True when bytes were handed over in this turn of the framework: a request may begin with them before the turn ends.
    may_begin: bool,
    /// True when the client does not take what is written now.
    is_writing: bool,
    /// True when the connection goes no further: its client has closed it, or has an answer that says so.
    is_over: bool,
    /// True when the process keeps the connection: the framework takes this for its end.
    leaves: bool,
}

/// The settings that all sockets of a server share.
#[derive(Clone, Debug)]
pub struct SocketSettings {
    /// The longest time for the head of the first request.
    pub head: Duration,
    /// The longest time an answer waits for the client to take more of it; 0: for ever.
    pub patience: Duration,
    /// The connections that stay when a round ends.
    pub kept: KeptConnections,
    /// The connections at once, of which one makes room when all are taken.
    pub connections: Arc<Connections>,
    /// Words the errors of requests that do not begin.
    pub word: WordError,
}

impl Socket {
    /// `read` is what an earlier round has read of the next request of a connection; `is_kept`, whether one has had it.
    pub(crate) fn new(
        stream: TcpStream,
        peer: IpAddr,
        read: Vec<u8>,
        is_kept: bool,
        settings: &SocketSettings,
    ) -> Self {
        let seat = settings.connections.enter(peer);
        Self {
            stream,
            intake: Intake::new(seat.clone()),
            seat,
            seat_waker: SeatWaker::default(),
            ahead: BytesMut::from(read.as_slice()),
            is_turn_over: false,
            is_withheld: false,
            patience: settings.patience,
            stalled: None,
            start: RequestStart::default(),
            word: settings.word,
            // A client may keep a connection between two requests, whichever round comes in between.
            head_deadline: if is_kept && read.is_empty() {
                HeadDeadline::idle(KEEP_ALIVE, settings.head)
            } else {
                HeadDeadline::begin(settings.head)
            },
            held: Vec::new(),
            kept: settings.kept.clone(),
            next_request: NextRequest::default(),
            may_begin: false,
            is_writing: false,
            is_over: false,
            leaves: false,
        }
    }

    /// Returns whether the process keeps the connection now: no request is in progress nor about to begin, and its client may
    /// send another one.
    fn may_leave(&self) -> bool {
        self.kept.are_wanted()
            && self.intake.is_idle()
            && !self.may_begin
            && self.held.is_empty()
            && !self.is_writing
            && !self.is_over
    }

    /// Returns the stream of the system.
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Returns the gate for reading from it.
    pub fn intake(&self) -> &Intake {
        &self.intake
    }

    /// Returns its place among the connections at once.
    pub fn seat(&self) -> &Seat {
        &self.seat
    }

    /// Returns whether nothing may be read now.
    fn is_closed(&self) -> bool {
        self.stalled.is_some() || self.intake.is_closed()
    }

    /// Reads into `buffer`, and takes back what is too much for one turn.
    fn take_in(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        if self.ahead.is_empty() {
            let read = Pin::new(&mut self.stream).poll_read(context, buffer);
            self.is_over |= match &read {
                Poll::Pending => false,
                Poll::Ready(Ok(())) => buffer.filled().len() == before,
                Poll::Ready(Err(_)) => true,
            };
            if !matches!(read, Poll::Ready(Ok(()))) {
                return read;
            }
        } else {
            let length = self.ahead.len().min(buffer.remaining());
            buffer.put_slice(self.ahead.get(..length).unwrap_or_default());
            self.ahead.advance(length);
        }
        let new = buffer.filled().get(before..).unwrap_or_default();
        self.start.note(self.intake.begun(), new);
        self.head_deadline.note_bytes(new.len());
        let handed_over = handed_over(new);
        if handed_over < new.len() {
            let rest = new.get(handed_over..).unwrap_or_default();
            let behind = std::mem::take(&mut self.ahead);
            self.ahead = BytesMut::with_capacity(rest.len().saturating_add(behind.len()));
            self.ahead.extend_from_slice(rest);
            self.ahead.extend_from_slice(&behind);
            buffer.set_filled(before.saturating_add(handed_over));
            self.is_turn_over = true;
        }
        let new = buffer.filled().get(before..).unwrap_or_default();
        self.next_request.note(&self.intake, new);
        self.may_begin |= !new.is_empty();
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let socket = self.get_mut();
        if socket.seat_waker.is_given_up(&socket.seat, context) {
            return Poll::Ready(Err(no_room()));
        }
        ready!(socket.release(context))?;
        if socket.may_leave() {
            socket.leaves = true;
            // The framework takes this for the end of what the client sends.
            return Poll::Ready(Ok(()));
        }
        if socket.is_closed() {
            socket.is_withheld = true;
            return Poll::Pending;
        }
        if std::mem::take(&mut socket.is_turn_over) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let read = socket.take_in(context, buffer);
        let requests = socket.intake.begun();
        if read.is_pending() && socket.head_deadline.is_over(requests, context) {
            socket.is_over = true;
            socket.time_out();
            // The framework takes this for the end of what the client sends, and closes the connection.
            return Poll::Ready(Ok(()));
        }
        read
    }
}

impl Socket {
    /// Answers a head that did not arrive in time. Who has sent nothing gets nothing, and may ask again elsewhere.
    fn time_out(&self) {
        if let Some(error) =
            bare_error::time_out(&self.start, self.head_deadline.limit(), self.word)
        {
            let outcome = self.stream.try_write(&error);
            tracing::debug!(written = ?outcome, "refused a request whose head is too slow");
        }
    }

    fn write(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if closes(bytes) {
            self.is_over = true;
        }
        let progress = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.is_writing = progress.is_pending();
        if progress.is_ready() || self.patience.is_zero() {
            if self.stalled.take().is_some() {
                self.seat.is_read();
            }
            return progress;
        }
        if self.stalled.is_none() {
            self.seat.enter(Phase::Unread);
        }
        if self.seat_waker.is_given_up(&self.seat, context) {
            return Poll::Ready(Err(no_room()));
        }
        let patience = self.patience;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(patience)));
        if stalled.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        // The system would keep what it has not sent, and offer it for minutes.
        let dropped = self.stream.set_zero_linger();
        tracing::debug!(
            ?dropped,
            "closed a connection whose client does not read its answers"
        );
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Writes what was held back: the framework goes on, so it was no error of its own.
    fn release(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut bytes = std::mem::take(&mut self.held);
        let released = release(&mut bytes, |part| self.write(context, part));
        self.held = bytes;
        released
    }
}

/// The end of a connection that makes room for another one. Its client may send the request again.
fn no_room() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let socket = self.get_mut();
        if socket.leaves {
            return Poll::Ready(Ok(bytes.len()));
        }
        ready!(socket.release(context))?;
        match bare_error::begins_at(bytes) {
            None => socket.write(context, bytes),
            Some(0) => {
                socket.held.extend_from_slice(bytes);
                // When the framework is asked again, this was not the last of the connection.
                context.waker().wake_by_ref();
                Poll::Ready(Ok(bytes.len()))
            }
            Some(before) => socket.write(context, bytes.get(..before).unwrap_or_default()),
        }
    }

    /// Called at the end of each turn of the framework, when all was written.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let socket = self.get_mut();
        socket.may_begin = false;
        socket.next_request.forget_begun(&socket.intake);
        if socket.is_withheld && !socket.is_closed() {
            socket.is_withheld = false;
            // A turn for nothing would cost more than all else that is done here.
            if !socket.ahead.is_empty() || socket.stream.poll_read_ready(context).is_ready() {
                context.waker().wake_by_ref();
            }
        }
        Pin::new(&mut socket.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let socket = self.get_mut();
        ready!(socket.release(context))?;
        if socket.leaves || socket.may_leave() {
            socket.leaves = true;
            return Poll::Ready(Ok(()));
        }
        socket.is_over = true;
        Pin::new(&mut socket.stream).poll_shutdown(context)
    }
}

/// Returns whether these bytes begin an answer that says that the connection is closed behind it.
fn closes(bytes: &[u8]) -> bool {
    const CLOSES: &[u8] = b"\r\nconnection: close\r\n";
    bytes.starts_with(b"HTTP/1.") && memchr::memmem::find(bytes, CLOSES).is_some()
}

impl Drop for Socket {
    /// The process keeps the connection, or the framework has given it up right behind what is held back: that was its own
    /// error.
    fn drop(&mut self) {
        if self.leaves || self.may_leave() {
            // The socket stays open as long as one descriptor leads to it.
            if let Ok(stream) = self.stream.as_fd().try_clone_to_owned() {
                let mut read = self.next_request.take(&self.intake);
                read.extend_from_slice(&self.ahead);
                let stream = stream.into();
                self.kept.keep(KeptConnection {
                    stream,
                    read,
                    is_kept: true,
                });
            }
            return;
        }
        if !self.held.is_empty() {
            let error = bare_error::with_body(&self.held, &self.start, self.word);
            // A failed write does no harm: a client that does not read the answer does not need it.
            let outcome = self.stream.try_write(&error);
            tracing::debug!(written = ?outcome, "refused a request that is not well-formed");
        }
    }
}
