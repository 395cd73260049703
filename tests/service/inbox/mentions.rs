//! Mentions in notes of the team: a mentioned user is a subscriber of the conversation, and has the news of it once.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::inbox::setting::{conversation, target};
use crate::rights::floor::{self, Person};
use crate::support::client::{Client, message, silent_message};
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

async fn notes(client: &Client, conversation: &str, body: &Value) -> Value {
    let target = target(conversation, "/notes");
    let answer = floor::admin(client, "POST", &target, body).await;
    answer.is(201).json
}

async fn listed(client: &Client, by: &Person, state: &str) -> usize {
    floor::inbox_of(client, by, state, 50).await.len()
}

async fn hears(server: &Server, person: &Person) -> Stream {
    Stream::open_with(server, ("Cookie", &person.cookie), None).await
}

/// The numbers of the notes whose mentions a stream has, up to an event of a later message.
async fn mentions(stream: &mut Stream, client: &Client, msgid: &str) -> Vec<u64> {
    client.sent(&message(msgid, "c")).await;
    let events = stream.upto("message").await;
    let mentions = events.iter().filter(|event| event.name == "mention");
    mentions
        .map(|event| event.data["note_number"].as_u64().unwrap())
        .collect()
}

#[tokio::test]
async fn a_mentioned_user_sees_the_conversation_and_may_not_reply() {
    let mut server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    for part in ["", "/notes", "/messages", "/mentionable-users"] {
        dora.reads(client, &target(&id, part)).await.is(404);
    }
    assert_eq!(listed(client, &dora, "all").await, 0);
    let mut stream = hears(&server, &dora).await;
    let mut of_boris = hears(&server, &boris).await;
    let body = json!({ "text": "@dora look", "mentions": [dora.id] });
    let note = notes(client, &id, &body).await;
    assert_eq!(note["mentions"], json!([dora.id]));
    let event = stream.upto("mention").await.pop().unwrap();
    let expected = json!({ "conversation_id": id, "note_number": 1, "user_id": 1 });
    assert_eq!(event.data, expected);
    assert!(event.id.is_some(), "it can be caught up on");
    assert_eq!(mentions(&mut of_boris, client, "m2").await, [0; 0]);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    for part in ["", "/messages", "/mentionable-users"] {
        dora.reads(client, &target(&id, part)).await.is(200);
    }
    let page = dora.reads(client, &target(&id, "/notes")).await.is(200);
    assert_eq!(page.json["notes"], json!([note]));
    for state in ["all", "mine", "mentioned"] {
        assert_eq!(listed(client, &dora, state).await, 1, "{state}");
    }
    assert_eq!(listed(client, &boris, "mentioned").await, 0);
    let reply = json!({ "type": "text", "text": "Hello" });
    let messages = target(&id, "/messages");
    dora.sends(client, "POST", &messages, &reply).await.is(403);
    let take = json!({ "user_id": dora.id, "replaces": null });
    let responsible = target(&id, "/responsible");
    dora.sends(client, "PATCH", &responsible, &take)
        .await
        .is(403);
    // A colleague of the team, who may write notes.
    let answer = json!({ "text": "I looked", "mentions": [boris.id] });
    let notes = target(&id, "/notes");
    let stored = dora.sends(client, "POST", &notes, &answer);
    assert_eq!(stored.await.is(201).json["number"], 2);
    let again = client.sent(&message("m9", "c")).await;
    assert_eq!(again["conversation_id"], id.as_str());
    dora.reads(client, &target(&id, "")).await.is(200);
}

/// A lead that the conversation opens later has the subscribers, too.
#[tokio::test]
async fn a_mention_outlives_the_lead_of_its_conversation() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let body = json!({ "text": "@dora", "mentions": [dora.id] });
    notes(client, &id, &body).await;
    let lost = 143;
    floor::place(client, 1, lost, None).await;
    client.sent(&message("m2", "c")).await;
    let all = client.conversations().await;
    assert_eq!(all[0]["lead"]["id"], 2);
    dora.reads(client, &target(&id, "")).await.is(200);
    let silent = client.sent(&silent_message("s1", "silent")).await;
    let without_lead = silent["conversation_id"].as_str().unwrap();
    notes(client, without_lead, &body).await;
    dora.reads(client, &target(without_lead, "")).await.is(200);
    assert_eq!(listed(client, &dora, "mentioned").await, 2);
}

#[tokio::test]
async fn a_change_of_a_note_has_news_for_new_mentions_alone() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let emma = floor::add(client, "emma", &floor::rights("D")).await;
    let (mut of_dora, mut of_emma) = (hears(&server, &dora).await, hears(&server, &emma).await);
    notes(
        client,
        &id,
        &json!({ "text": "@dora", "mentions": [dora.id] }),
    )
    .await;
    let note = target(&id, "/notes/1");
    for (text, mentions) in [
        ("@dora @emma", vec![dora.id, emma.id]),
        ("@emma", vec![emma.id]),
        ("@dora @emma again", vec![dora.id, emma.id]),
    ] {
        let body = json!({ "text": text, "mentions": mentions });
        let changed = floor::admin(client, "PATCH", &note, &body).await.is(200);
        assert_eq!(changed.json["mentions"], json!(mentions));
    }
    let kept = floor::admin(client, "PATCH", &note, &json!({ "text": "All of you" })).await;
    assert_eq!(kept.is(200).json["mentions"], json!([dora.id, emma.id]));
    assert_eq!(mentions(&mut of_dora, client, "m2").await, [1]);
    assert_eq!(mentions(&mut of_emma, client, "m3").await, [1]);
    // Another note is another mention.
    notes(
        client,
        &id,
        &json!({ "text": "@dora", "mentions": [dora.id] }),
    )
    .await;
    let mut events = of_dora.upto("mention").await;
    assert_eq!(events.pop().unwrap().data["note_number"], 2);
    floor::admin(client, "DELETE", &note, &Value::Null)
        .await
        .is(204);
    let page = client.read(&target(&id, "/notes")).await;
    assert_eq!(page["notes"][1]["mentions"], json!([]));
    dora.reads(client, &target(&id, "")).await.is(200);
}

#[tokio::test]
async fn a_wrong_mention_stores_nothing() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let left = floor::add(client, "left", &floor::rights("A")).await;
    let leaving = json!([{ "id": left.id }]);
    floor::admin(client, "POST", "/api/v4/users/deactivate", &leaving)
        .await
        .is(204);
    let many: Vec<u64> = (1..=21).collect();
    let wrong = |path: &str, code: &str| (path.to_owned(), code.to_owned());
    for (mentions, path, code) in [
        (json!([999]), "mentions", "NotSupportedChoice"),
        (json!([left.id]), "mentions", "NotSupportedChoice"),
        (json!([1, 1]), "mentions", "InvalidValue"),
        (json!(many), "mentions", "InvalidValue"),
        (json!("dora"), "mentions", "InvalidType"),
        (json!([dora.id, "dora"]), "mentions.1", "InvalidType"),
        (json!([0]), "mentions.0", "InvalidType"),
    ] {
        let body = json!({ "text": "Look", "mentions": mentions });
        let answer = floor::admin(client, "POST", &target(&id, "/notes"), &body).await;
        assert_eq!(answer.is(400).wrong(), [wrong(path, code)], "{mentions}");
    }
    let both = json!({ "text": "", "mentions": [999] });
    let answer = floor::admin(client, "POST", &target(&id, "/notes"), &both).await;
    let all = [
        wrong("mentions", "NotSupportedChoice"),
        wrong("text", "InvalidValue"),
    ];
    assert_eq!(answer.is(400).wrong(), all);
    assert_eq!(
        client.read(&target(&id, "/notes")).await["notes"],
        json!([])
    );
    dora.reads(client, &target(&id, "")).await.is(404);
    let users = target(&id, "/mentionable-users");
    let foreign = client.get_as(OTHER_TOKEN, &users);
    foreign.await.is(404);
}

#[tokio::test]
async fn the_writer_reads_who_cannot_view_the_conversation() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let dora = floor::add(client, "Dora", &floor::rights("D")).await;
    floor::place(client, 1, 2, Some(mia.id)).await;
    let list = target(&id, "/mentionable-users");
    let may_view = async |by: Option<&Person>| {
        let page = match by {
            Some(person) => person.reads(client, &list).await,
            None => client.get_as(TOKEN, &list).await,
        };
        let array = page.is(200).json["users"].take();
        let users = array.as_array().unwrap().clone();
        users
            .iter()
            .map(|user| {
                (
                    user["id"].as_u64().unwrap(),
                    user["may_view"].as_bool().unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    let everybody = may_view(None).await;
    assert!(everybody.contains(&(mia.id, true)), "{everybody:?}");
    assert!(everybody.contains(&(dora.id, false)), "{everybody:?}");
    // Mia reads no other names than those of the users who are there.
    let for_mia = may_view(Some(&mia)).await;
    assert!(for_mia.contains(&(1, true)), "{for_mia:?}");
    assert!(for_mia.iter().all(|(_, may_view)| *may_view), "{for_mia:?}");
    let body = json!({ "text": "@Dora", "mentions": [dora.id] });
    let notes = target(&id, "/notes");
    let sent = mia.sends(client, "POST", &notes, &body);
    sent.await.is(201);
    assert!(may_view(None).await.contains(&(dora.id, true)));
}

/// The same request again is the same note, and no other mention; its draft goes along.
#[tokio::test]
async fn a_repeated_mention_is_one_and_takes_its_draft_along() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let drafts = target(&id, "/drafts/note");
    let draft = json!({ "based_on": 0, "text": "@dora" });
    floor::admin(client, "PATCH", &drafts, &draft).await.is(200);
    let mut stream = hears(&server, &dora).await;
    let sends = async |mentions: Value| {
        let body = json!({ "text": "@dora", "mentions": mentions, "draft": 1 });
        let request = client
            .request("POST", &target(&id, "/notes"))
            .bearer(TOKEN)
            .header("Idempotency-Key", "once")
            .header("Content-Type", "application/json");
        request.body(body.to_string()).send().await
    };
    let first = sends(json!([dora.id])).await.is(201).json;
    assert_eq!(sends(json!([dora.id])).await.is(201).json, first);
    sends(json!([])).await.is(409);
    assert_eq!(client.read(&drafts).await["text"], "");
    assert_eq!(mentions(&mut stream, client, "m2").await, [1]);
}
