//! Chats of business accounts: a bot reads and writes in them in the name of the account.
//!
//! Such a chat has the id of its customer, as the customer's own chat with the bot has, and messages with numbers of their own. So
//! the bridge gives it an id that no chat of Telegram has.

use serde::Deserialize as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::api::types::Message;

/// The largest id of a business chat. Telegram's have 52 bits.
const LARGEST: i64 = -(1 << 61);
/// The bits of an id that differ between chats.
const BITS: u32 = 60;
/// The longest id of a connection, in bytes.
const CONNECTION_MAX: usize = 256;

/// A chat of a business account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusinessChat {
    /// The id that it has for the bridge.
    pub id: i64,
    /// The connection of the account with the bot, which each call for the chat names.
    pub connection: String,
    /// The id that it has at Telegram.
    pub chat: i64,
}

/// Returns whether an id is that of a business chat.
#[must_use]
pub fn is_business(chat: i64) -> bool {
    chat <= LARGEST
}

/// The business chat that an update comes from.
#[must_use]
pub fn business_chat(update: &Value) -> Option<BusinessChat> {
    let mut kinds = ["business_message", "edited_business_message"].into_iter();
    let raw = kinds.find_map(|kind| update.get(kind).filter(|it| it.is_object()))?;
    from_message(&Message::deserialize(raw).ok()?)
}

fn from_message(message: &Message) -> Option<BusinessChat> {
    let connection = message.business_connection_id.as_str();
    let chat = message.chat.as_ref()?.id;
    if !(1..=CONNECTION_MAX).contains(&connection.len()) {
        return None;
    }
    let digest = Sha256::digest(format!("{connection} {chat}"));
    let bits = digest
        .iter()
        .take(8)
        .fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
    let number = i64::try_from(bits >> (u64::BITS - BITS)).unwrap_or_default();
    Some(BusinessChat {
        id: LARGEST - number,
        connection: connection.to_owned(),
        chat,
    })
}

/// The id that the chat of a message has for the bridge.
pub(super) fn chat_id(message: &Message) -> Option<i64> {
    match from_message(message) {
        Some(chat) => Some(chat.id),
        None => message.chat.as_ref().map(|it| it.id),
    }
}

/// Returns whether the customer wrote a message of a business chat, and not the account itself.
pub(super) fn is_of_customer(message: &Message) -> bool {
    let chat = message.chat.as_ref().map(|it| it.id);
    message.from.as_ref().map(|it| it.id) == chat
}
