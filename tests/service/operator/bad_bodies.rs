//! Every bad body of the table is refused with all that is wrong with it, and changes nothing.

use serde_json::json;

use crate::operator::{done, shown};
use crate::support::server::{CHANNEL, Server, Setup};

const TABLE: &str = include_str!("../../data/bad_channel_bodies.txt");

/// A line of the table: the operation, the body, and path and code of everything that is wrong, sorted.
fn case(line: &str) -> (&str, &str, Vec<(String, String)>) {
    let (request, wrong) = line.rsplit_once("=> ").unwrap();
    let (operation, body) = request.split_once(' ').unwrap();
    let cells = wrong.split(", ").filter(|wrong| *wrong != "not json");
    let mut wrong: Vec<_> = cells
        .map(|wrong| wrong.split_once(' ').unwrap())
        .map(|(path, code)| (path.replace("(body)", ""), code.to_owned()))
        .collect();
    wrong.sort();
    (operation, body.trim(), wrong)
}

#[tokio::test]
async fn every_bad_body_is_400_with_every_error_and_changes_nothing() {
    let server = Server::start().await;
    let client = server.client();
    let before = shown(&server).await;
    let is_case = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let cases: Vec<_> = TABLE.lines().filter(is_case).map(case).collect();
    assert!(cases.len() > 60, "{} cases", cases.len());
    let mut failed = Vec::new();
    for (operation, body, wrong) in cases {
        let (method, tail) = match operation {
            "create" => ("POST", String::new()),
            "change" => ("PATCH", format!("/{CHANNEL}")),
            action => ("POST", format!("/{CHANNEL}/{action}")),
        };
        let request = client
            .operate(method, &format!("/admin/v1/channels{tail}"))
            .header("Content-Type", "application/json")
            .body(body);
        let answer = request.send().await;
        if answer.status != 400 || answer.wrong() != wrong {
            failed.push(format!("{operation} {body}: {}", answer.body));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(shown(&server).await, before);
    let list = client.operate("GET", "/admin/v1/channels").send().await;
    assert_eq!(list.json["channels"].as_array().unwrap().len(), 2);
    assert_eq!(done(&server).await, [""; 0]);
}

#[tokio::test]
async fn a_body_needs_a_json_content_type_and_a_limited_length() {
    let server = Server::start().await;
    let target = "/admin/v1/channels";
    let request = || server.client().operate("POST", target);
    request().body("{\"name\":\"a\"}").send().await.is(415);
    let long = format!("{{\"name\":\"{}\"}}", "a".repeat(300_000));
    let request = request().header("Content-Type", "application/json");
    request.body(long).send().await.is(413);
    // Where everything may be left out, there need not be a body.
    let bare = |action: &str| {
        let target = format!("/admin/v1/channels/{CHANNEL}/{action}");
        server.client().operate("POST", &target).send_exactly()
    };
    bare("rotate-secret").await.is(200);
    bare("pause").await.is(200);
}

#[tokio::test]
async fn an_address_forbidden_to_callbacks_is_refused_on_saving() {
    let setup = Setup::default().setting("dispatch", "allow_private_networks = false");
    let server = setup.start().await;
    let client = server.client();
    let before = shown(&server).await;
    let change = format!("/admin/v1/channels/{CHANNEL}");
    for (address, why) in [
        ("http://127.0.0.1/", "127.0.0.1 is a loopback address"),
        (
            "http://2130706433/in/:scope_id",
            "127.0.0.1 is a loopback address",
        ),
        ("http://[::]/", ":: is"),
        ("http://169.254.169.254/", "a link-local address"),
        ("http://localhost:9000/", "is this machine"),
        ("https://example.com:25/", "another port"),
        ("http://example.com:0/", "another port"),
        ("https://exa\tmple.com/", "tabs"),
        ("http://ada:secret@example.com/", "user name"),
        ("ftp://example.com/", "http"),
        ("https://example.com/#here", "#"),
        ("http://[fe80::1%25eth0]/", "absolute address"),
    ] {
        for (method, target, field, body) in [
            (
                "POST",
                "/admin/v1/channels",
                "webhook_v1",
                json!({ "name": "N", "webhook_v1": address }),
            ),
            (
                "PATCH",
                change.as_str(),
                "webhook_v2",
                json!({ "webhook_v2": address }),
            ),
        ] {
            let answer = client.operates(method, target, &body).await.is(400);
            assert_eq!(answer.wrong()[0].0, field, "{address}: {}", answer.body);
            assert!(answer.body.contains(why), "{address}: {}", answer.body);
        }
    }
    assert_eq!(shown(&server).await, before);
    assert_eq!(done(&server).await, [""; 0]);
    // A host name is checked when a callback is sent: its addresses may change.
    for address in ["https://internal.test/in", "https://93.184.216.34/"] {
        let body = json!({ "webhook_v2": address });
        client.operates("PATCH", &change, &body).await.is(200);
    }
}
