//! Switchboard: a chat-channel service in one binary.

mod callback;
pub mod cli;
pub mod config;
mod http;
mod media;
mod observe;
pub mod outbound;
pub mod serve;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
