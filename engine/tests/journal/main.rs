//! The journal through its public surface: many threads that write, and those who wait.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod threads;
mod waiters;
