//! The recent requests of integrations and their answers, for people who look for the cause of a failure.
//!
//! Kept in memory only, and never more than the settings allow: the newest of each channel, refused ones apart from the
//! others, so that successful traffic does not push out failures. Bodies are cut; values of headers that carry a secret
//! are not kept. Under load only some of the requests are kept, and the number of the others is reported.

mod keep_limit;
pub mod kept;
pub mod log;
