//! Nodes over one shared log: what is promised of them whatever happens to the log, to the nodes and to their machines.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and tells how to repeat it"
)]

mod erasure;
mod histories;
mod memory_log;
mod node;
mod product;
mod standby;
