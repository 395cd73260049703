//! Callbacks: what the service sends to the address of a channel.

use serde_json::{Map, Value, json};
use switchboard_actors::wire::callback::action::{ReactionBody, TypingBody};
use switchboard_actors::wire::callback::{v1, v2};

use switchboard_actors::wire::schema::{Parts, Schema};

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
            Schema::for_type::<v1::Body<'_>>(),
            &["v1-text", "v1-picture", "v1-file"][..],
        ),
        (
            "messageV2",
            "callbackV2",
            "A message of an account user, for scopes with hook_api_version v2.",
            OF_MESSAGES,
            Schema::for_type::<v2::Root<'_>>(),
            &["v2-text", "v2-picture", "v2-file"],
        ),
        (
            "typing",
            "callbackTyping",
            "An account user is writing.",
            OF_TYPING,
            Schema::for_type::<TypingBody<'_>>(),
            &["typing"],
        ),
        (
            "reaction",
            "callbackReaction",
            "An account user sets or removes a reaction.",
            OF_REACTIONS,
            Schema::for_type::<ReactionBody<'_>>(),
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
            "2XX": { "description": "Delivered. The body is ignored." },
            "default": {
                "description": "Where it is kept: tried again later, in order. Retry-After is obeyed; X-No-Retry: 1 ends the attempts.",
            },
        },
    } })
}
