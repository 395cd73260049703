#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod hook_version;
pub mod id;
pub mod list_message;
pub mod markers;
pub mod notifications;
pub mod person;
pub mod scheduled;
pub mod schema;
pub mod several;
pub mod target;
pub mod text;
pub mod time;
pub mod violation;
pub mod webhook;
pub mod words;
