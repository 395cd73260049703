//! The event `notification`: whom the service notifies of what, and how often. The notifier handles one thing after another, so
//! what comes next shows that nothing came of what was before.

use serde_json::{Value, json};

use super::listen::Stream;
use super::snooze::in_seconds;
use crate::rights::floor::{self, Person};
use crate::support::client::{Client, message, scope, silent_message};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, OTHER_TOKEN, Server, TOKEN};

const ME: &str = "/inbox/v1/me";
/// The administrator, who has the token.
const ADA: u64 = 1;

async fn stream(server: &Server, user: &Person) -> Stream {
    Stream::open_with(server, ("Cookie", user.cookie.as_str()), None).await
}

/// A customer writes; returns the id of the conversation.
async fn says(client: &Client, msgid: &str, conversation: &str) -> String {
    let answer = client.sent(&message(msgid, conversation)).await;
    answer["conversation_id"].as_str().unwrap().to_owned()
}

/// The kind and the conversation of a notification.
fn about(notification: &Value) -> [&str; 2] {
    let text = |name: &str| notification[name].as_str().unwrap_or("none");
    [text("kind"), text("conversation_id")]
}

async fn assigns(client: &Client, conversation: &str, user: u64) {
    let target = format!("/inbox/v1/conversations/{conversation}/responsible");
    let before = &client
        .read(&format!("/inbox/v1/conversations/{conversation}"))
        .await["lead"];
    let body = json!({ "user_id": user, "replaces": before["responsible_user_id"] });
    let answer = floor::admin(client, "PATCH", &target, &body).await;
    assert!(answer.status < 300, "{}", answer.body);
}

/// The rights to all, new conversations included.
fn all() -> Value {
    let mut rights = floor::rights("A");
    rights["status_rights"] = json!([floor::stage(1, "A")]);
    rights
}

async fn wants(client: &Client, user: &Person, notifications: Value) {
    let body = json!({ "notifications": notifications });
    user.sends(client, "PATCH", ME, &body).await.is(200);
}

#[tokio::test]
async fn a_new_conversation_notifies_all_who_may_see_it() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let boris = floor::add(client, "boris", &all()).await;
    let vera = floor::add(client, "vera", &floor::rights("M")).await;
    let mut pages = [
        Stream::open(&server, TOKEN, None).await,
        Stream::open(&server, TOKEN, None).await,
    ];
    let mut his = stream(&server, &boris).await;
    let mut hers = stream(&server, &vera).await;
    let mut theirs = Stream::open(&server, OTHER_TOKEN, None).await;
    let first = says(client, "m1", "c1").await;
    // More of the same, and a silent message, are no new conversations.
    says(client, "m2", "c1").await;
    client.sent(&silent_message("m3", "c2")).await;
    let second = says(client, "m4", "c3").await;
    let notifications = [pages[0].notification().await, pages[0].notification().await];
    let [notification, next] = &notifications;
    assert_eq!(about(notification), ["new_conversation", &first]);
    assert_eq!(notification["tag"], first.as_str());
    let counts = [&notification["count"], &notification["conversations"]];
    assert_eq!(counts, [&json!(1), &json!(1)]);
    assert_eq!(notification["sound"], false);
    assert!(notification["channel"].is_string());
    assert_eq!(about(next), ["new_conversation", &second]);
    // All pages of a user get the same; another user gets one of their own.
    assert_eq!(pages[1].notification().await, *notification);
    let his_notification = his.notification().await;
    assert_eq!(about(&his_notification), about(notification));
    assert_ne!(his_notification["id"], notification["id"]);

    // Vera sees no conversation but her own, and the other account none of these.
    floor::place(client, 1, 2, Some(vera.id)).await;
    assert_eq!(hers.notification().await["kind"], "assigned");
    let tail = scope(CHANNEL, OTHER_ACCOUNT);
    let answer = client.post(&tail, &message("m1", "theirs")).await.is(200);
    let id = answer.json["new_message"]["conversation_id"].clone();
    assert_eq!(theirs.notification().await["conversation_id"], id);
}

#[tokio::test]
async fn a_message_notifies_the_responsible_user_alone() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let boris = floor::add(client, "boris", &all()).await;
    let id = says(client, "m1", "c1").await;
    assigns(client, &id, boris.id).await;
    let mut ours = Stream::open(&server, TOKEN, None).await;
    let mut his = stream(&server, &boris).await;
    says(client, "m2", "c1").await;
    assert_eq!(about(&his.notification().await), ["new_message", &id]);

    // Who has the conversation open sees the message, for as long as a sign counts.
    let viewing = format!("/inbox/v1/conversations/{id}/viewing");
    boris.asks(client, "POST", &viewing).send().await.is(204);
    says(client, "m3", "c1").await;
    client.sent(&silent_message("m4", "c1")).await;
    let other = says(client, "m5", "c2").await;
    assert_eq!(
        about(&his.notification().await),
        ["new_conversation", &other]
    );
    // Ada was notified of nothing before that.
    assert_eq!(
        about(&ours.notification().await),
        ["new_conversation", &other]
    );
}

#[tokio::test]
async fn an_assignment_by_another_notifies_its_user() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let boris = floor::add(client, "boris", &all()).await;
    let id = says(client, "m1", "c1").await;
    let mut ours = Stream::open(&server, TOKEN, None).await;
    let mut his = stream(&server, &boris).await;
    // What users do themselves does not notify them.
    assigns(client, &id, ADA).await;
    assigns(client, &id, boris.id).await;
    assert_eq!(about(&his.notification().await), ["assigned", &id]);
    let target = format!("/inbox/v1/conversations/{id}/responsible");
    let body = json!({ "user_id": ADA, "replaces": boris.id });
    let answer = boris.sends(client, "PATCH", &target, &body).await;
    assert!(answer.status < 300, "{}", answer.body);
    assert_eq!(about(&ours.notification().await), ["assigned", &id]);
    let other = says(client, "m2", "c2").await;
    assert_eq!(
        about(&ours.notification().await),
        ["new_conversation", &other]
    );
    assert_eq!(
        about(&his.notification().await),
        ["new_conversation", &other]
    );
}

#[tokio::test]
async fn a_failed_reply_notifies_its_writer() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let boris = floor::add(client, "boris", &all()).await;
    let id = says(client, "m1", "c1").await;
    let mut ours = Stream::open(&server, TOKEN, None).await;
    let mut his = stream(&server, &boris).await;
    let target = format!("/inbox/v1/conversations/{id}/messages");
    let body = json!({ "type": "text", "text": "hello" });
    let answer = boris.sends(client, "POST", &target, &body).await.is(201);
    let reply = answer.json["id"].as_str().unwrap().to_owned();
    client.callback_is(&id, &reply, "delivered").await;
    let delivered = json!({ "msgid": reply, "delivery_status": 1 });
    client.delivery_status(&reply, &delivered).await.is(200);
    let failed =
        json!({ "msgid": reply, "delivery_status": -1, "error_code": 905, "error": "blocked" });
    client.delivery_status(&reply, &failed).await.is(200);
    assert_eq!(about(&his.notification().await), ["send_failed", &id]);
    let other = says(client, "m2", "c2").await;
    assert_eq!(
        about(&ours.notification().await),
        ["new_conversation", &other]
    );
}

/// A mention notifies whom it names, of whatever conversation, and once for a note.
#[tokio::test]
async fn a_mention_notifies_the_mentioned_user_alone() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let boris = floor::add(client, "boris", &all()).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let id = says(client, "m1", "c1").await;
    floor::place(client, 1, 2, None).await;
    let mut ours = Stream::open(&server, TOKEN, None).await;
    let mut his = stream(&server, &boris).await;
    let mut hers = stream(&server, &dora).await;
    let notes = format!("/inbox/v1/conversations/{id}/notes");
    let body = json!({ "text": "@dora look", "mentions": [dora.id] });
    floor::admin(client, "POST", &notes, &body).await.is(201);
    assert_eq!(about(&hers.notification().await), ["mention", &id]);
    // The same users are not mentioned again by a change of the note.
    let both = json!({ "text": "@dora @boris", "mentions": [dora.id, boris.id] });
    let first = format!("{notes}/1");
    floor::admin(client, "PATCH", &first, &both).await.is(200);
    assert_eq!(about(&his.notification().await), ["mention", &id]);
    wants(client, &dora, json!({ "off": ["mention"] })).await;
    floor::admin(client, "POST", &notes, &body).await.is(201);
    wants(client, &dora, json!({})).await;
    floor::admin(client, "POST", &notes, &body).await.is(201);
    assert_eq!(about(&hers.notification().await), ["mention", &id]);
    let other = says(client, "m2", "c2").await;
    for stream in [&mut ours, &mut his] {
        let next = stream.notification().await;
        assert_eq!(about(&next), ["new_conversation", &other]);
    }
}

#[tokio::test]
async fn a_held_scheduled_reply_notifies_its_writer() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let boris = floor::add(client, "boris", &all()).await;
    let id = says(client, "m1", "c1").await;
    floor::place(client, 1, 2, None).await;
    let mut ours = Stream::open(&server, TOKEN, None).await;
    let mut his = stream(&server, &boris).await;
    let target = format!("/inbox/v1/conversations/{id}/scheduled-replies");
    let body = json!({ "type": "text", "text": "Ready", "send_at": in_seconds(5) });
    let answer = boris.sends(client, "POST", &target, &body).await;
    answer.is(201);
    says(client, "m2", "c1").await;
    assert_eq!(about(&his.notification().await), ["scheduled_held", &id]);
    let other = says(client, "m3", "c2").await;
    for stream in [&mut ours, &mut his] {
        let next = stream.notification().await;
        assert_eq!(about(&next), ["new_conversation", &other]);
    }
}

#[tokio::test]
async fn a_reopened_talk_notifies_and_a_snooze_does_not() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let id = says(client, "m1", "c1").await;
    floor::place(client, 1, 2, None).await;
    let mut ours = Stream::open(&server, TOKEN, None).await;
    let close = format!("/inbox/v1/conversations/{id}/close");
    client
        .request("POST", &close)
        .bearer(TOKEN)
        .send()
        .await
        .is(204);
    client.sent(&silent_message("m2", "c1")).await;
    says(client, "m3", "c1").await;
    assert_eq!(about(&ours.notification().await), ["new_conversation", &id]);
    assigns(client, &id, ADA).await;
    let snooze = format!("/inbox/v1/conversations/{id}/snooze");
    let asleep = json!({ "until": in_seconds(3_600), "wake_on_message": false });
    let answer = floor::admin(client, "POST", &snooze, &asleep).await;
    assert!(answer.status < 300, "{}", answer.body);
    says(client, "m4", "c1").await;
    let other = says(client, "m5", "c2").await;
    assert_eq!(
        about(&ours.notification().await),
        ["new_conversation", &other]
    );
}

#[tokio::test]
async fn users_choose_kinds_sound_and_quiet_hours() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let boris = floor::add(client, "boris", &all()).await;
    let me = boris.reads(client, ME).await.is(200).json;
    assert!(me.get("notifications").is_none(), "{me}");
    let mut his = stream(&server, &boris).await;
    // At all hours but one minute of the past hour, by a clock that is an hour ahead.
    let seconds = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let time = |minutes: u64| format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60);
    let minute = seconds / 60 + 60;
    let always = json!({ "from": time(minute - 60), "to": time(minute - 61), "utc_offset": 60 });
    wants(client, &boris, json!({ "quiet_hours": always })).await;
    says(client, "m1", "c1").await;
    wants(client, &boris, json!({ "off": ["new_conversation"] })).await;
    let mine = says(client, "m2", "c2").await;
    let settings = json!({ "off": ["new_conversation"], "sound": true, "show_text": false, "quiet_hours": null });
    wants(client, &boris, settings.clone()).await;
    assigns(client, &mine, boris.id).await;
    let notification = his.notification().await;
    assert_eq!(about(&notification), ["assigned", &mine]);
    assert_eq!(notification["sound"], true);

    let wrong = json!({ "notifications": { "off": ["all"], "quiet_hours": { "from": "25:00", "to": "1:00" } } });
    let refusal = boris.sends(client, "PATCH", ME, &wrong).await.is(400).body;
    for path in ["off.0", "quiet_hours.from", "quiet_hours.to"] {
        assert!(
            refusal.contains(&format!("notifications.{path}")),
            "{path}: {refusal}"
        );
    }
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let me = boris.reads(client, ME).await.is(200).json;
    assert_eq!(me["notifications"], settings);
    // Colleagues do not see them, and another change keeps them.
    let users = client.read("/api/v4/users").await;
    assert!(!users.to_string().contains("new_conversation"));
    let body = json!({ "lang": "ru" });
    let me = boris.sends(client, "PATCH", ME, &body).await.is(200).json;
    assert_eq!(me["notifications"], settings);
    wants(client, &boris, json!({})).await;
    let me = boris.reads(client, ME).await.is(200).json;
    assert!(me.get("notifications").is_none(), "{me}");
    let target = format!("/admin/v1/audit?account_id={ACCOUNT}");
    let audit = client.operate("GET", &target).send().await.is(200).body;
    assert!(audit.contains("\"notifications\""), "{audit}");
}

/// In sixty seconds no user gets more than twelve: the first five at once, and what is more as one summary.
#[tokio::test]
async fn a_burst_becomes_one_summary() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut ids = Vec::new();
    for number in 0..4 {
        ids.push(says(client, "m0", &format!("c{number}")).await);
        assigns(client, &ids[number], ADA).await;
    }
    let mut ours = Stream::open(&server, TOKEN, None).await;
    for number in 1..=10 {
        for conversation in 0..4 {
            says(client, &format!("m{number}"), &format!("c{conversation}")).await;
        }
    }
    let mut count = 0;
    let mut summaries = Vec::new();
    while count < 40 {
        let notification = ours.notification().await;
        count += notification["count"].as_u64().unwrap();
        if notification["kind"] == "summary" {
            summaries.push(notification);
        } else {
            assert!(ids.iter().any(|id| notification["tag"] == id.as_str()));
        }
    }
    assert_eq!(count, 40, "each message is counted once");
    // A machine that is busy takes more than ten seconds for forty messages.
    assert!((1..=6).contains(&summaries.len()), "{summaries:?}");
    let summary = &summaries[0];
    assert_eq!(summary["tag"], "summary");
    assert_eq!(summary["conversation_id"], Value::Null);
    assert_eq!(summary["channel"], Value::Null);
    assert_eq!(summary["conversations"], 4);
}
