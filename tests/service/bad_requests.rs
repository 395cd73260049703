//! Every bad body of the table, over HTTP: refused with all that is wrong with it, and nothing is written.

use crate::support::answer::Answer;
use crate::support::client::{Client, scope};
use crate::support::server::{ACCOUNT, CHANNEL, Server};

#[path = "../data/bad_chat_requests.rs"]
mod table;

use table::{Case, Expected};

/// The message that the table's delivery reports are about.
const MESSAGE: &str = "079e44fb-fc22-476b-9e8a-421b688ec53b";
/// A moment after the table's clock, which is in the past for the service's.
const PAST_BY_NOW: &str = "timestamp 1700086401";
/// The longest body that the service reads, in bytes.
const BODY_LIMIT: usize = 256 * 1_024;

async fn send(client: &Client, case: &Case) -> Answer {
    let scope = scope(CHANNEL, ACCOUNT);
    let today = |tail: String| client.canonical("POST", &tail, case.body.clone()).send();
    let (method, tail) = match case.operation.as_str() {
        "today" | "edit" => return today(scope).await,
        "status_today" => return today(format!("{scope}/{MESSAGE}/delivery_status")).await,
        "chats" | "typing" | "react" => return today(format!("{scope}/{}", case.operation)).await,
        "send" => ("POST", scope),
        "connect" => ("POST", format!("{CHANNEL}/connect")),
        "disconnect" => ("DELETE", format!("{CHANNEL}/disconnect")),
        "delivery_status" => ("POST", format!("{scope}/{MESSAGE}/delivery_status")),
        other => panic!("there is no operation {other}"),
    };
    client.signed(method, &tail, case.body.clone()).send().await
}

#[tokio::test]
async fn every_bad_body_is_400_with_every_error_and_writes_nothing() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let cases = table::cases();
    assert!(cases.len() > 420, "{} cases", cases.len());
    let mut failed = Vec::new();
    for case in cases.iter().filter(|case| case.name != PAST_BY_NOW) {
        let answer = send(client, case).await;
        let violations = match &case.expected {
            Expected::NotJson => Vec::new(),
            Expected::Violations(violations) => violations.clone(),
        };
        let is_refused = match answer.status {
            413 => case.body.len() > BODY_LIMIT,
            status => status == 400 && answer.error_type() == "ORIGIN_INVALID_REQUEST",
        };
        if !is_refused || answer.wrong() != violations {
            failed.push(format!(
                "[{}] {}: {}",
                case.operation, case.name, answer.body
            ));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(client.conversations().await.is_empty());
    assert!(client.leads().await.is_empty());
    assert!(client.contacts().await.is_empty());
    // No scope was disconnected either.
    let event = crate::support::client::message("m", "c");
    client.send(&event).await.is(200);
}
