//! The border to the wire: bodies that come in become typed values or a list of what is wrong with them, and
//! what goes out becomes exact bytes.

pub mod account_body;
pub mod body;
pub mod callback;
pub mod chat_body;
pub mod json;
pub mod schema;
pub mod webhook_form;
