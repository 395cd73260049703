//! The operator's view of the integrations' latest requests.

use serde_json::{Value, json};

use crate::support::client::{message, scope, signature};
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_SECRET, SECRET, Server, Setup};

async fn listed(server: &Server, query: &str) -> Value {
    let target = format!("/admin/v1/requests{query}");
    let list = server.client().operate("GET", &target).send().await;
    list.is(200).json
}

async fn shown(server: &Server, entry: &Value) -> Value {
    let id = entry["id"].as_str().unwrap();
    let target = format!("/admin/v1/requests/{id}");
    let response = server.client().operate("GET", &target).send().await;
    response.is(200).json
}

/// A row says what sets it apart: the operation, and whom and what it is about.
fn check_rows(requests: &[Value]) {
    assert_eq!(requests[1]["route"], "/v2/origin/custom/{scope_id}");
    assert_eq!(
        requests[2]["route"],
        "/v2/origin/custom/{channel_id}/connect"
    );
    let subject = &requests[1]["subject"];
    assert_eq!(
        (&subject["msgid"], &subject["conversation_id"]),
        (&json!("m-1"), &json!("c-1"))
    );
    assert!(
        subject["customer"].is_string() && subject["delivery_status"].is_null(),
        "{subject:#}"
    );
}

/// Refused and accepted requests are shown with their bodies, answers and verdicts.
#[tokio::test]
async fn requests_are_shown_with_bodies_answers_and_verdicts() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let path = scope(CHANNEL, ACCOUNT);
    let body = message("m-1", "c-1").to_string();
    client
        .signed("POST", &path, body.clone())
        .send()
        .await
        .is(200);
    // As a client does that signs what it does not send.
    let spaced = body.replace("\":", "\": ").replace(",\"", ", \"");
    let wrong = client
        .signed("POST", &path, body.clone())
        .header("X-Signature", &signature(SECRET, spaced.as_bytes()))
        .header("Authorization", "Bearer canary-of-a-header")
        .send()
        .await
        .is(403);
    let list = listed(&server, "").await;
    let requests = list["requests"].as_array().unwrap();
    assert_eq!(
        requests.len(),
        3,
        "connect, message, and the refused one: {list:#}"
    );
    check_rows(requests);
    let refusal = &requests[0];
    assert_eq!(
        (&refusal["status"], &refusal["channel_id"]),
        (&json!(403), &json!(CHANNEL))
    );
    assert_eq!(refusal["hint"], wrong.json["hint"]);
    assert!(refusal["hint"].is_string(), "{refusal:#}");
    let whole = shown(&server, refusal).await;
    let verdict = &whole["signature"];
    assert_eq!(verdict["is_right"], false);
    assert_eq!(
        verdict["given"],
        json!(signature(SECRET, spaced.as_bytes()))
    );
    assert_eq!(
        verdict["expected"]["raw_body"],
        json!(signature(SECRET, body.as_bytes()))
    );
    assert_eq!(whole["body"]["text"], json!(body));
    assert!(
        whole["answer"]["text"]
            .as_str()
            .unwrap()
            .contains("ORIGIN_INVALID_SIGNATURE")
    );
    let masked: Vec<_> = whole["headers"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|header| header["value"].is_null())
        .collect();
    assert_eq!(masked, [&json!({ "name": "authorization", "value": null })]);
    for text in [list.to_string(), whole.to_string()] {
        assert!(!text.contains("canary") && !text.contains(SECRET));
    }
    let answer = shown(&server, &requests[1]).await;
    assert_eq!(
        (&answer["status"], &answer["signature"]["is_right"]),
        (&json!(200), &json!(true))
    );
    assert_eq!(answer["signature"]["generation"], "2019");
}

/// A request belongs to the channel that its path names, whatever else is wrong with it.
#[tokio::test]
async fn a_request_belongs_to_the_channel_in_its_path() {
    let server = Server::start().await;
    let client = server.client();
    let path = scope(CHANNEL, ACCOUNT);
    let requests_wrong = [
        ("POST", format!("{path}/"), 404),
        ("POST", format!("{path}/message"), 404),
        ("POST", CHANNEL.to_owned(), 404),
        ("POST", format!("{CHANNEL}_x"), 404),
        ("POST", path.clone(), 404),
        ("PUT", path.clone(), 405),
        ("GET", path.clone(), 405),
        ("POST", format!("{CHANNEL}/disconnect"), 405),
    ];
    for (method, tail, status) in &requests_wrong {
        let request = client.signed(method, tail, "{}");
        request.send_exactly().await.is(*status);
    }
    let list = listed(&server, &format!("?channel_id={CHANNEL}")).await;
    assert_eq!(
        list["requests"].as_array().unwrap().len(),
        requests_wrong.len()
    );
    let stranger = client.signed("POST", "nobody_x/", "{}");
    stranger.send_exactly().await.is(404);
    let list = listed(&server, "").await;
    assert_eq!(list["requests"][0]["channel_id"], Value::Null);
}

#[tokio::test]
async fn requests_are_listed_by_channel_outcome_and_page() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let path = scope(CHANNEL, ACCOUNT);
    for number in 0..3 {
        let body = message(&format!("m-{number}"), "c-1").to_string();
        client.signed("POST", &path, body).send().await.is(200);
    }
    client
        .signed("POST", &path, "{}".to_owned())
        .send()
        .await
        .is(400);
    let stranger = "/v2/origin/custom/nobody/connect";
    client.request("POST", stranger).send().await.is(404);
    let statuses = |list: &Value| -> Vec<u64> {
        let requests = list["requests"].as_array().unwrap().iter();
        requests
            .map(|entry| entry["status"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(
        statuses(&listed(&server, "").await),
        [404, 400, 200, 200, 200, 200]
    );
    assert_eq!(
        statuses(&listed(&server, "?outcome=refused").await),
        [404, 400]
    );
    let of_channel = format!("?channel_id={CHANNEL}&outcome=refused");
    assert_eq!(statuses(&listed(&server, &of_channel).await), [400]);
    let first = listed(&server, "?limit=4").await;
    let next = first["next"].as_str().unwrap();
    let rest = listed(&server, &format!("?limit=4&cursor={next}")).await;
    assert_eq!((statuses(&rest).len(), &rest["next"]), (2, &Value::Null));
    let bad = client.operate("GET", "/admin/v1/requests?outcome=lost");
    bad.send().await.is(400);
    let request = client.operate("GET", "/admin/v1/requests/1");
    request.send().await.is(404);
}

#[tokio::test]
async fn long_bodies_are_cut_and_a_setting_disables_the_request_log() {
    let setup = Setup::default().setting("requests", "body_kib = 1");
    let server = setup.start().await;
    let client = server.client();
    client.connect("v2").await;
    let path = scope(CHANNEL, ACCOUNT);
    let mut event = message("m-1", "c-1");
    event["payload"]["message"]["text"] = json!("é".repeat(2_000));
    let body = event.to_string();
    client
        .signed("POST", &path, body.clone())
        .send()
        .await
        .is(200);
    let list = listed(&server, "").await;
    let whole = shown(&server, &list["requests"][0]).await;
    assert_eq!(whole["body"]["length"], json!(body.len()));
    assert_eq!(whole["body"]["is_whole"], false);
    assert!(whole["body"]["text"].as_str().unwrap().len() <= 1_024);
    assert_eq!(
        whole["signature"],
        Value::Null,
        "nothing can be said of a part"
    );

    let setup = Setup::default().setting("requests", "keep_per_sender = 0");
    let server = setup.start().await;
    server.client().connect("v2").await;
    let list = listed(&server, "").await;
    assert_eq!(
        (&list["requests"], &list["is_on"]),
        (&json!([]), &json!(false))
    );
}

#[tokio::test]
async fn a_signature_is_checked_without_sending_a_message() {
    let server = Server::start().await;
    let client = server.client();
    let address = format!("/admin/v1/channels/{CHANNEL}/check-signature");
    let text = "{\"a\":1}";
    let right = json!({ "signature": signature(SECRET, text.as_bytes()), "body": text });
    let verdict = client.operates("POST", &address, &right).await.is(200).json;
    assert_eq!(
        (&verdict["is_right"], &verdict["hint"]),
        (&json!(true), &Value::Null)
    );
    let others = json!({ "signature": signature(OTHER_SECRET, text.as_bytes()), "body": text });
    let verdict = client
        .operates("POST", &address, &others)
        .await
        .is(200)
        .json;
    assert_eq!(verdict["is_right"], false);
    let hint = verdict["hint"].as_str().unwrap();
    assert!(hint.contains("secret of the channel"), "{hint}");
    assert!(!verdict.to_string().contains(OTHER_SECRET));
    let nothing = client
        .operates("POST", &address, &json!({ "boddy": 1 }))
        .await
        .is(400);
    assert!(nothing.body.contains("signature") && nothing.body.contains("boddy"));
    let unknown = "/admin/v1/channels/nobody/check-signature";
    client.operates("POST", unknown, &right).await.is(404);
}
