//! A state with its place in the journal: decides, submits, applies.
//!
//! The order matters: the shell first hands the group to the journal, then applies the events. If the journal refuses
//! the group, nothing has happened. If it takes the group and fails to write it, the journal's epoch moves on and
//! this shell is discarded.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::changes::Changes;
use crate::entries::{Key, Keys};
use crate::error::UnavailableError;
use crate::runtime::kernel::{Kernel, Product};
use crate::runtime::live_state::{LiveState, Numbered};
use crate::runtime::pending::Pending;
use crate::runtime::records::record_of;
use crate::state::{Command, Decision, Moment, Recorded, State};
use crate::store::committer::Submitted;
use crate::store::{Epoch, NewRecord, Notice, RecordGroup, Seq};

/// A state with its place in the journal.
pub struct Shell<S: State, P: Product<Notice = S::Notice>> {
    id: S::Id,
    state: Arc<LiveState<S>>,
    kernel: Kernel<P>,
    epoch: Epoch,
    /// The last record that was applied; 0 before the first.
    last: Seq,
}

/// Records that belong to the group of another owner: they count when that group does.
#[derive(Debug)]
pub struct Carried<N = ()> {
    pub(crate) records: Vec<NewRecord>,
    pub(crate) notices: Vec<N>,
    /// The oldest epoch that a record was decided in: a write that failed since may have taken away what the
    /// record builds on.
    since: Option<Epoch>,
}

impl<N> Default for Carried<N> {
    fn default() -> Self {
        Self {
            records: Vec::new(),
            notices: Vec::new(),
            since: None,
        }
    }
}

impl<N: Notice> Carried<N> {
    /// These records, then those.
    pub fn and(self, then: Self) -> Self {
        Self {
            records: joined(self.records, then.records),
            notices: joined(self.notices, then.notices),
            since: self.since.into_iter().chain(then.since).min(),
        }
    }
}

/// Most commands carry nothing, and then nothing is copied.
fn joined<T>(mut first: Vec<T>, mut then: Vec<T>) -> Vec<T> {
    if first.is_empty() {
        return then;
    }
    first.append(&mut then);
    first
}

/// The reason for which a command was not accepted.
#[derive(Debug)]
pub enum DeclinedError<R> {
    /// The rules forbid it.
    Rejected(R),
    /// Not now.
    Unavailable(UnavailableError),
}

impl<R> From<UnavailableError> for DeclinedError<R> {
    fn from(unavailable: UnavailableError) -> Self {
        Self::Unavailable(unavailable)
    }
}

/// A decision with its records made, not yet submitted.
pub struct Prepared<S: State, R> {
    events: Vec<Recorded<S::Event>>,
    keys: SmallVec<[Keys; 1]>,
    /// The records, for the owner that submits them.
    pub carried: Carried<S::Notice>,
    /// The answer, once it is on disk.
    pub reply: R,
    /// True when what others carry is stored also when there are no records.
    is_optional: bool,
}

impl<S: State + Clone, P: Product<Notice = S::Notice>> Shell<S, P> {
    /// The state as the store gave it back.
    #[must_use]
    pub fn new(id: S::Id, state: S, last: Seq, kernel: Kernel<P>) -> Self {
        let epoch = kernel.journal.epoch();
        Self {
            id,
            state: Arc::new(LiveState::new(state)),
            kernel,
            epoch,
            last,
        }
    }

    /// Passes the state to `look`, which must be short: a checkpoint may wait for it.
    pub fn with_state<T>(&self, look: impl FnOnce(&S) -> T) -> T {
        look(&self.state.lock().state)
    }

    /// Returns the state as the owner shares it with checkpoints and with the directory.
    pub(crate) fn live(&self) -> &Arc<LiveState<S>> {
        &self.state
    }

    /// The last record that was applied, and the journal's epoch when the state was loaded.
    pub fn depends_on(&self) -> Submitted {
        Submitted {
            last: self.last,
            epoch: self.epoch,
        }
    }

    /// Returns whether a group failed since the state was loaded: it may hold what was never stored.
    pub(crate) fn is_stale(&self) -> bool {
        self.kernel.journal.epoch() != self.epoch
    }

    /// Returns whether everything that was applied can be found through the index.
    pub(crate) fn is_settled(&self) -> bool {
        self.last <= self.kernel.index.indexed_upto()
    }

    /// Decides, submits, applies.
    pub(crate) fn execute<C: Command<Of = S>>(
        &mut self,
        command: C,
        carried: Carried<S::Notice>,
    ) -> Result<Pending<C::Reply>, DeclinedError<C::Rejection>> {
        let prepared = self.prepare(command)?;
        Ok(self.commit(prepared, carried)?)
    }

    /// Submits what was prepared together with what others carry, and applies it. A repeat writes nothing, neither of
    /// its own nor of what others carry for it, unless its command is optional.
    pub(crate) fn commit<R>(
        &mut self,
        mut prepared: Prepared<S, R>,
        carried: Carried<S::Notice>,
    ) -> Result<Pending<R>, UnavailableError> {
        let goes_along = prepared.is_optional && !carried.records.is_empty();
        if prepared.carried.records.is_empty() && !goes_along {
            return Ok(Pending::unchanged(prepared.reply, self.depends_on()));
        }
        let group = carried.and(std::mem::take(&mut prepared.carried));
        let submitted = self.submit(group)?;
        Ok(Pending::written(self.apply(prepared, submitted), submitted))
    }

    /// Decides and makes the records, for a group that another owner will submit.
    pub fn prepare<C: Command<Of = S>>(
        &mut self,
        command: C,
    ) -> Result<Prepared<S, C::Reply>, DeclinedError<C::Rejection>> {
        let mut live = self.state.lock();
        live.unindexed.forget(self.kernel.index.indexed_upto());
        let mut earlier = SmallVec::<[_; 2]>::new();
        for key in command.required_keys(&live.state) {
            earlier.push(self.find(&live, key)?);
        }
        let entropy = &self.kernel.entropy;
        let mut random = || entropy.bytes();
        let mut moment = Moment {
            now: self.kernel.clock.now(),
            random: &mut random,
            earlier: &earlier,
        };
        let decision = command
            .decide(&live.state, &mut moment)
            .map_err(DeclinedError::Rejected)?;
        let prepared = self.records_of(decision, &live);
        Ok(Prepared {
            is_optional: C::OPTIONAL,
            ..prepared
        })
    }

    /// Applies what was prepared, after its group was submitted; returns the reply, which is true once the group is
    /// on disk.
    pub(crate) fn apply<R>(&mut self, prepared: Prepared<S, R>, submitted: Submitted) -> R {
        let mut live = self.state.lock();
        for (recorded, keys) in prepared.events.into_iter().zip(prepared.keys) {
            live.apply(&recorded.event);
            live.unindexed.put(submitted.last, keys, recorded);
            self.last = submitted.last;
        }
        prepared.reply
    }

    fn submit(&self, carried: Carried<S::Notice>) -> Result<Submitted, UnavailableError> {
        let epoch = carried
            .since
            .map_or(self.epoch, |since| since.min(self.epoch));
        let group = RecordGroup {
            records: carried.records,
            notices: carried.notices,
        };
        let streams: Keys = group
            .records
            .iter()
            .map(|record| record.stream.key())
            .collect();
        let submitted = self.kernel.journal.submit(epoch, group)?;
        self.kernel.submitted.note(streams, submitted.last);
        Ok(submitted)
    }

    /// The newest record of this stream with this key: of those on their way, else of those in the index.
    fn find(
        &self,
        live: &Numbered<S>,
        key: Key,
    ) -> Result<Option<Recorded<S::Event>>, UnavailableError> {
        match live.unindexed.with(key).next() {
            Some(recorded) => Ok(Some(recorded.clone())),
            None => self.kernel.record(key),
        }
    }

    /// Makes the records of a decision. Several events are indexed one after the other, on a copy of the state.
    fn records_of<R>(
        &self,
        decision: Decision<S::Event, R, S::Notice>,
        live: &Numbered<S>,
    ) -> Prepared<S, R> {
        let several = decision.events.len() > 1;
        let mut copy = several.then(|| live.state.clone());
        let mut records = Vec::with_capacity(decision.events.len());
        let mut keys = SmallVec::new();
        for (number, recorded) in (1..).zip(&decision.events) {
            let stream = S::stream(&self.id);
            let opens = self.last == Seq(0) && number == 1;
            let before = copy.as_ref().unwrap_or(&live.state);
            let blob = recorded.blob.clone();
            let mut record = record_of(before, stream, &recorded.event, blob, opens);
            if S::KIND.changes() == Changes::Often {
                record.entries.state = Some(live.after(number, &self.state));
            }
            keys.push(record.entries.keys.clone());
            records.push(record);
            if let Some(copy) = copy.as_mut() {
                copy.apply(&recorded.event);
            }
        }
        Prepared {
            events: decision.events,
            keys,
            carried: Carried {
                records,
                notices: decision.notices,
                since: Some(self.epoch),
            },
            reply: decision.reply,
            is_optional: false,
        }
    }
}
