//! Messages and callbacks as readers see them.

pub(crate) mod callback;
pub(crate) mod message;
