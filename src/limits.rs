//! Limits that clients share: one table of all pools, and the mechanisms that keep one client from using a pool up.
//!
//! Nothing here knows HTTP or the service: each socket of the process may use it.

pub(crate) mod connections;
pub(crate) mod fair_turns;
pub(crate) mod log_interval;
pub(crate) mod machine;
pub(crate) mod network;
pub(crate) mod pools;
pub(crate) mod waits;
