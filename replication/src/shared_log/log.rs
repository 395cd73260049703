//! The duties of a store of a shared log: append, read, find the end, trim.

use std::time::Duration;

use bytes::Bytes;

use super::report::NodeReport;
use crate::position::Position;

/// A log that outlives this machine. Its calls block; they are made on the threads of the committer and of the follower.
pub trait SharedLog: Send {
    /// Stores an entry at the position behind `after`, if none is there. Returns when it survives everything that the log
    /// survives.
    ///
    /// # Errors
    /// Whether another entry is there, the log has refused, or the outcome is unknown.
    fn append(&mut self, after: Position, entry: &[u8]) -> Result<(), AppendError>;

    /// Returns the entries behind `after` in their order, up to the size of one answer. It waits for the first one, up to `patience`;
    /// then it returns none. Where the log was trimmed, only orders and claims are there.
    ///
    /// # Errors
    /// When the log cannot be read now.
    fn read(&mut self, after: Position, patience: Duration) -> Result<Vec<Stored>, LogError>;

    /// The oldest entry from which on all are there, and the newest; `None`: the log is empty.
    ///
    /// # Errors
    /// When the log cannot be read now.
    fn range(&mut self) -> Result<Option<LogRange>, LogError>;

    /// The first and the newest of the entries from this position on; `None`: there is none. It costs little, however many entries are before
    /// that position.
    ///
    /// # Errors
    /// When the log cannot be read now.
    fn span(&mut self, from: Position) -> Result<Option<Span>, LogError>;

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

    /// Removes entries up to this position that nothing needs any more. The newest entry, orders and claims stay: a position that is free again could be taken
    /// by an owner that was deposed there.
    ///
    /// # Errors
    /// When the log cannot be changed now; a part may be removed.
    fn trim(&mut self, upto: Position) -> Result<(), LogError>;

    /// The largest number of bytes of an entry.
    fn entry_bytes_max(&self) -> usize;
}

/// An entry as the log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its position.
    pub position: Position,
    /// Its bytes.
    pub bytes: Bytes,
}

/// From where to where a log has entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRange {
    /// The oldest entry behind which none is missing.
    pub oldest: Position,
    /// The newest entry.
    pub newest: Position,
}

/// The entries from a position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first of them.
    pub first: Position,
    /// The newest entry.
    pub newest: Position,
}

/// The reason for which an entry may not be in the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// There is an entry at that position; it may be this one, from an earlier attempt.
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
