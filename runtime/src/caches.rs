//! Caches that requests read without asking an owner.

pub mod bounded;
pub mod endpoint_health;
pub mod operator_cache;
pub mod read_cache;
pub mod recent;
pub mod state_cache;
pub mod unsent;
