//! Messages and callbacks as readers see them.

pub mod callback;
pub mod message;
