//! Starting, stopping, and what is told about it.

mod compared;
mod console;
mod edge;
mod log;
mod private;
mod start;
mod stop;
