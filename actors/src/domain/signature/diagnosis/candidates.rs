//! What a signer computes after each known mistake.

pub(super) mod body;
pub(super) mod canonical;
mod date;
pub(super) mod key;
mod path;
