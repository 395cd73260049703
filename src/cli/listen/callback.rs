//! Judges one request as an integration must: valid callback, or refused and why.
//!
//! A receiver checks the signature. A missing body, a method other than POST, a wrong signature or a body that cannot be
//! parsed makes a callback invalid.

use serde::Deserialize;
use serde_json::Value;
use switchboard_actors::domain::id::{AccountId, ConversationId, MessageId, PersonId};
use switchboard_actors::domain::signature::{SharedSecret, verify_body};

/// The parts of a request that its judgement needs.
pub(super) struct Request<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) signature: Option<&'a str>,
    /// `webhook-id`: names the message where the body has no place for it (version 1).
    pub(super) webhook_id: Option<&'a str>,
    /// `X-Delivery-Attempt`.
    pub(super) attempt: Option<&'a str>,
    pub(super) body: &'a [u8],
}

/// The status that a wrong signature is answered with, or none.
pub(super) const WRONG_SIGNATURE: u16 = 403;

/// A request that is no valid callback.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CallbackError {
    /// The HTTP status to answer with.
    pub(super) status: u16,
    pub(super) why: String,
}

/// A valid callback, of either version.
#[derive(Debug)]
pub(super) struct Callback {
    pub(super) version: &'static str,
    pub(super) path: String,
    pub(super) message_id: Option<String>,
    /// From 1.
    pub(super) attempt: u32,
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) from: Option<String>,
    pub(super) to: String,
    /// The integration's id, or ours when it has none yet.
    pub(super) conversation: String,
    /// Given for pictures and files.
    pub(super) media: Option<String>,
    pub(super) file_name: Option<String>,
    pub(super) body: Value,
}

#[derive(Deserialize)]
struct V1 {
    receiver: String,
    conversation_id: String,
    #[serde(flatten)]
    content: Content,
}

#[derive(Deserialize)]
struct V2 {
    #[expect(dead_code, reason = "must be there and be a UUID")]
    account_id: AccountId,
    #[expect(dead_code, reason = "must be there and be a whole number")]
    time: i64,
    message: MessageEvent,
}

/// A callback without a message: a person types, or sets a reaction on a message.
#[derive(Deserialize)]
struct ActionRoot {
    #[expect(dead_code, reason = "must be there and be a UUID")]
    account_id: AccountId,
    #[expect(dead_code, reason = "must be there and be a whole number")]
    time: i64,
    action: CallbackAction,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum CallbackAction {
    Typing {
        user: User,
        conversation: Conversation,
    },
    Reaction {
        msgid: String,
        user: User,
        conversation: Conversation,
        #[serde(rename = "type")]
        kind: ReactionKind,
        emoji: Option<String>,
    },
}

#[derive(Deserialize)]
struct User {
    id: PersonId,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ReactionKind {
    React,
    Unreact,
}

#[derive(Deserialize)]
struct MessageEvent {
    receiver: Receiver,
    conversation: Conversation,
    sender: Option<Sender>,
    #[expect(dead_code, reason = "must be there and be a whole number")]
    timestamp: i64,
    message: Message,
}

#[derive(Deserialize)]
struct Receiver {
    id: PersonId,
    name: Option<String>,
    client_id: String,
}

#[derive(Deserialize)]
struct Sender {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Conversation {
    id: ConversationId,
    client_id: String,
}

#[derive(Deserialize)]
struct Message {
    id: MessageId,
    #[serde(flatten)]
    content: Content,
}

/// The message itself, in the words of both versions.
#[derive(Deserialize)]
struct Content {
    #[serde(rename = "type")]
    kind: Kind,
    text: Option<String>,
    media: Option<String>,
    thumbnail: Option<String>,
    file_name: Option<String>,
    file_size: Option<u64>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Text,
    Picture,
    File,
}

/// The callback that the request is, if it is one.
pub(super) fn judge(
    request: &Request<'_>,
    secret: &SharedSecret,
) -> Result<Callback, CallbackError> {
    let refuse = |status, why: &str| {
        Err(CallbackError {
            status,
            why: why.to_owned(),
        })
    };
    if request.method != "POST" {
        return refuse(
            405,
            &format!("a callback is a POST, this is a {}", request.method),
        );
    }
    if request.body.is_empty() {
        return refuse(400, "the body is missing");
    }
    match request.signature {
        None => return refuse(WRONG_SIGNATURE, "the X-Signature header is missing"),
        Some(signature) if !verify_body(secret, request.body, signature.trim().as_bytes()) => {
            return refuse(
                WRONG_SIGNATURE,
                "the X-Signature header is not the signature of the body",
            );
        }
        Some(_) => {}
    }
    let body: Value = match serde_json::from_slice(request.body) {
        Ok(body) => body,
        Err(error) => return refuse(400, &format!("the body is not JSON: {error}")),
    };
    match callback(request, body) {
        Ok(callback) => Ok(callback),
        Err(why) => refuse(422, &why),
    }
}

fn callback(request: &Request<'_>, body: Value) -> Result<Callback, String> {
    let attempt = match request.attempt.map(str::parse) {
        None => 1,
        Some(Ok(attempt)) if attempt > 0 => attempt,
        Some(_) => return Err("X-Delivery-Attempt is not a number from 1".to_owned()),
    };
    let about = About {
        path: request.path.to_owned(),
        attempt,
        body,
    };
    if about.body.get("action").is_some() {
        let root = ActionRoot::deserialize(&about.body);
        let action = root.map_err(|error| unknown("version 2", &error))?.action;
        Ok(about.action(request.webhook_id, action))
    } else if about.body.get("message").is_some() {
        let v2 = V2::deserialize(&about.body).map_err(|error| unknown("version 2", &error))?;
        let event = v2.message;
        let name = event.receiver.name.filter(|name| !name.is_empty());
        let parties = Parties {
            message_id: Some(event.message.id.to_string()),
            from: event.sender.and_then(|sender| sender.name),
            to: name
                .unwrap_or_else(|| theirs_or_ours(event.receiver.client_id, &event.receiver.id)),
            conversation: theirs_or_ours(event.conversation.client_id, &event.conversation.id),
        };
        about.callback("v2", parties, event.message.content)
    } else {
        let v1 = V1::deserialize(&about.body).map_err(|error| unknown("version 1", &error))?;
        let parties = Parties {
            message_id: request.webhook_id.map(str::to_owned),
            from: None,
            to: v1.receiver,
            conversation: v1.conversation_id,
        };
        about.callback("v1", parties, v1.content)
    }
}

fn unknown(version: &str, error: &serde_json::Error) -> String {
    format!("the body is no callback of {version}: {error}")
}

fn theirs_or_ours(client: String, ours: &impl ToString) -> String {
    if client.is_empty() {
        ours.to_string()
    } else {
        client
    }
}

/// The sender and the receiver.
struct Parties {
    message_id: Option<String>,
    from: Option<String>,
    to: String,
    conversation: String,
}

/// The parts of a callback that do not depend on the version.
struct About {
    path: String,
    attempt: u32,
    body: Value,
}

impl About {
    fn action(self, webhook_id: Option<&str>, action: CallbackAction) -> Callback {
        let (kind, text, user, conversation, to) = match action {
            CallbackAction::Typing { user, conversation } => {
                ("typing", String::new(), user, conversation, String::new())
            }
            CallbackAction::Reaction {
                msgid,
                user,
                conversation,
                kind,
                emoji,
            } => {
                let kind = match kind {
                    ReactionKind::React => "react",
                    ReactionKind::Unreact => "unreact",
                };
                let emoji = emoji.unwrap_or_default();
                (kind, emoji, user, conversation, format!("message {msgid}"))
            }
        };
        let conversation = theirs_or_ours(conversation.client_id, &conversation.id);
        Callback {
            version: "v2",
            path: self.path,
            message_id: webhook_id.map(str::to_owned),
            attempt: self.attempt,
            kind,
            text,
            from: Some(user.id.to_string()),
            to: if to.is_empty() {
                conversation.clone()
            } else {
                to
            },
            conversation,
            media: None,
            file_name: None,
            body: self.body,
        }
    }

    fn callback(
        self,
        version: &'static str,
        parties: Parties,
        content: Content,
    ) -> Result<Callback, String> {
        let has_text = |value: &Option<String>| value.as_ref().is_some_and(|text| !text.is_empty());
        let lacks = |key: &str, kind: &str| {
            Err(format!(
                "the body has no `{key}`, which type {kind} requires"
            ))
        };
        let kind = match content.kind {
            Kind::Text if !has_text(&content.text) => return lacks("text", "text"),
            Kind::Picture if !has_text(&content.media) => return lacks("media", "picture"),
            Kind::Picture if !has_text(&content.thumbnail) => return lacks("thumbnail", "picture"),
            Kind::File if !has_text(&content.media) => return lacks("media", "file"),
            Kind::File if !has_text(&content.file_name) => return lacks("file_name", "file"),
            Kind::File if content.file_size.is_none() => return lacks("file_size", "file"),
            Kind::Text => "text",
            Kind::Picture => "picture",
            Kind::File => "file",
        };
        Ok(Callback {
            version,
            path: self.path,
            message_id: parties.message_id,
            attempt: self.attempt,
            kind,
            text: content.text.unwrap_or_default(),
            from: parties.from,
            to: parties.to,
            conversation: parties.conversation,
            media: content
                .media
                .filter(|media| kind != "text" && !media.is_empty()),
            file_name: content.file_name.filter(|name| !name.is_empty()),
            body: self.body,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use switchboard_actors::domain::signature::sign_body;

    use super::*;

    const ID: &str = "af9945ff-1490-4cad-807d-945c15d88bec";

    fn judged(
        method: &str,
        body: &str,
        signature: Option<&str>,
    ) -> Result<Callback, CallbackError> {
        let secret = "s3cret".parse().unwrap();
        let right = sign_body(&secret, body.as_bytes()).to_string();
        let request = Request {
            method,
            path: "/v2/x",
            signature: signature.map(|given| if given == "right" { &right } else { given }),
            webhook_id: Some("w-1"),
            attempt: Some("2"),
            body: body.as_bytes(),
        };
        judge(&request, &secret)
    }

    #[test]
    fn typing_and_reaction_callbacks_are_recognised() {
        let about = |action: Value| json!({ "account_id": ID, "time": 2, "action": action });
        let conversation = json!({ "id": ID, "client_id": "c7" });
        let body = about(json!({ "typing": {
            "user": { "id": ID }, "conversation": conversation, "expired_at": 7 } }));
        let typing = judged("POST", &body.to_string(), Some("right")).unwrap();
        assert_eq!(
            (typing.kind, typing.conversation.as_str()),
            ("typing", "c7")
        );
        let body = about(json!({ "reaction": { "msgid": "m", "user": { "id": ID },
            "conversation": conversation, "type": "unreact", "emoji": "x" } }));
        let sign = judged("POST", &body.to_string(), Some("right")).unwrap();
        assert_eq!((sign.kind, sign.text.as_str()), ("unreact", "x"));
        assert_eq!(sign.to, "message m");
        let neither = about(json!({ "dancing": {} }));
        let verdict = judged("POST", &neither.to_string(), Some("right"));
        assert_eq!(verdict.unwrap_err().status, 422);
    }

    fn v2() -> Value {
        json!({ "account_id": ID, "time": 2, "message": {
            "receiver": { "id": ID, "phone": "", "client_id": "u-ada", "name": "Ada" },
            "sender": { "id": ID, "name": "Boris" },
            "conversation": { "id": ID, "client_id": "c-1" },
            "timestamp": 1, "msec_timestamp": 1000,
            "message": { "id": ID, "type": "text", "text": "Hi", "media": "", "thumbnail": "",
                "file_name": "", "file_size": 0, "markup": null, "tag": "" } } })
    }

    fn v1() -> Value {
        json!({ "receiver": "u-ada", "conversation_id": "c-1", "type": "text", "text": "Hi",
            "media": "", "thumbnail": "", "file_name": "", "file_size": 0 })
    }

    #[test]
    fn both_callback_versions_are_recognised() {
        let one = judged("POST", &v1().to_string(), Some("right")).unwrap();
        assert_eq!(
            (one.version, one.to.as_str(), one.attempt),
            ("v1", "u-ada", 2)
        );
        assert_eq!(one.message_id.as_deref(), Some("w-1"));
        let two = judged("POST", &v2().to_string(), Some("right")).unwrap();
        assert_eq!(
            (two.version, two.to.as_str(), two.conversation.as_str()),
            ("v2", "Ada", "c-1")
        );
        assert_eq!(
            (two.from.as_deref(), two.message_id.as_deref()),
            (Some("Boris"), Some(ID))
        );
        assert_eq!((two.kind, two.media), ("text", None));
    }

    #[test]
    fn an_invalid_callback_by_rule_5_is_refused_with_the_reason() {
        let good = v2().to_string();
        for (method, body, signature, status, why) in [
            ("GET", good.as_str(), Some("right"), 405, "this is a GET"),
            ("POST", "", Some("right"), 400, "body is missing"),
            ("POST", &good, None, 403, "header is missing"),
            ("POST", &good, Some("00"), 403, "not the signature"),
            ("POST", "{", Some("right"), 400, "not JSON"),
            ("POST", "{}", Some("right"), 422, "no callback of version 1"),
            ("POST", "[]", Some("right"), 422, "no callback of version 1"),
            (
                "POST",
                r#"{"message":{}}"#,
                Some("right"),
                422,
                "no callback of version 2",
            ),
        ] {
            let refusal = judged(method, body, signature).unwrap_err();
            assert_eq!(refusal.status, status, "{refusal:?}");
            assert!(refusal.why.contains(why), "{refusal:?}");
        }
    }

    #[test]
    fn a_callback_without_required_fields_is_refused() {
        for (kind, filled, lacking) in [
            ("text", json!({ "text": "" }), "text"),
            ("picture", json!({}), "media"),
            ("picture", json!({ "media": "http://h/a" }), "thumbnail"),
            ("file", json!({ "media": "http://h/a" }), "file_name"),
            ("voice", json!({}), "voice"),
        ] {
            let mut body = v1();
            body["type"] = kind.into();
            for (key, value) in filled.as_object().unwrap() {
                body[key] = value.clone();
            }
            let refusal = judged("POST", &body.to_string(), Some("right")).unwrap_err();
            assert!(
                refusal.status == 422 && refusal.why.contains(lacking),
                "{refusal:?}"
            );
        }
    }
}
