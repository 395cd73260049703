#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// In reading order: what a log is made of, where it lies, who writes it before the answer, and who follows behind it.

mod chain;
pub mod entry;
pub mod log_end;
pub mod position;
mod position_file;

mod io_runtime;
pub mod store;

pub mod node;
pub mod shared_log;

pub mod archive;
pub mod files;
