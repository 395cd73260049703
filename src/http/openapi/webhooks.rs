//! Callbacks: what the service sends to the address of a channel.

use serde_json::{Map, Value, json};
use switchboard_actors::domain::chat::message::ContentKind;
use switchboard_actors::domain::chat::reaction::ReactionKind;

use crate::http::openapi::schema::{Field, Parts, Schema, may, must};

const OF_MESSAGES: &str = "\
Sent to the channel's address for the version, with :scope_id in it replaced. Callbacks leave at least once, and those of a \
conversation in their order; a repeat has the same webhook-id.";

const OF_TYPING: &str = "\
Sent to the channel's address for version 2, with :scope_id in it replaced, where the channel's typing_callbacks are on: for \
one person and conversation at most every five seconds, once, and not kept.";

const OF_REACTIONS: &str = "\
Sent to the channel's address for version 2, with :scope_id in it replaced, where the channel's reaction_callbacks are on, at \
least once and in order with the messages of the conversation; a repeat has the same webhook-id.";

/// Shows the bodies that are the examples here, each in a block of its own.
const GUIDE: &str = include_str!("../../../docs/integration.md");

/// The callbacks by their names, and the schemas that they refer to.
pub(super) fn all() -> (Value, Parts) {
    let each = [
        (
            "messageV1",
            "callbackV1",
            "A message of an account user, for scopes with hook_api_version v1.",
            OF_MESSAGES,
            version_1(),
            &["v1-text", "v1-picture", "v1-file"][..],
        ),
        (
            "messageV2",
            "callbackV2",
            "A message of an account user, for scopes with hook_api_version v2.",
            OF_MESSAGES,
            version_2(),
            &["v2-text", "v2-picture", "v2-file"],
        ),
        (
            "typing",
            "callbackTyping",
            "An account user is writing.",
            OF_TYPING,
            typing(),
            &["typing"],
        ),
        (
            "reaction",
            "callbackReaction",
            "An account user leaves a sign on a message, or takes it back.",
            OF_REACTIONS,
            reaction(),
            &["reaction"],
        ),
    ];
    let (mut webhooks, mut parts) = (Map::new(), Parts::new());
    for (name, id, summary, about, body, blocks) in each {
        let (schema, schemas) = body.taken();
        parts.extend(schemas);
        let body = json!({ "schema": schema, "examples": examples(blocks) });
        webhooks.insert(name.to_owned(), webhook(id, summary, about, &body));
    }
    (webhooks.into(), parts)
}

/// The bodies in these blocks of the guide, each by the last word of its name: what the message says.
fn examples(blocks: &[&str]) -> Value {
    let examples = blocks.iter().filter_map(|name| {
        let (_, behind) = GUIDE.split_once(&format!("\n```json {name}\n"))?;
        let (text, _) = behind.split_once("\n```")?;
        let value: Value = serde_json::from_str(text).ok()?;
        let word = name.rsplit('-').next().unwrap_or(name);
        Some((word.to_owned(), json!({ "value": value })))
    });
    Value::Object(examples.collect())
}

fn webhook(id: &str, summary: &str, about: &str, body: &Value) -> Value {
    let header = |name: &str, schema: Schema| {
        let (schema, _plain) = schema.taken();
        json!({ "name": name, "in": "header", "required": true, "schema": schema })
    };
    json!({ "post": {
        "operationId": id,
        "summary": summary,
        "tags": ["chat"],
        "description": about,
        "parameters": [
            header("X-Signature", Schema::text().says("Lower-case hex HMAC-SHA1 of the raw body, keyed with the text of the channel's secret.")),
            header("webhook-id", Schema::uuid().says("The id of the message; the same in every attempt.")),
            header("webhook-timestamp", Schema::text().says("When the attempt was made: Unix time, in seconds.")),
            header("X-Delivery-Attempt", Schema::text().says("Which attempt this is, from 1.")),
        ],
        "requestBody": {
            "required": true,
            "content": { "application/json": body },
        },
        "responses": {
            "2XX": { "description": "Delivered. The body is not looked at." },
            "default": {
                "description": "Where it is kept: tried again later, in order. Retry-After is obeyed; X-No-Retry: 1 ends the attempts.",
            },
        },
    } })
}

fn version_1() -> Schema {
    let mut fields = vec![
        must(
            "receiver",
            Schema::text().says("The integration's id of the customer."),
        ),
        must(
            "conversation_id",
            Schema::text().says("The integration's id of the conversation."),
        ),
    ];
    fields.extend(said());
    Schema::named("CallbackV1", Schema::object(fields))
}

/// What a message says, in the keys of both versions; what does not apply is empty or 0.
fn said() -> Vec<Field> {
    vec![
        must("type", Schema::words(["text", "picture", "file"])),
        must("text", Schema::text()),
        must("media", Schema::url_or_nothing()),
        must("thumbnail", Schema::url_or_nothing()),
        must("file_name", Schema::text()),
        must("file_size", Schema::count().says("In bytes.")),
    ]
}

fn version_2() -> Schema {
    let receiver = Schema::object([
        must("id", Schema::uuid().says("Our id of the customer.")),
        may("name", Schema::text()),
        may("phone", Schema::text()),
        may("email", Schema::text()),
        must(
            "client_id",
            Schema::text().says("The integration's id of the customer; empty until it is bound."),
        ),
    ]);
    let sender = Schema::object([
        must("id", Schema::uuid().says("Our id of the account user.")),
        must("name", Schema::text()),
    ]);
    let source = Schema::object([must("external_id", Schema::line(40))]);
    let mut message = vec![
        must("id", Schema::uuid().says("Our id of the message.")),
        must("markup", Schema::only(Value::Null)),
        must("tag", Schema::only("")),
    ];
    message.extend(said());
    message.extend([
        may(
            "post",
            Schema::object([must("id", Schema::text())])
                .says("The post whose comments the conversation holds."),
        ),
        may(
            "reply_to",
            Schema::object([must("message", quoted())]).says("The message that this one answers."),
        ),
    ]);
    let event = Schema::object([
        must("receiver", receiver),
        must("sender", sender),
        must("conversation", conversation()),
        may(
            "source",
            source.says("Which entrance of the integration the conversation came through."),
        ),
        must("timestamp", Schema::seconds()),
        must("msec_timestamp", Schema::millis()),
        must("message", Schema::object(message)),
    ]);
    let root = Schema::object([
        must("account_id", Schema::uuid()),
        must(
            "time",
            Schema::seconds().says("When the attempt was made: Unix time, in seconds."),
        ),
        must("message", event),
    ]);
    Schema::named("CallbackV2", root)
}

/// A side of a message.
fn person() -> Schema {
    Schema::object([
        must("id", Schema::uuid()),
        may("name", Schema::text()),
        may("client_id", Schema::text()),
    ])
}

/// The message that another one answers.
fn quoted() -> Schema {
    Schema::object([
        must("id", Schema::uuid().says("Our id of the message.")),
        may("msgid", Schema::text().says("The integration's id of it.")),
        must("type", Schema::choice(&ContentKind::NAMES)),
        must("text", Schema::text()),
        may("media", Schema::url()),
        must("timestamp", Schema::seconds()),
        must("msec_timestamp", Schema::millis()),
        must("sender", person()),
    ])
}

fn typing() -> Schema {
    let typing = Schema::object([
        must("user", user()),
        must("conversation", conversation()),
        must(
            "expired_at",
            Schema::seconds().says("Until when to show it: Unix time, in seconds."),
        ),
    ]);
    Schema::named("CallbackTyping", action("typing", typing))
}

fn reaction() -> Schema {
    let message = Schema::object([
        must("id", Schema::uuid().says("Our id of the message.")),
        may("msgid", Schema::text().says("The integration's id of it.")),
        may("client_id", Schema::text().says("The same as msgid.")),
        must(
            "receiver",
            person().says("Who got it: the channel's bot if a customer wrote it."),
        ),
        must("sender", person().says("Who wrote it.")),
        must("timestamp", Schema::seconds()),
        must("msec_timestamp", Schema::millis()),
    ]);
    let reaction = Schema::object([
        must(
            "msgid",
            Schema::text().says("The integration's id of the message; ours when it has none."),
        ),
        must("message", message),
        must("user", user()),
        must("conversation", conversation()),
        must("type", Schema::choice(&ReactionKind::NAMES)),
        may(
            "emoji",
            Schema::text().says("Absent when a reaction is taken back."),
        ),
    ]);
    Schema::named("CallbackReaction", action("reaction", reaction))
}

fn action(name: &'static str, what: Schema) -> Schema {
    Schema::object([
        must("account_id", Schema::uuid()),
        must(
            "time",
            Schema::seconds().says("When the attempt was made: Unix time, in seconds."),
        ),
        must("action", Schema::object([must(name, what)])),
    ])
}

fn user() -> Schema {
    Schema::object([must(
        "id",
        Schema::uuid().says("Our id of the account user."),
    )])
}

fn conversation() -> Schema {
    Schema::object([
        must("id", Schema::uuid().says("Our id of the conversation.")),
        must(
            "client_id",
            Schema::text()
                .says("The integration's id of the conversation; empty until it is bound."),
        ),
    ])
}
