//! The service inside of a test: its HTTP interface [in memory](http_world), and all of it on a port.
//!
//! `switchboard dev` offers worlds, so every build has the HTTP interface of a world.

pub mod http_world;
#[cfg(any(test, feature = "testing"))]
pub mod service;
