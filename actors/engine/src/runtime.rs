//! The actor shell: written once, deciding nothing.
//!
//! A state is owned by one actor at a time. A command is decided on and applied at once in memory; its events go to
//! the journal; the answer is a [`Pending`](pending::Pending), which nobody can read before the events are on disk.

pub mod answer;
pub mod ask;
pub mod clock;
pub mod directory;
pub mod entropy;
pub mod gate;
pub mod joint;
pub mod kernel;
pub mod open;
pub mod owner;
pub mod pending;
mod records;
pub mod shards;
pub mod shell;
pub mod striped;
pub mod threads;
mod unindexed;
pub mod writer;
