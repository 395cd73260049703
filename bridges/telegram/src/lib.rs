#![doc = include_str!("../README.md")]

pub mod api;
pub mod ids;
pub mod inbound;
pub mod outbound;
mod words;
