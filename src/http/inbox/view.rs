//! Conversations and messages as the inbox shows them: decision 4.

use serde_json::{Map, Value, json};
use switchboard_actors::System;
use switchboard_actors::domain::book::Deal;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::chat::message::Content;
use switchboard_actors::domain::conversation::{Customer, Received, Replied};
use switchboard_actors::system::callbacks::CallbackView;
use switchboard_actors::system::inbox::{ConversationView, MessageView};
use switchboard_actors::wire::chat_body::{self, Rules};

/// A conversation with its customer, its last message and its deal.
pub(crate) fn conversation(system: &System, view: &ConversationView) -> Value {
    let state = &view.state;
    let origin = state.origin.as_ref();
    let channel = origin.and_then(|origin| system.channel(origin.scope.channel()));
    json!({
        "id": state.id,
        "client_id": origin.and_then(|origin| origin.client_id.as_ref()),
        "scope_id": origin.map(|origin| &origin.scope),
        "channel": channel.map(|channel| {
            let channel = &channel.channel;
            json!({ "id": channel.id, "name": channel.name })
        }),
        "customer": state.customer.as_ref().map(customer),
        "messages": state.messages,
        "unread": state.unread,
        "active_at": state.active_at.secs(),
        "last_message": view.last_message.as_ref().map(message),
        "deal": view.deal.as_ref().map(deal),
    })
}

/// A message in either direction.
pub(crate) fn message(view: &MessageView) -> Value {
    match view {
        MessageView::In { received, raw } => incoming(received, raw),
        MessageView::Out {
            replied,
            status,
            callback,
        } => outgoing(replied, status.as_ref(), callback),
    }
}

fn customer(customer: &Customer) -> Value {
    json!({
        "id": customer.person,
        "client_id": customer.client_id,
        "name": customer.name,
        "avatar": customer.avatar,
        "phone": customer.phone,
        "email": customer.email,
        "profile_link": customer.profile_link,
    })
}

pub(super) fn deal(deal: &Deal) -> Value {
    json!({ "id": deal.id, "name": deal.name, "pipeline_id": deal.pipeline, "status_id": deal.stage })
}

fn incoming(received: &Received, raw: &[u8]) -> Value {
    // What was accepted once is understood again; the clock of then is the clock to read it by.
    let parsed = chat_body::send::parse(raw, Rules::V2019, received.at).ok();
    let mut message = Map::new();
    message.insert("id".to_owned(), json!(received.id));
    message.insert("client_id".to_owned(), json!(received.msgid));
    message.insert("direction".to_owned(), json!("in"));
    message.insert("timestamp".to_owned(), json!(received.written_at.secs()));
    message.insert(
        "msec_timestamp".to_owned(),
        json!(received.written_at.get()),
    );
    message.insert("silent".to_owned(), json!(!received.loud));
    if let Some(parsed) = parsed {
        message.insert(
            "sender".to_owned(),
            json!({ "id": received.from, "name": parsed.sender.name.as_str() }),
        );
        content(&parsed.content, &mut message);
    }
    Value::Object(message)
}

fn content(content: &Content, message: &mut Map<String, Value>) {
    message.insert("type".to_owned(), json!(content.kind().as_str()));
    message.insert(
        "text".to_owned(),
        json!(content.text().map_or("", |text| text.as_str())),
    );
    match content {
        Content::Text { .. } => {}
        Content::Picture { file, .. }
        | Content::Video { file, .. }
        | Content::File { file, .. } => {
            message.insert("media".to_owned(), json!(file.media.as_str()));
            message.insert("file_name".to_owned(), json!(file.name.as_str()));
            message.insert("file_size".to_owned(), json!(file.size.bytes()));
        }
        Content::Sticker { media, .. } => {
            message.insert("media".to_owned(), json!(media.as_str()));
        }
        Content::Contact { name, phone, .. } => {
            message.insert(
                "contact".to_owned(),
                json!({ "name": name.as_str(), "phone": phone.as_str() }),
            );
        }
        Content::Location { place, .. } => {
            message.insert(
                "location".to_owned(),
                json!({ "lon": place.longitude(), "lat": place.latitude() }),
            );
        }
    }
}

fn outgoing(replied: &Replied, status: Option<&DeliveryStatus>, callback: &CallbackView) -> Value {
    let mut message = json!({
        "id": replied.id,
        "direction": "out",
        "type": replied.content.kind(),
        "text": replied.content.text(),
        "timestamp": replied.at.secs(),
        "msec_timestamp": replied.at.get(),
        "sender": { "id": replied.by.person, "name": replied.by.name },
        "delivery": delivery(status, callback),
        "callback": callback,
    });
    if let (Some(file), Some(message)) = (replied.content.file(), message.as_object_mut()) {
        message.insert("media".to_owned(), json!(file.media.as_str()));
        message.insert("file_name".to_owned(), json!(file.name.as_str()));
        message.insert("file_size".to_owned(), json!(file.size.bytes()));
        message.insert(
            "thumbnail".to_owned(),
            json!(replied.content.thumbnail().map(|url| url.as_str())),
        );
    }
    message
}

/// What the customer has of the message: what the integration reported, else whether it has the callback.
pub(super) fn delivery(status: Option<&DeliveryStatus>, callback: &CallbackView) -> Value {
    match status {
        None => json!({ "status": if callback.is_delivered() { "sent" } else { "queued" } }),
        Some(DeliveryStatus::Delivered) => json!({ "status": "delivered" }),
        Some(DeliveryStatus::Read) => json!({ "status": "read" }),
        Some(DeliveryStatus::Error(error)) => json!({
            "status": "error",
            "error_code": error.code().number(),
            "error": error.text().map(|text| text.as_str()),
        }),
    }
}
