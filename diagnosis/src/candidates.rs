//! The candidates: the result of a signer with each known mistake.

pub(super) mod body;
pub(super) mod canonical;
mod date;
mod encoded;
pub(super) mod key;
mod path;
mod search;
mod wrapped;
