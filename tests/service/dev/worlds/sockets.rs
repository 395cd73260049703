//! The sockets of worlds and of orders: strangers who hold connections or declare bodies cost nothing and keep no client out.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::started;
use super::world::{World, order};
use crate::limits::crowd::room_for;
use crate::support::client::rest;
use crate::support::in_time;
use crate::support::server::Server;

/// The time of an answer that waits for nothing: less than strangers have for their heads.
const AT_ONCE: Duration = Duration::from_secs(3);

fn control(server: &Server) -> String {
    let url = server.ready()["dev"]["url"].as_str().unwrap();
    let address = url.strip_prefix("http://").unwrap();
    address.strip_suffix("/dev/v1").unwrap().to_owned()
}

/// The answer to a head that declares a body of 128 MiB, of which nothing comes: 408 if it is waited for.
async fn declared(address: &str, head: &str) -> String {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let head = format!("{head}\r\nHost: {address}\r\nContent-Length: 134217728\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    rest(&mut socket).await
}

#[tokio::test]
async fn the_token_is_asked_for_before_the_body() {
    let server = started().await;
    let stranger = declared(&control(&server), "POST /dev/v1/worlds HTTP/1.1").await;
    assert!(stranger.starts_with("HTTP/1.1 401 "), "{stranger}");
    let token = server.ready()["dev"]["token"].as_str().unwrap();
    let head = format!("POST /dev/v1/worlds HTTP/1.1\r\nAuthorization: Bearer {token}");
    let status = declared(&control(&server), &head).await;
    assert!(status.starts_with("HTTP/1.1 413 "), "{status}");
}

#[tokio::test]
async fn a_world_takes_no_longer_bodies_than_the_service() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    let address = world.url().strip_prefix("http://").unwrap();
    let form = "POST /inbox/v1/media HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x";
    let chat = format!("POST {} HTTP/1.1", world.chat());
    for head in [form, &chat, "POST /api/v4/leads HTTP/1.1"] {
        let answer = declared(address, head).await;
        assert!(answer.starts_with("HTTP/1.1 413 "), "{head}: {answer}");
    }
    let journal = world.text("/journal?form=text").await;
    assert!(journal.contains("POST /inbox/v1/media → 413"), "{journal}");
}

/// A truncated answer has its head and half of its body.
#[tokio::test]
async fn a_truncated_answer_ends_in_the_middle() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    world
        .fault(json!({ "on": "answers", "do": "truncated" }))
        .await;
    let address = world.url().strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).await.unwrap();
    let head = format!("GET /api/v4/account HTTP/1.1\r\nHost: {address}\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    let answer = rest(&mut socket).await;
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 401 "), "{answer}");
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.expect("a length").parse().unwrap();
    assert_eq!(body.len(), length / 2, "{answer}");
}

async fn hold(address: &str, count: usize) -> Vec<TcpStream> {
    let mut connections = Vec::new();
    for number in 0..count {
        let mut socket = TcpStream::connect(address).await.unwrap();
        if number % 2 == 0 {
            // One that makes room meanwhile is one less to hold.
            let head = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1";
            drop(socket.write_all(head).await);
        }
        connections.push(socket);
    }
    connections
}

#[tokio::test]
async fn idle_strangers_keep_no_order_and_no_request_out() {
    let Some(_room) = room_for(1_100).await else {
        return;
    };
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    let address = world.url().strip_prefix("http://").unwrap();
    in_time(AT_ONCE, async || {
        let _of_orders = hold(&control(&server), 1_005).await;
        let _of_world = hold(address, 70).await;
        let start = Instant::now();
        let list = order(&server, "GET", "/worlds", json!(null)).await;
        let answer = world.post("m-1").await;
        assert_eq!((list.status, answer.status), (200, 200));
        start.elapsed()
    })
    .await;
}
