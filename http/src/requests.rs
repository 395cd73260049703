//! Records the requests of programs: those of the chat interface, of the account interface and of OAuth. Requests of the
//! console are not recorded.
//!
//! No secret is kept: neither the values of headers that carry one, nor of fields that are declared as secrets or look so.

mod mask;
pub(crate) mod observed;
pub(crate) mod operations;
pub(crate) mod record;
