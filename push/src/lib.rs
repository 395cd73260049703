#![doc = include_str!("../README.md")]

mod content_encoding;
pub mod message;
pub mod vapid;
