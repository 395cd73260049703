//! An entry of a log: groups of the journal, or a word of the process that writes them.
//!
//! A header says what it is. The header has the hash of the body, and the next entry names the hash of the header. So a hole, a
//! fork or a changed byte shows, whatever the store says, and an erasure can replace a body without breaking the chain.

mod claim;
mod codec;
mod header;
mod id;

pub use self::claim::{Claim, Claimant};
pub use self::codec::{Entry, EntryError, Replaced};
pub use self::header::{Content, EntryHeader};
pub(crate) use self::id::hash;
pub use self::id::{EntryId, Secret};

#[cfg(test)]
pub(crate) mod tests;
