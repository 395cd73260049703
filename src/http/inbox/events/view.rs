//! Events as the inbox shows them.

use serde_json::{Value, json};
use switchboard_actors::system::live::{Audience, Health, LiveEvent, What};

use crate::http::inbox::view;

/// The event in the form of `text/event-stream`.
pub(super) fn text(event: &LiveEvent) -> String {
    let (name, data) = named(event);
    let id = event
        .number
        .map_or(String::new(), |number| format!("id: {number}\n"));
    // JSON has no line breaks: it is one line of data.
    format!("{id}event: {name}\ndata: {data}\n\n")
}

fn named(event: &LiveEvent) -> (&'static str, Value) {
    match &event.what {
        What::Message(conversation, message) => (
            "message",
            json!({ "conversation_id": conversation, "message": view::message(message) }),
        ),
        What::Changed(conversation, message) => (
            "changed",
            json!({ "conversation_id": conversation, "message_id": message }),
        ),
        What::Delivery(conversation, message, status) => {
            let delivery = view::delivery(Some(status), "queued");
            (
                "delivery",
                json!({ "conversation_id": conversation, "message_id": message, "delivery": delivery }),
            )
        }
        What::Callback(conversation, message, callback) => (
            "callback",
            json!({ "conversation_id": conversation, "message_id": message, "callback": callback }),
        ),
        What::Deal(deal) => (
            "deal",
            json!({ "conversation_id": deal.conversation, "deal": view::deal(deal) }),
        ),
        What::Read(conversation, by) => (
            "read",
            json!({ "conversation_id": conversation, "unread": 0, "user": { "id": by } }),
        ),
        What::Typing(conversation, who) => (
            "typing",
            json!({ "conversation_id": conversation, "user": { "id": who.user, "name": who.name } }),
        ),
        What::Health(version, health) => {
            let channel = match &event.audience {
                Audience::Channel(channel) => Some(channel),
                Audience::Account(_) => None,
            };
            let state = match health {
                Health::Failing => "failing",
                Health::Recovered => "recovered",
                Health::Disabled => "disabled",
            };
            (
                "channel",
                json!({ "channel_id": channel, "hook_api_version": version.to_string(), "state": state }),
            )
        }
    }
}
