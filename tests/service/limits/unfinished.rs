//! Unfinished bodies on many connections at once: they delay no other client, whatever their address.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::limits::crowd::{open_from, room_for};
use crate::limits::percentile;
use crate::support::PATIENCE;
use crate::support::answer::CHAT;
use crate::support::client::{Client, message, parsed, rest, scope, signature};
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server, Setup};

/// More than may be in work at once.
const CROWD: usize = 1_100;
/// The number of unfinished bodies that one address may have waited for.
const AWAITED: usize = 256;
/// Another address of this machine.
const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// The head of a message, signed rightly, and all that the service needs to take it.
fn whole(client: &Client, id: &str) -> String {
    let body = message(id, id).to_string();
    let (length, signature) = (body.len(), signature(SECRET, body.as_bytes()));
    let host = client.host();
    format!(
        "POST {CHAT}{} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nX-Signature: {signature}\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}",
        scope(CHANNEL, ACCOUNT)
    )
}

/// A head with the first byte of its body; some come behind a request that is answered.
fn unfinished(client: &Client, number: usize) -> String {
    let host = client.host();
    let scope = scope(CHANNEL, ACCOUNT);
    let (before, target) = match number % 3 {
        0 => ("", "/inbox/v1/session".to_owned()),
        1 => ("", format!("{CHAT}{scope}")),
        _ => (
            "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
            format!("{CHAT}{scope}"),
        ),
    };
    let before = before.replace('x', host);
    format!(
        "{before}POST {target} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         X-Signature: {}\r\nContent-Length: 100\r\n\r\n{{",
        "0".repeat(40)
    )
}

async fn crowd(client: &Client) -> Vec<TcpStream> {
    let mut crowd = Vec::new();
    for number in 0..CROWD {
        let mut socket = open_from(ELSEWHERE, client).await;
        let text = unfinished(client, number);
        socket.write_all(text.as_bytes()).await.unwrap();
        crowd.push(socket);
    }
    crowd
}

/// Sends messages one after the other and gives how long each took, sorted.
async fn times(client: &Client, name: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    for number in 0..200 {
        let start = Instant::now();
        client
            .sent(&message(&format!("{name}-{number}"), name))
            .await;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times
}

#[tokio::test]
async fn unfinished_bodies_hold_no_slot_of_complete_requests() {
    let Some(_room) = room_for(CROWD).await else {
        return;
    };
    let server = Server::start().await;
    let client = server.client();
    let target = format!("{CHAT}{}", client.connect("v2").await);
    for round in 1.. {
        let alone = times(client, &format!("alone {round}")).await;
        let crowd = crowd(client).await;
        // Every one of these is a 200, or the test ends here.
        let beside = times(client, &format!("beside {round}")).await;
        // What comes whole is taken from the address of the crowd as well.
        let mut socket = open_from(ELSEWHERE, client).await;
        let text = whole(client, &format!("whole {round}"));
        socket.write_all(text.as_bytes()).await.unwrap();
        parsed("POST", &target, &rest(&mut socket).await).is(200);
        drop(crowd);
        if percentile(&beside, 99) <= percentile(&alone, 99) * 2 {
            break;
        }
        // The machine may have been busy with something else.
        assert!(round < 10, "{alone:?}\n{beside:?}");
    }
}

/// The newest stay, and each of the others gets an answer without waiting for a deadline.
#[tokio::test]
async fn the_slowest_bodies_of_an_address_are_given_up() {
    let Some(_room) = room_for(CROWD).await else {
        return;
    };
    // No body is too slow as long as this test has patience.
    let server = Setup::default()
        .setting("limits", "request_body_seconds = 3600")
        .start()
        .await;
    let client = server.client();
    client.connect("v2").await;
    let mut crowd = crowd(client).await;
    let mut given_up: FuturesUnordered<_> = crowd.iter_mut().map(refusal).collect();
    for _ in AWAITED..CROWD {
        let text = tokio::time::timeout(PATIENCE, given_up.next())
            .await
            .expect("the rest is given up")
            .unwrap();
        assert!(text.contains("HTTP/1.1 408"), "{text}");
        assert!(text.contains("\r\nconnection: close\r\n"), "{text}");
    }
}

/// Returns the bytes from a connection up to the end of its refusal.
async fn refusal(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let read = socket.read_buf(&mut bytes).await.unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let refusal = text.split_once("HTTP/1.1 4");
        if read == 0 || refusal.is_some_and(|(_, head)| head.contains("\r\n\r\n")) {
            return text;
        }
    }
}

#[tokio::test]
async fn an_unsigned_request_is_refused_before_its_body_arrives() {
    let server = Server::start().await;
    let client = server.client();
    let target = format!("{CHAT}{}", scope(CHANNEL, ACCOUNT));
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n",
        client.host()
    );
    let answer = parsed("POST", &target, &client.raw(head.as_bytes()).await).is(403);
    assert_eq!(answer.error_type(), "ORIGIN_INVALID_SIGNATURE");
    assert!(
        answer.json["hint"]
            .as_str()
            .unwrap()
            .contains("X-Signature")
    );
}
