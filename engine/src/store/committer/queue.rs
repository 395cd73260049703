//! The queue of groups that wait for the committer: numbered, bounded, and refused while there is no space.

use std::mem;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use crate::store::committer::config::JournalConfig;
use crate::store::committer::draft::Draft;
use crate::store::committer::outcome::{SubmitError, Submitted};
use crate::store::disk::Disk;
use crate::store::record::{self, UnfitError};
use crate::store::width::wide;
use crate::store::{Epoch, RecordGroup, Seq};
use crate::sync::{Condvar, Mutex, MutexGuard, lock};

/// At most so many groups, or bytes of them, wait for the end of a turn: an answer must not wait for the other work
/// of its thread, and the queue must not be full before the committer empties it.
pub(super) const TURN_GROUPS: usize = 256;
const TURN_BYTES: u64 = 1 << 20;

/// The urgency of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Priority {
    /// As soon as the committer has time.
    Now,
    /// At the end of the turn of its submitter, who [announces](Queue::call) it; earlier, when other groups are to be
    /// written or when groups come one by one.
    TurnsEnd,
}

/// The purpose of a group, which decides how much space must stay free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Something new is accepted.
    Accept,
    /// A group that goes on with or ends what was accepted before; space was kept for that.
    Finish,
}

/// The result of `Queue::take`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Groups, all that waited.
    Groups,
    /// Nothing, for as long as it had patience.
    Nothing,
    /// Nothing, and nothing will come.
    Closed,
}

/// The groups that wait.
#[derive(Debug)]
pub(super) struct Queue<N> {
    state: Mutex<State<N>>,
    arrived: Condvar,
    bytes_max: u64,
    groups_max: usize,
}

#[derive(Debug)]
struct State<N> {
    waiting: Draft<N>,
    next: Seq,
    epoch: Epoch,
    open: bool,
    /// True when what waits is to be written; false when more of it will come in a moment.
    called: bool,
    /// The number of groups that were taken together the last time.
    last_taken: usize,
    /// True while the committer sleeps: only then is waking it worth a system call.
    sleeping: bool,
    space: Space,
}

impl<N> State<N> {
    /// Returns whether one group waits and nothing else is in progress: a delay would bring it no company, as the last group
    /// had none.
    fn is_alone(&self) -> bool {
        self.sleeping && self.last_taken <= 1 && self.waiting.len() == 1
    }

    /// Returns whether so much waits that the committer need not wait for the end of the turn.
    fn is_much(&self) -> bool {
        self.waiting.len() >= TURN_GROUPS || self.waiting.bytes() >= TURN_BYTES
    }
}

impl<N> Queue<N> {
    pub(super) fn new(disk: Arc<dyn Disk>, config: &JournalConfig, next: Seq) -> Self {
        Self {
            state: Mutex::new(State {
                waiting: Draft::default(),
                next,
                epoch: Epoch::default(),
                open: true,
                called: false,
                last_taken: 0,
                sleeping: false,
                space: Space::new(disk, config),
            }),
            arrived: Condvar::new(),
            bytes_max: u64::from(config.queue_bytes),
            groups_max: config.queue_groups.max(1),
        }
    }

    /// Takes a group, or returns why not.
    pub(super) fn push(
        &self,
        seen: Epoch,
        group: RecordGroup<N>,
        purpose: Purpose,
        priority: Priority,
    ) -> Result<Submitted, SubmitError> {
        let bytes = self.measure(&group)?;
        let mut state = lock(&self.state);
        if !state.open {
            return Err(SubmitError::Stopping);
        }
        if seen != state.epoch {
            return Err(SubmitError::Stale);
        }
        if state.waiting.len() >= self.groups_max
            || state.waiting.bytes().saturating_add(bytes) > self.bytes_max
        {
            return Err(SubmitError::Busy);
        }
        if !state.space.has_room(bytes, purpose) {
            return Err(SubmitError::DiskFull);
        }
        let first = state.next;
        let next = Seq(first.0.saturating_add(wide(group.records.len())));
        state.next = next;
        state.waiting.push(group, first, bytes);
        let submitted = Submitted {
            last: Seq(next.0.saturating_sub(1)),
            epoch: state.epoch,
        };
        if priority == Priority::Now || state.is_alone() || state.is_much() {
            self.call_for(state);
        }
        Ok(submitted)
    }

    /// Calls the committer for the groups that wait, if there are any.
    pub(super) fn call(&self) {
        let state = lock(&self.state);
        if !state.waiting.is_empty() {
            self.call_for(state);
        }
    }

    fn call_for(&self, mut state: MutexGuard<'_, State<N>>) {
        state.called = true;
        let wake = mem::take(&mut state.sleeping);
        drop(state);
        if wake {
            self.arrived.notify_one();
        }
    }

    fn measure(&self, group: &RecordGroup<N>) -> Result<u64, UnfitError> {
        let mut bytes = 0_u64;
        for record in &group.records {
            bytes = bytes.saturating_add(wide(record::stored_bytes(record)?));
        }
        if bytes == 0 {
            return Err(UnfitError::Empty);
        }
        if bytes > self.bytes_max {
            return Err(UnfitError::Group {
                bytes,
                limit: self.bytes_max,
            });
        }
        Ok(bytes)
    }

    /// Moves all waiting groups into `batch`, which is empty, once the committer is called; sleeps up to `patience`
    /// for that (`None`: without end), and then moves whatever waits.
    pub(super) fn take(&self, batch: &mut Draft<N>, patience: Option<Duration>) -> Taken {
        let mut state = lock(&self.state);
        let mut patient = patience != Some(Duration::ZERO);
        loop {
            let due = state.called || !state.open || !patient;
            if due && !state.waiting.is_empty() {
                state.sleeping = false;
                state.called = false;
                state.last_taken = state.waiting.len();
                // The two drafts change places again and again, so neither grows anew.
                mem::swap(&mut state.waiting, batch);
                return Taken::Groups;
            }
            if !state.open {
                return Taken::Closed;
            }
            if !patient {
                state.sleeping = false;
                return Taken::Nothing;
            }
            state.sleeping = true;
            state = match patience {
                None => self
                    .arrived
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(patience) => {
                    let (state, waited) = self
                        .arrived
                        .wait_timeout(state, patience)
                        .unwrap_or_else(PoisonError::into_inner);
                    patient = !waited.timed_out();
                    state
                }
            };
        }
    }

    /// Forgets all waiting groups after a batch failed: numbers go on behind `durable`, in a new epoch. `announce`
    /// gets that epoch before any group can be submitted in it.
    pub(super) fn rewind(&self, durable: Seq, announce: impl FnOnce(Epoch)) {
        let mut state = lock(&self.state);
        state.waiting.clear();
        state.called = false;
        state.next = Seq(durable.0.saturating_add(1));
        state.epoch = Epoch(state.epoch.0.saturating_add(1));
        state.space.refused();
        announce(state.epoch);
    }

    #[cfg(test)]
    pub(super) fn is_asleep(&self) -> bool {
        lock(&self.state).sleeping
    }

    /// The highest number that was given out.
    pub(super) fn submitted_upto(&self) -> Seq {
        Seq(lock(&self.state).next.0.saturating_sub(1))
    }

    /// Returns whether a small group would be taken now.
    pub(super) fn writable(&self) -> Result<(), SubmitError> {
        let mut state = lock(&self.state);
        if !state.open {
            return Err(SubmitError::Stopping);
        }
        if state.space.has_room(0, Purpose::Accept) {
            Ok(())
        } else {
            Err(SubmitError::DiskFull)
        }
    }

    /// Takes nothing more.
    pub(super) fn close(&self) {
        lock(&self.state).open = false;
        self.arrived.notify_one();
    }

    /// Takes nothing more and forgets everything that waits.
    pub(super) fn abandon(&self) {
        let mut state = lock(&self.state);
        state.open = false;
        state.waiting.clear();
    }
}

/// The last answer about space on the disk, asked rarely enough to cost nothing.
#[derive(Debug)]
struct Space {
    disk: Arc<dyn Disk>,
    low_water: u64,
    reserve: u64,
    every: Duration,
    asked: Option<Instant>,
    /// The bytes admitted since the disk was asked.
    since: u64,
    /// The free bytes then. An unknown amount is no reason to refuse, since a write that fails is taken back.
    free: u64,
}

impl Space {
    fn new(disk: Arc<dyn Disk>, config: &JournalConfig) -> Self {
        Self {
            disk,
            low_water: config.low_water_bytes,
            reserve: config.reserve_bytes.max(config.low_water_bytes),
            every: config.space_check_every,
            asked: None,
            since: 0,
            free: u64::MAX,
        }
    }

    fn has_room(&mut self, bytes: u64, purpose: Purpose) -> bool {
        let keep = match purpose {
            Purpose::Accept => self.reserve,
            Purpose::Finish => self.low_water,
        };
        let old = self.asked.is_none_or(|asked| asked.elapsed() >= self.every);
        // Much may be written in little time: the answer also grows old by bytes.
        let is_spent = self.free > keep && self.since.saturating_add(bytes) > self.low_water / 4;
        if old || is_spent {
            self.ask();
        }
        let room = self.free > keep;
        if room {
            self.since = self.since.saturating_add(bytes);
        }
        room
    }

    fn ask(&mut self) {
        self.asked = Some(Instant::now());
        self.since = 0;
        match self.disk.free_bytes() {
            Ok(free) => self.free = free,
            Err(error) => tracing::warn!(%error, "cannot read the free space"),
        }
    }

    /// The disk refused a write, whatever it says of its free space.
    fn refused(&mut self) {
        self.asked = Some(Instant::now());
        self.free = 0;
    }
}
