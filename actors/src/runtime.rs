//! The actor shell: written once, deciding nothing.
//!
//! A state is owned by one actor at a time. A command is decided on and applied at once in memory; its events go to
//! the journal; the answer is a `Pending`, which nobody can read before the events are on disk.

pub(crate) mod answer;
pub(crate) mod apart;
pub(crate) mod ask;
pub mod clock;
pub(crate) mod directory;
pub mod entropy;
pub(crate) mod env;
pub(crate) mod escort;
pub(crate) mod gate;
pub(crate) mod owner;
pub(crate) mod passwords;
pub(crate) mod pending;
pub(crate) mod shards;
pub(crate) mod shell;

#[cfg(test)]
mod tests;
