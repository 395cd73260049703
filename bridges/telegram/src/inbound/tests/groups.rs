//! Groups: several people in one conversation, which goes on when the group becomes a supergroup.

use serde_json::{Value, json};

use super::{Inbound, ann, meaning, payload, posts};

fn in_group(chat: i64, fields: Value) -> Value {
    let mut message = json!({"message_id": 3, "date": 1_700_000_000, "chat": {"id": chat, "title": "Team"}, "text": "x"});
    for (name, value) in fields.as_object().expect("an object") {
        message[name] = value.clone();
    }
    json!({"update_id": 1, "message": message})
}

#[test]
fn two_people_of_a_group_are_two_names() {
    let ann = payload(&in_group(-7, json!({"from": ann()})));
    let bob = payload(&in_group(
        -7,
        json!({"from": {"id": 8, "first_name": "Bob"}}),
    ));
    for payload in [&ann, &bob] {
        assert_eq!(payload["conversation_id"], "tg-42--7");
    }
    assert_eq!(ann["sender"]["name"], "Ann Lee");
    assert_eq!(bob["sender"], json!({"id": "tg-42-user-8", "name": "Bob"}));
}

#[test]
fn an_anonymous_administrator_writes_as_the_group() {
    let group = json!({"id": -7, "title": "Team", "type": "group"});
    let anonymous = json!({"id": 1_087_968_824, "is_bot": true, "first_name": "Group"});
    let payload = payload(&in_group(
        -7,
        json!({"from": anonymous, "sender_chat": group}),
    ));
    assert_eq!(
        payload["sender"],
        json!({"id": "tg-42-user--7", "name": "Team"})
    );
}

#[test]
fn a_supergroup_keeps_the_conversation_of_its_group() {
    let payload = payload(&in_group(-1007, json!({"from": ann()})));
    assert_eq!(payload["conversation_id"], "tg-42--7");
    // Its messages have numbers of their own.
    assert_eq!(payload["msgid"], "tg-42--1007-3");
}

#[test]
fn both_messages_about_a_move_name_both_chats() {
    let migration = Inbound::Migrated {
        from: -7,
        to: -1007,
    };
    assert_eq!(
        meaning(&in_group(-7, json!({"migrate_to_chat_id": -1007}))),
        migration
    );
    assert_eq!(
        meaning(&in_group(-1007, json!({"migrate_from_chat_id": -7}))),
        migration
    );
}

#[test]
fn a_reaction_without_a_person_is_of_the_chat() {
    let update = json!({"message_reaction": {
        "chat": {"id": -7}, "message_id": 3, "actor_chat": {"id": -7, "title": "Team"},
        "old_reaction": [], "new_reaction": [{"type": "emoji", "emoji": "👍"}],
    }});
    let body = &posts(&update).posts[0].body;
    assert_eq!(body["user"]["id"], "tg-42-user--7");
}
