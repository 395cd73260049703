#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod hook_version;
pub mod id;
pub mod notifications;
pub mod schema;
pub mod text;
pub mod time;
pub mod violation;
pub mod webhook;
pub mod words;
