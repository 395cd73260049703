//! Optional details whose form is wrong: the message is taken, and the answer names what was left out.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::message;
use crate::support::server::Server;

fn paths(answer: &Answer) -> Vec<&str> {
    let warnings = answer.json["warnings"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let paths = warnings
        .iter()
        .map(|warning| warning["path"].as_str().unwrap());
    paths.collect()
}

async fn connected() -> Server {
    let server = Server::start().await;
    server.client().connect("v2").await;
    server
}

/// The place of each detail in the payload, its value, and the path that the warning has; none of what is right.
fn malformed() -> Vec<(&'static str, Value, &'static str)> {
    let long = "я".repeat(256);
    vec![
        (
            "sender/profile",
            json!({ "email": "n/a" }),
            "payload.sender.profile.email",
        ),
        (
            "sender/profile",
            json!({ "phone": "7".repeat(65) }),
            "payload.sender.profile.phone",
        ),
        (
            "sender/profile",
            json!({ "phone": "7\n9" }),
            "payload.sender.profile.phone",
        ),
        (
            "sender/profile_link",
            json!("t.me/x"),
            "payload.sender.profile_link",
        ),
        (
            "sender/profile_link",
            json!("javascript:alert(1)"),
            "payload.sender.profile_link",
        ),
        ("sender/name", json!(long), "payload.sender.name"),
        ("sender/name", json!("Grace\nHopper"), "payload.sender.name"),
        // Blanks around a detail are no part of it.
        (
            "sender/profile",
            json!({ "email": "grace@example.com ", "phone": "+7 900\n" }),
            "",
        ),
        ("sender/profile", json!({ "email": " ", "phone": "" }), ""),
        (
            "sender/profile",
            json!({ "email": "a@b.com\r\nBcc:x@y.com" }),
            "payload.sender.profile.email",
        ),
        (
            "sender/profile",
            json!({ "phone": "7".repeat(10_240) }),
            "payload.sender.profile.phone",
        ),
    ]
}

#[tokio::test]
async fn a_malformed_detail_does_not_cost_the_message() {
    let server = connected().await;
    let client = server.client();
    let cases = malformed();
    for (number, (pointer, value, path)) in cases.iter().enumerate() {
        for today in [false, true] {
            let mut event = message(&format!("m{number}{today}"), &format!("c{number}{today}"));
            *place(&mut event, pointer) = value.clone();
            let answer = if today {
                client.send_today(&event).await
            } else {
                client.send(&event).await
            };
            let left_out_paths: Vec<&str> = Some(*path)
                .into_iter()
                .filter(|it| !it.is_empty())
                .collect();
            assert_eq!(paths(&answer.is(200)), left_out_paths, "{pointer} {value}");
        }
    }
    let conversations = client.conversations().await;
    assert_eq!(conversations.len(), cases.len() * 2);
    let customer = |name: &str| {
        let mut all = conversations.iter();
        all.find(|it| it["client_id"] == name).unwrap()["customer"].clone()
    };
    assert_eq!(customer("c5true")["name"], "я".repeat(255));
    assert_eq!(customer("c6true")["name"], "Grace Hopper");
    let trimmed = customer("c7false");
    assert_eq!(
        (&trimmed["email"], &trimmed["phone"]),
        (&json!("grace@example.com"), &json!("+7 900"))
    );
}

/// The place of a field of the payload, which is added if it is not there.
fn place<'e>(event: &'e mut Value, pointer: &str) -> &'e mut Value {
    let mut place = &mut event["payload"];
    for key in pointer.split('/') {
        place = &mut place[key];
    }
    place
}

#[tokio::test]
async fn details_of_the_current_generation_are_left_out_as_well() {
    let server = connected().await;
    let client = server.client();
    let mut event = message("m", "c");
    event["payload"]["sender"]["avatar"] = json!("avatar.png");
    event["payload"]["source"] = json!({ "external_id": "é" });
    event["payload"]["message"] = json!({
        "type": "file", "media": "https://example.com/a.pdf", "file_name": format!("{}.pdf", "a".repeat(300)),
        "post": { "id": "p", "url": "https://example.com/p", "preview_url": "no url" },
    });
    let answer = client.send_today(&event).await.is(200);
    let mut all_paths = [
        "payload.message.file_name",
        "payload.message.post.preview_url",
        "payload.sender.avatar",
        "payload.source.external_id",
    ];
    let mut fields = paths(&answer);
    fields.sort_unstable();
    all_paths.sort_unstable();
    assert_eq!(fields, all_paths);
    // A repetition gets the same answer, and the requests page shows both.
    let again = client.send_today(&event).await.is(200);
    assert_eq!(again.body, answer.body);
    let list = client
        .operate("GET", "/admin/v1/requests")
        .send()
        .await
        .is(200)
        .json;
    let id = list["requests"][0]["id"].as_str().unwrap();
    let response = client
        .operate("GET", &format!("/admin/v1/requests/{id}"))
        .send()
        .await
        .is(200)
        .json;
    let text = response["answer"]["text"].as_str().unwrap();
    assert!(text.contains("payload.source.external_id"), "{text}");
    let chat = json!({
        "conversation_id": "later",
        "user": { "id": "u", "name": "Grace", "avatar": "file:///etc/passwd", "profile": { "email": "no" } },
    });
    let tail = format!(
        "{}/chats",
        crate::support::client::scope(
            crate::support::server::CHANNEL,
            crate::support::server::ACCOUNT
        )
    );
    let answer = client.post_today(&tail, &chat).await.is(200);
    assert_eq!(paths(&answer), ["user.avatar", "user.profile.email"]);
    // What a message cannot be without is still refused, and so is another type.
    let mut event = message("n", "c");
    event["payload"]["sender"]["profile"] = json!({ "email": 7 });
    client.send_today(&event).await.is(400);
}

#[tokio::test]
async fn a_contact_card_needs_a_name_or_a_number() {
    let server = connected().await;
    let client = server.client();
    let mut conversation = String::new();
    for (number, (card, shown)) in [
        (json!({ "name": "Ada" }), json!({ "name": "Ada" })),
        (
            json!({ "name": "Ada", "phone": "" }),
            json!({ "name": "Ada" }),
        ),
        (
            json!({ "phone": "+1" }),
            json!({ "name": "+1", "phone": "+1" }),
        ),
        (
            json!({ "name": "Ada", "phone": "+1" }),
            json!({ "name": "Ada", "phone": "+1" }),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        for today in [false, true] {
            let mut event = message(&format!("m{number}{today}"), "c");
            event["payload"]["message"] = json!({ "type": "contact", "contact": card });
            let any_answer = if today {
                client.send_today(&event).await
            } else {
                client.send(&event).await
            };
            let answer = any_answer.is(200);
            conversation = answer.json["new_message"]["conversation_id"]
                .as_str()
                .unwrap()
                .to_owned();
            let messages = client.messages(&conversation).await;
            let mut all = messages.iter();
            assert!(all.any(|message| message["contact"] == shown), "{shown}");
        }
    }
    client.history(&conversation, "").await.is(200);
    for card in [json!({}), json!({ "name": "", "phone": "" })] {
        let mut event = message("wrong", "c");
        event["payload"]["message"] = json!({ "type": "contact", "contact": card });
        let wrong = client.send(&event).await.is(400).wrong();
        assert_eq!(wrong.len(), 1, "{wrong:?}");
    }
}

/// A customer may write blanks; a text that is not there is none.
#[tokio::test]
async fn a_blank_text_is_kept_and_an_empty_one_is_refused() {
    let server = connected().await;
    let client = server.client();
    for (number, text) in [" ", "\u{200b}", "\u{2800}"].into_iter().enumerate() {
        let mut event = message(&format!("m{number}"), "c");
        event["payload"]["message"]["text"] = json!(text);
        let new_message = client.sent(&event).await;
        let messages = client
            .messages(new_message["conversation_id"].as_str().unwrap())
            .await;
        let mut all = messages.iter();
        assert!(all.any(|message| message["text"] == text), "{text:?}");
    }
    let mut event = message("empty", "c");
    event["payload"]["message"]["text"] = json!("");
    let wrong = client.send(&event).await.is(400).wrong();
    assert_eq!(
        wrong,
        [("payload.message.text".to_owned(), "InvalidValue".to_owned())]
    );
}

/// The words of other interfaces lead to those of this one.
#[tokio::test]
async fn words_of_other_interfaces_lead_to_the_right_ones() {
    let server = connected().await;
    let client = server.client();
    for (word, meant) in [
        ("image", "picture"),
        ("photo", "picture"),
        ("document", "file"),
        ("Text", "text"),
        ("vidoe", "video"),
    ] {
        let mut event = message("m", "c");
        event["payload"]["message"]["type"] = json!(word);
        let answer = client.send(&event).await.is(400);
        assert!(
            answer.body.contains(&format!("did you mean {meant}?")),
            "{}",
            answer.body
        );
    }
    let answer = client.get("/api/v4/lead").await.is(404);
    assert!(
        answer.body.contains("did you mean GET /api/v4/leads?"),
        "{}",
        answer.body
    );
    let answer = client
        .request("POST", "/origin/custom/c_1")
        .send()
        .await
        .is(404);
    let meant = "did you mean POST /v2/origin/custom/c_1?";
    assert!(answer.body.contains(meant), "{}", answer.body);
}
