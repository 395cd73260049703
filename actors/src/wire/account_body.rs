//! The bodies of users and roles, `/api/v4/users` and `/api/v4/roles`.
//!
//! Interface B, with its tolerances: keys that are not known are ignored at the top and in `rights` (the vendor's library
//! sends some), but not where a misspelt key would take a right away or give one. Everything that is wrong with any item
//! of a batch is told at once.

pub mod batch;
pub mod chats;
pub mod crm;
pub mod rights;
pub mod roles;
pub mod user_ids;
pub mod users;

#[cfg(test)]
mod tests;
