//! `X-Signature`: the hexadecimal HMAC-SHA1 of the raw body, keyed with the channel's secret.

use serde_json::Value;

use crate::support::client::{Client, message, scope, signature};
use crate::support::server::{
    ACCOUNT, CHANNEL, OTHER_CHANNEL, OTHER_SECRET, SECRET, Server, Setup,
};

async fn connected() -> (Server, String) {
    let server = Server::start().await;
    let scope = server.client().connect("v2").await;
    (server, scope)
}

async fn nothing_was_written(client: &Client) {
    assert!(client.conversations().await.is_empty());
    assert!(client.leads().await.is_empty());
}

#[tokio::test]
async fn a_wrong_signature_is_403_whatever_else_is_wrong() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    let right = signature(SECRET, body.as_bytes());
    let cases = [
        String::new(),
        right[1..].to_owned(),
        format!("{right}0"),
        format!("sha1={right}"),
        format!("\" {right} \""),
        format!("{}g", &right[1..]),
        "0".repeat(40),
        signature(OTHER_SECRET, body.as_bytes()),
        signature("", body.as_bytes()),
        signature(SECRET, format!("{body}\n").as_bytes()),
        signature(SECRET, b""),
    ];
    for wrong in cases {
        let request = client.signed("POST", &scope, body.clone());
        let answer = request.header("X-Signature", &wrong).send().await.is(403);
        assert_eq!(answer.error_type(), "ORIGIN_INVALID_SIGNATURE", "{wrong}");
        assert!(!answer.body.contains(&right) && !answer.body.contains(SECRET));
    }
    client
        .signed("POST", &scope, body)
        .without("X-Signature")
        .send()
        .await
        .is(403);
    nothing_was_written(client).await;
}

#[tokio::test]
async fn a_body_signed_in_ascii_gets_the_reason() {
    let (server, scope) = connected().await;
    let client = server.client();
    let mut event = message("m", "c");
    event["payload"]["message"]["text"] = "Цена".into();
    let body = event.to_string();
    let in_ascii = signature(SECRET, body.replace("Цена", "????").as_bytes());
    let request = client.signed("POST", &scope, body);
    let answer = request
        .header("X-Signature", &in_ascii)
        .send()
        .await
        .is(403);
    assert!(answer.body.contains("signed in ASCII"), "{}", answer.body);
    assert!(answer.body.contains("sign the UTF-8 bytes that you send"));
    assert!(!answer.body.contains(SECRET));
    nothing_was_written(client).await;
}

#[tokio::test]
async fn many_wrong_signatures_are_throttled_and_a_right_one_passes() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    let wrong = async |tail: &str| {
        let request = client.signed("POST", tail, body.clone());
        request.header("X-Signature", &"0".repeat(40)).send().await
    };
    // More than 120, where those take a minute: the count begins again then.
    let mut looked_at = 0;
    let slowed = loop {
        let answer = wrong(&scope).await;
        if answer.status != 403 {
            break answer.is(429);
        }
        looked_at += 1;
        assert!(looked_at < 2_000, "all were looked at");
    };
    assert!(looked_at >= 120, "after {looked_at}");
    assert_eq!(slowed.error_type(), "TOO_MANY_REQUESTS");
    let wait: u64 = slowed.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(slowed.json.get("hint"), None);
    // Another channel is another matter.
    wrong(&format!("{OTHER_CHANNEL}/connect")).await.is(403);
    client.sent(&message("m", "c")).await;
    client.sent_today(&message("n", "c")).await;
}

#[tokio::test]
async fn a_signing_mistake_is_named_unless_hints_are_off() {
    for (setting, hinted) in [
        ("signature_hints = true", true),
        ("signature_hints = false", false),
    ] {
        let server = Setup::default().setting("server", setting).start().await;
        let client = server.client();
        let scope = client.connect("v2").await;
        let body = message("m", "c").to_string();
        let mistaken = signature(SECRET, format!("{body}\n").as_bytes());
        let request = client.signed("POST", &scope, body);
        let answer = request
            .header("X-Signature", &mistaken)
            .send()
            .await
            .is(403);
        assert_eq!(answer.json["hint"].is_string(), hinted, "{}", answer.body);
    }
}

#[tokio::test]
async fn upper_case_hexadecimal_is_accepted() {
    let (server, scope) = connected().await;
    let body = message("m", "c").to_string();
    let upper = signature(SECRET, body.as_bytes()).to_uppercase();
    let request = server.client().signed("POST", &scope, body);
    request.header("X-Signature", &upper).send().await.is(200);
}

#[tokio::test]
async fn two_signatures_are_refused_even_when_one_or_both_are_right() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    let right = signature(SECRET, body.as_bytes());
    for second in [right.clone(), "0".repeat(40)] {
        let request = client.signed("POST", &scope, body.clone());
        request.another("X-Signature", &second).send().await.is(403);
    }
    nothing_was_written(client).await;
}

#[tokio::test]
async fn one_changed_byte_is_refused_even_in_equivalent_json() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    let value: Value = serde_json::from_str(&body).unwrap();
    let spaced = serde_json::to_string_pretty(&value).unwrap();
    let escaped = body.replace("Grace", "\\u0047race");
    let other_body = body.replace("text of m", "text of n");
    for other in [spaced, escaped, other_body, format!("{body} ")] {
        assert_ne!(other, body);
        let request = client.signed("POST", &scope, body.clone()).body(other);
        request.send().await.is(403);
    }
    nothing_was_written(client).await;
}

#[tokio::test]
async fn the_signature_of_one_channel_opens_no_scope_of_another() {
    let (server, _) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    let theirs = client.signed("POST", &scope(OTHER_CHANNEL, ACCOUNT), body.clone());
    theirs.send().await.is(403);
    let mine = client.signed("POST", &scope(CHANNEL, ACCOUNT), body.clone());
    let foreign = signature(OTHER_SECRET, body.as_bytes());
    mine.header("X-Signature", &foreign).send().await.is(403);
    nothing_was_written(client).await;
}

#[tokio::test]
async fn a_signed_body_that_is_empty_or_not_text_is_400() {
    let (server, scope) = connected().await;
    for body in [
        &b""[..],
        b"\xff\xfe{}",
        b"{\"a\":\"\xc0\xaf\"}",
        b"\xef\xbb\xbf{}",
    ] {
        let answer = server
            .client()
            .signed("POST", &scope, body)
            .send()
            .await
            .is(400);
        assert_eq!(answer.error_type(), "ORIGIN_INVALID_REQUEST");
    }
}
