//! The end of an archive, and the place in the journal behind what it has.

use switchboard_engine::store::Position as JournalPosition;

use crate::log_end::LogEnd;

/// The end of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ArchiveEnd {
    /// The newest entry.
    pub(crate) log: LogEnd,
    /// The next records in the journal; `None` at its beginning.
    pub(crate) next: Option<JournalPosition>,
}
