//! The service inside of a test: its HTTP interface in memory, and all of it on a port.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use switchboard_worlds::fixtures;
use switchboard_worlds::http_world::HttpWorld;
use switchboard_worlds::prelude::*;
use switchboard_worlds::service::Service;

/// The body of a customer's message.
fn question(msgid: &str) -> String {
    let message = TestMessage::from_customer("bo", msgid, "Have you any tulips?");
    String::from_utf8(message.body().to_vec()).unwrap()
}

fn chat_path(world: &HttpWorld) -> String {
    format!("/v2/origin/custom/{}", world.scope())
}

#[test]
fn a_message_and_its_answer_pass_the_http_interface_in_memory() {
    let world = HttpWorld::start();
    let path = chat_path(&world);
    let unsigned = world.request("POST", &path).body(question("m-1")).send();
    assert_eq!(unsigned.status, 403);
    let answer = world.request("POST", &path).signed(question("m-1")).send();
    assert_eq!(answer.status, 200, "{:?}", answer.body);

    let list = world
        .request("GET", "/inbox/v1/conversations")
        .user("ada")
        .send()
        .json();
    let id_value = list.pointer("/conversations/0/id");
    let id = id_value.and_then(|id| id.as_str()).unwrap();
    let path = format!("/inbox/v1/conversations/{id}/messages");
    let reply = json!({ "type": "text", "text": "Red ones." });
    let replied = world.request("POST", &path).user("ada").json(&reply).send();
    assert_eq!(replied.status, 201, "{:?}", replied.body);
    world.wait(Until::callbacks(1));
    assert_eq!(world.callbacks()[0].text(), "Red ones.");
    let journal = world.journal().to_string();
    assert!(
        journal.contains("POST /inbox/v1/conversations/"),
        "{journal}"
    );
}

#[test]
fn faults_of_a_world_reach_its_http_interface() {
    let world = HttpWorld::start();
    let path = chat_path(&world);
    let post = || world.request("POST", &path).signed(question("m-1"));
    world.lose_answer(LostAnswer::AfterCommit);
    assert_eq!(post().try_send(), None);
    world.cut_power();
    assert_eq!(post().send().status, 200);
    assert_eq!(world.leads().len(), 1);
    world.disk_full();
    let refusal = world.request("POST", &path).signed(question("m-2")).send();
    assert_eq!(refusal.status, 503, "{:?}", refusal.body);
}

#[test]
fn the_whole_service_runs_on_a_port_inside_of_a_test() {
    let service = Service::start();
    let address = service.url().trim_start_matches("http://").to_owned();
    let mut connection = TcpStream::connect(&address).unwrap();
    let request = format!(
        "GET /inbox/v1/me HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
        fixtures::TOKEN
    );
    let patience = Some(Duration::from_secs(60));
    connection.set_read_timeout(patience).unwrap();
    connection.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.contains("\"Ada\""), "{answer}");
    drop(connection);
    assert_eq!(service.receiver().attempts().len(), 0);
    drop(service);
    // It has stopped: nothing takes connections on the port any more.
    TcpStream::connect(&address).unwrap_err();
}
