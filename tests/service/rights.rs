//! The leads, contacts and conversations that users see and change, by their rights.

mod change;
mod counts;
mod explain;
pub(crate) mod floor;
mod lists;
mod matrix;
mod subscribers;
mod unsorted;
