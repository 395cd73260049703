//! Caches that requests read without asking an owner.

pub(crate) mod bounded;
pub(crate) mod endpoint_health;
pub(crate) mod read_cache;
pub(crate) mod recent;
pub(crate) mod state_cache;
pub(crate) mod unsent;
