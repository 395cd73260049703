//! Switchboard: a chat-channel service in one binary.

mod archive;
pub mod cli;
pub mod config;
mod config_file;
#[cfg(feature = "dev")]
mod dev_tools;
mod exit_code;
#[cfg(feature = "dev")]
mod mcp;
mod media_layout;
mod observe;
mod ready_file;
pub mod serve;
mod shared_files;
mod shared_log;
mod terminal;
mod uninstall;
mod variables;

/// The guide's example in Rust.
#[cfg(doctest)]
#[doc = include_str!("../docs/integration.md")]
struct IntegrationGuide;
