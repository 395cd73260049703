//! An answer that nobody can read before what it rests on is on disk.

use crate::error::Unavailable;
use crate::store::committer::Journal;
use crate::store::{Generation, Seq};

/// An answer, and the last record of the state it was made from. Repeats and refusals wait like everything else: what
/// they saw may not be on disk yet.
#[derive(Debug)]
#[must_use = "an answer is only true once its records are on disk"]
pub(crate) struct Pending<R> {
    reply: R,
    seq: Seq,
    generation: Generation,
}

impl<R> Pending<R> {
    /// An answer that rests on all records up to `seq`.
    pub(crate) fn new(reply: R, seq: Seq, generation: Generation) -> Self {
        Self {
            reply,
            seq,
            generation,
        }
    }

    /// The last record it rests on.
    pub(crate) fn seq(&self) -> Seq {
        self.seq
    }

    /// The journal's generation that the record belongs to.
    pub(crate) fn generation(&self) -> Generation {
        self.generation
    }

    /// Another answer that rests on the same records.
    pub(crate) fn map<T>(self, change: impl FnOnce(R) -> T) -> Pending<T> {
        Pending {
            reply: change(self.reply),
            seq: self.seq,
            generation: self.generation,
        }
    }

    /// For an owner whose records only went along: the caller waits for the answer of another.
    pub(crate) fn ignore(self) {}

    /// The answer, once it is true.
    ///
    /// # Errors
    /// When the records it rests on could not be written.
    pub(crate) async fn stored(self, journal: &Journal) -> Result<R, Unavailable> {
        match journal.durable(self.seq, self.generation).await {
            Ok(()) => Ok(self.reply),
            Err(_lost) => Err(Unavailable::Interrupted),
        }
    }
}
