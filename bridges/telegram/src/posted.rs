//! The lessons of an answer to a post: the ids of the service, and that a customer is new.

use std::rc::Rc;

use serde_json::Value;
use switchboard_bridge_core::answer::Answer;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::forms::{part, text};
use switchboard_bridge_core::posts::Post;
use switchboard_bridge_core::state::{Change, Job};

use crate::account::{Act, order};
use crate::memory::{Conversation, started};
use crate::telegram::Telegram;

/// Returns the changes of the commit that ends a post.
pub(crate) fn changes(
    bridge: &Rc<Bridge<Telegram>>,
    job: &Job,
    answer: Option<&Answer>,
) -> Vec<Change> {
    let counters = &bridge.messenger.counters;
    counters.count_post(if answer.is_some() {
        "accepted"
    } else {
        "refused"
    });
    let Ok(post) = serde_json::from_str::<Post>(&job.body) else {
        return Vec::new();
    };
    let chat_ref = answer.and_then(|it| it.text("/new_message/conversation_id"));
    let sender = part(part(&post.body, "payload"), "sender");
    let mut changes = chat_ref.map_or_else(Vec::new, |chat_ref| {
        learn(bridge, &job.lane.name, chat_ref, sender)
    });
    changes.extend(started::posted(bridge, job, post, answer.is_some()));
    changes
}

/// Remembers a conversation at its first message, and orders the update of its contact; also when the chat goes on in another
/// conversation, or the customer has shared another phone number.
fn learn(bridge: &Rc<Bridge<Telegram>>, id: &str, chat_ref: String, sender: &Value) -> Vec<Change> {
    let before = Conversation::find(&bridge.store, id).unwrap_or_default();
    let is_new = before.chat_ref != chat_ref;
    let phone = text(part(sender, "profile"), "phone");
    let has_other_phone = !phone.is_empty() && before.phone != phone;
    if !is_new && !has_other_phone {
        return Vec::new();
    }
    let conversation = Conversation {
        chat_ref,
        name: match before.name.as_str() {
            "" => text(sender, "name").to_owned(),
            name => name.to_owned(),
        },
        phone: if has_other_phone {
            phone
        } else {
            &before.phone
        }
        .to_owned(),
        is_blocked: before.is_blocked,
    };
    let mut changes = vec![conversation.change(id)];
    if !conversation.name.is_empty() {
        changes.push(order(bridge, id, Act::Contact));
    }
    if is_new && conversation.is_blocked {
        changes.push(order(bridge, id, Act::Tag));
    }
    changes
}
