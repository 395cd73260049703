#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// In reading order: what an embedder calls, what an embedder supplies, what is decided, how it is kept.

pub mod system;

pub mod changes;
pub mod config;
pub mod entries;
pub mod error;
pub mod port;
pub mod stream;
pub mod table;

pub mod domain;
pub mod wire;

mod actor;
pub mod runtime;
pub mod store;

#[cfg(feature = "testkit")]
pub mod testkit;

pub use actor::facts::{Caller, KnownChannel};
pub use actor::typing::Typing;
pub use config::{Durability, SystemConfig, Threads};
pub use port::Ports;
pub use system::System;
