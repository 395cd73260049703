//! The account side: users, roles, and what they are allowed.

pub mod rights;
pub mod users;
