//! Switchboard: a chat-channel service in one binary.

mod archive;
pub mod cli;
pub mod config;
mod dev;
mod exit_code;
mod io_runtime;
mod observe;
mod ready_file;
pub mod serve;
mod shared_log;
pub mod testing;
mod uninstall;
mod variables;
pub mod vendor_listeners;
mod worlds_key;

/// The guide's example in Rust.
#[cfg(doctest)]
#[doc = include_str!("../docs/integration.md")]
struct IntegrationGuide;
