#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// In reading order: what an embedder calls, what sends in the background.

pub mod system;

mod dispatcher;
mod hooks;
mod relays;
mod salesbots;
mod stored_queues;

pub use switchboard_domain as domain;
pub use switchboard_erasures as erasures;
pub use switchboard_relay as relay;
pub use switchboard_runtime::caches::read_cache::{Caller, KnownChannel};
pub use switchboard_runtime::config::{Durability, ReplayWatch, Replayed, SystemConfig, Threads};
pub use switchboard_runtime::port::Ports;
pub use switchboard_runtime::shared::relay_book;
pub use switchboard_runtime::typing::Typing;
pub use switchboard_runtime::viewing::{VIEWING, Viewer};
pub use switchboard_runtime::{config, error, port};
pub use switchboard_wire as wire;
pub use system::System;
