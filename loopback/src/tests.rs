//! Clients that send too little, too much or nonsense.

use std::future::pending;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::{Request, Response};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::LocalSet;
use tokio::time::Instant;

use super::body::{self, BodyLimits, BodyMemory, BodyReadError, DEADLINE};
use super::place::{Place, Places};
use super::{Answers, accept, serve};

/// Answers with what it read, and remembers what it could not read.
struct Echo {
    memory: BodyMemory,
    refused: Mutex<Vec<(String, u16)>>,
}

impl Default for Echo {
    fn default() -> Self {
        Self {
            memory: BodyMemory::new(1_000),
            refused: Mutex::default(),
        }
    }
}

impl Answers for Echo {
    type Content = Full<Bytes>;

    async fn answer(
        &self,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Option<Response<Full<Bytes>>> {
        let read = body::read(request.into_body(), BodyLimits::up_to(100), &self.memory).await;
        let (status, body) = match read {
            Ok(whole) if whole.is_too_large => (413, Bytes::new()),
            Ok(whole) => {
                place.work_on_whole();
                (200, whole.bytes.clone())
            }
            Err(BodyReadError::TooSlow) => (408, Bytes::new()),
            Err(BodyReadError::BrokenOff(_)) => (400, Bytes::new()),
        };
        let mut answer = Response::new(Full::new(body));
        *answer.status_mut() = status.try_into().unwrap();
        Some(answer)
    }

    fn refused(&self, line: &str, status: u16) {
        self.refused.lock().unwrap().push((line.to_owned(), status));
    }
}

/// The answer to a client that sends these pieces, each after a pause, and nothing more; how long the connection lasts; and
/// what the server could not read.
async fn exchanged(pieces: &[&[u8]], pause: Duration) -> (String, Duration, Vec<(String, u16)>) {
    let (mut client, server) = duplex(1 << 20);
    let echo = Echo::default();
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let place = Places::new(1).take(address).await;
    let start = Instant::now();
    let talk = async {
        for piece in pieces {
            // The server may have closed the connection.
            drop(client.write_all(piece).await);
            tokio::time::sleep(pause).await;
        }
        let answer = all(&mut client).await;
        let lasted = start.elapsed();
        drop(client);
        (answer, lasted)
    };
    let ((answer, lasted), ()) = tokio::join!(talk, serve(server, &place, pending(), &echo));
    (answer, lasted, echo.refused.into_inner().unwrap())
}

async fn all(client: &mut DuplexStream) -> String {
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

fn begins(answer: &str, status: u16) -> bool {
    answer.starts_with(&format!("HTTP/1.1 {status} "))
}

#[tokio::test(start_paused = true)]
async fn an_unfinished_head_is_given_up_after_five_seconds() {
    let (answer, lasted, refused) = exchanged(&[b"GET /half HTTP/1.1\r\n"], Duration::ZERO).await;
    assert!(begins(&answer, 408), "{answer}");
    assert!(answer.contains("within 5 s"), "{answer}");
    assert_eq!(lasted.as_secs(), 5);
    assert_eq!(refused, [("GET /half HTTP/1.1".to_owned(), 408)]);
    let (nothing, lasted, refused) = exchanged(&[], Duration::ZERO).await;
    assert_eq!((nothing.as_str(), lasted.as_secs()), ("", 5));
    assert!(refused.is_empty(), "{refused:?}");
    let drip: Vec<&[u8]> = b"GET / HTTP/1.1\r\n".chunks(1).collect();
    let (_, lasted, _) = exchanged(&drip, Duration::from_millis(400)).await;
    assert!(lasted.as_secs() < 8, "each byte buys nothing: {lasted:?}");
}

#[tokio::test(start_paused = true)]
async fn an_unfinished_body_is_given_up_after_fifteen_seconds() {
    let head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n1";
    let (answer, lasted, _) = exchanged(&[head], Duration::ZERO).await;
    assert!(begins(&answer, 408), "{answer}");
    // The rest is dropped for a moment, so that its sender sees the answer.
    assert!((15..=17).contains(&lasted.as_secs()), "{lasted:?}");
    let drip: Vec<&[u8]> = std::iter::once(&head[..])
        .chain(std::iter::repeat_n(&b"1"[..], 30))
        .collect();
    let (answer, _, _) = exchanged(&drip, Duration::from_secs(1)).await;
    assert!(begins(&answer, 408), "each byte buys nothing: {answer}");
    assert_eq!(DEADLINE.as_secs(), 15);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_declared_too_long_is_not_waited_for() {
    let head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 134217728\r\n\r\n";
    let (answer, lasted, _) = exchanged(&[head], Duration::ZERO).await;
    assert!(begins(&answer, 413), "{answer}");
    assert!(lasted.as_secs() < 3, "{lasted:?}");
    let chunks = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n";
    let piece = [b'x'; 255];
    let (answer, _, _) = exchanged(&[chunks, &piece], Duration::ZERO).await;
    assert!(begins(&answer, 413), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_request_gets_a_reason_and_is_remembered() {
    let close = b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    for target in [&b"/\xff"[..], b"/\x01", b"no such"] {
        let request = [b"GET ", target, close].concat();
        let (answer, _, refused) = exchanged(&[&request], Duration::ZERO).await;
        assert!(begins(&answer, 400), "{answer}");
        assert!(answer.contains("not well-formed HTTP"), "{answer}");
        let [(line, 400)] = &refused[..] else {
            panic!("{refused:?}")
        };
        assert!(line.starts_with("GET "), "{line}");
    }
    // The second request of a connection, too.
    let first = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi";
    let pause = Duration::from_millis(1);
    let (answer, _, refused) = exchanged(&[first, b"GET /\xfe HTTP/1.1\r\n\r\n"], pause).await;
    assert!(
        begins(&answer, 200) && answer.contains("HTTP/1.1 400 "),
        "{answer}"
    );
    let line = "GET /\u{fffd} HTTP/1.1".to_owned();
    assert_eq!(refused, [(line, 400)]);
}

#[tokio::test]
async fn idle_connections_make_room() {
    let local = LocalSet::new();
    let talk = async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::task::spawn_local(async move {
            let echo = Arc::new(Echo::default());
            let accepting = accept(listener, 4, pending(), |socket, place| {
                let echo = Arc::clone(&echo);
                async move { serve(socket, &place, pending(), &*echo).await }
            });
            drop(accepting.await);
        });
        let mut idle = Vec::new();
        for _ in 0..20 {
            idle.push(TcpStream::connect(address).await.unwrap());
        }
        let mut client = TcpStream::connect(address).await.unwrap();
        let request = b"POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi";
        client.write_all(request).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert!(begins(&answer, 200) && answer.ends_with("hi"), "{answer}");
        serving.abort();
    };
    local.run_until(talk).await;
}
