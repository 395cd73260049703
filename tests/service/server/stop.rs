//! The stop of the service.

use rustix::process::Signal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::client::{message, parsed, rest, signature};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server, Setup};

/// The time for requests in progress: longer than a test waits for the end of the service. What is waited for to its end
/// fails the test, however slow the machine is.
const LONG: &str = "drain_seconds = 300";

/// Posts message after message until one is not accepted, and gives those that were.
async fn write_until_refused(http: reqwest::Client, url: String, writer: usize) -> Vec<String> {
    let mut acknowledged = Vec::new();
    for number in 0.. {
        let msgid = format!("m{writer}-{number}");
        let body = message(&msgid, &format!("c{writer}")).to_string();
        let request = http
            .post(&url)
            .header("Content-Type", "application/json")
            .header("X-Signature", signature(SECRET, body.as_bytes()))
            .body(body);
        match request.send().await {
            Ok(response) if response.status() == 200 => acknowledged.push(msgid),
            Ok(_) | Err(_) => break,
        }
    }
    acknowledged
}

#[tokio::test]
async fn sigterm_under_load_exits_0_soon_and_keeps_acknowledged_work() {
    let receiver = Receiver::start().await;
    let setup = Setup::default().webhook(&receiver);
    let mut server = setup.setting("server", LONG).start().await;
    server.client().connect("v2").await;
    let url = format!("{}/v2/origin/custom/{CHANNEL}_{ACCOUNT}", server.url());
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let load: Vec<_> = (0..8)
        .map(|writer| tokio::spawn(write_until_refused(http.clone(), url.clone(), writer)))
        .collect();
    crate::support::eventually("the load is in progress", async || {
        let conversations = server.client().conversations().await;
        let messages = conversations
            .iter()
            .map(|it| it["messages"].as_u64().unwrap());
        (messages.sum::<u64>() > 40).then_some(())
    })
    .await;
    assert_eq!(server.terminate().await, Some(0));
    let mut acknowledged = Vec::new();
    for writer in load {
        acknowledged.extend(writer.await.unwrap());
    }
    server.restart().await;
    let mut ids = Vec::new();
    for conversation in server.client().conversations().await {
        let messages = server
            .client()
            .messages(conversation["id"].as_str().unwrap())
            .await;
        ids.extend(
            messages
                .iter()
                .map(|it| it["client_id"].as_str().unwrap().to_owned()),
        );
    }
    // Long conversations show their newest page only; what is not on it is asked for by repeating it.
    for msgid in acknowledged.iter().filter(|msgid| !ids.contains(msgid)) {
        let writer = msgid.trim_start_matches('m').split('-').next().unwrap();
        let conversations_after = server.client().conversations().await;
        server
            .client()
            .sent(&message(msgid, &format!("c{writer}")))
            .await;
        assert_eq!(
            server.client().conversations().await,
            conversations_after,
            "{msgid} was lost"
        );
    }
}

#[tokio::test]
async fn a_stop_finishes_open_requests_while_readyz_is_503() {
    let mut server = Server::start().await;
    let client = server.client().clone();
    let scope = client.connect("v2").await;
    let event = message("m", "c").to_string();
    let request = client.signed("POST", &scope, event);
    let bytes = request.header("Expect", "100-continue").bytes();
    let (first, second) = bytes.split_at(bytes.len() - 10);
    let mut posting = client.open().await;
    posting.write_all(first).await.unwrap();
    // The service says so when it has read the head and waits for the body.
    let mut go_on = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    posting.read_exact(&mut go_on).await.unwrap();
    let mut asking = client.open().await;
    let question = format!("GET /readyz HTTP/1.1\r\nHost: {}\r\n\r\n", client.host());
    asking.write_all(question.as_bytes()).await.unwrap();
    let mut answer = [0; "HTTP/1.1 200 OK".len()];
    asking.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200 OK");
    server.signal(Signal::TERM);
    crate::support::eventually("it says that it stops", async || {
        server.log().contains("stopping:").then_some(())
    })
    .await;
    asking.write_all(question.as_bytes()).await.unwrap();
    let text = rest(&mut asking).await;
    assert!(text.contains("HTTP/1.1 503 Service Unavailable"), "{text}");
    let (_, body) = text.rsplit_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["ready"], false);
    assert_eq!(body["writable"], false);
    posting.write_all(second).await.unwrap();
    let text = rest(&mut posting).await;
    parsed("POST", &format!("/v2/origin/custom/{scope}"), &text).is(200);
    assert_eq!(server.ended().await, Some(0));
    server.restart().await;
    assert_eq!(server.client().conversations().await.len(), 1);
}

#[tokio::test]
async fn a_second_signal_ends_the_service_at_once_with_130() {
    let mut server = Server::start().await;
    let client = server.client().clone();
    let scope = client.connect("v2").await;
    let request = client.signed("POST", &scope, message("m", "c").to_string());
    let bytes = request.header("Expect", "100-continue").bytes();
    let mut posting = client.open().await;
    posting.write_all(&bytes[..bytes.len() - 10]).await.unwrap();
    let mut go_on = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    posting.read_exact(&mut go_on).await.unwrap();
    server.signal(Signal::TERM);
    crate::support::eventually("it waits for the request", async || {
        server.log().contains("stopping:").then_some(())
    })
    .await;
    server.signal(Signal::TERM);
    assert_eq!(server.ended().await, Some(130));
    server.restart().await;
    assert!(server.client().conversations().await.is_empty());
}

#[tokio::test]
async fn an_idle_connection_does_not_delay_the_shutdown() {
    let setup = Setup::default().setting("server", LONG);
    let mut server = setup.start().await;
    let _idle = server.client().open().await;
    server.client().read("/api/v4/account").await;
    assert_eq!(server.terminate().await, Some(0));
    assert!(server.log().contains("stopped: everything is on disk"));
}

/// A receiver that hangs delays the shutdown for a limited time, and its callback is sent again.
#[tokio::test]
async fn a_hanging_receiver_does_not_delay_the_shutdown_for_long() {
    use switchboard_worlds::sink::Behaviour;
    let receiver = Receiver::start().await;
    receiver.script([Behaviour::Hang]);
    let mut server = Setup::default()
        .setting("dispatch", "timeout_seconds = 1")
        .webhook(&receiver)
        .start()
        .await;
    server.client().connect("v2").await;
    let new_message = server.client().sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let message = server.client().replied(conversation, "hello").await;
    assert_eq!(server.terminate().await, Some(0));
    server.restart().await;
    server
        .client()
        .callback_is(conversation, &message, "delivered")
        .await;
}
