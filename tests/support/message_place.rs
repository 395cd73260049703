//! The place of a message: the ids that its address is made of.

use serde_json::Value;

/// The ids of a conversation and of one of its messages.
#[derive(Clone, Debug)]
pub struct MessagePlace {
    pub conversation: String,
    pub message: String,
}

impl MessagePlace {
    /// Reads the ids from the `new_message` of an answer.
    pub fn from_new_message(new_message: &Value) -> Self {
        let text = |key: &str| new_message[key].as_str().unwrap().to_owned();
        Self {
            conversation: text("conversation_id"),
            message: text("msgid"),
        }
    }
}
