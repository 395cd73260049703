//! A receiver of callbacks that does as little as possible, on a thread of its own: it counts, and takes the time.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use hdrhistogram::Histogram;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::LocalSet;

use crate::client::{find, number};
use crate::statistics::{histogram, micros_of};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
/// The beginning of the texts of answers whose way is measured, and the separator before the number of the waiter.
const WRITTEN: &str = "t=";
const WAITS: &str = " w=";
/// The most that may wait for callbacks of their own.
pub const WAITERS_MAX: usize = 4_096;

/// The text of an answer that is written now; `waiter` is notified when it arrives as a callback.
#[must_use]
pub fn text(waiter: Option<usize>) -> String {
    let time = now();
    match waiter {
        Some(waiter) => format!("{WRITTEN}{time:012}{WAITS}{waiter:05} and so on"),
        None => format!("{WRITTEN}{time:012} and so on"),
    }
}

/// The time since the first call, in microseconds: one clock for who writes and who receives.
#[must_use]
pub fn now() -> u64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    micros_of(BEGIN.get_or_init(Instant::now).elapsed())
}

/// The time that a slow receiver takes.
const SLOW: Duration = Duration::from_millis(50);

/// The receiver. What is sent below `/hang` is read and never answered, and below `/slow` it is answered 50 ms later.
#[derive(Debug)]
pub struct Sink {
    /// The address on which it listens.
    pub address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Debug)]
struct Seen {
    taken: AtomicU64,
    first: Mutex<Option<Instant>>,
    /// From the writing of an answer to its arrival, in microseconds.
    ways: Mutex<Histogram<u64>>,
    waiters: Box<[Waiter]>,
}

/// A waiter for one callback.
#[derive(Debug, Default)]
struct Waiter {
    /// The time of the last one.
    at: AtomicU64,
    came: Notify,
}

impl Sink {
    /// Starts it on a free port.
    ///
    /// # Errors
    /// When there is none.
    pub fn start() -> Result<Self> {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let arrivals = Arc::new(Seen {
            taken: AtomicU64::new(0),
            first: Mutex::default(),
            ways: Mutex::new(histogram()?),
            waiters: std::iter::repeat_with(Waiter::default)
                .take(WAITERS_MAX)
                .collect(),
        });
        let arrivals_of_listener = Arc::clone(&arrivals);
        // It ends with the process; were it to end before, callbacks would be missed, and that is noticed.
        std::thread::Builder::new()
            .name("sink".to_owned())
            .spawn(move || listen(listener, &arrivals_of_listener).unwrap_or_default())?;
        Ok(Self {
            address,
            seen: arrivals,
        })
    }

    /// The address of a channel's callbacks, below `path`.
    #[must_use]
    pub fn webhook(&self, path: &str) -> String {
        format!("http://{}/{path}/:scope_id", self.address)
    }

    /// The address of a slow receiver with this number.
    #[must_use]
    pub fn slow(&self, number: usize) -> String {
        format!("http://{}/slow/{number}", self.address)
    }

    /// The number of callbacks taken so far.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.seen.taken.load(Ordering::Relaxed)
    }

    /// Waits until this many were taken.
    ///
    /// # Errors
    /// When they are not in time.
    pub async fn wait_for(&self, count: u64, patience: Duration) -> Result<()> {
        let start = Instant::now();
        while self.taken() < count {
            ensure!(
                start.elapsed() < patience,
                "{} of {count} callbacks came within {patience:?}",
                self.taken()
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    /// Waits until the callback came that this waiter's text is in; gives when, by [`now`].
    ///
    /// # Errors
    /// When it does not come in time.
    pub async fn came(&self, waiter: usize, patience: Duration) -> Result<u64> {
        let waiter = self
            .seen
            .waiters
            .get(waiter)
            .context("there are too many who wait for callbacks")?;
        tokio::time::timeout(patience, waiter.came.notified())
            .await
            .context("a callback did not come")?;
        Ok(waiter.at.load(Ordering::Acquire))
    }

    /// Forgets when the first callback came, and how long each was on its way.
    pub fn reset(&self) {
        *lock(&self.seen.first) = None;
        lock(&self.seen.ways).reset();
    }

    /// The time of the first callback since then.
    #[must_use]
    pub fn first(&self) -> Option<Instant> {
        *lock(&self.seen.first)
    }

    /// The durations of callbacks on their way since then, in microseconds.
    #[must_use]
    pub fn ways(&self) -> Histogram<u64> {
        lock(&self.seen.ways).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(listener: std::net::TcpListener, seen: &Arc<Seen>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    LocalSet::new().block_on(&runtime, async {
        let listener = TcpListener::from_std(listener)?;
        loop {
            let (stream, _) = listener.accept().await?;
            let arrivals = Arc::clone(seen);
            tokio::task::spawn_local(async move {
                // The other side chooses when and how a connection ends.
                serve(stream, &arrivals).await.unwrap_or_default();
            });
        }
    })
}

async fn serve(mut stream: TcpStream, seen: &Seen) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer: Vec<u8> = Vec::with_capacity(8_192);
    loop {
        let Some((head, end)) = whole(&buffer) else {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
            continue;
        };
        if buffer.starts_with(b"POST /slow") {
            tokio::time::sleep(SLOW).await;
        }
        if !buffer.starts_with(b"POST /hang") {
            note(seen, buffer.get(head..end).unwrap_or_default());
            stream.write_all(ANSWER).await?;
        }
        buffer.drain(..end);
    }
}

/// The bounds of the body, if all of it is there.
fn whole(buffer: &[u8]) -> Option<(usize, usize)> {
    const LENGTH: &[u8] = b"content-length: ";
    let head = find(buffer, b"\r\n\r\n")? + 4;
    let lower = buffer.get(..head)?.to_ascii_lowercase();
    let length = find(&lower, LENGTH).map_or(0, |at| {
        number(lower.get(at + LENGTH.len()..).unwrap_or_default())
    });
    let end = head.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
    (buffer.len() >= end).then_some((head, end))
}

fn note(seen: &Seen, body: &[u8]) {
    let arrived = now();
    lock(&seen.first).get_or_insert_with(Instant::now);
    let mark = [b"\"text\":\"", WRITTEN.as_bytes()].concat();
    if let Some(at) = find(body, &mark) {
        let text = body.get(at + mark.len()..).unwrap_or_default();
        let way = arrived.saturating_sub(number(text)).max(1);
        // It grows with what is recorded, unless there is no memory for that.
        lock(&seen.ways).record(way).unwrap_or_default();
        let waits = text
            .get(12..)
            .and_then(|it| it.strip_prefix(WAITS.as_bytes()));
        let waiter = waits.and_then(|waits| usize::try_from(number(waits)).ok());
        if let Some(waiter) = waiter.and_then(|waiter| seen.waiters.get(waiter)) {
            waiter.at.store(arrived, Ordering::Release);
            waiter.came.notify_one();
        }
    }
    seen.taken.fetch_add(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Connection;

    #[tokio::test]
    async fn a_waiter_gets_the_callback_with_its_number() {
        let sink = Sink::start().unwrap();
        let mut connection = Connection::open(sink.address).await.unwrap();
        for waiter in [Some(3), None] {
            let body = format!(r#"{{"text":"{}"}}"#, text(waiter));
            let length = body.len();
            let request = format!("POST /in/x HTTP/1.1\r\ncontent-length: {length}\r\n\r\n{body}");
            connection.expect(request.as_bytes(), 200).await.unwrap();
        }
        let patience = Duration::from_secs(120);
        assert!(sink.came(3, patience).await.unwrap() <= now());
        sink.wait_for(2, patience).await.unwrap();
        assert_eq!(sink.ways().len(), 2);
        let old = br#"{"text":"t=000000000000"}"#;
        let before = now();
        note(&sink.seen, old);
        let longest = sink.ways().max();
        assert!(longest >= before, "{longest} {before}");
        assert!(sink.first().is_some());
        sink.reset();
        assert!(sink.ways().is_empty() && sink.first().is_none());
    }
}
