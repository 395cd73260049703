//! `PATCH /inbox/v1/conversations`: several conversations at once, with an outcome for each, and an undo.

use serde_json::{Value, json};

use crate::inbox::snooze::in_seconds;
use crate::rights::floor::{self, Person};
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::server::Server;

const CONVERSATIONS: &str = "/inbox/v1/conversations";
const ADA: u64 = 1;

/// So many conversations whose leads are in work and have no responsible user.
async fn conversations(client: &Client, count: usize) -> Vec<String> {
    let ids = floor::conversations(client, count).await;
    for lead in 1..=u64::try_from(count).unwrap() {
        floor::place(client, lead, 2, None).await;
    }
    ids
}

/// A body with these conversations, each without a responsible user.
fn body_of(ids: &[String], fields: &Value) -> Value {
    let chosen = ids.iter().map(|id| json!({ "id": id, "replaces": null }));
    let mut body = fields.clone();
    body["conversations"] = chosen.collect();
    body
}

async fn changes(client: &Client, body: &Value) -> Answer {
    floor::admin(client, "PATCH", CONVERSATIONS, body).await
}

async fn changes_as(client: &Client, by: &Person, body: &Value) -> Answer {
    by.sends(client, "PATCH", CONVERSATIONS, body).await
}

async fn undoes(client: &Client, answer: &Value) -> Answer {
    let body = json!({ "action": "undo", "undo": answer["undo"] });
    changes(client, &body).await
}

/// The statuses of the outcomes, in their order.
fn statuses(answer: &Value) -> Vec<u64> {
    let outcomes = answer["outcomes"].as_array().unwrap().iter();
    outcomes.map(|it| it["status"].as_u64().unwrap()).collect()
}

async fn shown(client: &Client, id: &str) -> Value {
    client.read(&format!("{CONVERSATIONS}/{id}")).await
}

async fn all_are(client: &Client, ids: &[String], status: &str) {
    for id in ids {
        assert_eq!(shown(client, id).await["status"], status, "{id}");
    }
}

async fn responsible(client: &Client, id: &str) -> Value {
    shown(client, id).await["lead"]["responsible_user_id"].clone()
}

/// A request for one conversation alone.
async fn one(client: &Client, method: &str, id: &str, part: &str, body: &Value) -> Answer {
    let target = format!("{CONVERSATIONS}/{id}/{part}");
    floor::admin(client, method, &target, body).await
}

#[tokio::test]
async fn several_are_closed_and_the_undo_opens_them() {
    let server = Server::start().await;
    let client = server.client();
    let ids = conversations(client, 20).await;
    let until = in_seconds(3_600);
    let snooze = json!({ "until": until, "wake_on_message": false });
    one(client, "POST", &ids[0], "snooze", &snooze)
        .await
        .is(200);
    let close = body_of(&ids, &json!({ "action": "close" }));
    let answer = changes(client, &close).await.is(200).json;
    assert_eq!(statuses(&answer), [200; 20]);
    all_are(client, &ids, "closed").await;
    // Closing them again changes none of them, so there is nothing to undo.
    let again = changes(client, &close).await.is(200).json;
    assert_eq!(statuses(&again), [409; 20]);
    assert_eq!(again["undo"], Value::Null);
    let undone = undoes(client, &answer).await.is(200).json;
    assert_eq!(statuses(&undone), [200; 20]);
    all_are(client, &ids[1..], "open").await;
    let first = shown(client, &ids[0]).await;
    assert_eq!(
        first["status"], "snoozed",
        "the snooze that the close ended"
    );
    assert_eq!(first["snooze"]["until"], until);
    assert_eq!(first["snooze"]["wake_on_message"], false);
    undoes(client, &answer).await.is(404);
}

#[tokio::test]
async fn several_are_assigned_and_the_undo_gives_them_back() {
    let server = Server::start().await;
    let client = server.client();
    let ids = conversations(client, 3).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let mine = json!({ "user_id": ADA, "replaces": null });
    one(client, "PATCH", &ids[1], "responsible", &mine)
        .await
        .is(200);
    // The caller saw Ada at the second, and no user at the third, which has one by now.
    let theirs = json!({ "user_id": ADA, "replaces": null });
    one(client, "PATCH", &ids[2], "responsible", &theirs)
        .await
        .is(200);
    let mut body = body_of(&ids, &json!({ "action": "assign", "user_id": boris.id }));
    body["conversations"][1]["replaces"] = json!(ADA);
    let answer = changes(client, &body).await.is(200).json;
    assert_eq!(statuses(&answer), [200, 200, 409]);
    assert!(answer["outcomes"][2]["detail"].is_string(), "{answer}");
    assert_eq!(answer["outcomes"][0]["detail"], Value::Null);
    for (id, user) in ids.iter().zip([boris.id, boris.id, ADA]) {
        assert_eq!(responsible(client, id).await, user);
    }
    let undone = undoes(client, &answer).await.is(200).json;
    assert_eq!(statuses(&undone), [200, 200]);
    assert_eq!(responsible(client, &ids[0]).await, Value::Null);
    assert_eq!(responsible(client, &ids[1]).await, ADA);
    let mut back = body_of(&ids[1..], &json!({ "action": "assign", "user_id": null }));
    for chosen in back["conversations"].as_array_mut().unwrap() {
        chosen["replaces"] = json!(ADA);
    }
    let answer = changes(client, &back).await.is(200).json;
    assert_eq!(statuses(&answer), [200, 200]);
    assert_eq!(responsible(client, &ids[1]).await, Value::Null);
}

#[tokio::test]
async fn several_are_snoozed_and_the_undo_restores_earlier_snoozes() {
    let server = Server::start().await;
    let client = server.client();
    let ids = conversations(client, 2).await;
    let (early, late) = (in_seconds(3_600), in_seconds(7_200));
    let snooze = json!({ "until": early, "wake_on_message": false });
    one(client, "POST", &ids[0], "snooze", &snooze)
        .await
        .is(200);
    let body = body_of(&ids, &json!({ "action": "snooze", "until": late }));
    let answer = changes(client, &body).await.is(200).json;
    assert_eq!(statuses(&answer), [200, 200]);
    for id in &ids {
        assert_eq!(shown(client, id).await["snooze"]["until"], late);
    }
    let undone = undoes(client, &answer).await.is(200).json;
    assert_eq!(statuses(&undone), [200, 200]);
    let first = shown(client, &ids[0]).await["snooze"].clone();
    assert_eq!(
        (&first["until"], &first["wake_on_message"]),
        (&json!(early), &json!(false))
    );
    assert_eq!(shown(client, &ids[1]).await["status"], "open");
}

/// The change of a colleague in between stays, and the outcome says so.
#[tokio::test]
async fn an_undo_spares_what_a_colleague_changed() {
    let server = Server::start().await;
    let client = server.client();
    let ids = conversations(client, 2).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let body = body_of(&ids, &json!({ "action": "assign", "user_id": ADA }));
    let answer = changes(client, &body).await.is(200).json;
    let target = format!("{CONVERSATIONS}/{}/responsible", ids[0]);
    let take = json!({ "user_id": boris.id, "replaces": ADA });
    boris.sends(client, "PATCH", &target, &take).await.is(200);
    let undone = undoes(client, &answer).await.is(200).json;
    assert_eq!(statuses(&undone), [409, 200]);
    assert_eq!(responsible(client, &ids[0]).await, boris.id);
    let body = body_of(
        &ids,
        &json!({ "action": "snooze", "until": in_seconds(3_600) }),
    );
    let answer = changes(client, &body).await.is(200).json;
    let until = in_seconds(9_000);
    let target = format!("{CONVERSATIONS}/{}/snooze", ids[0]);
    let other = json!({ "until": until });
    boris.sends(client, "POST", &target, &other).await.is(200);
    let undone = undoes(client, &answer).await.is(200).json;
    assert_eq!(statuses(&undone), [409, 200]);
    assert_eq!(shown(client, &ids[0]).await["snooze"]["until"], until);
    // A customer writes, and a colleague closes again: that close stays.
    let close = body_of(&ids, &json!({ "action": "close" }));
    let answer = changes(client, &close).await.is(200).json;
    client.sent(&message("more", "c1")).await;
    let target = format!("{CONVERSATIONS}/{}/close", ids[0]);
    boris.asks(client, "POST", &target).send().await.is(204);
    let undone = undoes(client, &answer).await.is(200).json;
    assert_eq!(statuses(&undone), [409, 200]);
    all_are(client, &ids[..1], "closed").await;
    all_are(client, &ids[1..], "open").await;
}

#[tokio::test]
async fn each_has_the_outcome_that_the_rights_of_the_user_give() {
    let server = Server::start().await;
    let client = server.client();
    let ids = conversations(client, 3).await;
    let mia = floor::add(client, "mia", &floor::rights("M")).await;
    let take = json!({ "user_id": mia.id, "replaces": null });
    one(client, "PATCH", &ids[1], "responsible", &take)
        .await
        .is(200);
    let body = body_of(&ids, &json!({ "action": "close" }));
    let answer = changes_as(client, &mia, &body).await.is(200).json;
    assert_eq!(statuses(&answer), [404, 200, 404]);
    all_are(client, &ids[..1], "open").await;
    // The undo is the caller's own.
    undoes(client, &answer).await.is(404);
    let body = json!({ "action": "undo", "undo": answer["undo"] });
    let undone = changes_as(client, &mia, &body).await.is(200).json;
    assert_eq!(statuses(&undone), [200]);
    all_are(client, &ids, "open").await;
}

#[tokio::test]
async fn a_wrong_body_changes_no_conversation() {
    let server = Server::start().await;
    let client = server.client();
    let ids = conversations(client, 1).await;
    let twice = [ids[0].clone(), ids[0].clone()];
    let unknown: Vec<String> = (0..251).map(|_| ids[0].clone()).collect();
    let wrong = |field: &str, code: &str| vec![(field.to_owned(), code.to_owned())];
    let close = json!({ "action": "close" });
    let past = json!({ "action": "snooze", "until": 1_000 });
    for (body, expected) in [
        (body_of(&[], &close), wrong("conversations", "InvalidValue")),
        (
            body_of(&twice, &close),
            wrong("conversations", "InvalidValue"),
        ),
        (
            body_of(&unknown, &close),
            wrong("conversations", "InvalidValue"),
        ),
        (close.clone(), wrong("conversations", "FieldMissing")),
        (
            body_of(&ids, &json!({ "action": "open" })),
            wrong("action", "NotSupportedChoice"),
        ),
        (
            body_of(&ids, &json!({ "action": "assign" })),
            wrong("user_id", "FieldMissing"),
        ),
        (
            body_of(&ids, &json!({ "action": "assign", "user_id": 99 })),
            wrong("user_id", "NotSupportedChoice"),
        ),
        (
            body_of(&ids, &json!({ "action": "snooze" })),
            wrong("until", "FieldMissing"),
        ),
        (body_of(&ids, &past), wrong("until", "InvalidValue")),
        (json!({ "action": "undo" }), wrong("undo", "FieldMissing")),
    ] {
        let refusal = changes(client, &body).await.is(400);
        assert_eq!(refusal.wrong(), expected, "{body}");
    }
    all_are(client, &ids, "open").await;
    let nothing = json!({ "action": "undo", "undo": ids[0] });
    changes(client, &nothing).await.is(404);
}

/// Two users close the same ones: each conversation is closed once, and each undo opens only what its user closed.
#[tokio::test]
async fn of_two_who_close_at_once_each_undoes_the_own_part() {
    let server = Server::start().await;
    let client = server.client();
    let ids = conversations(client, 12).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let body = body_of(&ids, &json!({ "action": "close" }));
    let (mine, theirs) = tokio::join!(changes(client, &body), changes_as(client, &boris, &body));
    let (mine, theirs) = (mine.is(200).json, theirs.is(200).json);
    let pairs = statuses(&mine).into_iter().zip(statuses(&theirs));
    let own: Vec<bool> = pairs
        .map(|pair| {
            assert!(pair == (200, 409) || pair == (409, 200), "{pair:?}");
            pair.0 == 200
        })
        .collect();
    if own.contains(&true) {
        undoes(client, &mine).await.is(200);
    }
    for (id, is_own) in ids.iter().zip(own) {
        let status = if is_own { "open" } else { "closed" };
        all_are(client, std::slice::from_ref(id), status).await;
    }
}
