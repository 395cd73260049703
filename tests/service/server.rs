//! Starting, stopping, and what is told about it.

mod start;
mod stop;
