//! Starting, stopping, and the output about it.

mod console;
mod documentation;
mod edge;
mod hosts;
mod log;
mod packed;
mod private;
mod ready_file;
mod reload;
mod start;
mod stop;
