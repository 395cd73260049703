//! Those who listen to events: who may not any more, and who does not read.

use futures_util::future::join_all;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::listen::Stream;
use crate::rights::floor;
use crate::support::PATIENCE;
use crate::support::client::{Client, message, silent_message};
use crate::support::server::{ACCOUNT, Server, Setup, TOKEN};

/// A user who is deactivated while listening receives nothing more, and cannot connect again.
#[tokio::test]
async fn deactivating_a_listener_ends_the_stream_and_refuses_another() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let all = floor::add(client, "All", &floor::rights("A")).await;
    let known_by = ("Cookie", all.cookie.as_str());
    let mut hers = Stream::open_with(&server, known_by, None).await;
    let mut ours = Stream::open(&server, TOKEN, None).await;
    client.sent(&message("before", "c")).await;
    floor::place(client, 1, 2, None).await;
    let new_message = client.sent(&message("heard", "c")).await;
    let message_event = hers.upto("message").await.pop().unwrap();
    assert_eq!(message_event.data["message"]["id"], new_message["msgid"]);

    let off = json!([{ "id": all.id }]);
    let deactivate = "/api/v4/users/deactivate";
    floor::admin(client, "POST", deactivate, &off).await.is(204);
    // After the 204 the change is in force: only the other listeners get the next event.
    client.sent(&message("after", "c")).await;
    while let Some(event) = hers.next().await {
        // What was on its way before may still arrive.
        assert_ne!(event.data["message"]["client_id"], "after");
    }
    loop {
        let event = ours.upto("message").await.pop().unwrap();
        if event.data["message"]["client_id"] == "after" {
            break;
        }
    }
    all.reads(client, "/inbox/v1/events").await.is(401);
    // Who is switched on again signs in again, and hears what comes then.
    let activate = "/api/v4/users/activate";
    floor::admin(client, "POST", activate, &off).await.is(202);
    all.reads(client, "/inbox/v1/events").await.is(401);
}

#[tokio::test]
async fn signing_out_or_revoking_the_token_ends_the_stream() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let all = floor::add(client, "All", &floor::rights("A")).await;
    let tokens = format!("/admin/v1/accounts/{ACCOUNT}/users/{}/tokens", all.id);
    let response = client
        .operates("POST", &tokens, &json!({ "name": "to be revoked" }))
        .await
        .is(201)
        .json;
    let token = response["token"].as_str().unwrap();
    let mut by_token = Stream::open(&server, token, None).await;
    let known_by = ("Cookie", all.cookie.as_str());
    let mut by_cookie = Stream::open_with(&server, known_by, None).await;

    let revoke = format!("{tokens}/{}", response["id"]);
    client.operate("DELETE", &revoke).send().await.is(204);
    all.asks(client, "DELETE", "/inbox/v1/session")
        .send()
        .await
        .is(204);
    // Both answers say that it counts: what happens from now on ends the streams.
    client.sent(&message("after", "c")).await;
    for stream in [&mut by_token, &mut by_cookie] {
        while let Some(event) = stream.next().await {
            assert_ne!(event.name, "message");
        }
    }
}

/// A listener whose socket takes little, and who does not read for now.
async fn slow(client: &Client) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket
        .connect(client.host().parse().unwrap())
        .await
        .unwrap();
    let request = format!(
        "GET /inbox/v1/events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n",
        client.host()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    read_upto(&mut stream, "event: ready").await;
    stream
}

/// Reads until this text has come; gives all that came.
async fn read_upto(stream: &mut TcpStream, text: &str) -> String {
    let reading = async {
        let mut all = Vec::new();
        let mut buffer = vec![0; 1 << 20];
        loop {
            let read = stream.read(&mut buffer).await.unwrap();
            assert!(read > 0, "the stream ended before «{text}»");
            // What was read before may hold the beginning of the text.
            let from = all.len().saturating_sub(text.len());
            all.extend_from_slice(&buffer[..read]);
            let is_there = all[from..]
                .windows(text.len())
                .any(|part| part == text.as_bytes());
            if is_there {
                return String::from_utf8_lossy(&all).into_owned();
            }
        }
    };
    match tokio::time::timeout(PATIENCE, reading).await {
        Ok(all) => all,
        Err(_elapsed) => panic!("«{text}» did not come"),
    }
}

#[tokio::test]
async fn a_listener_that_does_not_read_gets_a_reset_and_delays_none() {
    const LANES: usize = 16;
    const EACH: usize = 100;
    // Who does not read at all loses the connection after a while, on a busy machine before the queue is full.
    let patient = Setup::default().setting("limits", "unread_answer_seconds = 0");
    let server = patient.start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut slow = slow(client).await;
    let mut quick = Stream::open(&server, TOKEN, None).await;
    // More than the sockets between hold, and more than may wait.
    let text = "x".repeat(24 * 1_024);
    let lanes = (0..LANES).map(async |lane| {
        for number in 0..EACH {
            let mut event = silent_message(&format!("m{number}"), &format!("c{lane}"));
            event["payload"]["message"]["text"] = json!(text);
            client.sent(&event).await;
        }
    });
    let reading = async {
        let mut count = 0;
        loop {
            let event = quick.next().await.unwrap();
            count += usize::from(event.name == "message");
            // Under load, even a listener that reads may get a reset; then nothing more needs to be counted.
            if count == LANES * EACH || event.name == "reset" {
                return;
            }
        }
    };
    tokio::join!(join_all(lanes), reading);
    client.sent(&message("last", "c")).await;
    loop {
        let event = quick.upto("message").await.pop().unwrap();
        if event.data["message"]["client_id"] == "last" {
            break;
        }
    }
    read_upto(&mut slow, "event: reset").await;
    // From then on nothing is missing.
    client.sent(&message("afterwards", "c")).await;
    read_upto(&mut slow, "\"client_id\":\"afterwards\"").await;
}
