//! The work of the service in a second, and its cost.
//!
//! The load generator is a client like any other: it starts the service as a child on a directory of its own and speaks
//! HTTP to it over loopback. [`program`] is the command line, [`throughput`] puts everything together; the other modules
//! are what the benchmarks that look at one thing only are made of, too.

pub mod bare;
pub mod client;
mod compared;
pub mod database;
pub mod goals;
pub mod half_load;
pub mod machine;
pub mod options;
pub mod plot;
pub mod program;
pub mod replies;
pub mod report;
pub mod requests;
pub mod server;
pub mod sink;
pub mod statistics;
pub mod throughput;

/// The allocator of the service: the servers that it is compared with have it, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
