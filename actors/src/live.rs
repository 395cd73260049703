//! The events of accounts, and the feed that passes them to listeners.

pub(crate) mod event;
pub(crate) mod feed;
pub(crate) mod here;
pub(crate) mod occasions;
pub(crate) mod recent_records;
