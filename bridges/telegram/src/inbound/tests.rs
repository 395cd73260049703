//! Each line of the table of updates.

mod arbitrary;
mod business;
mod files;
mod groups;
mod presses;

use serde_json::{Value, json};

use super::{Context, FileRef, Inbound, Memory, Posts, read, update_id};
use crate::ids::Ids;

/// The largest file of the tests.
const FILE_MAX: u64 = 20 << 20;
const NOW: i64 = 1_800_000_000;

/// The group −7 has become the supergroup −1007, the message 5 of the chat 7 is of an account user, and a row has a key.
struct Known;

impl Memory for Known {
    fn first_chat(&self, chat: i64) -> i64 {
        if chat == -1007 { -7 } else { chat }
    }

    fn service_id(&self, chat: i64, message: i64) -> Option<String> {
        ((chat, message) == (7, 5)).then(|| "d4e5f6a7".to_owned())
    }

    fn row_value(&self, key: &str) -> Option<String> {
        (key == "abc").then(|| "the value of a row".to_owned())
    }
}

fn meaning(update: &Value) -> Inbound {
    let address = |file: &FileRef| format!("https://bridge.example/{}", file.file_id);
    let context = Context {
        ids: Ids { bot: 42 },
        memory: &Known,
        address: &address,
        file_max: FILE_MAX,
        now: NOW,
    };
    read(update, &context)
}

fn ann() -> Value {
    json!({"id": 7, "is_bot": false, "first_name": "Ann", "last_name": "Lee", "username": "ann_lee"})
}

/// An update with a message of Ann that has these fields.
fn message(fields: Value) -> Value {
    let mut message = json!({"message_id": 19, "date": 1_700_000_000, "from": ann(), "chat": {"id": 7, "type": "private"}});
    for (name, value) in fields.as_object().expect("an object") {
        message[name] = value.clone();
    }
    json!({"update_id": 1, "message": message})
}

fn posts(update: &Value) -> Posts {
    let Inbound::Posts(posts) = meaning(update) else {
        panic!("there is something to post: {update}");
    };
    posts
}

/// The payload of the one post of an update.
fn payload(update: &Value) -> Value {
    let posts = posts(update).posts;
    assert_eq!(posts.len(), 1);
    assert_eq!(posts[0].path, "");
    posts[0].body["payload"].clone()
}

/// The content of a message that has these fields.
fn content(fields: Value) -> Value {
    payload(&message(fields))["message"].clone()
}

#[test]
fn a_text_is_a_whole_message_of_its_sender() {
    let posts = posts(&message(json!({"text": "Hello"})));
    assert_eq!((posts.chat, posts.first_chat, posts.message), (7, 7, 19));
    assert_eq!(posts.album, None);
    let body = json!({
        "event_type": "new_message",
        "payload": {
            "timestamp": 1_700_000_000,
            "msgid": "tg-42-7-19",
            "conversation_id": "tg-42-7",
            "sender": {"id": "tg-42-user-7", "name": "Ann Lee", "profile_link": "https://t.me/ann_lee"},
            "message": {"type": "text", "text": "Hello"},
        },
    });
    assert_eq!(posts.posts[0].body, body);
}

#[test]
fn links_of_a_text_are_written_out_by_utf_16() {
    let link = |offset: usize, length: usize, url: &str| json!({"type": "text_link", "offset": offset, "length": length, "url": url});
    let text = |entities: Value| {
        content(json!({"text": "😀 see here", "entities": entities}))["text"].clone()
    };
    // The face has two units.
    assert_eq!(
        text(json!([link(3, 3, "https://a.example")])),
        "😀 see (https://a.example) here"
    );
    let two = json!([
        link(7, 4, "https://b.example"),
        link(3, 3, "https://a.example")
    ]);
    assert_eq!(
        text(two),
        "😀 see (https://a.example) here (https://b.example)"
    );
    // Neither within a character, nor behind the text, nor of another kind.
    let odd = json!([
        link(0, 1, "https://a.example"),
        link(9, 99, "https://a.example"),
        link(usize::MAX, 2, "https://a.example"),
        {"type": "bold", "offset": 0, "length": 2, "url": "https://a.example"},
        3,
    ]);
    assert_eq!(text(odd), "😀 see here");
    let same = content(
        json!({"text": "https://a.example", "entities": [link(0, 17, "https://a.example")]}),
    );
    assert_eq!(same["text"], "https://a.example");
}

#[test]
fn a_text_fits_into_a_message_of_the_service() {
    let long = content(json!({"text": "я".repeat(40_000)}));
    assert_eq!(long["text"].as_str().map(str::len), Some(65_536));
}

#[test]
fn a_venue_is_a_place_with_its_name() {
    let place = json!({"latitude": 52.5, "longitude": 13.4});
    let venue = content(
        json!({"location": place, "venue": {"location": place, "title": "Café", "address": "Street 1"}}),
    );
    assert_eq!(
        venue,
        json!({"type": "location", "location": {"lat": 52.5, "lon": 13.4}, "text": "Café\nStreet 1"})
    );
    let bare = content(json!({"location": place}));
    assert_eq!(
        bare,
        json!({"type": "location", "location": {"lat": 52.5, "lon": 13.4}})
    );
    let nowhere = content(json!({"location": {"latitude": 152.5, "longitude": 13.4}}));
    assert_eq!(nowhere["text"], "[a place without coordinates]");
}

#[test]
fn a_contact_has_a_name_and_a_number() {
    let card =
        json!({"phone_number": "+4930", "first_name": "Max", "last_name": "M", "user_id": 8});
    let payload = payload(&message(json!({"contact": card})));
    assert_eq!(
        payload["message"],
        json!({"type": "contact", "contact": {"name": "Max M", "phone": "+4930"}})
    );
    // It is the card of another person.
    assert_eq!(payload["sender"]["profile"], Value::Null);
    let bare = content(json!({"contact": {"phone_number": "+4930"}}));
    assert_eq!(bare["contact"], json!({"name": "+4930", "phone": "+4930"}));
    let empty = content(json!({"contact": {}}));
    assert_eq!(empty["text"], "[a contact without a name and a number]");
}

#[test]
fn a_shared_number_is_that_of_the_customer() {
    let card = json!({"phone_number": "+49\r\n30", "first_name": "Ann", "user_id": 7});
    let payload = payload(&message(json!({"contact": card})));
    assert_eq!(payload["sender"]["profile"], json!({"phone": "+49  30"}));
}

#[test]
fn a_reply_names_the_quoted_message() {
    let reply = |id: i64, fields: Value| {
        let mut target = json!({"message_id": id, "from": ann(), "chat": {"id": 7}});
        for (name, value) in fields.as_object().expect("an object") {
            target[name] = value.clone();
        }
        target
    };
    let quoted = |fields: Value| payload(&message(fields))["reply_to"]["message"].clone();
    assert_eq!(
        quoted(json!({"text": "Yes", "reply_to_message": reply(18, json!({"text": "Is it?"}))})),
        json!({
            "msgid": "tg-42-7-18", "text": "Is it?", "type": "text",
            "sender": {"id": "tg-42-user-7", "name": "Ann Lee"},
        })
    );
    // A part of it, of a picture that an account user has sent.
    let picture = reply(
        5,
        json!({"from": {"id": 42, "is_bot": true}, "caption": "Look", "photo": [{"file_id": "p"}]}),
    );
    assert_eq!(
        quoted(json!({"text": "Yes", "reply_to_message": picture, "quote": {"text": "oo"}})),
        json!({"id": "d4e5f6a7", "text": "oo", "type": "picture"})
    );
    assert_eq!(
        quoted(json!({"text": "Yes", "quote": {"text": "oo"}})),
        Value::Null
    );
}

#[test]
fn an_edit_is_a_new_version_of_the_message() {
    let mut update = message(json!({"text": "Hello!", "edit_date": 1_700_000_009}));
    let edited = update.as_object_mut().and_then(|it| it.remove("message"));
    let posts = posts(&json!({"update_id": 2, "edited_message": edited}));
    let body = json!({
        "event_type": "edit_message",
        "payload": {
            "timestamp": 1_700_000_009,
            "msgid": "tg-42-7-19",
            "conversation_id": "tg-42-7",
            "message": {"type": "text", "text": "Hello!"},
        },
    });
    assert_eq!(posts.posts[0].body, body);
}

fn reaction(before: Value, after: Value) -> Value {
    json!({"update_id": 3, "message_reaction": {
        "chat": {"id": 7}, "message_id": 5, "user": ann(), "date": 1_700_000_000,
        "old_reaction": before, "new_reaction": after,
    }})
}

fn emoji(text: &str) -> Value {
    json!({"type": "emoji", "emoji": text})
}

#[test]
fn a_change_of_reactions_is_its_difference() {
    let posts = posts(&reaction(
        json!([emoji("👍"), emoji("🔥")]),
        json!([emoji("🔥"), emoji("🎉")]),
    ));
    let paths: Vec<&str> = posts.posts.iter().map(|post| post.path.as_str()).collect();
    assert_eq!(paths, ["/react", "/react"]);
    let body = |kind: &str, emoji: &str| {
        json!({
            "conversation_id": "tg-42-7", "id": "d4e5f6a7", "user": {"id": "tg-42-user-7"},
            "type": kind, "emoji": emoji,
        })
    };
    let bodies: Vec<&Value> = posts.posts.iter().map(|post| &post.body).collect();
    assert_eq!(bodies, [&body("unreact", "👍"), &body("react", "🎉")]);
}

#[test]
fn a_reaction_to_a_customers_message_has_our_id() {
    let mut update = reaction(json!([]), json!([emoji("👍")]));
    update["message_reaction"]["message_id"] = json!(19);
    let body = &posts(&update).posts[0].body;
    assert_eq!(
        (&body["msgid"], &body["id"]),
        (&json!("tg-42-7-19"), &Value::Null)
    );
}

#[test]
fn reactions_without_emoji_are_skipped() {
    let custom = json!([{"type": "custom_emoji", "custom_emoji_id": "1"}, {"type": "paid"}]);
    let long = json!([emoji(&"x".repeat(33)), emoji("a\u{7}")]);
    for list in [custom, long, json!([]), json!(3)] {
        assert_eq!(
            meaning(&reaction(json!([]), list)),
            Inbound::Skipped("message_reaction")
        );
    }
}

#[test]
fn a_block_and_its_end_mark_the_conversation() {
    let change = |status: &str, is_member: bool| {
        meaning(&json!({"my_chat_member": {
            "chat": {"id": 7}, "from": ann(), "new_chat_member": {"status": status, "is_member": is_member},
        }}))
    };
    for (status, is_member, is_blocked) in [
        ("kicked", false, true),
        ("left", false, true),
        ("member", false, false),
        ("administrator", false, false),
        ("restricted", true, false),
        ("restricted", false, true),
    ] {
        assert_eq!(
            change(status, is_member),
            Inbound::Blocked {
                chat: 7,
                is_blocked
            },
            "{status}"
        );
    }
    assert_eq!(change("unheard", true), Inbound::Skipped("my_chat_member"));
}

#[test]
fn what_the_bridge_does_not_read_is_skipped_by_its_kind() {
    for (update, kind) in [
        (
            message(json!({"new_chat_members": [ann()]})),
            "new_chat_members",
        ),
        (
            message(json!({"left_chat_member": ann()})),
            "left_chat_member",
        ),
        (message(json!({"pinned_message": {}})), "pinned_message"),
        (message(json!({})), "message"),
        (json!({"update_id": 1, "chat_member": {}}), "chat_member"),
        (
            json!({"update_id": 1, "channel_post": {"text": "x"}}),
            "channel_post",
        ),
        (
            json!({"update_id": 1, "business_message": {"text": "x"}}),
            "business_message",
        ),
        (json!({"update_id": 1, "message": 3}), "message"),
        (
            json!({"update_id": 1, "message": {"text": "no chat"}}),
            "message",
        ),
        (
            json!({"update_id": 1, "callback_query": {}}),
            "callback_query",
        ),
        (json!({"update_id": 1, "news": {}}), "unknown"),
        (json!([1]), "unknown"),
    ] {
        assert_eq!(meaning(&update), Inbound::Skipped(kind), "{update}");
    }
}

#[test]
fn what_has_no_form_is_named_in_a_text() {
    assert_eq!(
        content(json!({"dice": {"emoji": "🎲", "value": 4}}))["text"],
        "🎲 4"
    );
    let poll = content(json!({"poll": {"question": "Which?"}}));
    assert_eq!(poll["text"], "[a poll, which this channel cannot show]");
}

#[test]
fn a_field_that_cannot_be_read_costs_only_itself() {
    let odd = json!({
        "text": "Hello", "entities": {"a": 1}, "photo": "none", "document": 7, "venue": [], "reply_to_message": "x",
        "quote": 3, "media_group_id": 12, "dice": null, "news_of_tomorrow": {"deep": [[[]]]},
    });
    assert_eq!(content(odd), json!({"type": "text", "text": "Hello"}));
}

#[test]
fn names_are_cleaned_and_bounded() {
    let name = |user: Value| {
        let mut update = message(json!({"text": "x"}));
        update["message"]["from"] = user;
        payload(&update)["sender"]["name"].clone()
    };
    assert_eq!(
        name(json!({"id": 7, "first_name": "Ann\u{202e}\r\n\u{0}", "last_name": "B"})),
        "Ann    B"
    );
    assert_eq!(
        name(json!({"id": 7, "first_name": "a".repeat(300)})),
        "a".repeat(255)
    );
    assert_eq!(name(json!({"id": 7, "username": "ann_lee"})), "ann_lee");
    assert_eq!(
        name(json!({"id": 7, "username": "../x", "first_name": "\u{202e}"})),
        "Telegram user 7"
    );
}

#[test]
fn messages_of_the_bot_itself_are_skipped() {
    let mut update = message(json!({"text": "x"}));
    update["message"]["from"] = json!({"id": 42, "is_bot": true, "first_name": "Bot"});
    assert_eq!(meaning(&update), Inbound::Skipped("message"));
}

#[test]
fn times_are_those_that_the_service_takes() {
    let time =
        |date: Value| payload(&message(json!({"text": "x", "date": date})))["timestamp"].clone();
    assert_eq!(time(json!(1_700_000_001)), 1_700_000_001);
    assert_eq!(time(json!(-5)), NOW);
    assert_eq!(time(json!("soon")), NOW);
    assert_eq!(time(json!(i64::MAX)), NOW + 86_400);
}

#[test]
fn an_update_has_a_number_or_none() {
    assert_eq!(update_id(&json!({"update_id": 9})), Some(9));
    assert_eq!(update_id(&json!({"update_id": "9"})), None);
    assert_eq!(update_id(&json!(null)), None);
}

#[test]
fn a_blank_text_stays_as_it_is() {
    assert_eq!(content(json!({"text": " \n "}))["text"], " \n ");
}

#[test]
fn a_text_has_a_bound_of_links() {
    let link = json!({"type": "text_link", "offset": 0, "length": 1, "url": "https://a.example"});
    let text = content(json!({"text": "ab", "entities": vec![link; 300]}))["text"].clone();
    let count = text.as_str().map(|it| it.matches("https").count());
    assert_eq!(count, Some(200));
}
