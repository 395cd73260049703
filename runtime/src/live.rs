//! The events of accounts, and the feed that passes them to listeners.

pub mod event;
pub mod feed;
pub mod recent_records;
