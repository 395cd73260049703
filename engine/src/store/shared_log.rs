//! A log that outlives this machine: one node owns it and appends each batch before anything is answered, others follow.
//!
//! ```text
//! owner      submit ─► committer ─► Owner::append ─► SharedLog            answered once the log has it
//!                                        └────────► local journal ─► readers, waiters, index
//! follower   SharedLog::read ─► chain checked ─► local journal
//! ```
//!
//! The log is a sequence of entries at places that are numbered from 1 without gaps. Each entry names the one before it by
//! its hash, so a hole, a fork or a changed entry shows, whatever the engine behind the log says.
//!
//! **A log begins by an order**, see [`begin()`]: it is never taken for new because it is empty.
//!
//! **Ownership is a place.** A node becomes the owner by appending a claim. An owner answers only for entries that it
//! stored itself, and one place has one entry, so an owner that was deposed finds the claim at its next place. No clock is in
//! this argument. Reads have no place in the log; they are bounded by a [lease].

mod adopt;
mod begin;
mod claim;
pub mod entry;
mod follow_error;
mod follower;
pub mod lease;
mod lookup;
mod meter;
mod owner;
pub(in crate::store) mod position;
mod report;
mod settle;
mod standby;
mod summary;

pub use begin::{BeginError, Beginning, begin, beginning};
pub use claim::{ClaimError, Claimed, claim};
pub use follow_error::FollowError;
pub use follower::{End, Follower};
pub use meter::OwnerMeter;
pub use owner::{Owner, OwnerError};
pub use position::{followed, forget};
pub use report::NodeReport;
pub use settle::Waiting;
pub use standby::{Standby, StandbyConfig};
pub use summary::{Newest, Summary, newest, summary};

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// Where an entry is in the log: from 1, without gaps. 0 is before the first one.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Place(pub u64);

impl Place {
    /// The place behind it.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who claims a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimant {
    /// The name of the node, for people.
    pub node: String,
    /// Where others reach it.
    pub url: String,
    /// A random word: two processes of one node are two claimants.
    pub process: String,
}

impl fmt::Display for Claimant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {} ({})", self.node, self.url)
    }
}

/// A log that outlives this machine. Its calls block; they are made on the threads of the committer and of the follower.
pub trait SharedLog: Send {
    /// Stores an entry at the place behind `after`, if none is there. Returns when it survives everything that the log
    /// survives.
    ///
    /// # Errors
    /// Whether another entry is there, the log has refused, or the outcome is unknown.
    fn append(&mut self, after: Place, entry: &[u8]) -> Result<(), NotAppended>;

    /// Entries behind `after`, in order, as many as fit one answer; waits up to `patience` for the first. Empty: there is
    /// none. Where the log was trimmed, only orders and claims are there.
    ///
    /// # Errors
    /// When the log cannot be read now.
    fn read(&mut self, after: Place, patience: Duration) -> Result<Vec<Stored>, LogError>;

    /// The oldest entry from which on all are there, and the newest; `None`: the log is empty.
    ///
    /// # Errors
    /// When the log cannot be read now.
    fn extent(&mut self) -> Result<Option<Extent>, LogError>;

    /// The first and the newest of the entries from this place on; `None`: there is none. It costs little, however many entries are before
    /// that place.
    ///
    /// # Errors
    /// When the log cannot be read now.
    fn span(&mut self, from: Place) -> Result<Option<Span>, LogError>;

    /// Leaves the word of a node about itself, in place of an earlier one. A log may keep none.
    ///
    /// # Errors
    /// When the log cannot be changed now.
    fn report(&mut self, _report: &NodeReport) -> Result<(), LogError> {
        Ok(())
    }

    /// The newest word of each node.
    ///
    /// # Errors
    /// When the log cannot be read now.
    fn reports(&mut self) -> Result<Vec<NodeReport>, LogError> {
        Ok(Vec::new())
    }

    /// Removes entries up to this place that nothing needs any more. The newest entry, orders and claims stay: a place that is free again could be taken
    /// by an owner that was deposed there.
    ///
    /// # Errors
    /// When the log cannot be changed now; a part may be removed.
    fn trim(&mut self, upto: Place) -> Result<(), LogError>;

    /// How many bytes an entry has at most.
    fn entry_bytes_max(&self) -> usize;
}

/// An entry as the log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its place.
    pub place: Place,
    /// Its bytes.
    pub bytes: Bytes,
}

/// From where to where a log has entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The oldest entry behind which none is missing.
    pub oldest: Place,
    /// The newest entry.
    pub newest: Place,
}

/// The entries from a place on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first of them.
    pub first: Place,
    /// The newest entry.
    pub newest: Place,
}

/// Why an entry may not be in the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAppended {
    /// There is an entry at that place; it may be this one, from an earlier attempt.
    #[error("there is an entry at that place")]
    Taken,
    /// It is not stored and will not be: it is too large, or a quota is used up.
    #[error("the log refuses the entry: {0}")]
    Refused(String),
    /// It may be stored by now, later, or never.
    #[error("whether the log has the entry is unknown: {0}")]
    Unknown(String),
}

/// The log cannot be read now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log cannot be read: {0}")]
pub struct LogError(pub String);
