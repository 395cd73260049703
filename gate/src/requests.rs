//! The recent requests of programs and their answers, for people who look for the cause of a failure.
//!
//! Kept in memory only, and never more than the settings allow: the newest of each sender, refused ones apart from the
//! others, so that successful traffic does not push out failures. Bodies are cut. Under load only some of the requests are
//! kept, and the number of the others is reported. What is given is kept: `http` masks the secrets first.

pub mod chat;
mod keep_limit;
pub mod kept;
pub mod log;
pub mod sender;
