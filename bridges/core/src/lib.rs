#![doc = include_str!("../README.md")]

mod account;
pub mod answer;
pub mod bridge;
mod callbacks;
mod chat;
pub mod clock;
pub mod contacts;
mod dates;
pub mod forms;
pub mod headers;
pub mod index;
mod installation;
pub mod lanes;
pub mod log;
pub mod messenger;
pub mod pace;
pub mod page;
pub mod posts;
mod server;
pub mod service;
pub mod settings;
pub mod signature;
mod start;
pub mod state;
mod stop;
pub mod store;
mod work;

pub use crate::bridge::Bridge;
pub use crate::index::Waiting;
pub use crate::lanes::Outcome;
pub use crate::messenger::Messenger;
pub use crate::stop::{TaskGuard, stop_signal};

#[cfg(test)]
mod tests;
