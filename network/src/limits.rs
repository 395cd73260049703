//! Limits that clients share: one table of all pools, and the mechanisms that keep one client from using a pool up.
//!
//! The table names the pools of the service and their sizes; the mechanisms know neither HTTP nor the service, and each socket of
//! the process may use them.

pub mod connections;
pub mod data_directory;
pub mod fair_turns;
pub mod log_interval;
pub mod machine;
pub mod network;
pub mod pools;
pub mod process;
pub mod waits;
