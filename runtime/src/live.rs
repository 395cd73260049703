//! The events of accounts, and the feed that passes them to listeners.

pub mod assigning;
pub mod event;
pub mod feed;
pub mod here;
pub mod occasions;
pub mod pushed;
pub mod queue;
pub mod recent_records;
pub mod signs;
