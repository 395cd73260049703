#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod account_body;
pub mod body;
pub mod callback;
pub mod chat_body;
pub mod inbox_body;
pub mod json;
pub mod operator_body;
pub mod schema;
pub mod webhook_form;

pub use switchboard_domain as domain;
