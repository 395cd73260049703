//! Files during whose fetch the process ends: the attempts are counted, delayed and end.

use serde_json::json;
use switchboard_worlds::sink::{Behaviour, Sink};

use super::fetched::{check_of, checked, file, picture, policy, posted, serving, shown, with_file};
use crate::support::bomb;
use crate::support::message_place::MessagePlace;
use crate::support::server::{Server, Setup};

/// An answer that never ends: the process is killed meanwhile.
fn unfinished() -> Behaviour {
    Behaviour::RawAndHang("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n".into())
}

fn mirror(retry_seconds: u32) -> Setup {
    let retry = format!("fetch_retry_seconds = {retry_seconds}");
    policy("mirror").setting("media", &retry)
}

/// Sends a message with a file of this server, and kills the process during the first attempt to fetch it.
async fn killed_in_the_first_attempt(server: &mut Server, sink: &Sink) -> MessagePlace {
    server.client().connect("v2").await;
    let event = with_file("m", "picture", &sink.url("/a.png"));
    let message = posted(server.client(), &event).await;
    sink.requests(1).await.unwrap();
    server.kill_9();
    message
}

#[tokio::test]
async fn a_fetch_that_ends_the_process_each_time_is_given_up() {
    let sink = serving(unfinished()).await;
    let mut server = mirror(0).start().await;
    let message = killed_in_the_first_attempt(&mut server, &sink).await;
    for attempt in 2..=4 {
        server.restart().await;
        sink.requests(attempt).await.unwrap();
        let check = shown(server.client(), &message).await["media_check"].clone();
        assert_eq!(check, json!({ "state": "pending" }));
        server.kill_9();
    }
    server.restart().await;
    let check = checked(server.client(), &message).await;
    assert_eq!(check["state"], "unreachable");
    assert_eq!(check["reason_code"], "interrupted");
    assert_eq!(check["attempts"], 4);
    assert_eq!(check["next_attempt_at"], json!(null));
    assert!(
        server.log().contains("gave up fetching a file"),
        "{}",
        server.log()
    );
    // Another file is fetched after the next start: the first one is not requested again.
    server.kill_9();
    server.restart().await;
    let other = serving(file("image/png", picture())).await;
    check_of(&server, "n", "picture", &other.url("/b.png")).await;
    assert_eq!(sink.requests(4).await.unwrap().len(), 4);
}

#[tokio::test]
async fn a_fetch_that_ended_the_process_is_not_tried_at_once() {
    let sink = serving(unfinished()).await;
    let mut server = mirror(3_600).start().await;
    let message = killed_in_the_first_attempt(&mut server, &sink).await;
    let other = serving(file("image/png", picture())).await;
    for start in ["n1", "n2", "n3"] {
        server.restart().await;
        // The list was gone through since the start.
        let check = check_of(&server, start, "picture", &other.url("/b.png")).await;
        assert_eq!(check["state"], "reachable");
        let check = shown(server.client(), &message).await["media_check"].clone();
        assert_eq!(check, json!({ "state": "pending" }));
        server.kill_9();
    }
    assert_eq!(sink.requests(1).await.unwrap().len(), 1);
}

/// Pictures of customers do no harm that would take more memory than a picture may when they are decoded.
#[tokio::test]
async fn a_picture_of_a_customer_that_cannot_be_decoded_does_no_harm() {
    let server = mirror(60).start().await;
    server.client().connect("v2").await;
    let pid = server.pid();
    for (number, bomb) in bomb::all().into_iter().enumerate() {
        let sink = serving(file("image/png", bomb.bytes)).await;
        let check = check_of(&server, &format!("m{number}"), "file", &sink.url("/x")).await;
        assert_eq!(check["state"], "reachable", "{}", bomb.name);
        let code = if bomb.is_picture {
            json!(null)
        } else {
            json!("undecodable")
        };
        assert_eq!(check["not_copied_code"], code, "{}", bomb.name);
        assert_eq!(check["attempts"], 1, "{}", bomb.name);
    }
    assert_eq!(server.pid(), pid);
}
