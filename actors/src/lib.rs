#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// In reading order: what an embedder calls, what an embedder supplies, what is decided, how it is kept.

pub mod system;

pub mod config;
pub mod error;
pub mod port;

pub mod domain;
pub mod wire;

mod actor;
mod world;

pub use actor::read_cache::{Caller, KnownChannel};
pub use actor::typing::Typing;
pub use config::{Durability, ReplayWatch, Replayed, SystemConfig, Threads};
pub use port::Ports;
pub use system::System;
