//! The only writer of streams that have no owners: other modules decide on their events, and no caller waits for
//! these.
//!
//! ```text
//! submit ─► on its way ─► on disk ─► found through the index ─► forgotten here
//!              └─► lost, with a failed write ─► handed back by the next `catch_up`
//! ```

use std::collections::BTreeSet;

use bytes::Bytes;
use smallvec::SmallVec;

use crate::entries::{Key, Keys};
use crate::error::UnavailableError;
use crate::runtime::kernel::{Kernel, Product};
use crate::runtime::records::record_of;
use crate::runtime::unindexed::Unindexed;
use crate::state::State;
use crate::store::committer::Submitted;
use crate::store::{Epoch, RecordGroup};

/// Of so many streams it is remembered that they have records.
const OPENED_MAX: usize = 50_000;

/// Writes the streams of one kind, and sees its own records before the index finds them. What an event adds to the
/// index must not depend on earlier events: the initial state derives it.
pub struct Writer<S: State, P: Product<Notice = S::Notice>> {
    kernel: Kernel<P>,
    /// The epoch in which all that is on its way was submitted.
    epoch: Epoch,
    unindexed: Unindexed<(S::Id, S::Event)>,
    /// Streams that have records, in the index or on their way.
    opened: BTreeSet<Key>,
}

impl<S: State, P: Product<Notice = S::Notice>> Writer<S, P> {
    /// The writer of these streams. There must be no other.
    #[must_use]
    pub fn new(kernel: Kernel<P>) -> Self {
        Self {
            epoch: kernel.journal.epoch(),
            kernel,
            unindexed: Unindexed::default(),
            opened: BTreeSet::new(),
        }
    }

    /// Forgets what can be found through the index now. After a failed write, returns the events that were lost with
    /// it, in their order: they never happened. `None` when no write failed since the last call.
    pub fn catch_up(&mut self) -> Option<Vec<(S::Id, S::Event)>> {
        let journal = &self.kernel.journal;
        // In this order: numbers of lost records are given out again, so a look at the index from after a failed
        // write says nothing of what was submitted before it.
        let indexed = self.kernel.index.indexed_upto();
        let epoch = journal.epoch();
        let mut failure = None;
        if epoch != self.epoch {
            let is_stored = |last| {
                let epoch = self.epoch;
                journal.decided(Submitted { last, epoch }) == Some(Ok(()))
            };
            failure = Some(self.unindexed.take_lost(is_stored).collect());
            self.opened.clear();
            self.epoch = epoch;
        }
        self.unindexed.forget(indexed);
        failure
    }

    /// The epoch of the journal as of the last [`Self::catch_up`].
    #[must_use]
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// The events with this key that the index may not find yet, the newest first.
    pub fn unindexed(&self, key: Key) -> impl Iterator<Item = &S::Event> {
        self.unindexed.with(key).map(|(_, event)| event)
    }

    /// The newest group with this key that the index may not find yet.
    #[must_use]
    pub fn on_its_way(&self, key: Key) -> Option<Submitted> {
        let last = self.unindexed.last_with(key)?;
        let epoch = self.epoch;
        Some(Submitted { last, epoch })
    }

    /// The newest event with this key: of those on their way, else of those in the index.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn find(&self, key: Key) -> Result<Option<S::Event>, UnavailableError> {
        if let Some(event) = self.unindexed(key).next() {
            return Ok(Some(event.clone()));
        }
        let record = self.kernel.record(key)?;
        Ok(record.map(|recorded| recorded.event))
    }

    /// Returns whether nothing was stored of this stream yet, nor is on its way.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn is_new(&mut self, id: &S::Id) -> Result<bool, UnavailableError> {
        let stream = S::stream(id).key();
        if self.opened.contains(&stream) || self.unindexed(stream).next().is_some() {
            return Ok(false);
        }
        let is_new = self.kernel.index.find(stream)?.is_none();
        if !is_new {
            self.has_opened(stream);
        }
        Ok(is_new)
    }

    /// Has these events written, all or none, even when there is no space for anything new: they record the outcome
    /// of work that was accepted before.
    ///
    /// # Errors
    /// Why they will not be written. After a failed write, always until the next [`Self::catch_up`].
    pub fn submit(
        &mut self,
        events: Vec<(S::Id, S::Event)>,
        notices: Vec<S::Notice>,
    ) -> Result<Submitted, UnavailableError> {
        let mut new_streams = BTreeSet::new();
        let mut records = Vec::with_capacity(events.len());
        for (id, event) in &events {
            let stream = S::stream(id);
            // An index that cannot answer is rebuilt at the next start, from the records alone.
            let opens = self.is_new(id).unwrap_or(false) && new_streams.insert(stream.key());
            let initial = S::initial(id);
            records.push(record_of(&initial, stream, event, Bytes::new(), opens));
        }
        let keys: SmallVec<[Keys; 1]> = records
            .iter()
            .map(|record| record.entries.keys.clone())
            .collect();
        let group = RecordGroup { records, notices };
        let submitted = self.kernel.journal.finish(self.epoch, group)?;
        for (keys, written) in keys.into_iter().zip(events) {
            self.unindexed.put(submitted.last, keys, written);
        }
        for stream in new_streams {
            self.has_opened(stream);
        }
        Ok(submitted)
    }

    fn has_opened(&mut self, stream: Key) {
        if self.opened.len() >= OPENED_MAX {
            // Keys follow no order, so this is any stream; the index knows it, or will.
            self.opened.pop_first();
        }
        self.opened.insert(stream);
    }
}
