//! A receiver of callbacks that does as little as possible, on a thread of its own: it counts, and takes the time.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the texts of answers begin with whose way is measured; behind it stands when they were written.
pub(crate) const WRITTEN: &str = "t=";

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/// The time since the first call, in microseconds: one clock for who writes and who receives.
pub(crate) fn micros() -> u64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let begin = *BEGIN.get_or_init(Instant::now);
    u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// The receiver. What is sent below `/hang` is read and never answered.
pub(crate) struct Sink {
    pub(crate) address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    taken: AtomicU64,
    first: Mutex<Option<Instant>>,
    /// From the writing of an answer to its arrival, in microseconds.
    ways: Mutex<Option<Histogram<u64>>>,
}

impl Sink {
    pub(crate) fn start() -> Self {
        let seen = Arc::<Seen>::default();
        let (told, address) = mpsc::channel();
        let served = Arc::clone(&seen);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("an event loop can be made");
            let tasks = tokio::task::LocalSet::new();
            tasks.block_on(&runtime, async move {
                let listener = TcpListener::bind(("127.0.0.1", 0)).await;
                let listener = listener.expect("there is a free port");
                let address = listener.local_addr().expect("it is bound");
                told.send(address).expect("the benchmark waits for it");
                while let Ok((stream, _)) = listener.accept().await {
                    let seen = Arc::clone(&served);
                    tokio::task::spawn_local(async move { serve(stream, &seen).await });
                }
            });
        });
        Self {
            address: address.recv().expect("the receiver starts"),
            seen,
        }
    }

    /// How many callbacks were taken so far.
    pub(crate) fn taken(&self) -> u64 {
        self.seen.taken.load(Ordering::Relaxed)
    }

    /// Waits until this many were taken.
    pub(crate) async fn wait_for(&self, count: u64, patience: Duration) {
        let begun = Instant::now();
        while self.taken() < count {
            assert!(
                begun.elapsed() < patience,
                "{} of {count} callbacks came",
                self.taken()
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Forgets when the first callback came, and how long each was on its way.
    pub(crate) fn reset(&self) {
        *self.seen.first.lock().expect("nobody panics") = None;
        let fresh = Histogram::new(3).expect("three digits are possible");
        *self.seen.ways.lock().expect("nobody panics") = Some(fresh);
    }

    /// When the first callback came since then.
    pub(crate) fn first(&self) -> Option<Instant> {
        *self.seen.first.lock().expect("nobody panics")
    }

    /// How long callbacks were on their way since then, in microseconds.
    pub(crate) fn ways(&self) -> Histogram<u64> {
        let ways = self.seen.ways.lock().expect("nobody panics");
        ways.clone().expect("it was reset")
    }
}

/// Serves one connection to its end, which the other side chooses.
async fn serve(mut stream: TcpStream, seen: &Seen) {
    stream.set_nodelay(true).expect("TCP knows no delay");
    let mut buffer: Vec<u8> = Vec::with_capacity(8_192);
    loop {
        let Some((head, length)) = whole(&buffer) else {
            match stream.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => continue,
            }
        };
        let hangs = buffer.starts_with(b"POST /hang");
        if !hangs {
            note(seen, &buffer[head..head + length]);
            if stream.write_all(ANSWER).await.is_err() {
                return;
            }
        }
        buffer.drain(..head + length);
    }
}

/// The lengths of a head and of the body behind it, if both are there.
fn whole(buffer: &[u8]) -> Option<(usize, usize)> {
    let head = find(buffer, b"\r\n\r\n")? + 4;
    let lower = buffer[..head].to_ascii_lowercase();
    let length = find(&lower, b"content-length: ").expect("every callback tells its length");
    let length = number(&lower[length + 16..]);
    let length = usize::try_from(length).expect("bodies are small");
    (buffer.len() >= head + length).then_some((head, length))
}

fn note(seen: &Seen, body: &[u8]) {
    seen.taken.fetch_add(1, Ordering::Relaxed);
    let mut first = seen.first.lock().expect("nobody panics");
    first.get_or_insert_with(Instant::now);
    drop(first);
    let mark = [b"\"text\":\"", WRITTEN.as_bytes()].concat();
    if let Some(place) = find(body, &mark)
        && let Some(ways) = seen.ways.lock().expect("nobody panics").as_mut()
    {
        let written = number(&body[place + mark.len()..]);
        let way = micros().saturating_sub(written).max(1);
        ways.record(way).expect("the histogram grows");
    }
}

fn number(text: &[u8]) -> u64 {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
