//! No request loses its answer because the service ends a round and begins another one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{contact, done, message_from};
use crate::support::client::Client;
use crate::support::server::{ACCOUNT, Server};
use crate::support::{PATIENCE, eventually};

/// The number of rounds that the service ends while requests come.
const ERASURES: u64 = 5;

/// A connection of a client that does not repeat requests.
struct Connection {
    stream: TcpStream,
    host: String,
}

impl Connection {
    async fn to(host: &str) -> Self {
        Self {
            stream: TcpStream::connect(host).await.unwrap(),
            host: host.to_owned(),
        }
    }

    fn head(&self, more: &str) -> String {
        format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n{more}\r\n", self.host)
    }

    async fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// The head of the answer; the connection has to give a whole one.
    async fn answer(&mut self) -> String {
        let mut answer = Vec::new();
        while !answer.ends_with(b"ok\n") {
            let read = timeout(PATIENCE, self.stream.read_buf(&mut answer)).await;
            let length = read.unwrap().unwrap();
            let so_far = String::from_utf8_lossy(&answer);
            assert!(length > 0, "no answer, but {so_far:?}");
        }
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        answer
    }

    /// Asks, and says whether the connection goes on.
    async fn asks(&mut self, more: &str) -> bool {
        let head = self.head(more);
        self.write(head.as_bytes()).await;
        !self.answer().await.contains("connection: close\r\n")
    }
}

/// Asks again and again until it is over, and counts the answers.
async fn asks_on(host: String, is_kept: bool, is_over: Arc<AtomicBool>, count: Arc<AtomicU32>) {
    let mut connection = None;
    while !is_over.load(Ordering::Acquire) {
        let mut current = match connection.take() {
            Some(connection) => connection,
            None => Connection::to(&host).await,
        };
        let more = if is_kept { "" } else { "Connection: close\r\n" };
        if current.asks(more).await {
            connection = Some(current);
        }
        count.fetch_add(1, Ordering::AcqRel);
    }
}

/// Waits until each of the clients has some more answers.
async fn all_get_answers(counts: &[Arc<AtomicU32>]) {
    let read = || -> Vec<u32> { counts.iter().map(|it| it.load(Ordering::Acquire)).collect() };
    let before = read();
    eventually("each client gets answers", async || {
        let mut pairs = before.iter().zip(read());
        pairs.all(|(before, now)| now >= before + 5).then_some(())
    })
    .await;
}

/// Orders the erasure of the customer with this name; its number.
async fn order(client: &Client, name: &str) -> u64 {
    let number = contact(client, name).await;
    let body = json!({ "what": "customer", "account_id": ACCOUNT, "contact_id": number });
    let order = client.operates("POST", "/admin/v1/erasures", &body).await;
    order.is(202).json["id"].as_u64().unwrap()
}

#[tokio::test]
async fn no_request_loses_its_answer_by_an_erasure() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for number in 1..=ERASURES {
        let event = message_from(
            &format!("Customer {number}"),
            &format!("m-{number}"),
            "hello",
        );
        client.sent(&event).await;
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let (clients, counts): (Vec<_>, Vec<_>) = [true, true, false, false]
        .into_iter()
        .map(|is_kept| {
            let count = Arc::<AtomicU32>::default();
            let (host, is_over) = (client.host().to_owned(), Arc::clone(&is_over));
            let asking = tokio::spawn(asks_on(host, is_kept, is_over, Arc::clone(&count)));
            (asking, count)
        })
        .unzip();
    for number in 1..=ERASURES {
        all_get_answers(&counts).await;
        assert_eq!(order(client, &format!("Customer {number}")).await, number);
        done(client, number).await;
    }
    all_get_answers(&counts).await;
    is_over.store(true, Ordering::Release);
    for asking in clients {
        asking.await.unwrap();
    }
    assert_eq!(server.terminate().await, Some(0));
}

/// A connection without a request in progress goes on with the next round: one that was answered, and one that has sent a part
/// of its next request.
#[tokio::test]
async fn a_connection_goes_on_behind_an_erasure() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client
        .sent(&message_from("Customer 1", "m-1", "hello"))
        .await;
    let host = client.host();
    let mut answer = Connection::to(host).await;
    assert!(answer.asks("").await);
    let mut connection = Connection::to(host).await;
    assert!(connection.asks("").await);
    let head = connection.head("");
    let (first, rest) = head.split_at(30);
    connection.write(first.as_bytes()).await;
    // The service has read it when it has answered what comes later.
    assert!(answer.asks("").await);
    order(client, "Customer 1").await;
    done(client, 1).await;
    connection.write(rest.as_bytes()).await;
    connection.answer().await;
    assert!(answer.asks("").await);
}
