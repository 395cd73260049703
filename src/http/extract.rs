//! Who is asking, and what with: a handler that takes one of these types cannot run without it.

pub(crate) mod access;
pub(crate) mod bearer;
pub(crate) mod body;
pub(crate) mod caller;
pub(crate) mod cookie;
pub(crate) mod incoming;
pub(crate) mod numbered;
pub(crate) mod operator;
pub(crate) mod origin;
pub(crate) mod query;
pub(crate) mod signed;
