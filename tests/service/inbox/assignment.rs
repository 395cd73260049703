//! Automatic assignment and presence over HTTP: settings, devices, rights, events, the audit log and hooks.

use serde_json::{Value, json};

use super::listen::Stream;
use crate::rights::floor::{self, Person};
use crate::support::client::{Client, message};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, Server, TOKEN};

const ME: &str = "/inbox/v1/me";

async fn set(client: &Client, settings: Value) {
    let target = format!("/admin/v1/channels/{CHANNEL}");
    client.operates("PATCH", &target, &settings).await.is(200);
}

/// These rights, and those to the leads that no user has accepted yet.
fn agent(letter: &str) -> Value {
    let mut rights = floor::rights(letter);
    rights["status_rights"] = json!([floor::stage(1, "A")]);
    rights
}

/// A user with a page open.
async fn device(server: &Server, user: &Person) -> Stream {
    Stream::open_with(server, ("Cookie", user.cookie.as_str()), None).await
}

async fn chooses(client: &Client, user: &Person, presence: &str) -> Value {
    let body = json!({ "presence": presence });
    let answer = user.sends(client, "PATCH", ME, &body).await;
    answer.is(200).json["presence"].clone()
}

/// The presence of a user as the administrator sees it.
async fn presence(client: &Client, user: &Person) -> Value {
    let page = client.read("/inbox/v1/users").await;
    let users = page["users"].as_array().unwrap();
    let row = users.iter().find(|it| it["id"] == user.id).unwrap();
    row["presence"].clone()
}

async fn says(client: &Client, msgid: &str, conversation: &str) -> String {
    let answer = client.sent(&message(msgid, conversation)).await;
    answer["conversation_id"].as_str().unwrap().to_owned()
}

/// The next event `lead` with another responsible user than before.
async fn assignment(stream: &mut Stream) -> Value {
    loop {
        let event = stream.upto("lead").await.pop().unwrap();
        if event.data["reason"].is_string() {
            return event.data;
        }
    }
}

/// The changes of leads by the service in the audit log, newest first.
async fn audited(client: &Client) -> Vec<Value> {
    let request = client.operate("GET", "/admin/v1/audit?limit=250");
    let log = request.send().await.is(200).json;
    let entries = log["entries"].as_array().unwrap().iter();
    let of_service =
        |entry: &&Value| entry["action"] == "lead.update" && entry["by"]["kind"] == "service";
    entries.filter(of_service).cloned().collect()
}

#[tokio::test]
async fn the_rule_is_off_until_a_channel_has_it() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let target = format!("/admin/v1/channels/{CHANNEL}");
    let read = client.operate("GET", &target).send().await.is(200).json;
    assert_eq!(
        (&read["auto_assign"], &read["assignment_limit"]),
        (&json!(false), &json!(20))
    );
    for wrong in [0, 501] {
        let body = json!({ "assignment_limit": wrong });
        let refusal = client.operates("PATCH", &target, &body).await.is(400);
        assert!(refusal.body.contains("from 1 to 500"), "{}", refusal.body);
    }
    let boris = floor::add(client, "boris", &agent("A")).await;
    let _page = device(&server, &boris).await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    says(client, "m1", "c1").await;
    set(client, json!({ "auto_assign": true })).await;
    // What waited before is assigned as well. The administrator, whose stream this is, has the smaller number.
    let event = assignment(&mut stream).await;
    assert_eq!(event["reason"], "rule");
    assert!([json!(1), json!(boris.id)].contains(&event["lead"]["responsible_user_id"]));
}

#[tokio::test]
async fn the_rule_is_seen_in_events_the_log_and_hooks() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    set(
        client,
        json!({ "auto_assign": true, "assignment_limit": 1 }),
    )
    .await;
    let receiver = Receiver::start().await;
    let webhook =
        json!({ "destination": receiver.webhook("in"), "settings": ["responsible_lead"] });
    let subscription = floor::admin(client, "POST", "/api/v4/webhooks", &webhook);
    subscription.await.is(201);
    let boris = floor::add(client, "boris", &agent("M")).await;
    let vera = floor::add(client, "vera", &floor::rights("D")).await;
    let mut his = device(&server, &boris).await;
    let _hers = device(&server, &vera).await;
    let id = says(client, "m1", "c1").await;
    // The message is news as well: of a new conversation, or of one that is his already.
    let notification = loop {
        let notification = his.notification().await;
        if notification["kind"] == "assigned" {
            break notification;
        }
    };
    assert_eq!(notification["conversation_id"], json!(id));
    let lead = client.leads().await.remove(0);
    assert_eq!(
        lead["responsible_user_id"], boris.id,
        "Vera may edit nothing"
    );
    let log = audited(client).await;
    let change = |field: &str| {
        let changes = log[0]["changes"].as_array().unwrap();
        let change = changes.iter().find(|it| it["field"] == field);
        change.map(|it| it["after"].clone())
    };
    assert_eq!(change("reason"), Some(json!("rule")));
    let hooks = receiver.requests(1).await;
    let text = String::from_utf8_lossy(&hooks[0].body).into_owned();
    // While the lead is unsorted, its form has no user yet.
    assert!(text.contains("leads%5Bresponsible%5D"), "{text}");
    // The limit holds until he has answered.
    says(client, "m2", "c2").await;
    let waits = "/inbox/v1/conversations?responsible=none";
    let page = client.read(waits).await;
    let waiting = page["conversations"].as_array().map(Vec::len);
    assert_eq!(waiting, Some(1), "{page}");
    let body = json!({ "type": "text", "text": "Hello" });
    let messages = format!("/inbox/v1/conversations/{id}/messages");
    boris.sends(client, "POST", &messages, &body).await.is(201);
    let event = assignment(&mut his).await;
    assert_eq!(event["lead"]["responsible_user_id"], boris.id);
}

#[tokio::test]
async fn presence_is_one_for_all_devices() {
    let server = Server::start().await;
    let client = server.client();
    let boris = floor::add(client, "boris", &agent("A")).await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    assert_eq!(presence(client, &boris).await, "away", "no device yet");
    let first = device(&server, &boris).await;
    let event = loop {
        let event = stream.presence().await;
        if event["user_id"] == boris.id {
            break event;
        }
    };
    assert_eq!(event["presence"], "here");
    let second = device(&server, &boris).await;
    drop(first);
    assert_eq!(presence(client, &boris).await, "here");
    for choice in ["away_give_back", "away", "here"] {
        assert_eq!(chooses(client, &boris, choice).await, choice);
        assert_eq!(presence(client, &boris).await, choice);
        let event = stream.presence().await;
        assert_eq!(event, json!({ "user_id": boris.id, "presence": choice }));
    }
    drop(second);
    assert_eq!(presence(client, &boris).await, "here", "for ten minutes");
    let wrong = json!({ "presence": "busy" });
    let refusal = boris.sends(client, "PATCH", ME, &wrong).await.is(400);
    assert!(refusal.body.contains("\"presence\""), "{}", refusal.body);
}

#[tokio::test]
async fn a_choice_outlives_a_kill_and_is_audited() {
    let mut server = Server::start().await;
    let client = server.client();
    let boris = floor::add(client, "boris", &agent("A")).await;
    chooses(client, &boris, "away_give_back").await;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(presence(client, &boris).await, "away_give_back");
    let request = client.operate("GET", "/admin/v1/audit?limit=250");
    let log = request.send().await.is(200).json;
    let changes = log["entries"][0]["changes"].clone();
    let change = json!({ "field": "presence", "before": "here", "after": "away_give_back" });
    assert_eq!(changes, json!([change]));
}

#[tokio::test]
async fn who_is_away_gets_no_conversation() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    set(client, json!({ "auto_assign": true })).await;
    let boris = floor::add(client, "boris", &agent("A")).await;
    let vera = floor::add(client, "vera", &agent("A")).await;
    let mut his = device(&server, &boris).await;
    let _hers = device(&server, &vera).await;
    chooses(client, &vera, "away").await;
    for (msgid, conversation) in [("m1", "c1"), ("m2", "c2"), ("m3", "c3")] {
        says(client, msgid, conversation).await;
        let event = assignment(&mut his).await;
        assert_eq!(event["lead"]["responsible_user_id"], boris.id);
    }
    // A user who is switched off loses what waits, to the one who comes.
    chooses(client, &vera, "here").await;
    let target = format!("/admin/v1/accounts/{ACCOUNT}/users/{}", boris.id);
    let mut stream = Stream::open_with(&server, ("Cookie", vera.cookie.as_str()), None).await;
    let off = json!({ "is_active": false });
    client.operates("PATCH", &target, &off).await.is(200);
    let mut reasons = Vec::new();
    while reasons.len() < 6 {
        let event = assignment(&mut stream).await;
        reasons.push(event["reason"].as_str().unwrap().to_owned());
    }
    let count = |reason: &str| reasons.iter().filter(|it| *it == reason).count();
    assert_eq!((count("absent"), count("rule")), (3, 3));
    for lead in client.leads().await {
        assert_eq!(lead["responsible_user_id"], vera.id);
    }
}
