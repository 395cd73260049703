//! Conversations and messages as the inbox shows them: decision 4.

mod schema;

pub(crate) use self::schema::{
    callback_schema, callback_states, check_schema, conversation_schema, deal_schema,
    delivery_schema, found_schema, message_schema,
};
use serde_json::{Map, Value, json};
use switchboard_actors::System;
use switchboard_actors::domain::book::Deal;
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::chat::fetch::{FetchSubject, Found};
use switchboard_actors::domain::chat::message::{Content, PostedMessage};
use switchboard_actors::domain::chat::quote::{Answered, Quote};
use switchboard_actors::domain::conversation::fetch::Fetched;
use switchboard_actors::domain::conversation::{Conversation, Customer, Received, Replied};
use switchboard_actors::domain::id::MessageId;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::system::callbacks::CallbackView;
use switchboard_actors::system::inbox::{Afterwards, ConversationView, MessageView, Trouble};
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
            let title = view.title.as_ref().unwrap_or(&channel.name);
            json!({ "id": channel.id, "name": channel.name, "title": title })
        }),
        "customer": state.customer.as_ref().map(|known| {
            let avatar = view.avatar.as_deref().and_then(|fetched| looked_at(fetched, known.avatar.as_ref()));
            customer(known, avatar)
        }),
        "messages": state.messages,
        "unread": state.unread,
        "active_at": state.active_at.secs(),
        "last_message": view.last_message.as_ref().map(message),
        "deal": view.deal.as_ref().map(deal),
        "no_deal": (view.deal.is_none() && !view.damaged).then(|| why_no_deal(state)),
        "source": state.source,
        "trouble": view.trouble.map(|trouble| match trouble {
            Trouble::Undelivered => "undelivered",
            Trouble::Error => "error",
        }),
        "typing": view.typing.map(|typing| json!({ "id": typing.person, "until": typing.until.secs() })),
        "damaged": view.damaged,
    })
}

/// Why a conversation has no deal: only a customer's message that is not silent opens one.
fn why_no_deal(state: &Conversation) -> &'static str {
    if state.messages == 0 {
        "no_messages"
    } else if state.messages == state.outgoing {
        "only_ours"
    } else {
        "only_silent"
    }
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

fn customer(customer: &Customer, avatar: Option<Value>) -> Value {
    json!({
        "id": customer.person,
        "client_id": customer.client_id,
        "name": customer.name,
        "avatar": customer.avatar,
        "avatar_check": avatar,
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
    check(received, afterwards, &mut message);
    Value::Object(message)
}

/// What was seen of the file that the message names now: nothing yet, or nothing ever when nobody looks.
fn check(received: &Received, afterwards: &Afterwards, message: &mut Map<String, Value>) {
    let media = message.get("media").and_then(Value::as_str);
    let Some(media) = media.and_then(|media| media.parse::<HttpUrl>().ok()) else {
        return;
    };
    let fetched = afterwards.fetched.as_deref();
    let seen = fetched.and_then(|fetched| looked_at(fetched, Some(&media)));
    let listed = match &afterwards.edit {
        Some((edited, _)) if edited.content => edited.media_from.is_some(),
        Some(_) | None => received.media_from.is_some(),
    };
    let otherwise = if listed { "pending" } else { "not_checked" };
    let seen = seen.unwrap_or_else(|| json!({ "state": otherwise }));
    message.insert("media_check".to_owned(), seen);
}

/// What was seen at this address; `None` when it was another one.
fn looked_at(fetched: &Fetched, url: Option<&HttpUrl>) -> Option<Value> {
    let seen = fetched
        .seen
        .as_ref()
        .filter(|seen| Some(&seen.url) == url)?;
    let mut told = found(&seen.found);
    if let Some(told) = told.as_object_mut() {
        told.insert("checked_at".to_owned(), json!(fetched.at.secs()));
        told.insert("attempts".to_owned(), json!(fetched.attempts));
        let again = fetched.again_at.map(|at| at.secs());
        told.insert("next_attempt_at".to_owned(), json!(again));
    }
    Some(told)
}

fn found(found: &Found) -> Value {
    match found {
        Found::Unreachable { reason } => json!({ "state": "unreachable", "reason": reason }),
        Found::Reachable(reached) => json!({
            "state": "reachable",
            "content_type": reached.content_type,
            "bytes": reached.bytes,
            "copy": reached.copy.as_ref().map(|copy| json!({
                "media": copy.media,
                "thumbnail": copy.thumbnail,
                "file_name": copy.name,
            })),
            "not_copied": reached.not_copied,
        }),
    }
}

/// What was seen of a file, as an event tells it: of which message, or else of the customer.
pub(super) fn fetched(fetched: &Fetched) -> (Option<MessageId>, Option<&HttpUrl>, Option<Value>) {
    let url = fetched.seen.as_ref().map(|seen| &seen.url);
    let message = match fetched.place.subject {
        FetchSubject::Message(message) => Some(message),
        FetchSubject::Avatar(_) => None,
    };
    (message, url, looked_at(fetched, url))
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

fn answered(answered: &Answered) -> Value {
    json!({
        "id": answered.id,
        "client_id": answered.msgid,
        "type": answered.kind.as_str(),
        "text": answered.text,
        "media": answered.media,
        "sender": {
            "id": answered.sender,
            "client_id": answered.sender_client_id,
            "name": answered.sender_name,
        },
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
        if let Some(reply_to) = &replied.reply_to {
            message.insert("reply_to".to_owned(), answered(reply_to));
        }
        if let Some(post) = &replied.post {
            message.insert("post".to_owned(), json!({ "id": post }));
        }
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
