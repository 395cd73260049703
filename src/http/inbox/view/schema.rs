//! What the inbox shows, for the document.

use switchboard_actors::domain::chat::message::ContentKind;

use crate::http::openapi::{Field, Schema, may, must};
use crate::http::reply::reason;

/// A conversation.
pub(crate) fn conversation_schema() -> Schema {
    Schema::named("Conversation", Schema::object(conversation_fields()))
}

/// A conversation of a list that may have been searched.
pub(crate) fn found_schema() -> Schema {
    let mut fields = conversation_fields();
    fields.push(may(
        "found",
        message_schema().says("The newest message that has what was looked for."),
    ));
    Schema::named("FoundConversation", Schema::object(fields))
}

/// The channel of a conversation, as the account is connected to it.
fn connected_schema() -> Schema {
    let title = "What the integration called the account's connection; the channel's name if it said nothing, or ended it.";
    Schema::object([
        must("id", Schema::text()),
        must("name", Schema::text()),
        must("title", Schema::text().says(title)),
    ])
}

fn conversation_fields() -> Vec<Field> {
    let customer = Schema::object([
        must("id", Schema::uuid()),
        must("client_id", Schema::text().or_null()),
        must("name", Schema::text()),
        must("avatar", Schema::url().or_null()),
        must("avatar_check", check_schema().or_null()),
        must("phone", Schema::text().or_null()),
        must("email", Schema::text().or_null()),
        must("profile_link", Schema::url().or_null()),
    ]);
    let typing = Schema::object([must("id", Schema::uuid()), must("until", Schema::seconds())]);
    vec![
        must("id", Schema::uuid()),
        must(
            "client_id",
            Schema::text()
                .or_null()
                .says("The integration's id; null until it is bound."),
        ),
        must("scope_id", Schema::text().or_null()),
        must("channel", connected_schema().or_null()),
        must("customer", customer.or_null()),
        must(
            "messages",
            Schema::count().says("How many messages it has."),
        ),
        must(
            "unread",
            Schema::count().says("How many came since somebody read it."),
        ),
        must("active_at", Schema::seconds()),
        must("last_message", message_schema().or_null()),
        must("deal", deal_schema().or_null()),
        must(
            "no_deal",
            Schema::words(["only_silent", "only_ours", "no_messages"])
                .or_null()
                .says(
                    "Why there is no deal: only a customer's message that is not silent opens one.",
                ),
        ),
        must(
            "source",
            Schema::text()
                .or_null()
                .says("Which entrance of the integration it came through."),
        ),
        must(
            "trouble",
            Schema::words(["undelivered", "error"])
                .or_null()
                .says("What is wrong with an answer that was sent."),
        ),
        must(
            "typing",
            typing.or_null().says("A customer who is writing."),
        ),
        must(
            "damaged",
            Schema::boolean().says(
                "Whether a stored record of it is damaged. Lists show what can be read; whoever opens it is told what is \
                 damaged and where.",
            ),
        ),
    ]
}

/// A message in either direction.
pub(crate) fn message_schema() -> Schema {
    let reaction = Schema::object([
        must("sender_id", Schema::uuid()),
        must("emoji", Schema::text().or_null()),
    ]);
    let sender = Schema::object([
        must("id", Schema::uuid()),
        must("name", Schema::text().or_null()),
    ]);
    let mut fields = vec![
        must("id", Schema::uuid().says("Our id.")),
        may(
            "client_id",
            Schema::text().says("The integration's msgid; not of messages that were written here."),
        ),
        must("direction", Schema::words(["in", "out"])),
        must("timestamp", Schema::seconds()),
        must("msec_timestamp", Schema::millis()),
        may("silent", Schema::boolean()),
        may(
            "imported",
            Schema::only(true).says("Of a message that was written elsewhere."),
        ),
        may("sender", sender),
        may("delivery", delivery_schema()),
        may("callback", callback_schema()),
        may("edited_at", Schema::seconds()),
        may("reactions", Schema::list(reaction)),
        may("reply_to", quote_schema()),
        may("forwards", Schema::list(quote_schema())),
        may("post", post_schema()),
    ];
    fields.extend(content_fields());
    Schema::named("Message", Schema::object(fields))
}

fn content_fields() -> Vec<Field> {
    let location = Schema::object([
        must("lon", Schema::degrees(180.0)),
        must("lat", Schema::degrees(90.0)),
    ]);
    let contact = Schema::object([must("name", Schema::text()), must("phone", Schema::text())]);
    vec![
        may("type", Schema::choice(&ContentKind::NAMES)),
        may("text", Schema::text()),
        may("media", Schema::url()),
        may("media_check", check_schema()),
        may("thumbnail", Schema::url().or_null()),
        may("file_name", Schema::text()),
        may("file_size", Schema::count().says("In bytes.")),
        may("sticker_id", Schema::text()),
        may("contact", contact),
        may("location", location),
    ]
}

fn post_schema() -> Schema {
    Schema::object([
        must("id", Schema::text()),
        may("url", Schema::url()),
        may("preview_url", Schema::url().or_null()),
        may("username", Schema::text().or_null()),
        may("caption", Schema::text().or_null()),
    ])
}

/// What was seen of a file that an integration named.
pub(crate) fn check_schema() -> Schema {
    let copy = Schema::object([
        must("media", Schema::url()),
        must("thumbnail", Schema::url().or_null()),
        must("file_name", Schema::text()),
    ]);
    let check = Schema::object([
        must(
            "state",
            Schema::words(["not_checked", "pending", "reachable", "unreachable"]),
        ),
        may(
            "reason",
            Schema::text().says("Why it is not reachable, for people."),
        ),
        may("content_type", Schema::text().or_null()),
        may(
            "bytes",
            Schema::count()
                .or_null()
                .says("Its size, if that is known."),
        ),
        may("copy", copy.or_null().says("The copy that is kept here.")),
        may(
            "not_copied",
            Schema::text()
                .or_null()
                .says("Why there is no copy, if one was wanted."),
        ),
        may("checked_at", Schema::seconds()),
        may("attempts", Schema::count()),
        may("next_attempt_at", Schema::seconds().or_null()),
    ]);
    Schema::named("FileCheck", check)
}

fn quote_schema() -> Schema {
    let sender = Schema::object([
        must("id", Schema::uuid().or_null()),
        must("client_id", Schema::text().or_null()),
        must("name", Schema::text().or_null()),
    ]);
    let quote = Schema::object([
        must("id", Schema::uuid().or_null()),
        must("client_id", Schema::text().or_null()),
        must("type", Schema::choice(&ContentKind::NAMES).or_null()),
        must("text", Schema::text().or_null()),
        must("media", Schema::url().or_null()),
        must("sender", sender.or_null()),
    ]);
    Schema::named("QuotedMessage", quote)
}

/// What the customer has of a message.
pub(crate) fn delivery_schema() -> Schema {
    let delivery = Schema::object([
        must(
            "status",
            Schema::words(["queued", "sent", "delivered", "read", "error"]),
        ),
        may("error_code", Schema::between(901, 905)),
        may("error", Schema::text().or_null()),
    ]);
    Schema::named("Delivery", delivery)
}

/// Where the callback of a message stands.
pub(crate) fn callback_schema() -> Schema {
    let mut fields = vec![
        must("state", callback_states()),
        must("attempts", Schema::count()),
        must("next_attempt_at", Schema::seconds().or_null()),
    ];
    fields.extend(reason::fields());
    Schema::named("CallbackState", Schema::object(fields))
}

/// The states of callbacks.
pub(crate) fn callback_states() -> Schema {
    Schema::words([
        "queued",
        "sending",
        "waiting",
        "held",
        "delivered",
        "dead",
        "cancelled",
    ])
}

/// The deal of a conversation.
pub(crate) fn deal_schema() -> Schema {
    let deal = Schema::object([
        must("id", Schema::number()),
        must("name", Schema::text()),
        must("pipeline_id", Schema::number()),
        must("status_id", Schema::number()),
        must("responsible_user_id", Schema::number().or_null()),
    ]);
    Schema::named("Deal", deal)
}
