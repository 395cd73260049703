//! `/inbox/v1/conversations/{id}/notes`: what colleagues write for each other about a customer, and no integration receives.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::receiver::Receiver;
use crate::support::server::{OTHER_TOKEN, Server, Setup, TOKEN};

/// A word that is in no other text of a test.
const CANARY: &str = "zugzwang";

fn target(conversation: &str) -> String {
    format!("/inbox/v1/conversations/{conversation}/notes")
}

async fn conversation(client: &Client) -> String {
    client.connect("v2").await;
    let answer = client.sent(&message("m1", "c")).await;
    answer["conversation_id"].as_str().unwrap().to_owned()
}

async fn creates(client: &Client, conversation: &str, body: &Value) -> Answer {
    floor::admin(client, "POST", &target(conversation), body).await
}

async fn notes(client: &Client, conversation: &str) -> Vec<Value> {
    let page = client.read(&target(conversation)).await;
    page["notes"].as_array().unwrap().clone()
}

async fn audited(client: &Client) -> Vec<String> {
    let page = client.operate("GET", "/admin/v1/audit?limit=250");
    let log = page.send().await.is(200).json;
    let entries = log["entries"].as_array().unwrap().iter();
    entries
        .map(|entry| entry["action"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_note_is_there_for_colleagues_and_outlives_a_kill() {
    let mut server = Server::start().await;
    let conversation = conversation(server.client()).await;
    let client = server.client();
    assert_eq!(
        client.read(&target(&conversation)).await,
        json!({ "notes": [], "next": null })
    );
    floor::place(client, 1, 2, None).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let note = creates(client, &conversation, &json!({ "text": "They pay late" }))
        .await
        .is(201)
        .json;
    assert_eq!(
        (&note["number"], &note["text"]),
        (&json!(1), &json!("They pay late"))
    );
    assert_eq!(
        (&note["user"]["id"], &note["updated_at"]),
        (&json!(1), &Value::Null)
    );
    let event = stream.upto("note").await.pop().unwrap();
    let expected = json!({ "conversation_id": conversation, "note": note });
    assert_eq!(event.data, expected);
    let second = json!({ "text": "By invoice" });
    let answer = boris
        .sends(client, "POST", &target(&conversation), &second)
        .await;
    assert_eq!(answer.is(201).json["number"], 2);
    dora.reads(client, &target(&conversation)).await.is(404);
    dora.sends(client, "POST", &target(&conversation), &second)
        .await
        .is(404);
    let other = client.get_as(OTHER_TOKEN, &target(&conversation)).await;
    other.is(404);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let first_page = client
        .read(&format!("{}?limit=1", target(&conversation)))
        .await;
    assert_eq!(
        (&first_page["notes"][0]["text"], &first_page["next"]),
        (&json!("By invoice"), &json!(2))
    );
    let rest = client
        .read(&format!("{}?cursor=2", target(&conversation)))
        .await;
    assert_eq!(rest, json!({ "notes": [note], "next": null }));
}

/// The bytes of all that leaves the service have no word of a note.
#[tokio::test]
async fn no_way_leads_a_note_to_an_integration_or_a_customer() {
    let (receiver, hooks) = (Receiver::start().await, Receiver::start().await);
    let setup = Setup::default()
        .webhook(&receiver)
        .setting("dispatch", "hook_timeout_seconds = 30");
    let server = setup.start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    let settings = [
        "add_message",
        "add_outgoing_message",
        "update_lead",
        "update_talk",
        "note_lead",
        "note_contact",
    ];
    let subscription = json!({ "destination": hooks.webhook("in?k=7d1f"), "settings": settings });
    floor::admin(client, "POST", "/api/v4/webhooks", &subscription)
        .await
        .is(201);
    creates(client, &conversation, &json!({ "text": CANARY }))
        .await
        .is(201);
    let draft = json!({ "based_on": 0, "text": CANARY });
    let drafts = format!("/inbox/v1/conversations/{conversation}/drafts/note");
    floor::admin(client, "PATCH", &drafts, &draft).await.is(200);
    let reply = client.replied(&conversation, "Good morning").await;
    client.callback_is(&conversation, &reply, "delivered").await;
    let form = hooks.requests(1).await.remove(0);
    assert!(!String::from_utf8_lossy(&form.body).contains(CANARY));
    for callback in receiver.callbacks(1).await {
        assert!(!callback.json.to_string().contains(CANARY));
    }
    let list = client.get("/inbox/v1/conversations").await.is(200).body;
    let messages = client.messages(&conversation).await;
    let history = client.history(&conversation, "").await.is(200).body;
    let mut texts = vec![list, serde_json::to_string(&messages).unwrap(), history];
    for target in [
        "/api/v4/talks/1/messages",
        "/api/v4/events",
        "/api/v4/leads?with=contacts",
        "/api/v4/leads/1/notes",
        "/api/v4/contacts/1/notes",
    ] {
        texts.push(client.get(target).await.body);
    }
    for text in texts {
        assert!(!text.contains(CANARY), "{text}");
    }
    let found = client
        .read(&format!("/inbox/v1/conversations?query={CANARY}"))
        .await;
    assert_eq!(found["conversations"], json!([]));
    assert_eq!(messages.len(), 2);
}

#[tokio::test]
async fn a_note_is_changed_by_its_writer_and_deleted_with_a_mark() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    floor::place(client, 1, 2, None).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let text = json!({ "text": "They pay late" });
    let of_boris = boris
        .sends(client, "POST", &target(&conversation), &text)
        .await;
    of_boris.is(201);
    creates(client, &conversation, &text).await.is(201);
    let at = |number: u64| format!("{}/{number}", target(&conversation));
    let change = json!({ "text": "They paid" });
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let updated = boris
        .sends(client, "PATCH", &at(1), &change)
        .await
        .is(200)
        .json;
    assert_eq!(updated["text"], "They paid");
    assert!(updated["updated_at"].is_u64());
    let event = stream.upto("note").await.pop().unwrap();
    assert_eq!(event.data["note"], updated);
    // Not even an administrator writes in the name of another.
    floor::admin(client, "PATCH", &at(1), &change).await.is(403);
    boris.sends(client, "PATCH", &at(2), &change).await.is(403);
    boris
        .sends(client, "DELETE", &at(2), &Value::Null)
        .await
        .is(403);
    assert!(
        !audited(client)
            .await
            .contains(&"team_note.delete".to_owned())
    );
    floor::admin(client, "DELETE", &at(1), &Value::Null)
        .await
        .is(204);
    floor::admin(client, "DELETE", &at(1), &Value::Null)
        .await
        .is(204);
    let marks = notes(client, &conversation).await;
    let mark = marks.last().unwrap();
    assert_eq!(
        (&mark["text"], &mark["deleted_by"]),
        (&Value::Null, &json!(1))
    );
    assert!(
        audited(client)
            .await
            .contains(&"team_note.delete".to_owned())
    );
    boris.sends(client, "PATCH", &at(1), &change).await.is(409);
    for unknown in ["3", "0", "x"] {
        let target = format!("{}/{unknown}", target(&conversation));
        floor::admin(client, "PATCH", &target, &change)
            .await
            .is(404);
        floor::admin(client, "DELETE", &target, &Value::Null)
            .await
            .is(404);
    }
}

#[tokio::test]
async fn a_note_takes_its_draft_along_and_leaves_that_of_the_reply() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    let drafts = |kind: &str| format!("/inbox/v1/conversations/{conversation}/drafts/{kind}");
    for (kind, text) in [("reply", "To the customer"), ("note", "To the team")] {
        let draft = json!({ "based_on": 0, "text": text });
        let stored = floor::admin(client, "PATCH", &drafts(kind), &draft).await;
        assert_eq!(stored.is(200).json["number"], 1);
    }
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let note = json!({ "text": "To the team", "draft": 1 });
    creates(client, &conversation, &note).await.is(201);
    let event = stream.upto("draft").await.pop().unwrap();
    assert_eq!(
        (&event.data["kind"], &event.data["number"]),
        (&json!("note"), &json!(2))
    );
    assert_eq!(client.read(&drafts("note")).await["text"], "");
    assert_eq!(
        client.read(&drafts("reply")).await["text"],
        "To the customer"
    );
    // A file belongs to messages.
    let file =
        json!({ "based_on": 2, "text": "x", "media_id": "00000000-0000-4000-8000-000000000000" });
    let refusal = floor::admin(client, "PATCH", &drafts("note"), &file)
        .await
        .is(400);
    assert!(refusal.body.contains("media_id"), "{}", refusal.body);
}

#[tokio::test]
async fn a_wrong_note_stores_nothing_and_a_repeat_is_one() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    for body in [
        json!({}),
        json!({ "text": "" }),
        json!({ "text": "x".repeat(65_537) }),
        json!({ "text": 5 }),
        json!({ "text": "x", "draft": -1 }),
    ] {
        creates(client, &conversation, &body).await.is(400);
    }
    let unknown = target("00000000-0000-4000-8000-000000000000");
    floor::admin(client, "POST", &unknown, &json!({ "text": "x" }))
        .await
        .is(404);
    assert_eq!(notes(client, &conversation).await, Vec::<Value>::new());
    let sends = async |text: &str| {
        let body = json!({ "text": text }).to_string();
        let request = client
            .request("POST", &target(&conversation))
            .bearer(TOKEN)
            .header("Idempotency-Key", "once")
            .header("Content-Type", "application/json");
        request.body(body).send().await
    };
    let first = sends("They pay late").await.is(201).json;
    assert_eq!(sends("They pay late").await.is(201).json, first);
    sends("Other").await.is(409);
    assert_eq!(notes(client, &conversation).await.len(), 1);
}
