//! Starting, stopping, and what is told about it.

mod console;
mod start;
mod stop;
