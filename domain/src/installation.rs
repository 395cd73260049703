//! The channels and accounts that the operator declares. A name in the configuration exists after start-up; its
//! omission removes nothing.

pub mod accounts;
pub mod channels;
