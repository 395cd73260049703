//! Conversations and messages as the inbox shows them: decision 4.

use serde_json::{Map, Value, json};
use switchboard_actors::System;
use switchboard_actors::domain::book::Deal;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::chat::message::{Content, PostedMessage};
use switchboard_actors::domain::chat::quote::Quote;
use switchboard_actors::domain::conversation::{Customer, Received, Replied};
use switchboard_actors::system::callbacks::CallbackView;
use switchboard_actors::system::inbox::{Afterwards, ConversationView, MessageView};
use switchboard_actors::wire::chat_body::stored;

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
        "source": state.source,
        "typing": view.typing.map(|typing| json!({ "id": typing.person, "until": typing.until.secs() })),
    })
}

/// A message in either direction.
pub(crate) fn message(view: &MessageView) -> Value {
    match view {
        MessageView::In {
            received,
            raw,
            afterwards,
        } => posted(received, raw, afterwards),
        MessageView::Out {
            replied,
            afterwards,
            callback,
        } => outgoing(replied, afterwards, callback),
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
    json!({
        "id": deal.id,
        "name": deal.name,
        "pipeline_id": deal.pipeline,
        "status_id": deal.stage,
        "responsible_user_id": deal.responsible,
    })
}

fn posted(received: &Received, raw: &[u8], afterwards: &Afterwards) -> Value {
    let parsed = stored::message(received, raw);
    let imported = received.is_imported();
    let mut message = Map::new();
    message.insert("id".to_owned(), json!(received.id));
    message.insert("client_id".to_owned(), json!(received.msgid));
    let direction = if imported { "out" } else { "in" };
    message.insert("direction".to_owned(), json!(direction));
    message.insert("timestamp".to_owned(), json!(received.written_at.secs()));
    message.insert(
        "msec_timestamp".to_owned(),
        json!(received.written_at.get()),
    );
    message.insert("silent".to_owned(), json!(!received.loud));
    if imported {
        message.insert("imported".to_owned(), json!(true));
        let status = afterwards.status.as_ref();
        message.insert("delivery".to_owned(), delivery(status, "sent"));
    }
    if let Some(parsed) = parsed {
        let name = received.name.as_ref().or(parsed.sender.name.as_ref());
        message.insert(
            "sender".to_owned(),
            json!({ "id": received.from, "name": name }),
        );
        content(&parsed.content, &mut message);
        references(&parsed, &mut message);
    }
    later(afterwards, &mut message);
    Value::Object(message)
}

/// The newest version takes the place of what was said, and signs are listed when there are any.
fn later(afterwards: &Afterwards, message: &mut Map<String, Value>) {
    const OF_THE_CONTENT: [&str; 7] = [
        "media",
        "file_name",
        "file_size",
        "thumbnail",
        "contact",
        "location",
        "sticker_id",
    ];
    if let Some(msgid) = &afterwards.msgid {
        message.insert("client_id".to_owned(), json!(msgid));
    }
    if let Some((edited, raw)) = &afterwards.edit {
        message.insert("edited_at".to_owned(), json!(edited.written_at.secs()));
        if let Some(now) = stored::edited(edited, raw) {
            message.retain(|key, _| !OF_THE_CONTENT.contains(&key.as_str()));
            content(&now, message);
        }
    }
    if !afterwards.reactions.is_empty() {
        let reactions = afterwards.reactions.iter();
        let reactions = reactions.map(|it| json!({ "sender_id": it.by, "emoji": it.emoji }));
        message.insert("reactions".to_owned(), reactions.collect());
    }
}

fn references(parsed: &PostedMessage, message: &mut Map<String, Value>) {
    if let Some(reply_to) = &parsed.reply_to {
        message.insert("reply_to".to_owned(), quote(reply_to));
    }
    if let Some(forwards) = &parsed.forwards {
        let messages = forwards.messages.iter().map(quote);
        message.insert("forwards".to_owned(), messages.collect());
    }
    if let Some(post) = &parsed.post {
        message.insert(
            "post".to_owned(),
            json!({
                "id": post.id,
                "url": post.url,
                "preview_url": post.preview_url,
                "username": post.username,
                "caption": post.caption,
            }),
        );
    }
}

fn quote(quote: &Quote) -> Value {
    json!({
        "id": quote.id,
        "client_id": quote.msgid,
        "type": quote.kind.map(|kind| kind.as_str()),
        "text": quote.text,
        "media": quote.media,
        "sender": quote.sender.as_ref().map(|sender| json!({
            "id": sender.ref_id,
            "client_id": sender.id,
            "name": sender.name,
        })),
    })
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
        Content::Voice { media, .. } | Content::Audio { media, .. } => {
            message.insert("media".to_owned(), json!(media.as_str()));
        }
        Content::Sticker { sticker, .. } => {
            if let Some(media) = &sticker.media {
                message.insert("media".to_owned(), json!(media.as_str()));
            }
            if let Some(id) = &sticker.id {
                message.insert("sticker_id".to_owned(), json!(id.as_str()));
            }
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

fn outgoing(replied: &Replied, afterwards: &Afterwards, callback: &CallbackView) -> Value {
    let before = if callback.is_delivered() {
        "sent"
    } else {
        "queued"
    };
    let mut message = json!({
        "id": replied.id,
        "direction": "out",
        "type": replied.content.kind(),
        "text": replied.content.text(),
        "timestamp": replied.at.secs(),
        "msec_timestamp": replied.at.get(),
        "sender": { "id": replied.by.person, "name": replied.by.name },
        "delivery": delivery(afterwards.status.as_ref(), before),
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
    if let Some(message) = message.as_object_mut() {
        later(afterwards, message);
    }
    message
}

/// What the customer has of the message: what the integration reported, else whether it has the callback.
pub(super) fn delivery(status: Option<&DeliveryStatus>, before: &str) -> Value {
    match status {
        None => json!({ "status": before }),
        Some(DeliveryStatus::Delivered) => json!({ "status": "delivered" }),
        Some(DeliveryStatus::Read) => json!({ "status": "read" }),
        Some(DeliveryStatus::Error(error)) => json!({
            "status": "error",
            "error_code": error.code().number(),
            "error": error.text().map(|text| text.as_str()),
        }),
    }
}
