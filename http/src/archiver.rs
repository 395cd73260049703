//! The archive, as far as the interface shows it and gives it orders.

use std::fmt;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use switchboard_actors::domain::time::UnixMillis;

/// An archive that is set up.
pub trait Archiver: fmt::Debug + Send + Sync {
    /// The state of the archive now.
    fn status(&self) -> ArchiveStatus;

    /// Archives what there is, and waits so long for it at most; whether everything is archived.
    fn complete(&self, patience: Duration) -> LocalBoxFuture<'_, bool>;

    /// Begins to write again what the archive lacks, and waits so long for it at most.
    fn repair(&self, patience: Duration) -> LocalBoxFuture<'_, ()>;
}

/// The state of the archive at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveStatus {
    /// The place of the archive.
    pub to: String,
    /// The number of the claim in force; 0 before the first.
    pub epoch: u64,
    /// The newest entry.
    pub position: u64,
    /// The last record that it has.
    pub last: u64,
    /// Files that it has.
    pub files: u64,
    /// The last time at which the archive had everything.
    pub current_at: Option<UnixMillis>,
    /// It may lack what was stored in this time.
    pub age: Duration,
    /// The reason for a pause; the archiver tries again.
    pub trouble: Option<String>,
    /// The reason for which the archiver must not go on: the service ends.
    pub refused: Option<String>,
    /// The last repair that was ordered.
    pub repair: Option<RepairStatus>,
}

/// The state of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepairStatus {
    /// It goes on.
    Running,
    /// It is done.
    Done(Repaired),
    /// Nothing, or not everything, was written, for this reason.
    Failed(String),
}

/// The result of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Objects, without files.
    pub objects: u64,
    /// Files that messages refer to.
    pub files: u64,
    /// The damage that the data directory cannot mend either, for people.
    pub left: Vec<String>,
}

impl RepairStatus {
    /// The result of the repair; `None` unless it is done.
    pub(crate) fn done(&self) -> Option<&Repaired> {
        match self {
            Self::Done(repaired) => Some(repaired),
            Self::Running | Self::Failed(_) => None,
        }
    }
}

impl ArchiveStatus {
    /// The state while the journal has so many records, in a word of [`STATES`].
    pub(crate) fn state(&self, records: u64) -> &'static str {
        let [current, behind, starting, failing, stopped] = STATES;
        match (&self.refused, &self.trouble, self.current_at) {
            (Some(_), ..) => stopped,
            (None, Some(_), _) => failing,
            (None, None, None) => starting,
            (None, None, Some(_)) if self.last < records => behind,
            (None, None, Some(_)) => current,
        }
    }
}

/// The states of an archive.
pub(crate) const STATES: [&str; 5] = ["current", "behind", "starting", "failing", "stopped"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_that_lacks_records_is_not_current() {
        let mut status = ArchiveStatus {
            to: String::new(),
            epoch: 1,
            position: 1,
            last: 0,
            files: 0,
            current_at: None,
            age: Duration::ZERO,
            trouble: None,
            refused: None,
            repair: None,
        };
        assert_eq!(status.state(7), "starting");
        (status.last, status.current_at) = (7, Some(UnixMillis::default()));
        assert_eq!([status.state(7), status.state(8)], ["current", "behind"]);
        status.trouble = Some("the store refuses".to_owned());
        assert_eq!(status.state(7), "failing");
    }
}
