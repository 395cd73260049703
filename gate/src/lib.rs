#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod guesses;
pub mod host_guard;
pub mod limits;
pub mod origin;
pub mod request_id;
pub mod requests;
