//! The actor system of Switchboard, without HTTP.
pub mod domain;
pub mod store;
pub mod wire;
