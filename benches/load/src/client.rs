//! A lean HTTP/1.1 client: sends what was made beforehand, reads what comes back, and nothing else.

use std::cell::{Cell, OnceCell, RefCell};
use std::net::SocketAddr;
use std::ops::Range;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use hdrhistogram::Histogram;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::requests::Requests;
use crate::statistics::{histogram, micros_of};

/// The figures of one round.
#[derive(Debug)]
pub struct Measured {
    /// The number of requests with an answer.
    pub requests: u64,
    /// The duration of the round.
    pub elapsed: Duration,
    /// Latencies in microseconds.
    pub latencies: Histogram<u64>,
}

/// The answer of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerAnswer<'a> {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: &'a [u8],
}

/// A kept-alive connection, with one request at a time in progress.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// When no server listens at the address.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address)
            .await
            .with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(4_096),
        })
    }

    /// Sends a request and reads its answer.
    ///
    /// # Errors
    /// When the connection ends before the answer does.
    pub async fn exchange(&mut self, request: &[u8]) -> Result<ServerAnswer<'_>> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            let read = self.stream.read_buf(&mut self.buffer).await?;
            ensure!(read > 0, "the server closed the connection");
            if let Some((status, body)) = whole(&self.buffer)? {
                let body = self.buffer.get(body).unwrap_or_default();
                return Ok(ServerAnswer { status, body });
            }
        }
    }

    /// Sends a request that is to be answered with this status.
    ///
    /// # Errors
    /// When it is answered with another one.
    pub async fn expect(&mut self, request: &[u8], status: u16) -> Result<&[u8]> {
        let answer = self.exchange(request).await?;
        if answer.status != status {
            let text = String::from_utf8_lossy(answer.body);
            bail!(
                "the server answered {}, not {status}: {text}",
                answer.status
            );
        }
        Ok(answer.body)
    }
}

/// Does something on so many connections at once, each in a task of its own with its number; gives how long it took.
///
/// # Errors
/// The first failure of any of them, which ends all.
pub async fn on_each<F>(
    address: SocketAddr,
    connections: usize,
    work: impl Fn(usize, Connection) -> F,
) -> Result<Duration>
where
    F: Future<Output = Result<()>> + 'static,
{
    let mut open = Vec::with_capacity(connections);
    for _ in 0..connections {
        open.push(Connection::open(address).await?);
    }
    let tasks = LocalSet::new();
    let start = Instant::now();
    let numbered = open.into_iter().enumerate();
    let working: Vec<_> = numbered
        .map(|(number, connection)| tasks.spawn_local(work(number, connection)))
        .collect();
    let all = async {
        for work in working {
            work.await??;
        }
        Ok(start.elapsed())
    };
    tasks.run_until(all).await
}

/// Sends requests over this many connections, each with one at a time in progress, until the time is up or there are no
/// more requests. Every answer must be a 200.
///
/// # Errors
/// When one is not.
pub async fn round(
    address: SocketAddr,
    connections: usize,
    requests: Requests,
    time: Duration,
) -> Result<Measured> {
    let shared = Rc::new(Shared {
        requests,
        next: Cell::new(0),
        time,
        until: OnceCell::new(),
        latencies: RefCell::new(histogram()?),
    });
    let elapsed = on_each(address, connections, |_number, connection| {
        work(connection, Rc::clone(&shared))
    })
    .await?;
    let latencies = shared.latencies.borrow().clone();
    Ok(Measured {
        requests: latencies.len(),
        elapsed,
        latencies,
    })
}

struct Shared {
    requests: Requests,
    next: Cell<usize>,
    time: Duration,
    /// Set by the first connection that starts; all are connected by then.
    until: OnceCell<Instant>,
    latencies: RefCell<Histogram<u64>>,
}

async fn work(mut connection: Connection, shared: Rc<Shared>) -> Result<()> {
    let mut request_start = Instant::now();
    let until = *shared.until.get_or_init(|| request_start + shared.time);
    while request_start < until {
        let next = shared.next.replace(shared.next.get() + 1);
        let Some(request) = shared.requests.get(next) else {
            break;
        };
        connection.expect(request, 200).await?;
        let request_end = Instant::now();
        let latency = micros_of(request_end - request_start);
        shared.latencies.borrow_mut().record(latency)?;
        request_start = request_end;
    }
    Ok(())
}

/// Status and place of the body, if these bytes are a whole answer.
fn whole(bytes: &[u8]) -> Result<Option<(u16, Range<usize>)>> {
    const LENGTH: &[u8] = b"content-length: ";
    let Some(head) = find(bytes, b"\r\n\r\n") else {
        return Ok(None);
    };
    let fields = bytes.get(..head).unwrap_or_default();
    let status = number(fields.get(9..).unwrap_or_default());
    let length_field = find(fields, LENGTH).context("an answer has no length")?;
    let length = number(
        fields
            .get(length_field + LENGTH.len()..)
            .unwrap_or_default(),
    );
    let body = head + 4..head + 4 + usize::try_from(length)?;
    Ok((bytes.len() >= body.end).then_some((u16::try_from(status)?, body)))
}

/// The number that a text begins with.
pub(super) fn number(text: &[u8]) -> u64 {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number: u64, digit| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    })
}

pub(super) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_complete_once_its_body_has_arrived() {
        let answer = b"HTTP/1.1 201 Created\r\ncontent-length: 2\r\ndate: now\r\n\r\n{}";
        assert_eq!(
            whole(answer).unwrap(),
            Some((201, answer.len() - 2..answer.len()))
        );
        for missing in [1, 2, 3, 20] {
            assert_eq!(whole(&answer[..answer.len() - missing]).unwrap(), None);
        }
    }

    #[test]
    fn an_answer_without_a_length_is_refused() {
        let error = whole(b"HTTP/1.1 200 OK\r\n\r\n").unwrap_err();
        assert_eq!(error.to_string(), "an answer has no length");
    }
}
