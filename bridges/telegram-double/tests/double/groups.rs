//! Groups, and what becomes of them.

use serde_json::{Value, json};

use crate::support::World;

async fn group(it: &World, body: Value) -> i64 {
    let mut order = json!({"title": "Team", "members": [7, 8]});
    for (name, value) in body.as_object().unwrap() {
        order[name] = value.clone();
    }
    it.order("groups", order).await["chat"].as_i64().unwrap()
}

#[tokio::test]
async fn two_people_write_in_one_group() {
    let it = World::start().await;
    let chat = group(&it, json!({"is_admin": true})).await;
    assert!(chat < 0);
    it.done("getUpdates", json!({"offset": -1})).await;
    for from in [7, 8] {
        it.order("say", json!({"from": from, "chat": chat, "text": "x"}))
            .await;
    }
    let updates = it.updates(0).await;
    let last: Vec<&Value> = updates
        .iter()
        .rev()
        .take(2)
        .map(|it| &it["message"])
        .collect();
    assert_eq!(
        (
            &last[0]["from"]["first_name"],
            &last[1]["from"]["first_name"]
        ),
        (&json!("Bob"), &json!("Ann"))
    );
    assert_eq!(
        last[0]["chat"],
        json!({"id": chat, "type": "group", "title": "Team"})
    );
    it.done("sendMessage", json!({"chat_id": chat, "text": "y"}))
        .await;
}

#[tokio::test]
async fn a_bot_without_rights_sees_what_is_for_it() {
    let it = World::start().await;
    let chat = group(&it, json!({})).await;
    let receipt = it
        .order("say", json!({"from": 7, "chat": chat, "text": "among us"}))
        .await;
    assert!(receipt["update_id"].is_null());
    let message = it
        .done("sendMessage", json!({"chat_id": chat, "text": "y"}))
        .await;
    let receipt = it
        .order(
            "say",
            json!({"from": 7, "chat": chat, "text": "z", "reply_to": message["message_id"]}),
        )
        .await;
    assert!(receipt["update_id"].is_i64());
}

#[tokio::test]
async fn reactions_of_groups_come_to_administrators() {
    let it = World::start().await;
    it.done(
        "getUpdates",
        json!({"allowed_updates": ["message", "message_reaction"]}),
    )
    .await;
    for (is_admin, count) in [(false, 0), (true, 1)] {
        let chat = group(&it, json!({"is_admin": is_admin})).await;
        let receipt = it
            .order("say", json!({"from": 7, "chat": chat, "text": "/x"}))
            .await;
        let order =
            json!({"from": 8, "chat": chat, "message_id": receipt["message_id"], "emoji": ["👍"]});
        let outcome = it.order("react", order).await;
        assert_eq!(
            outcome["update_ids"].as_array().unwrap().len(),
            count,
            "{is_admin}"
        );
    }
}

#[tokio::test]
async fn people_come_and_go() {
    let it = World::start().await;
    it.done(
        "getUpdates",
        json!({"allowed_updates": ["message", "chat_member"]}),
    )
    .await;
    let chat = group(&it, json!({"is_admin": true})).await;
    it.order("people", json!({"id": 9, "first_name": "Cy"}))
        .await;
    it.order("join", json!({"chat": chat, "person": 9})).await;
    it.order("leave", json!({"chat": chat, "person": 8})).await;
    let updates = it.updates(0).await;
    assert_eq!(updates[0]["message"]["new_chat_members"][0]["id"], 9);
    assert_eq!(
        updates[1]["chat_member"]["new_chat_member"]["status"],
        "member"
    );
    assert_eq!(updates[2]["message"]["left_chat_member"]["id"], 8);
    assert_eq!(
        updates[3]["chat_member"]["new_chat_member"]["status"],
        "left"
    );
    let (status, answer) = it
        .post(
            "/double/say",
            &json!({"from": 8, "chat": chat, "text": "x"}),
        )
        .await;
    assert_eq!(status, 400, "{answer}");
}

#[tokio::test]
async fn a_bot_is_kicked_and_comes_back() {
    let it = World::start().await;
    let chat = group(&it, json!({})).await;
    it.order("kick", json!({"chat": chat, "person": 7})).await;
    let updates = it.updates(-1).await;
    assert_eq!(
        updates[0]["my_chat_member"]["new_chat_member"]["status"],
        "kicked"
    );
    let refusal = it
        .refused("sendMessage", json!({"chat_id": chat, "text": "x"}))
        .await;
    assert_eq!(
        refusal,
        (
            403,
            "Forbidden: bot was kicked from the group chat".to_owned()
        )
    );
    it.order("return", json!({"chat": chat, "person": 7})).await;
    it.done("sendMessage", json!({"chat_id": chat, "text": "x"}))
        .await;
}

#[tokio::test]
async fn a_group_becomes_a_supergroup_in_the_middle() {
    let it = World::start().await;
    let chat = group(&it, json!({"is_admin": true})).await;
    it.order("say", json!({"from": 7, "chat": chat, "text": "before"}))
        .await;
    let new = it.order("upgrade", json!({"chat": chat})).await["chat"]
        .as_i64()
        .unwrap();
    assert!(new < -1_000_000_000_000);
    let updates = it.updates(-2).await;
    assert_eq!(updates[0]["message"]["migrate_to_chat_id"], new);
    assert_eq!(updates[1]["message"]["migrate_from_chat_id"], chat);
    assert_eq!(updates[1]["message"]["chat"]["type"], "supergroup");
    let (status, envelope) = it
        .call("sendMessage", json!({"chat_id": chat, "text": "x"}))
        .await;
    assert_eq!(status, 400);
    assert_eq!(
        envelope["description"],
        "Bad Request: group chat was upgraded to a supergroup chat"
    );
    assert_eq!(envelope["parameters"], json!({"migrate_to_chat_id": new}));
    it.order("say", json!({"from": 7, "chat": new, "text": "after"}))
        .await;
    it.done("sendMessage", json!({"chat_id": new, "text": "x"}))
        .await;
    let (status, answer) = it
        .post(
            "/double/say",
            &json!({"from": 7, "chat": chat, "text": "x"}),
        )
        .await;
    assert_eq!(status, 400, "{answer}");
}
