//! The account side: users, roles, and what they are allowed.

pub mod emails;
pub mod group;
pub mod pages;
pub mod password;
pub mod rights;
pub mod role;
pub mod roles;
mod told;
pub mod user;
pub mod users;
