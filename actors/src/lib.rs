#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// In reading order: what an embedder calls, what an embedder supplies, what is decided, how it is kept.

pub mod system;

pub mod config;
pub mod error;
pub mod port;
mod salesbots;

mod caches;
mod dispatcher;
mod hooks;
mod live;
mod owners;
mod shared;
mod typing;
mod undo;
mod viewing;
mod views;

pub use caches::read_cache::{Caller, KnownChannel};
pub use config::{Durability, ReplayWatch, Replayed, SystemConfig, Threads};
pub use port::Ports;
pub use switchboard_domain as domain;
pub use switchboard_erasures as erasures;
pub use switchboard_wire as wire;
pub use system::System;
pub use typing::Typing;
pub use viewing::{VIEWING, Viewer};
