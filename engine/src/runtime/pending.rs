//! An answer that cannot be read before the records it rests on are on disk.

use crate::error::UnavailableError;
use crate::store::Notice;
use crate::store::committer::{Journal, Submitted};

/// An answer, and the last record of the state it was made from. The answer to a repeat waits too: the records that
/// it saw may not be on disk yet.
///
/// ```
/// use switchboard_engine::error::UnavailableError;
/// use switchboard_engine::runtime::pending::Pending;
/// use switchboard_engine::store::Notice;
/// use switchboard_engine::store::committer::Journal;
///
/// async fn read<N: Notice>(pending: Pending<u64>, journal: &Journal<N>) -> Result<u64, UnavailableError> {
///     pending.stored(journal).await
/// }
/// ```
///
/// There is no way around the wait:
///
/// ```compile_fail,E0616
/// use switchboard_engine::runtime::pending::Pending;
///
/// fn read(pending: Pending<u64>) -> u64 {
///     pending.reply
/// }
/// ```
#[derive(Debug)]
#[must_use = "an answer is only true once its records are on disk"]
pub struct Pending<R> {
    reply: R,
    depends_on: Submitted,
    wrote: bool,
}

impl<R> Pending<R> {
    /// An answer for which this group was written.
    pub fn written(reply: R, group: Submitted) -> Self {
        Self {
            reply,
            depends_on: group,
            wrote: true,
        }
    }

    /// An answer that needed nothing written, and is true once all that it saw is on disk.
    pub fn unchanged(reply: R, saw: Submitted) -> Self {
        Self {
            reply,
            depends_on: saw,
            wrote: false,
        }
    }

    /// The record that it becomes true with.
    pub fn depends_on(&self) -> Submitted {
        self.depends_on
    }

    /// The group that was written for it, for the owner whose records went along; `None` when nothing was.
    pub fn group(&self) -> Option<Submitted> {
        self.wrote.then_some(self.depends_on)
    }

    /// Another answer that rests on the same records, if there is one.
    pub(crate) fn filter_map<T>(self, change: impl FnOnce(R) -> Option<T>) -> Option<Pending<T>> {
        Some(Pending {
            reply: change(self.reply)?,
            depends_on: self.depends_on,
            wrote: self.wrote,
        })
    }

    /// The answer, once it is true.
    ///
    /// # Errors
    /// When the records it rests on could not be written.
    pub async fn stored<N: Notice>(self, journal: &Journal<N>) -> Result<R, UnavailableError> {
        let Submitted { last, epoch } = self.depends_on;
        match journal.durable(last, epoch).await {
            Ok(()) => Ok(self.reply),
            Err(_lost) => Err(UnavailableError::Interrupted),
        }
    }
}
