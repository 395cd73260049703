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

/// The addresses of the account side, each with its methods, for tests that must leave none of them out.
#[cfg(any(test, feature = "testing"))]
pub const ACCOUNT_ADDRESSES: &[(&str, &[&str])] = http::ACCOUNT_ADDRESSES;
