//! What answers look like. The only place that knows status codes.

pub(crate) mod chat_error;
pub(crate) mod hal;
pub(crate) mod health;
pub(crate) mod problem;
pub(crate) mod reason;
