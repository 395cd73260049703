//! What users see and do of deals, contacts and conversations, by their rights.

mod change;
mod counts;
mod explain;
pub(crate) mod floor;
mod lists;
mod matrix;
mod subscribers;
mod unsorted;
