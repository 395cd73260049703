//! The account side: users.

pub mod users;
