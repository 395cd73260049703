//! Switchboard: a chat-channel service in one binary.
pub mod cli;
pub mod config;
