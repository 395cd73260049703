#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod acceptor;
pub mod bare_error;
mod head_deadline;
pub mod held;
pub mod intake;
pub mod kept;
pub mod server;
pub mod socket;
mod workers;

pub use head_deadline::KEEP_ALIVE;
