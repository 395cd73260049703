//! The facts of a hook: which conversation it belongs to, what kind of event it is, and which hook it repeats.
//!
//! They are read behind the check of the signature, and decide on the order alone. The bytes go on as they came.

use std::borrow::Cow;

use serde_json::Value;

use switchboard_domain::relays::{ChatMark, fingerprint, unscoped_owner};
use switchboard_domain::words;

/// The longest id of a message that is remembered for a search.
const MESSAGE_ID_MAX: usize = 128;

words! {
    /// The kind of event that a hook reports.
    pub enum HookKind {
        /// A message of an account user.
        Message = "message",
        /// A reaction of an account user.
        Reaction = "reaction",
        /// An account user writes.
        Typing = "typing",
        /// A message of the bridge to the counterpart.
        Post = "post",
        /// An event of an unknown kind.
        Other = "other",
    }
}

/// The facts of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookFacts {
    /// The kind of the event.
    pub kind: HookKind,
    /// The conversation. What names none belongs to the queue of its scope.
    pub chat: ChatMark,
    /// What a repeat of the hook has in common with it; none when nothing says that two hooks are one.
    pub same: Option<[u8; 16]>,
    /// The counterpart's id of the message.
    pub message: Option<String>,
    /// The time of writing, in milliseconds of Unix time, as the counterpart says.
    pub written_ms: Option<u64>,
}

impl HookFacts {
    /// Reads the facts of a body that came for this scope. Nothing is an error: a body that says nothing has facts, too.
    #[must_use]
    pub fn read(body: &[u8], scope: &str) -> Self {
        // Strings that are not UTF-8 do not hide the ids beside them.
        let root: Value =
            serde_json::from_str(&String::from_utf8_lossy(body)).unwrap_or(Value::Null);
        let owner = owner(&root, scope);
        let facts = [message, reaction, typing, flat_message]
            .into_iter()
            .find_map(|read| read(&root, &owner));
        facts
            .unwrap_or_else(|| Self {
                kind: HookKind::Other,
                chat: ChatMark::new(&owner, ""),
                same: None,
                message: None,
                written_ms: None,
            })
            .or_by_bytes(&root, body)
    }

    /// With the bytes as what a repeat has in common, when there is nothing better and a time makes the bytes its own.
    fn or_by_bytes(mut self, root: &Value, body: &[u8]) -> Self {
        if self.same.is_none() && root.get("time").is_some_and(Value::is_number) {
            self.same = Some(fingerprint("bytes", &[body]));
        }
        self
    }
}

/// A message of version 2.
fn message(root: &Value, owner: &str) -> Option<HookFacts> {
    let event = root.get("message").filter(|it| it.is_object())?;
    let id = word(event.pointer("/message/id"));
    Some(HookFacts {
        kind: HookKind::Message,
        chat: chat(event.get("conversation"), owner),
        same: id
            .as_ref()
            .map(|id| fingerprint("message", &[id.as_bytes()])),
        written_ms: event.get("msec_timestamp").and_then(Value::as_u64),
        message: id.filter(|id| id.len() <= MESSAGE_ID_MAX),
    })
}

/// A reaction.
fn reaction(root: &Value, owner: &str) -> Option<HookFacts> {
    let event = root
        .pointer("/action/reaction")
        .filter(|it| it.is_object())?;
    let id = word(event.get("msgid")).or_else(|| word(event.pointer("/message/id")));
    let time = word(root.get("time"));
    let parts = [
        id.clone(),
        word(event.pointer("/user/id")),
        word(event.get("type")),
        time.clone(),
    ];
    let texts = parts.map(Option::unwrap_or_default);
    let [id_text, user, kind, at] = texts.each_ref().map(String::as_bytes);
    let same = (id.is_some() && time.is_some())
        .then(|| fingerprint("reaction", &[id_text, user, kind, at]));
    Some(HookFacts {
        kind: HookKind::Reaction,
        chat: chat(event.get("conversation"), owner),
        same,
        message: id.filter(|id| id.len() <= MESSAGE_ID_MAX),
        written_ms: None,
    })
}

/// A user who writes.
fn typing(root: &Value, owner: &str) -> Option<HookFacts> {
    let event = root.pointer("/action/typing").filter(|it| it.is_object())?;
    Some(HookFacts {
        kind: HookKind::Typing,
        chat: chat(event.get("conversation"), owner),
        same: None,
        message: None,
        written_ms: None,
    })
}

/// A message of version 1, which numbers nothing: two equal ones may be two messages.
fn flat_message(root: &Value, owner: &str) -> Option<HookFacts> {
    let conversation = word(root.get("conversation_id"))?;
    Some(HookFacts {
        kind: HookKind::Message,
        chat: ChatMark::new(owner, &conversation),
        same: None,
        message: None,
        written_ms: None,
    })
}

/// The conversation that an object names by the counterpart's id, else by the bridge's.
fn chat(conversation: Option<&Value>, owner: &str) -> ChatMark {
    let name = |key| word(conversation?.get(key));
    let id = name("id").or_else(|| name("client_id"));
    ChatMark::new(owner, &id.unwrap_or_default())
}

/// The owner of a conversation: the scope that the hook came for. A body of another account is about another conversation,
/// which a bridge that refuses it does not hold back.
fn owner<'s>(root: &Value, scope: &'s str) -> Cow<'s, str> {
    match word(root.get("account_id")) {
        Some(account) if !scope.ends_with(&account) => Cow::Owned(unscoped_owner(scope, &account)),
        Some(_) | None => Cow::Borrowed(scope),
    }
}

/// A text or a number that says something.
fn word(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCOPE: &str = "shop_af9945ff-1490-4cad-807d-945c15d88bec";

    fn read(body: &str) -> HookFacts {
        HookFacts::read(body.as_bytes(), SCOPE)
    }

    const MESSAGE: &str = r#"{"account_id":"af9945ff-1490-4cad-807d-945c15d88bec","time":1,"message":{"receiver":{"id":"r"},
        "conversation":{"id":"c-1","client_id":"mine"},"timestamp":1,"msec_timestamp":1700000000123,
        "message":{"id":"m-1","type":"text","text":"Hi"}}}"#;

    #[test]
    fn a_message_is_known_by_its_id_and_conversation() {
        let facts = read(MESSAGE);
        assert_eq!(facts.kind, HookKind::Message);
        assert_eq!(facts.message.as_deref(), Some("m-1"));
        assert_eq!(facts.written_ms, Some(1_700_000_000_123));
        assert_eq!(facts.chat, ChatMark::new(SCOPE, "c-1"));
        // The time of the attempt is another, the message is the same.
        let again = read(&MESSAGE.replace("\"time\":1", "\"time\":2"));
        assert_eq!(again.same, facts.same);
        let other = read(&MESSAGE.replace("m-1", "m-2"));
        assert_ne!(other.same, facts.same);
        assert_eq!(other.chat, facts.chat);
    }

    #[test]
    fn a_body_of_another_account_is_about_another_conversation() {
        let facts = read(MESSAGE);
        let other = read(&MESSAGE.replace("af9945ff", "bf9945ff"));
        assert_ne!(other.chat, facts.chat);
        assert_eq!(other.message, facts.message);
        // Where the path has no scope, the account keeps conversations apart.
        let unscoped = HookFacts::read(MESSAGE.as_bytes(), "");
        let account = "af9945ff-1490-4cad-807d-945c15d88bec";
        assert_eq!(
            unscoped.chat,
            ChatMark::new(&unscoped_owner("", account), "c-1")
        );
    }

    #[test]
    fn a_reaction_is_known_by_message_user_type_and_time() {
        let text = |user: &str, kind: &str, time: u32| {
            format!(
                r#"{{"time":{time},"action":{{"reaction":{{"msgid":"m","user":{{"id":"{user}"}},
                "conversation":{{"id":"c-1"}},"type":"{kind}","emoji":"x"}}}}}}"#
            )
        };
        let facts = read(&text("u", "react", 5));
        assert_eq!(facts.kind, HookKind::Reaction);
        assert_eq!(facts.chat, read(MESSAGE).chat);
        assert_eq!(read(&text("u", "react", 5)).same, facts.same);
        for other in [
            text("v", "react", 5),
            text("u", "unreact", 5),
            text("u", "react", 6),
        ] {
            assert_ne!(read(&other).same, facts.same, "{other}");
        }
    }

    #[test]
    fn typing_is_known_by_its_bytes_and_version_1_by_nothing() {
        let typing = r#"{"time":5,"action":{"typing":{"user":{"id":"u"},"conversation":{"id":"c-1"},"expired_at":9}}}"#;
        let facts = read(typing);
        assert_eq!(
            (facts.kind, facts.chat),
            (HookKind::Typing, read(MESSAGE).chat)
        );
        assert_eq!(facts.same, read(typing).same);
        assert!(facts.same.is_some());
        let flat = read(r#"{"receiver":"r","conversation_id":"c-1","type":"text","text":"ok"}"#);
        assert_eq!((flat.kind, flat.same), (HookKind::Message, None));
        assert_eq!(flat.chat, ChatMark::new(SCOPE, "c-1"));
    }

    #[test]
    fn bytes_that_say_nothing_belong_to_their_scope() {
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        for body in ["", "null", "[]", "{", "{\"message\":3}", "\u{0}", &deep] {
            let facts = read(body);
            assert_eq!((facts.kind, facts.same), (HookKind::Other, None), "{body}");
            assert_eq!(facts.chat, ChatMark::new(SCOPE, ""));
        }
        assert_ne!(ChatMark::new("other", ""), ChatMark::new(SCOPE, ""));
    }

    #[test]
    fn a_text_that_is_not_utf_8_does_not_hide_the_ids() {
        let mut body = MESSAGE.replace("Hi", "H?i").into_bytes();
        let place = body.iter().position(|byte| *byte == b'?').unwrap();
        body[place] = 0xff;
        assert_eq!(
            HookFacts::read(&body, SCOPE).message.as_deref(),
            Some("m-1")
        );
    }

    #[test]
    fn a_number_is_an_id_and_an_empty_text_is_none() {
        let facts =
            read(r#"{"message":{"conversation":{"id":"","client_id":7},"message":{"id":12}}}"#);
        assert_eq!(facts.chat, ChatMark::new(SCOPE, "7"));
        assert_eq!(facts.message.as_deref(), Some("12"));
    }
}
