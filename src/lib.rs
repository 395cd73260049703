//! Switchboard: a chat-channel service in one binary.

pub mod outbound;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
