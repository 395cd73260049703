//! A lean HTTP/1.1 client: sends what was made beforehand, reads what comes back, and nothing else.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::requests::Requests;

/// The longest answer that is read.
const ANSWER_BYTES_MAX: usize = 4_096;

/// What one round gave.
pub(crate) struct Measured {
    pub(crate) requests: u64,
    pub(crate) elapsed: Duration,
    /// Latencies in microseconds.
    pub(crate) latencies: Histogram<u64>,
}

/// Sends requests over this many connections, each with one at a time under way, until the time is up or there are no
/// more requests.
pub(crate) async fn round(
    address: SocketAddr,
    connections: usize,
    requests: Requests,
    time: Duration,
) -> Measured {
    let shared = Rc::new(Shared {
        requests,
        next: Cell::new(0),
        latencies: RefCell::new(Histogram::new(3).expect("three digits are possible")),
    });
    let mut open = Vec::with_capacity(connections);
    for _ in 0..connections {
        open.push(Connection::open(address).await);
    }
    let tasks = LocalSet::new();
    let begun = Instant::now();
    let working: Vec<_> = open
        .into_iter()
        .map(|connection| {
            let shared = Rc::clone(&shared);
            tasks.spawn_local(async move { connection.work(&shared, begun + time).await })
        })
        .collect();
    tasks
        .run_until(async {
            for connection in working {
                connection.await.expect("every request is answered");
            }
        })
        .await;
    let elapsed = begun.elapsed();
    let latencies = shared.latencies.borrow().clone();
    Measured {
        requests: latencies.len(),
        elapsed,
        latencies,
    }
}

/// Sends one request.
pub(crate) async fn once(address: SocketAddr, request: &[u8]) {
    Connection::open(address).await.exchange(request).await;
}

struct Shared {
    requests: Requests,
    next: Cell<usize>,
    latencies: RefCell<Histogram<u64>>,
}

struct Connection {
    stream: TcpStream,
    buffer: Box<[u8; ANSWER_BYTES_MAX]>,
}

impl Connection {
    async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address)
            .await
            .expect("the server accepts connections");
        stream.set_nodelay(true).expect("TCP knows no delay");
        Self {
            stream,
            buffer: Box::new([0; ANSWER_BYTES_MAX]),
        }
    }

    async fn work(mut self, shared: &Shared, until: Instant) {
        let mut sent = Instant::now();
        while sent < until {
            let next = shared.next.replace(shared.next.get() + 1);
            let Some(request) = shared.requests.get(next) else {
                return;
            };
            self.exchange(request).await;
            let answered = Instant::now();
            let micros = u64::try_from((answered - sent).as_micros()).unwrap_or(u64::MAX);
            let recorded = shared.latencies.borrow_mut().record(micros);
            recorded.expect("the histogram grows");
            sent = answered;
        }
    }

    /// Sends a request and reads its answer, which must be a 200.
    async fn exchange(&mut self, request: &[u8]) {
        self.stream
            .write_all(request)
            .await
            .expect("the server reads");
        let mut filled = 0;
        loop {
            let read = self.stream.read(&mut self.buffer[filled..]).await;
            let read = read.expect("the server answers");
            assert!(read > 0, "the server closed the connection");
            filled += read;
            if is_complete(&self.buffer[..filled]) {
                return;
            }
        }
    }
}

/// Whether these bytes are a whole answer.
fn is_complete(bytes: &[u8]) -> bool {
    let Some(head) = find(bytes, b"\r\n\r\n") else {
        return false;
    };
    assert!(
        bytes.starts_with(b"HTTP/1.1 200 "),
        "the server refused: {}",
        String::from_utf8_lossy(bytes)
    );
    const LENGTH: &[u8] = b"content-length: ";
    let length = find(&bytes[..head], LENGTH).expect("every answer tells its length");
    let digits = bytes[length + LENGTH.len()..].iter();
    let length = digits
        .take_while(|byte| byte.is_ascii_digit())
        .fold(0, |number, digit| number * 10 + usize::from(digit - b'0'));
    bytes.len() >= head + 4 + length
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
