//! The actor system of Switchboard, without HTTP.
pub mod config;
pub mod domain;
pub mod error;
pub mod port;
pub mod runtime;
pub mod store;
pub mod system;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod wire;

mod actor;

pub use actor::facts::Caller;
pub use config::{Durability, SystemConfig, Threads};
pub use port::Ports;
pub use system::System;
