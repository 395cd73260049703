//! The recent requests of programs and their answers, for people who look for the cause of a failure: those of the chat
//! interface, of the account interface and of OAuth. Requests of the console are not recorded.
//!
//! Kept in memory only, and never more than the settings allow: the newest of each sender, refused ones apart from the
//! others, so that successful traffic does not push out failures. Bodies are cut, and no secret is kept: neither the values
//! of headers that carry one, nor of fields that are declared as secrets or look so. Under load only some of the requests
//! are kept, and the number of the others is reported.

mod keep_limit;
pub mod kept;
pub mod log;
mod mask;
pub(crate) mod observed;
pub(crate) mod operations;
pub(crate) mod record;
pub mod sender;
