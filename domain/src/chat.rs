//! The content of chats: messages, the people who write them, and the state of their delivery.

pub mod delivery;
pub mod edit;
pub mod fetch;
pub mod fetch_code;
pub mod message;
pub mod outgoing;
pub mod press;
pub mod quote;
pub mod reaction;
