//! The runtime of actors. It contains no rules of the product.
//!
//! One actor at a time owns a state. It decides a command and applies the events in memory at once; the events go to
//! the journal. The answer is a [`Pending`](pending::Pending): the caller cannot read it before the events are on
//! disk.

pub mod answer;
pub mod ask;
pub mod clock;
pub mod directory;
pub mod entropy;
pub mod gate;
pub mod joint;
pub mod kernel;
pub(crate) mod live_state;
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
