//! The account side: users, roles, and what they are allowed.

mod audit;
pub mod credentials;
pub mod emails;
pub mod group;
pub mod holder;
pub mod pages;
pub mod password;
pub mod presence;
pub mod rights;
pub mod role;
pub mod roles;
pub mod throttle;
pub mod user;
pub mod users;
