//! Switchboard: a chat-channel service in one binary.

pub mod outbound;
