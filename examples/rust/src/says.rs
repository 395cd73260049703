//! The way of a customer's message to the service.

use std::rc::Rc;

use anyhow::{Context as _, Result};
use rand::TryRng as _;
use rand::rngs::SysRng;
use serde_json::json;
use switchboard_bridge_core::answer::Answer;
use switchboard_bridge_core::forms::set;
use switchboard_bridge_core::posts::Post;
use switchboard_bridge_core::state::{Change, Job, Kind, Lane};

use crate::chats::Chat;
use crate::outside::Bridge;

/// Stores a message of a customer, its id and its exact body, before the first attempt to post it.
///
/// # Errors
/// When the system has no randomness for its id.
pub(crate) async fn say(bridge: &Rc<Bridge>, customer: &str, text: &str) -> Result<()> {
    let mut bytes = [0; 16];
    let random = SysRng.try_fill_bytes(&mut bytes);
    random.context("no id for a message of a customer")?;
    let msgid = uuid::Builder::from_random_bytes(bytes).into_uuid();
    let chat = Chat::find_or_new(&bridge.store, customer);
    let now = bridge.service.clock.now();
    let mut sender = json!({ "id": chat.customer, "name": chat.name });
    if !chat.phone.is_empty() {
        set(&mut sender, "profile", json!({ "phone": chat.phone }));
    }
    if chat.is_from_service {
        // It binds our ids to those of a conversation that an account user has started.
        set(&mut sender, "ref_id", chat.customer_ref.as_str());
    }
    let mut payload = json!({
        "timestamp": now / 1_000, "msec_timestamp": now, "msgid": msgid.to_string(), "sender": sender,
        "conversation_id": chat.conversation, "message": { "type": "text", "text": text },
    });
    if chat.is_from_service {
        set(&mut payload, "conversation_ref_id", chat.chat_ref.as_str());
    }
    let post = Post::message(json!({ "event_type": "new_message", "payload": payload }));
    let lane = Lane::new(Kind::Post, &chat.conversation);
    let job = bridge.store.job(lane, 0, post.to_text());
    let mut changes = chat.changes();
    changes.push(Change::Begin(job));
    bridge.commit(changes).await;
    Ok(())
}

/// Keeps the service's id of a conversation, and orders the update of its contact, once.
pub(crate) fn posted(bridge: &Rc<Bridge>, job: &Job, answer: Option<&Answer>) -> Vec<Change> {
    let chat_ref = answer.and_then(|it| it.text("/new_message/conversation_id"));
    let chat = Chat::find(&bridge.store, &job.lane.name).filter(|chat| !chat.has_contact);
    let (Some(chat_ref), Some(chat)) = (chat_ref, chat) else {
        return Vec::new();
    };
    let lane = Lane::new(Kind::Contact, &chat.conversation);
    let chat = Chat {
        chat_ref,
        has_contact: true,
        ..chat
    };
    let mut changes = chat.changes();
    changes.push(Change::Begin(bridge.store.job(lane, 0, String::new())));
    changes
}
