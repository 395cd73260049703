//! Signatures of the current generation: method, Content-MD5, Content-Type, Date and path, beside those of the raw body.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, Request, date, message, scope, signature};
use crate::support::server::{
    ACCOUNT, CHANNEL, OTHER_CHANNEL, OTHER_SECRET, SECRET, Server, Setup,
};

async fn connected() -> (Server, String) {
    let server = Server::start().await;
    let scope = server.client().connect("v2").await;
    (server, scope)
}

async fn refused(request: Request<'_>, hint: &str) -> Answer {
    let answer = request.send().await.is(403);
    assert_eq!(answer.error_type(), "ORIGIN_INVALID_SIGNATURE");
    let hint_text = answer.json["hint"].as_str().unwrap_or_default();
    assert!(hint_text.contains(hint), "{hint}: {}", answer.body);
    assert!(!answer.body.contains(SECRET) && !answer.body.contains(OTHER_SECRET));
    answer
}

async fn nothing_was_written(client: &Client) {
    assert!(client.conversations().await.is_empty());
}

#[tokio::test]
async fn a_canonical_signature_accepts_both_date_formats() {
    let (server, scope) = connected().await;
    let client = server.client();
    let gmt = date(0).replace("+0000", "GMT");
    let east = jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(3)))
        .strftime("%a, %d %b %Y %H:%M:%S %z")
        .to_string();
    for (number, date) in [date(0), date(600), date(-600), gmt, east]
        .iter()
        .enumerate()
    {
        let body = message(&format!("m{number}"), "c").to_string();
        let request = client.canonical("POST", &scope, body).header("Date", date);
        request.canonically_signed(SECRET).send().await.is(200);
    }
    let conversation = client.conversations().await.remove(0);
    assert_eq!(conversation["messages"], 5);
}

#[tokio::test]
async fn a_date_off_by_15_minutes_or_missing_is_403_with_the_reason() {
    let (server, scope) = connected().await;
    let client = server.client();
    let request = || client.canonical("POST", &scope, message("m", "c").to_string());
    for (later, hint) in [(-960, "16 minutes behind"), (7_300, "122 minutes ahead")] {
        let dated = request()
            .header("Date", &date(later))
            .canonically_signed(SECRET);
        refused(dated, hint).await;
    }
    refused(
        request().without("Date").canonically_signed(SECRET),
        "Date was left out",
    )
    .await;
    refused(
        request().header("Date", "now").canonically_signed(SECRET),
        "cannot be read",
    )
    .await;
    let twice = request().another("Date", &date(0));
    refused(twice, "Date").await;
    nothing_was_written(client).await;
}

#[tokio::test]
async fn another_body_path_method_or_type_than_was_signed_is_403() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    let request = || client.canonical("POST", &scope, body.clone());
    let other = message("n", "c").to_string();
    refused(
        request().body(other),
        "Content-MD5 is not the MD5 of the body",
    )
    .await;
    let value: Value = serde_json::from_str(&body).unwrap();
    let spaced = serde_json::to_string_pretty(&value).unwrap();
    refused(request().body(spaced), "another form of the same JSON").await;
    refused(
        request().header("Content-Type", "application/json; charset=utf-8"),
        "another Content-Type",
    )
    .await;
    let mut foreign = client.canonical("POST", &format!("{CHANNEL}/connect"), body.clone());
    foreign = foreign.to(&scope);
    refused(foreign, "").await;
    nothing_was_written(client).await;
}

#[tokio::test]
async fn the_raw_body_is_tried_last_when_a_client_adds_content_md5() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    for (md5, msgid) in [("XrY7u+Ae7tCTyyK7j1rNww==", "m1"), ("0", "m2")] {
        let body = body.replace("\"m\"", &format!("\"{msgid}\""));
        let request = client.signed("POST", &scope, body);
        request.header("Content-MD5", md5).send().await.is(200);
    }
    // By its rules too: null is an error in the 2019 generation.
    let mut event = message("m3", "c");
    event["payload"]["sender"]["profile_link"] = Value::Null;
    let request = client.signed("POST", &scope, event.to_string());
    request.header("Content-MD5", "0").send().await.is(400);
    client.send_today(&event).await.is(200);
}

#[tokio::test]
async fn operations_of_the_current_generation_need_its_signature() {
    let (server, scope) = connected().await;
    let client = server.client();
    let new_message = client.sent(&message("m", "c")).await;
    let history = format!(
        "{scope}/chats/{}/history",
        new_message["conversation_id"].as_str().unwrap()
    );
    for tail in ["chats", "typing", "react"] {
        let request = client.signed("POST", &format!("{scope}/{tail}"), "{}");
        refused(request, "this is the signature of the raw body").await;
    }
    refused(
        client.signed("GET", &history, ""),
        "this is the signature of the raw body",
    )
    .await;
    client.canonical("GET", &history, "").send().await.is(200);
}

#[tokio::test]
async fn a_channel_can_be_limited_to_one_generation() {
    for (setting, raw, canonical) in [("2019", 200, 403), ("current", 403, 200), ("any", 200, 200)]
    {
        let variable = "SWITCHBOARD_CHANNELS__0__GENERATION";
        let server = Setup::default().variable(variable, setting).start().await;
        let client = server.client();
        let tail = format!("{CHANNEL}/connect");
        let body = json!({ "account_id": ACCOUNT }).to_string();
        client
            .signed("POST", &tail, body.clone())
            .send()
            .await
            .is(raw);
        client
            .canonical("POST", &tail, body)
            .send()
            .await
            .is(canonical);
        if setting == "2019" {
            let scope = scope(CHANNEL, ACCOUNT);
            let typing = client.canonical("POST", &format!("{scope}/typing"), "{}");
            refused(typing, "set to the 2019 generation").await;
            let stranger = client
                .canonical("POST", &format!("{scope}/typing"), "{}")
                .canonically_signed("guessed")
                .send()
                .await
                .is(403);
            assert!(!stranger.body.contains("generation"), "{}", stranger.body);
        }
    }
}

#[tokio::test]
async fn a_signature_of_another_channel_names_that_channel_only() {
    let (server, scope) = connected().await;
    let client = server.client();
    let request = client.canonical("POST", &scope, message("m", "c").to_string());
    let answer = refused(
        request.canonically_signed(OTHER_SECRET),
        "of the channel «Second messenger»",
    )
    .await;
    assert!(!answer.body.contains(OTHER_CHANNEL));
}

#[tokio::test]
async fn escapes_of_php_verify_as_the_bytes_that_were_sent() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = r#"{"event_type":"new_message","payload":{"timestamp":1639660529,"msec_timestamp":1639660529379,"msgid":"my_int-5f2836a8ca481","conversation_id":"my_int-d5a421f7f218","sender":{"id":"my_int-1","avatar":"https:\/\/images.example.com\/1.jpeg?auto=compress&cs=tinysrgb","profile":{"phone":"+79151112233","email":"example.client@example.com"},"profile_link":"https:\/\/example.com\/profile\/example.client","name":"\u0412\u0430\u0441\u044f \u043a\u043b\u0438\u0435\u043d\u0442"},"message":{"type":"text","text":"\u0421\u043e\u043e\u0431\u0449\u0435\u043d\u0438\u0435"},"silent":false}}"#;
    client.canonical("POST", &scope, body).send().await.is(200);
    let conversation = client.conversations().await.remove(0);
    assert_eq!(conversation["customer"]["name"], "Вася клиент");
    assert_eq!(conversation["last_message"]["text"], "Сообщение");
    assert_eq!(
        conversation["last_message"]["msec_timestamp"],
        1_639_660_529_379_u64
    );
}

#[tokio::test]
async fn a_signing_mistake_of_each_kind_is_named_over_http() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    let right = client.canonical("POST", &scope, body.clone());
    let (md5, date) = (right.value("content-md5"), right.value("date"));
    let path = format!("/v2/origin/custom/{scope}");
    let host = client.host();
    for (text, hint) in [
        (
            format!("POSTn{md5}napplication/jsonn{date}n{path}"),
            "not joined with a newline",
        ),
        (
            format!("POST\n{md5}\napplication/json\n{date}\nhttp://{host}{path}"),
            "the full address was signed",
        ),
        (
            format!("POST\n{md5}\napplication/json\n{date}\n{path}\n"),
            "a newline was signed behind",
        ),
        (format!("{body}{md5}"), "body and MD5 were signed together"),
        (
            format!("POST\n{md5}\n{date}\n{path}"),
            "Content-Type was left out",
        ),
        (
            format!("POST\n{md5}\n{date}\napplication/json\n{path}"),
            "in another order",
        ),
        (
            format!("post\n{md5}\napplication/json\n{date}\n{path}"),
            "in lower case",
        ),
        (
            format!("POST\n{md5}\napplication/json\n\n{path}"),
            "Date was left out",
        ),
    ] {
        let wrong = right
            .clone()
            .header("X-Signature", &signature(SECRET, text.as_bytes()));
        refused(wrong, hint).await;
    }
    nothing_was_written(client).await;
}
