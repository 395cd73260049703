//! Starting, stopping, and what is told about it.

mod console;
mod edge;
mod log;
mod packed;
mod private;
mod start;
mod stop;
