//! What the service does in a second, and what that costs: `switchboard bench` and the benchmarks of the project.
//!
//! The load generator is a client like any other: it starts this program as a child on a directory of its own and speaks
//! HTTP to it over loopback. [`throughput`] puts everything together; the other modules are what the benchmarks that look
//! at one thing only are made of, too.

pub mod bare;
pub mod client;
pub mod half_load;
pub mod machine;
pub mod options;
pub mod plot;
pub mod promises;
pub mod replies;
pub mod report;
pub mod requests;
pub mod server;
pub mod sink;
pub mod statistics;
pub mod throughput;
