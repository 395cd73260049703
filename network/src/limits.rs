//! Limits that clients share: one table of all pools, and the mechanisms that keep one client from using a pool up.
//!
//! Nothing here knows HTTP or the service: each socket of the process may use it.

pub mod connections;
pub mod fair_turns;
pub mod log_interval;
pub mod machine;
pub mod network;
pub mod waits;
