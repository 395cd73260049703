#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// In reading order: what a product declares, what is decided, how it is kept, who owns it.

pub mod changes;
pub mod collections;
pub mod entries;
pub mod state_after;
pub mod stream;
pub mod table;

pub mod error;
pub mod histogram;
pub mod state;
pub mod time;

pub mod runtime;
pub mod store;
mod sync;

#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
