//! Account users who answer: over kept-alive connections, as fast as they are let, or at a pace.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use switchboard_actors::domain::signature::Signer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::server::{ACCOUNT, HOST, SECRET};
use crate::sink::{WRITTEN, micros};

/// The token of the account user.
pub(crate) const TOKEN: &str = "token-of-the-benchmark";

/// A connection to the server, with one request at a time under way.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await;
        let stream = stream.expect("the server accepts connections");
        stream.set_nodelay(true).expect("TCP knows no delay");
        Self {
            stream,
            buffer: Vec::with_capacity(8_192),
        }
    }

    /// Sends a request and gives status and body of the answer.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> (u16, String) {
        let sent = self.stream.write_all(request).await;
        sent.expect("the server reads");
        self.buffer.clear();
        loop {
            let read = self.stream.read_buf(&mut self.buffer).await;
            assert!(
                read.expect("the server answers") > 0,
                "it closed the connection"
            );
            if let Some(answer) = whole(&self.buffer) {
                return answer;
            }
        }
    }
}

fn whole(buffer: &[u8]) -> Option<(u16, String)> {
    let text = std::str::from_utf8(buffer).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let lower = head.to_ascii_lowercase();
    let length = lower
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length?.trim().parse().ok()?;
    (body.len() >= length).then(|| (status, body.to_owned()))
}

/// Connects the account to each channel and opens so many conversations in each; gives the addresses of answers.
pub(crate) async fn open(address: SocketAddr, channels: &[String], each: u64) -> Vec<String> {
    let signer = Signer::new(&SECRET.parse().expect("the secret is one"));
    let mut connection = Connection::open(address).await;
    let mut targets = Vec::new();
    for channel in channels {
        let body = format!(r#"{{"account_id":"{ACCOUNT}","hook_api_version":"v2"}}"#);
        let path = format!("/v2/origin/custom/{channel}/connect");
        let request = post(
            &path,
            &format!("X-Signature: {}", signer.sign(body.as_bytes())),
            &body,
        );
        let (status, said) = connection.exchange(&request).await;
        assert_eq!(status, 200, "{said}");
        for number in 0..each {
            let body = format!(
                r#"{{"event_type":"new_message","payload":{{"timestamp":1700000000,"msgid":"m-{number}","conversation_id":"c-{number}","sender":{{"id":"u-{number}","name":"Robin Carter","avatar":"https://example.com/a.png"}},"message":{{"type":"text","text":"Hello"}},"silent":true}}}}"#
            );
            let path = format!("/v2/origin/custom/{channel}_{ACCOUNT}");
            let request = post(
                &path,
                &format!("X-Signature: {}", signer.sign(body.as_bytes())),
                &body,
            );
            let (status, said) = connection.exchange(&request).await;
            assert_eq!(status, 200, "{said}");
            let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
            let id = said["new_message"]["conversation_id"].as_str();
            let id = id.expect("it names the conversation");
            targets.push(format!("/inbox/v1/conversations/{id}/messages"));
        }
    }
    targets
}

/// The request of one answer, written now.
fn answer(target: &str) -> Vec<u8> {
    let body = format!(
        r#"{{"type":"text","text":"{WRITTEN}{:012} and so on"}}"#,
        micros()
    );
    post(target, &format!("Authorization: Bearer {TOKEN}"), &body)
}

fn post(path: &str, header: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\n{header}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Writes so many answers, spread over these addresses, over so many connections; gives how long that took.
pub(crate) async fn write(
    address: SocketAddr,
    connections: usize,
    targets: &[String],
    count: u64,
) -> Duration {
    let next = Rc::new(Cell::new(0_u64));
    let targets: Rc<[String]> = targets.into();
    let tasks = LocalSet::new();
    let begun = Instant::now();
    let mut working = Vec::new();
    for _ in 0..connections {
        let mut connection = Connection::open(address).await;
        let (next, targets) = (Rc::clone(&next), Rc::clone(&targets));
        working.push(tasks.spawn_local(async move {
            while next.get() < count {
                let number = next.replace(next.get() + 1);
                let target = usize::try_from(number).expect("it fits") % targets.len();
                let (status, said) = connection.exchange(&answer(&targets[target])).await;
                assert_eq!(status, 201, "{said}");
            }
        }));
    }
    tasks
        .run_until(async {
            for work in working {
                work.await.expect("every answer is taken");
            }
        })
        .await;
    begun.elapsed()
}

/// Writes so many answers per second for a while, whether the ones before have been taken or not.
pub(crate) async fn pace(
    address: SocketAddr,
    targets: &[String],
    rate: u64,
    time: Duration,
) -> u64 {
    const CONNECTIONS: usize = 32;
    let targets: Rc<[String]> = targets.into();
    let (feed, jobs) = tokio::sync::mpsc::channel::<usize>(100_000);
    let jobs = Rc::new(tokio::sync::Mutex::new(jobs));
    let tasks = LocalSet::new();
    let mut working = Vec::new();
    for _ in 0..CONNECTIONS {
        let mut connection = Connection::open(address).await;
        let (jobs, targets) = (Rc::clone(&jobs), Rc::clone(&targets));
        working.push(tasks.spawn_local(async move {
            loop {
                let job = jobs.lock().await.recv().await;
                let Some(job) = job else { return };
                let (status, said) = connection.exchange(&answer(&targets[job])).await;
                assert_eq!(status, 201, "{said}");
            }
        }));
    }
    let count = rate * u64::try_from(time.as_millis()).expect("it is short") / 1_000;
    let length = targets.len();
    tasks
        .run_until(async move {
            let begun = Instant::now();
            for number in 0..count {
                let at = Duration::from_micros(number * 1_000_000 / rate);
                tokio::time::sleep_until((begun + at).into()).await;
                let target = usize::try_from(number).expect("it fits") % length;
                feed.send(target).await.expect("there are workers");
            }
            drop(feed);
            for work in working {
                work.await.expect("every answer is taken");
            }
        })
        .await;
    count
}
