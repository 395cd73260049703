//! Conversations that an account user has started with the phone number of a customer.
//!
//! Telegram gives a bot no person for a number, so the numbers are remembered that customers share of themselves. The service
//! has ids for such a conversation and its customer, and ours are bound to them with the next post of the chat.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::forms::{content, part, set, text};
use switchboard_bridge_core::posts::Post;
use switchboard_bridge_core::state::{Change, Job, Kind, Lane};
use switchboard_bridge_core::store::Store;
use switchboard_telegram::inbound::Posts;

use crate::telegram::Telegram;

/// The chats of customers who have shared their number, by its digits.
const PHONES: &str = "phones";
/// The chats of conversations, by the id that the service has given the conversation.
const STARTED: &str = "started";
/// The ids of the service that the next post of a chat binds.
const BINDINGS: &str = "bindings";
/// The digits of a number with its country.
const DIGITS: std::ops::RangeInclusive<usize> = 6..=20;

/// The ids of the service to which those of a chat are bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Binding {
    conversation: String,
    customer: String,
}

impl Binding {
    fn find(store: &Store, chat: i64) -> Option<Self> {
        serde_json::from_str(&store.get(BINDINGS, &chat.to_string())?).ok()
    }

    /// Adds the ids to the payload of a message.
    fn add_to(&self, payload: &mut Value) {
        set(payload, "conversation_ref_id", self.conversation.as_str());
        if let (Some(sender), false) = (payload.get_mut("sender"), self.customer.is_empty()) {
            set(sender, "ref_id", self.customer.as_str());
        }
    }
}

/// The digits of a number; `None` when there are too few or too many of them.
fn digits(phone: &str) -> Option<String> {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    DIGITS.contains(&digits.len()).then_some(digits)
}

/// The chat of the customer who has shared this number.
pub(crate) fn chat_with_phone(store: &Store, phone: &str) -> Option<i64> {
    store.get(PHONES, &digits(phone)?)?.parse().ok()
}

/// The chat of a conversation, by the id that the service has given it.
pub(crate) fn chat(store: &Store, conversation: &str) -> Option<i64> {
    store.get(STARTED, conversation)?.parse().ok()
}

/// The change after which a conversation of the service goes on in a chat.
pub(crate) fn change(conversation: &str, chat: i64) -> Change {
    Change::put(STARTED, conversation, chat.to_string())
}

/// Remembers the chat of a conversation that an account user starts with this message, if its customer has shared the number.
pub(crate) async fn join(bridge: &Rc<Bridge<Telegram>>, event: &Value) {
    let message = part(event, "message");
    let (conversation, receiver) = (part(message, "conversation"), part(message, "receiver"));
    let id = text(conversation, "id");
    let is_started = !id.is_empty()
        && text(conversation, "client_id").is_empty()
        && content(event).is_object()
        && chat(&bridge.store, id).is_none();
    if !is_started {
        return;
    }
    if let Some(chat) = chat_with_phone(&bridge.store, text(receiver, "phone")) {
        let binding = Binding {
            conversation: id.to_owned(),
            customer: text(receiver, "id").to_owned(),
        };
        // Texts are JSON.
        let value = serde_json::to_string(&binding).unwrap_or_default();
        let bind = Change::put(BINDINGS, chat.to_string(), value);
        bridge.commit(vec![change(id, chat), bind]).await;
    }
}

/// Returns the changes that remember the number which a customer shares in these posts. A chat of two has the id of its customer.
pub(crate) fn shared(posts: &Posts) -> Vec<Change> {
    let phones = posts.posts.iter().filter_map(|post| {
        let sender = part(part(&post.body, "payload"), "sender");
        digits(text(part(sender, "profile"), "phone"))
    });
    let is_private = posts.chat > 0;
    phones
        .filter(|_| is_private)
        .map(|phone| Change::put(PHONES, phone, posts.chat.to_string()))
        .collect()
}

/// Adds to the messages of a chat the ids to which those of the chat are bound.
pub(crate) fn bind(store: &Store, posts: &mut Posts) {
    let Some(binding) = Binding::find(store, posts.chat) else {
        return;
    };
    for post in &mut posts.posts {
        let is_message = text(&post.body, "event_type") == "new_message";
        if let (true, Some(payload)) = (is_message, post.body.get_mut("payload")) {
            binding.add_to(payload);
        }
    }
}

/// Returns the changes after the end of a post: its binding is done. When the service refuses the post, it may be for the ids,
/// which an erasure has removed: the message is posted again without them.
pub(crate) fn posted(
    bridge: &Rc<Bridge<Telegram>>,
    job: &Job,
    post: Post,
    is_accepted: bool,
) -> Vec<Change> {
    let id = text(part(&post.body, "payload"), "conversation_ref_id").to_owned();
    if id.is_empty() {
        return Vec::new();
    }
    let mut changes = Vec::new();
    if let Some(chat) = bridge.messenger.ids.chat(&job.lane.name)
        && Binding::find(&bridge.store, chat).is_some_and(|it| it.conversation == id)
    {
        changes.push(Change::delete(BINDINGS, chat.to_string()));
    }
    if !is_accepted {
        let lane = Lane::new(Kind::Post, job.lane.name.clone());
        let text = without_ids(post).to_text();
        changes.push(Change::Begin(bridge.store.job(lane, job.rank, text)));
    }
    changes
}

fn without_ids(mut post: Post) -> Post {
    if let Some(payload) = post.body.get_mut("payload").and_then(Value::as_object_mut) {
        payload.remove("conversation_ref_id");
        let sender = payload.get_mut("sender").and_then(Value::as_object_mut);
        sender.map(|it| it.remove("ref_id"));
    }
    post
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_is_its_digits() {
        assert_eq!(digits("+49 (30) 123-45"), Some("493012345".to_owned()));
        for phone in ["", "+", "12345", "abc", &"1".repeat(21)] {
            assert_eq!(digits(phone), None, "{phone}");
        }
    }

    #[test]
    fn a_post_without_ids_is_as_before() {
        let body = json!({ "payload": { "sender": { "id": "a" }, "msgid": "m" } });
        let mut bound = Post::message(body.clone());
        let binding = Binding {
            conversation: "c".to_owned(),
            customer: "p".to_owned(),
        };
        binding.add_to(&mut bound.body["payload"]);
        assert_eq!(bound.body["payload"]["conversation_ref_id"], "c");
        assert_eq!(bound.body["payload"]["sender"]["ref_id"], "p");
        assert_eq!(without_ids(bound).body, body);
    }
}
