//! Conversations with customers.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use switchboard_bridge_core::forms::{part, text};
use switchboard_bridge_core::state::Change;
use switchboard_bridge_core::store::Store;

/// The chats by our ids of their conversations, as JSON.
const CHATS: &str = "chats";
/// Our ids of the conversations by those of the service.
const REFS: &str = "chat_refs";

/// A conversation with a customer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Chat {
    /// Our id of it.
    pub(crate) conversation: String,
    pub(crate) customer: String,
    pub(crate) name: String,
    pub(crate) phone: String,
    /// The ids that the service has given it and the customer.
    pub(crate) chat_ref: String,
    pub(crate) customer_ref: String,
    /// True when an account user has started it.
    pub(crate) is_from_service: bool,
    /// True once its contact is to be updated, or was.
    pub(crate) has_contact: bool,
}

impl Chat {
    /// The chat with our id of its conversation.
    pub(crate) fn find(store: &Store, conversation: &str) -> Option<Self> {
        serde_json::from_str(&store.get(CHATS, conversation)?).ok()
    }

    fn find_by_ref(store: &Store, chat_ref: &str) -> Option<Self> {
        Self::find(store, &store.get(REFS, chat_ref)?)
    }

    /// The chat of a message to a customer, by either id.
    pub(crate) fn find_for(store: &Store, event: &Value) -> Option<Self> {
        let chat = part(part(event, "message"), "conversation");
        let (ours, chat_ref) = (text(chat, "client_id"), text(chat, "id"));
        Self::find(store, ours).or_else(|| Self::find_by_ref(store, chat_ref))
    }

    /// A new chat outside, for a conversation that an account user has started.
    pub(crate) fn from_event(event: &Value) -> Self {
        let message = part(event, "message");
        let (person, chat) = (part(message, "receiver"), part(message, "conversation"));
        let (ours, chat_ref) = (text(chat, "client_id"), text(chat, "id"));
        let (id, phone) = (text(person, "id"), text(person, "phone"));
        Self {
            conversation: first([ours, &format!("chat-{chat_ref}")]),
            customer: first([
                text(person, "client_id"),
                &format!("customer-{}", first([id, chat_ref])),
            ]),
            name: first([text(person, "name"), phone, "Customer"]),
            phone: phone.to_owned(),
            chat_ref: chat_ref.to_owned(),
            customer_ref: id.to_owned(),
            is_from_service: ours.is_empty(),
            has_contact: false,
        }
    }

    /// The chat of a customer, by the id of the conversation, by theirs, or by what a person calls them.
    pub(crate) fn find_or_new(store: &Store, name: &str) -> Self {
        let rows = store.list(CHATS).into_iter();
        let chats: Vec<Self> = rows
            .filter_map(|(_, text)| serde_json::from_str(&text).ok())
            .collect();
        let by = |is_match: fn(&Self, &str) -> bool| {
            let mut chats = chats.iter();
            chats.find(|chat| is_match(chat, name)).cloned()
        };
        by(|chat, name| chat.conversation == name)
            .or_else(|| by(|chat, name| chat.customer == name))
            .or_else(|| by(|chat, name| chat.phone == name || chat.name == name))
            .unwrap_or_else(|| Self {
                conversation: format!("chat-{name}"),
                customer: name.to_owned(),
                name: name.to_owned(),
                ..Self::default()
            })
    }

    /// The changes that remember it.
    pub(crate) fn changes(&self) -> Vec<Change> {
        // It is made of texts and flags, which are JSON.
        let text = serde_json::to_string(self).unwrap_or_default();
        let mut changes = vec![Change::put(CHATS, &self.conversation, text)];
        if !self.chat_ref.is_empty() {
            changes.push(Change::put(REFS, &self.chat_ref, &self.conversation));
        }
        changes
    }
}

/// The first of the texts that is not empty.
pub(crate) fn first<const N: usize>(texts: [&str; N]) -> String {
    let mut texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.next().unwrap_or_default().to_owned()
}
