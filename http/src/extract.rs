//! The caller of a request and their credentials: a handler that takes one of these types cannot run without it.

pub mod access;
pub mod bearer;
pub mod body;
pub mod caller;
pub(crate) mod cookie;
pub(crate) mod incoming;
pub(crate) mod numbered;
pub mod operator;
pub mod origin;
pub mod query;
pub mod signed;
