//! A shared log in memory that delays, refuses and loses answers, and one with a planted defect, which a test has to find.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use switchboard_engine::testkit::Dice;
use switchboard_replication::entry::Entry;
use switchboard_replication::position::Position;
use switchboard_replication::shared_log::{
    AppendError, LogError, LogRange, RetryPause, SharedLog, Span, Stored,
};

/// The largest number of entries in an answer.
const ANSWER_ENTRIES: usize = 3;

/// The defect of a log that must not be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defect {
    /// It answers before it stores, and sometimes does not store.
    AnswersBeforeStoring,
    /// It stores and reports a refusal.
    RefusesWhatItStored,
    /// It lets two owners take one position: the later entry replaces the earlier one.
    LetsTwoTakeOnePlace,
    /// It forgets its newest entry now and then.
    ForgetsAnEntry,
}

/// The number of appends, of 1,000, in which a log misbehaves within its rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    /// An append is lost, and its outcome is unknown.
    pub(crate) lost: usize,
    /// An append is stored, and its outcome is unknown.
    pub(crate) answer_lost: usize,
    /// An append whose outcome is unknown is carried out later, if its position is free then.
    pub(crate) late: usize,
    /// An append is refused.
    pub(crate) refused: usize,
    /// A read fails.
    pub(crate) unreadable: usize,
}

/// The fate of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Lost,
    AnswerLost,
    Late,
    Refused,
}

impl Faults {
    /// The fault for a number below 1,000.
    fn one(self, number: usize) -> Option<Fault> {
        let mut upto = 0_usize;
        let faults = [
            (self.lost, Fault::Lost),
            (self.answer_lost, Fault::AnswerLost),
            (self.late, Fault::Late),
            (self.refused, Fault::Refused),
        ];
        let mut hit = faults.into_iter().filter(|(chance, _)| {
            upto = upto.saturating_add(*chance);
            number < upto
        });
        hit.next().map(|it| it.1)
    }

    /// Some of each.
    pub(crate) fn some() -> Self {
        Self {
            lost: 80,
            answer_lost: 80,
            late: 80,
            refused: 30,
            unreadable: 50,
        }
    }
}

/// A shared log in memory. Clones are the same log.
#[derive(Clone, Debug)]
pub(crate) struct MemoryLog(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// `None`: it was trimmed.
    entries: Vec<Option<Bytes>>,
    /// Appends that are carried out later.
    late: Vec<(Position, Bytes)>,
    faults: Faults,
    defect: Option<Defect>,
    dice: Dice,
    /// The number of times that the defect showed.
    shown: u64,
}

impl MemoryLog {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// An empty log whose misbehaviour follows from the seed.
    pub(crate) fn new(seed: u64, faults: Faults) -> Self {
        Self(Arc::new(Mutex::new(State {
            entries: Vec::new(),
            late: Vec::new(),
            faults,
            defect: None,
            dice: Dice::new(seed),
            shown: 0,
        })))
    }

    /// The same log with a defect.
    pub(crate) fn with(self, defect: Defect) -> Self {
        self.state().defect = Some(defect);
        self
    }

    /// From now on it does what it should.
    pub(crate) fn behave(&self) {
        let mut state = self.state();
        state.faults = Faults::default();
        state.defect = None;
    }

    /// Stores an entry at a position that is free, or was trimmed, as engines do that ask for nothing else.
    ///
    /// # Errors
    /// When another entry is there.
    pub(crate) fn put(&self, position: Position, entry: &[u8]) -> Result<(), AppendError> {
        let mut state = self.state();
        let index = index(position.0.saturating_sub(1));
        if index == state.entries.len() {
            state.entries.push(None);
        }
        match state.entries.get_mut(index) {
            Some(slot @ None) => {
                *slot = Some(Bytes::copy_from_slice(entry));
                Ok(())
            }
            Some(Some(_)) => Err(AppendError::Taken),
            None => Err(AppendError::Refused("no entry is before it".to_owned())),
        }
    }

    /// The number of times that its defect showed.
    pub(crate) fn shown(&self) -> u64 {
        self.state().shown
    }

    /// The number of its entries.
    pub(crate) fn len(&self) -> usize {
        self.state().entries.len()
    }

    /// Replaces what is at a position, as an erasure does.
    pub(crate) fn replace(&self, position: Position, entry: &[u8]) {
        let mut state = self.state();
        state.entries[index(position.0 - 1)] = Some(Bytes::copy_from_slice(entry));
    }
}

/// The number of something that is at this place of a list.
fn number(index: usize) -> u64 {
    u64::try_from(index).unwrap()
}

/// The place in a list of what has this number.
fn index(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

impl State {
    fn newest(&self) -> Position {
        Position(number(self.entries.len()))
    }

    /// Carries out some of what was delayed.
    fn carry_out_late(&mut self) {
        while !self.late.is_empty() && self.dice.one_in(3) {
            let index = self.dice.below(self.late.len());
            let (after, entry) = self.late.swap_remove(index);
            if after == self.newest() {
                self.entries.push(Some(entry));
            }
        }
    }

    fn append(&mut self, after: Position, entry: &[u8]) -> Result<(), AppendError> {
        self.carry_out_late();
        let entry = Bytes::copy_from_slice(entry);
        let is_free = after == self.newest();
        if let Some(outcome) = self.misbehave(after, &entry, is_free) {
            return outcome;
        }
        if after > self.newest() {
            return Err(AppendError::Refused(
                "there is no entry before it".to_owned(),
            ));
        }
        if !is_free {
            return Err(AppendError::Taken);
        }
        self.entries.push(Some(entry));
        Ok(())
    }

    fn misbehave(
        &mut self,
        after: Position,
        entry: &Bytes,
        is_free: bool,
    ) -> Option<Result<(), AppendError>> {
        if self.defect.is_some() && self.dice.one_in(8) {
            return self.show_defect(after, entry, is_free);
        }
        match self.faults.one(self.dice.below(1_000))? {
            Fault::Refused => return Some(Err(AppendError::Refused("a quota is used up".into()))),
            Fault::AnswerLost if is_free => self.entries.push(Some(entry.clone())),
            Fault::Late => self.late.push((after, entry.clone())),
            Fault::Lost | Fault::AnswerLost => {}
        }
        Some(Err(AppendError::Unknown("no answer came".to_owned())))
    }

    fn show_defect(
        &mut self,
        after: Position,
        entry: &Bytes,
        is_free: bool,
    ) -> Option<Result<(), AppendError>> {
        let outcome = match self.defect? {
            Defect::AnswersBeforeStoring if is_free => Ok(()),
            Defect::RefusesWhatItStored if is_free => {
                self.entries.push(Some(entry.clone()));
                Err(AppendError::Refused("a quota is used up".to_owned()))
            }
            Defect::LetsTwoTakeOnePlace if !is_free => {
                *self.entries.get_mut(index(after.0))? = Some(entry.clone());
                Ok(())
            }
            Defect::ForgetsAnEntry => {
                self.entries.pop()?;
                self.shown = self.shown.saturating_add(1);
                return None;
            }
            Defect::AnswersBeforeStoring
            | Defect::RefusesWhatItStored
            | Defect::LetsTwoTakeOnePlace => return None,
        };
        self.shown = self.shown.saturating_add(1);
        Some(outcome)
    }
}

impl SharedLog for MemoryLog {
    fn append(&mut self, after: Position, entry: &[u8]) -> Result<(), AppendError> {
        self.state().append(after, entry)
    }

    fn read(&mut self, after: Position, _: Duration) -> Result<Vec<Stored>, LogError> {
        let mut state = self.state();
        state.carry_out_late();
        if state.dice.below(1_000) < state.faults.unreadable {
            return Err(LogError("no answer came".to_owned()));
        }
        let behind = (after.next().0..).zip(state.entries.iter().skip(index(after.0)));
        let entries = behind.filter_map(|(position, bytes)| {
            let bytes = bytes.clone()?;
            let position = Position(position);
            Some(Stored { position, bytes })
        });
        Ok(entries.take(ANSWER_ENTRIES).collect())
    }

    fn range(&mut self) -> Result<Option<LogRange>, LogError> {
        let state = self.state();
        let newest = state.newest();
        let missing = state.entries.iter().rposition(Option::is_none);
        let oldest = Position(missing.map_or(1, |index| number(index).saturating_add(2)));
        Ok((newest.0 > 0).then_some(LogRange { oldest, newest }))
    }

    fn span(&mut self, from: Position) -> Result<Option<Span>, LogError> {
        let state = self.state();
        let newest = state.newest();
        let behind = (1..).zip(&state.entries);
        let mut there = behind.filter(|(position, bytes)| *position >= from.0 && bytes.is_some());
        let first = there.next().map(|(position, _)| Position(position));
        Ok(first.map(|first| Span { first, newest }))
    }

    fn trim(&mut self, upto: Position) -> Result<(), LogError> {
        let mut state = self.state();
        let newest = state.newest().0;
        // The newest entry stays: it shows where the log ends.
        let upto = index(upto.0.min(newest.saturating_sub(1)));
        for slot in state.entries.iter_mut().take(upto) {
            let entry = slot.as_deref().map(Entry::decode);
            let stays = entry.is_some_and(|entry| entry.is_ok_and(|it| it.header.is_permanent()));
            if !stays {
                *slot = None;
            }
        }
        Ok(())
    }

    fn entry_bytes_max(&self) -> usize {
        1 << 20
    }
}

/// Makes so many attempts, one behind the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempts(pub(crate) u32);

impl RetryPause for Attempts {
    fn wait(&mut self, attempts: u32, _: &str) -> bool {
        attempts < self.0
    }
}
