#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod id;
pub mod schema;
pub mod text;
pub mod time;
pub mod violation;
pub mod words;
