//! The body of a message, for the document.

use serde_json::{Value, json};
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::chat_body::target::ConversationIds;

use crate::chat::fields::{kinds, person, source};
use crate::chat::report_delivery::describe_status;
use crate::openapi::{Field, Schema, may, must};

/// A message, or the new version of one.
pub(super) fn event() -> Schema {
    let event = |kind: &str, payload: Schema| {
        Schema::object([
            must("event_type", Schema::only(kind)),
            must("payload", payload),
        ])
        .open()
    };
    let new = Schema::named("NewMessage", event("new_message", new_message()));
    let edit = Schema::named("EditMessage", event("edit_message", edit_message()));
    Schema::either([new, edit])
}

/// A message that is taken.
pub(super) fn example() -> Value {
    json!({
        "event_type": "new_message",
        "payload": {
            "timestamp": 1_639_604_761,
            "msgid": "m-1",
            "conversation_id": "c-ada",
            "sender": {
                "id": "u-ada",
                "name": "Ada",
                "avatar": "https://example.com/ada.png",
                "profile": { "phone": "+79151112233", "email": "ada@example.com" },
            },
            "message": { "type": "text", "text": "Have you any tulips?" },
            "silent": false,
        },
    })
}

fn times() -> [Field; 2] {
    let millis = Schema::millis()
        .says("Unix time in milliseconds; may replace `timestamp` in the current generation.");
    [
        may(
            "timestamp",
            Schema::seconds().says("Unix time, in seconds, at most a day ahead."),
        ),
        may("msec_timestamp", millis),
    ]
}

fn new_message() -> Schema {
    let current = "Current generation only.";
    let receiver = "Marks an imported outgoing message: the sender is an account user or the channel's bot. Current generation only.";
    let mut fields = ConversationIds::fields();
    fields.extend(times());
    fields.extend([
        must(
            "msgid",
            Schema::line(255).says("Unique in its conversation."),
        ),
        must("sender", person()),
        may("receiver", person().says(receiver)),
        must(
            "message",
            Schema::object(content().into_iter().chain([
                may("post", post()),
                may(
                    "callback_data",
                    Schema::text().says("1 to 256 bytes: the value of the row of a list that the customer chose. Current generation only."),
                ),
            ]))
            .open(),
        ),
        may(
            "silent",
            Schema::boolean()
                .default_is(false)
                .says("No notification, and no lead."),
        ),
        may("source", source().says(current)),
        may(
            "reply_to",
            Schema::object([must("message", quote())])
                .open()
                .says(current),
        ),
        may("forwards", forwards().says(current)),
    ]);
    Schema::object(fields)
        .open()
        .needing_one_of(&["conversation_id", "conversation_ref_id"])
        .needing_one_of(&["timestamp", "msec_timestamp"])
}

fn edit_message() -> Schema {
    let status = Schema::object([
        may("status_code", describe_status()),
        may("delivery_status", describe_status()),
        may("error_code", Schema::whole()),
        may("error", Schema::text()),
    ])
    .needing_one_of(&["status_code", "delivery_status"]);
    let contents = content().into_iter().map(Field::optional);
    let message = contents.chain([may(
        "delivery_status",
        status.says("The delivery status of an imported message; may come alone."),
    )]);
    let mut fields = ConversationIds::fields();
    fields.extend(times());
    fields.extend([
        may(
            "id",
            Schema::uuid().says("Our id of the message; or msgid."),
        ),
        may(
            "msgid",
            Schema::line(255).says("The integration's id of the message; or id."),
        ),
        must("message", Schema::object(message).open()),
    ]);
    Schema::object(fields)
        .open()
        .needing_one_of(&["conversation_id", "conversation_ref_id"])
        .needing_one_of(&["timestamp", "msec_timestamp"])
        .needing_one_of(&["id", "msgid"])
}

fn content() -> Vec<Field> {
    let location = Schema::object([
        must("lon", Schema::degrees(180.0)),
        must("lat", Schema::degrees(90.0)),
    ]);
    let contact = Schema::object([
        may(
            "name",
            Schema::text().says("The number stands for a name that is not there."),
        ),
        may("phone", Schema::text().says("Needed without a name.")),
    ]);
    let files = "Of picture, video and file; needed in the 2019 generation.";
    vec![
        must("type", kinds()),
        may(
            "text",
            Schema::text().says("1 to 65,536 bytes; needed with text, a caption otherwise."),
        ),
        may(
            "media",
            Schema::url_or_nothing().says("Needed with picture, video, file, voice and audio."),
        ),
        may("file_name", Schema::text().says(files)),
        may(
            "file_size",
            Schema::count()
                .says("In bytes. Of picture, video and file; needed in the 2019 generation."),
        ),
        may(
            "sticker_id",
            Schema::text().says("May replace `media`. Current generation only."),
        ),
        may("location", location.open().says("Needed with location.")),
        may("contact", contact.open().says("Needed with contact.")),
    ]
}

fn post() -> Schema {
    let post = Schema::object([
        must("id", Schema::line(255)),
        must("url", Schema::url()),
        may("preview_url", Schema::url_or_nothing()),
        may("preview_permalink", Schema::url_or_nothing()),
        may("username", Schema::text()),
        may("caption", Schema::text()),
    ]);
    post.open()
        .says("The public post that this is a comment on. Current generation only.")
}

fn forwards() -> Schema {
    let mut fields = ConversationIds::fields();
    fields.push(must("messages", Schema::few(quote(), 1, 1)));
    Schema::object(fields).open()
}

fn quote() -> Schema {
    let says = "Needed without id and msgid.";
    let sender = Schema::object([
        may("id", Schema::line(255)),
        may("ref_id", Schema::uuid()),
        may("name", Schema::text()),
    ]);
    let quote = Schema::object([
        may("id", Schema::uuid().says("Our id of the message.")),
        may(
            "msgid",
            Schema::line(255).says("The integration's id of the message."),
        ),
        may("type", kinds().says(says)),
        may("text", Schema::text()),
        may("media", Schema::url_or_nothing()),
        may(
            "timestamp",
            Schema::seconds().says("Unix time, in seconds. Needed without id and msgid."),
        ),
        may(
            "msec_timestamp",
            Schema::millis().says("Unix time, in milliseconds. Needed without id and msgid."),
        ),
        may(
            "sender",
            sender
                .open()
                .needing_one_of(&["id", "ref_id", "name"])
                .says(says),
        ),
    ]);
    Schema::named("Quote", quote.open())
}
