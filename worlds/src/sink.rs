//! A receiver of callbacks that misbehaves on command.
//!
//! A raw TCP server on a port of its own: it must be able to hang, reset, trickle and lie
//! about lengths, which no proper HTTP server can. It keeps a ledger of everything it was
//! sent, and a test waits for the ledger to reach a state instead of for time to pass.
//!
//! One [`Behaviour`] is used up per request: first those that were scripted, in order, then
//! the standing one. Or a function decides, with the request before it.

mod conversation;
mod request;

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};
use tokio_rustls::server::TlsStream;

pub use request::Received;

/// The time for which a test waits for a state before it fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// Connections served at the same time.
const CONNECTIONS_MAX: usize = 1_024;

/// Requests kept in the ledger; later ones are only counted.
const REQUESTS_MAX: usize = 100_000;

/// The behaviour of the sink towards one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// A proper answer; the connection stays open for the next request.
    Answer(Reply),
    /// A proper answer, then the sink closes its side and waits for the other to close too.
    AnswerAndClose(Reply),
    /// These bytes, then the end of the connection.
    Raw(Bytes),
    /// These bytes, then nothing more on a connection that stays open.
    RawAndHang(Bytes),
    /// These bytes, then the same chunk again and again, one per interval. With an interval
    /// of zero as fast as the other side reads.
    Drip {
        /// The bytes sent at once.
        first: Bytes,
        /// The bytes sent again and again.
        chunk: Bytes,
        /// The pause before each repetition.
        interval: Duration,
    },
    /// These bytes (perhaps none), then a TCP reset.
    Reset(Bytes),
    /// Takes the connection and reads nothing beyond its first byte.
    Hang,
}

/// A proper HTTP/1.1 answer with a right `Content-Length`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// Headers besides `Content-Length`.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Bytes,
}

impl Behaviour {
    /// A status and nothing else.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self::Answer(Reply::new(status))
    }

    /// A redirect (302) to `location`.
    #[must_use]
    pub fn redirect(location: &str) -> Self {
        Self::Answer(Reply::new(302).header("Location", location))
    }

    /// One byte of a never-ending head per interval.
    #[must_use]
    pub const fn slow_head(interval: Duration) -> Self {
        Self::Drip {
            first: Bytes::from_static(b"HTTP/1.1 200 OK\r\nX-Filler: "),
            chunk: Bytes::from_static(b"z"),
            interval,
        }
    }

    /// A complete head, then one byte of a body of 1 MiB per interval.
    #[must_use]
    pub fn slow_body(status: u16, interval: Duration) -> Self {
        Self::Drip {
            first: head(status, "Content-Length: 1048576\r\n"),
            chunk: Bytes::from_static(b"z"),
            interval,
        }
    }

    /// A complete head, then a body without end, as fast as it is read.
    #[must_use]
    pub fn endless_body(status: u16) -> Self {
        Self::Drip {
            first: head(status, ""),
            chunk: Bytes::from(vec![b'z'; 8 * 1024]),
            interval: Duration::ZERO,
        }
    }

    /// A head of about `bytes` bytes.
    #[must_use]
    pub fn header_flood(bytes: usize) -> Self {
        let line = format!("X-Filler: {}\r\n", "z".repeat(1_000));
        let lines = line.repeat(bytes / line.len());
        Self::Raw(head(200, &lines))
    }
}

impl Reply {
    /// An answer without body.
    #[must_use]
    pub const fn new(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Bytes::new(),
        }
    }

    /// With one header more.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With this body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }
}

fn head(status: u16, lines: &str) -> Bytes {
    Bytes::from(format!("HTTP/1.1 {status} Scripted\r\n{lines}\r\n"))
}

/// The counts of the sink so far.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Connections accepted.
    pub connections: usize,
    /// Connections that are over.
    pub ended: usize,
    /// Requests received completely; also those beyond what is kept.
    pub count: usize,
    /// The requests, in the order of their completion.
    pub requests: Vec<Received>,
}

/// A stream that the sink can serve: plain TCP, or TLS over it.
pub trait Wire: AsyncRead + AsyncWrite + Send + Unpin + 'static {
    /// The socket below, for resetting it.
    fn socket(&self) -> &TcpStream;
}

impl Wire for TcpStream {
    fn socket(&self) -> &TcpStream {
        self
    }
}

impl Wire for TlsStream<TcpStream> {
    fn socket(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// A running sink. Dropping it ends it and all its connections.
#[derive(Debug)]
pub struct Sink {
    address: SocketAddr,
    script: Arc<Script>,
    ledger: watch::Receiver<Ledger>,
    server: AbortHandle,
}

struct Script {
    next: Mutex<VecDeque<Behaviour>>,
    standing: Behaviour,
    judge: Option<Box<Judge>>,
}

/// Decides what is done with a request.
type Judge = dyn Fn(&Received) -> Behaviour + Send + Sync;

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut script = f.debug_struct("Script");
        script.field("next", &self.next).finish_non_exhaustive()
    }
}

impl Script {
    fn take(&self) -> Behaviour {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.pop_front().unwrap_or_else(|| self.standing.clone())
    }
}

impl Sink {
    /// Starts a sink on loopback that treats every request the same way.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start(standing: Behaviour) -> io::Result<Self> {
        Self::start_over(standing, |socket| std::future::ready(Ok(socket))).await
    }

    /// Starts a sink on loopback that decides for each request, once that is there as a whole.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn judging(
        judge: impl Fn(&Received) -> Behaviour + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let script = Script {
            next: Mutex::default(),
            standing: Behaviour::status(200),
            judge: Some(Box::new(judge)),
        };
        Self::serving(script, |socket| std::future::ready(Ok(socket))).await
    }

    /// As [`Self::start`], with something around each socket, such as TLS.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start_over<Wrap, Wrapping, W>(standing: Behaviour, wrap: Wrap) -> io::Result<Self>
    where
        Wrap: Fn(TcpStream) -> Wrapping + Send + Sync + 'static,
        Wrapping: Future<Output = io::Result<W>> + Send + 'static,
        W: Wire,
    {
        let script = Script {
            next: Mutex::default(),
            standing,
            judge: None,
        };
        Self::serving(script, wrap).await
    }

    async fn serving<Wrap, Wrapping, W>(script: Script, wrap: Wrap) -> io::Result<Self>
    where
        Wrap: Fn(TcpStream) -> Wrapping + Send + Sync + 'static,
        Wrapping: Future<Output = io::Result<W>> + Send + 'static,
        W: Wire,
    {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let script = Arc::new(script);
        let (ledger, seen) = watch::channel(Ledger::default());
        let server = tokio::spawn(serve(listener, Arc::clone(&script), ledger, wrap));
        Ok(Self {
            address,
            script,
            ledger: seen,
            server: server.abort_handle(),
        })
    }

    /// Adds to the script: what is done with the next request that has nothing scripted yet.
    pub fn script(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        let mut next = self
            .script
            .next
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        next.extend(behaviours);
    }

    /// Returns the address of its socket.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The `http` URL of a path that begins with a slash.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the counts so far.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        self.ledger.borrow().clone()
    }

    /// Waits until the ledger is as described.
    ///
    /// # Errors
    /// When that did not happen for two minutes.
    pub async fn until(&self, reached: impl FnMut(&Ledger) -> bool) -> io::Result<Ledger> {
        let mut ledger = self.ledger.clone();
        match tokio::time::timeout(PATIENCE, ledger.wait_for(reached)).await {
            Ok(Ok(ledger)) => Ok(ledger.clone()),
            Ok(Err(error)) => Err(io::Error::other(error)),
            Err(elapsed) => Err(io::Error::new(io::ErrorKind::TimedOut, elapsed)),
        }
    }

    /// Waits until `count` requests were received completely.
    ///
    /// # Errors
    /// As [`Self::until`].
    pub async fn requests(&self, count: usize) -> io::Result<Vec<Received>> {
        let ledger = self.until(|ledger| ledger.count >= count).await?;
        Ok(ledger.requests)
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve<Wrap, Wrapping, W>(
    listener: TcpListener,
    script: Arc<Script>,
    ledger: watch::Sender<Ledger>,
    wrap: Wrap,
) where
    Wrap: Fn(TcpStream) -> Wrapping,
    Wrapping: Future<Output = io::Result<W>> + Send + 'static,
    W: Wire,
{
    // Ends its tasks when it is dropped, which happens when the sink is.
    let mut open = JoinSet::new();
    loop {
        while open.try_join_next().is_some() {}
        if open.len() >= CONNECTIONS_MAX {
            open.join_next().await;
        }
        let Ok((socket, _peer)) = listener.accept().await else {
            return;
        };
        ledger.send_modify(|ledger| ledger.connections += 1);
        let wrapping = wrap(socket);
        let (script, ledger) = (Arc::clone(&script), ledger.clone());
        open.spawn(async move {
            if let Ok(wire) = wrapping.await {
                // A client that goes away in the middle is an expected end.
                let _end = conversation::hold(wire, &script, &ledger).await;
            }
            ledger.send_modify(|ledger| ledger.ended += 1);
        });
    }
}
