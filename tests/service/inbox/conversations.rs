//! The list of conversations.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::rights::floor;
use crate::support::client::{Client, message, scope, signature, silent_message};
use crate::support::rounds::Rounds;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_CHANNEL, OTHER_TOKEN, Server, TOKEN};

fn names(list: &Value) -> Vec<&str> {
    let list = list["conversations"].as_array().unwrap();
    list.iter()
        .map(|it| it["client_id"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_conversation_shows_customer_channel_last_message_and_lead() {
    let server = Server::start().await;
    let client = server.client();
    let scope = client.connect("v2").await;
    let mut event = message("m", "c");
    event["payload"]["sender"]["profile"] = json!({ "phone": "+4930" });
    event["payload"]["sender"]["profile_link"] = json!("https://example.com/grace");
    let new_message = client.sent(&event).await;
    let conversation = client.conversations().await.remove(0);
    assert_eq!(conversation["id"], new_message["conversation_id"]);
    assert_eq!(conversation["client_id"], "c");
    assert_eq!(conversation["scope_id"], scope.as_str());
    assert_eq!(
        conversation["channel"],
        json!({ "id": CHANNEL, "name": "First messenger", "title": "First messenger", "kind": "other" })
    );
    assert_eq!(
        conversation["customer"],
        json!({
            "id": new_message["sender_id"],
            "client_id": "customer of c",
            "name": "Grace",
            "avatar": "https://example.com/avatar.png",
            "avatar_check": null,
            "phone": "+4930",
            "email": null,
            "profile_link": "https://example.com/grace",
        })
    );
    assert_eq!(conversation["last_message"]["id"], new_message["msgid"]);
    assert_eq!(conversation["last_message"]["text"], "text of m");
    assert_eq!(conversation["lead"]["id"], 1);
    assert_eq!(conversation["lead"]["tags"], json!([]));
    let target = format!(
        "/inbox/v1/conversations/{}",
        conversation["id"].as_str().unwrap()
    );
    assert_eq!(client.read(&target).await, conversation);
}

#[tokio::test]
async fn a_conversation_without_a_lead_gives_the_reason() {
    let server = Server::start().await;
    let client = server.client();
    let scope = client.connect("v2").await;
    client.sent(&silent_message("m1", "c")).await;
    client.sent(&silent_message("m2", "c")).await;
    let silent = client.conversations().await.remove(0);
    let lead_fields = (&silent["lead"], &silent["no_lead"]);
    assert_eq!(lead_fields, (&Value::Null, &json!("only_silent")));
    client.sent(&message("m3", "c")).await;
    let loud = client.conversations().await.remove(0);
    let lead_fields = (&loud["lead"]["id"], &loud["no_lead"]);
    assert_eq!(lead_fields, (&json!(1), &Value::Null));
    let body = json!({ "scope_id": scope, "phone": "+49 30 1", "text": "hello" });
    let first = client
        .request("POST", "/inbox/v1/conversations")
        .bearer(TOKEN)
        .header("Content-Type", "application/json")
        .body(body.to_string())
        .send()
        .await
        .is(201);
    assert_eq!(first.json["conversation"]["no_lead"], "only_ours");
}

/// Conversations are listed by newest activity, and pages have neither gaps nor repeats.
#[tokio::test]
async fn conversations_are_paged_by_newest_activity_without_gaps() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for number in 0..7 {
        client.sent(&message("m1", &format!("c{number}"))).await;
    }
    client.sent(&message("m2", "c3")).await;
    let order = ["c3", "c6", "c5", "c4", "c2", "c1", "c0"];
    assert_eq!(names(&client.read("/inbox/v1/conversations").await), order);
    for limit in [1, 2, 3, 6, 7, 250] {
        let mut ids = Vec::new();
        let mut target = format!("/inbox/v1/conversations?limit={limit}");
        let mut rounds = Rounds::default();
        loop {
            rounds.note();
            let list = client.read(&target).await;
            let page = names(&list);
            assert!(!page.is_empty() && page.len() <= limit);
            ids.extend(page.into_iter().map(str::to_owned));
            let Some(next) = list["next"].as_str() else {
                break;
            };
            target = format!("/inbox/v1/conversations?limit={limit}&cursor={next}");
        }
        assert_eq!(ids, order, "{limit} at a time");
    }
}

#[tokio::test]
async fn a_foreign_cursor_is_400() {
    let server = Server::start().await;
    for cursor in ["", "x", "00", "deadbeef-0000-4000-8000-000000000000"] {
        let target = format!("/inbox/v1/conversations?cursor={cursor}");
        let answer = server.client().get(&target).await.is(400);
        assert!(answer.json["detail"].as_str().unwrap().contains("cursor"));
    }
}

#[tokio::test]
async fn silent_messages_do_not_count_as_unread_and_others_do() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("m1", "c")).await;
    client.sent(&silent_message("m2", "c")).await;
    client.sent(&message("m3", "c")).await;
    client.sent(&message("m3", "c")).await;
    let view = client.conversations().await.remove(0);
    assert_eq!(view["unread"], 2);
    assert_eq!(view["messages"], 3);
    let conversation = view["id"].as_str().unwrap();
    client.replied(conversation, "hello").await;
    let view = client.conversations().await.remove(0);
    assert_eq!(view["unread"], 0, "who answers has read");
}

#[tokio::test]
async fn an_invalid_conversation_id_is_404() {
    let server = Server::start().await;
    for id in ["x", "1", "00000000-0000-0000-0000-000000000000", "%2e%2e"] {
        for tail in ["", "/messages"] {
            let target = format!("/inbox/v1/conversations/{id}{tail}");
            server.client().get(&target).await.is(404);
        }
    }
}

#[tokio::test]
async fn a_conversation_shows_the_title_of_its_connection() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("m", "c")).await;
    let title = async || client.conversations().await.remove(0)["channel"]["title"].clone();
    let connection = json!({ "account_id": ACCOUNT, "title": "+7 900", "hook_api_version": "v2" });
    client
        .post(&format!("{CHANNEL}/connect"), &connection)
        .await
        .is(200);
    assert_eq!(title().await, "+7 900");
    let unsorted = client.read("/api/v4/leads/unsorted").await;
    let record = &unsorted["_embedded"]["unsorted"][0];
    assert_eq!(record["source_name"], "+7 900");
    assert_eq!(record["metadata"]["source_name"], "+7 900");
    client.disconnect_account(ACCOUNT).await.is(200);
    assert_eq!(title().await, "First messenger", "of the channel");
}

/// Another channel that the account is connected to, with a conversation.
async fn second_channel(client: &Client) {
    const OWN_SECRET: &str = "given-by-the-operator";
    let new = json!({
        "id": "second", "name": "Second", "secret": OWN_SECRET,
        "kind": "telegram", "page": "https://bridge.example.com/",
    });
    let answer = client.operates("POST", "/admin/v1/channels", &new).await;
    answer.is(201);
    let connection = json!({ "account_id": ACCOUNT, "hook_api_version": "v2", "title": "Shop" });
    for (tail, body) in [
        ("second/connect".to_owned(), connection),
        (scope("second", ACCOUNT), message("m", "c9")),
    ] {
        let body = body.to_string();
        let signature = signature(OWN_SECRET, body.as_bytes());
        let request = client.signed("POST", &tail, body);
        request
            .header("X-Signature", &signature)
            .send()
            .await
            .is(200);
    }
}

#[tokio::test]
async fn conversations_are_filtered_by_channel_and_tag() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 3).await;
    second_channel(client).await;
    for lead in 1..=4 {
        floor::place(client, lead, 2, None).await;
    }
    for (lead, tags) in [(2, json!(["vip", "new"])), (4, json!(["vip"]))] {
        let tags: Vec<_> = tags
            .as_array()
            .unwrap()
            .iter()
            .map(|name| json!({ "name": name }))
            .collect();
        let target = format!("/api/v4/leads/{lead}");
        let body = json!({ "tags_to_add": tags });
        floor::admin(client, "PATCH", &target, &body).await.is(200);
    }
    for (query, expected) in [
        (format!("channel={CHANNEL}"), vec!["c3", "c2", "c1"]),
        ("channel=second".to_owned(), vec!["c9"]),
        ("tag=1".to_owned(), vec!["c9", "c2"]),
        ("tag=2".to_owned(), vec!["c2"]),
        ("channel=second&tag=1&status=open".to_owned(), vec!["c9"]),
        ("channel=second&tag=2".to_owned(), vec![]),
        ("channel=second&query=c2".to_owned(), vec![]),
        ("channel=second&query=c9".to_owned(), vec!["c9"]),
        (
            "tag=1&responsible=none&group=none&state=unread".to_owned(),
            vec!["c9", "c2"],
        ),
        (
            "channel=&tag=&state=all".to_owned(),
            vec!["c9", "c3", "c2", "c1"],
        ),
    ] {
        let list = client
            .read(&format!("/inbox/v1/conversations?{query}"))
            .await;
        assert_eq!(names(&list), expected, "{query}");
    }
    // The tag is that of the newest lead.
    let untag = json!({ "tags_to_delete": [{ "name": "vip" }] });
    floor::admin(client, "PATCH", "/api/v4/leads/4", &untag)
        .await
        .is(200);
    assert_eq!(
        names(&client.read("/inbox/v1/conversations?tag=1").await),
        ["c2"]
    );
    let channels = client.read("/inbox/v1/channels").await;
    let expected = json!({ "channels": [
        { "id": CHANNEL, "name": "First messenger", "title": "First messenger", "kind": "other", "page": null },
        { "id": "second", "name": "Second", "title": "Shop", "kind": "telegram", "page": "https://bridge.example.com/" },
    ], "next": null });
    assert_eq!(channels, expected);
    // The page is for administrators.
    let mia = floor::add(client, "mia", &floor::rights("A")).await;
    let answer = mia.reads(client, "/inbox/v1/channels").await.is(200);
    let second = &answer.json["channels"][1];
    assert_eq!(
        (&second["kind"], &second["page"]),
        (&json!("telegram"), &Value::Null)
    );
    let none = client.get_as(OTHER_TOKEN, "/inbox/v1/channels").await;
    assert_eq!(none.is(200).json["channels"], json!([]));
}

#[tokio::test]
async fn rows_and_events_have_the_tags_of_the_lead() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 2).await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let block = json!({ "tags_to_add": [{ "name": "Blocked" }, { "name": "vip" }] });
    floor::admin(client, "PATCH", "/api/v4/leads/2", &block)
        .await
        .is(200);
    let tags = json!([{ "id": 1, "name": "Blocked" }, { "id": 2, "name": "vip" }]);
    let event = stream.upto("lead").await.pop().unwrap();
    assert_eq!(event.data["lead"]["tags"], tags);
    let rows = client.conversations().await;
    assert_eq!(rows[0]["lead"]["tags"], tags);
    assert_eq!(rows[1]["lead"]["tags"], json!([]));
    let unblock = json!({ "tags_to_delete": [{ "name": "Blocked" }] });
    floor::admin(client, "PATCH", "/api/v4/leads/2", &unblock)
        .await
        .is(200);
    let event = stream.upto("lead").await.pop().unwrap();
    assert_eq!(event.data["lead"]["tags"], json!([tags[1]]));
}

#[tokio::test]
async fn each_filter_that_is_wrong_is_named_by_its_path() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let wrong = "state=x&responsible=x&group=x&status=x&channel=a%20b&tag=x";
    let refusal = client
        .get(&format!("/inbox/v1/conversations?{wrong}"))
        .await
        .is(400);
    let wrong = refusal.wrong();
    let paths: Vec<_> = wrong.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        paths,
        ["channel", "group", "responsible", "state", "status", "tag"]
    );
    // The channel is another account's.
    let unknown = format!("/inbox/v1/conversations?channel={OTHER_CHANNEL}&tag=1");
    let refusal = client.get(&unknown).await.is(400).wrong();
    let paths: Vec<_> = refusal.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["channel", "tag"]);
}
