//! The plan of a repair: the objects to write so that the archive has again what the journal has.

use switchboard_engine::store::{Position as JournalPosition, Seq};
use switchboard_engine::time::UnixMillis;

use super::units::{Unit, Units};
use crate::archive::archive_end::ArchiveEnd;
use crate::archive::archived::Archived;
use crate::archive::begin::Beginning;
use crate::archive::contents::{Contents, Superseded};
use crate::archive::error::ArchiveError;
use crate::archive::volume::VolumeName;
use crate::entry::EntryId;
use crate::log_end::LogEnd;
use crate::position::Position;
use crate::store::ENTRIES;

/// Stands for entries that follow each other and were lost.
#[derive(Clone, Debug)]
pub(super) struct Substitute {
    /// The end of the archive before them.
    pub(super) before: LogEnd,
    /// The last of them.
    pub(super) last: Position,
    /// The identity of the last one of them, as the entry behind them has it.
    pub(super) stands_for: Option<EntryId>,
    /// The time of the entry behind them: they were there by then.
    pub(super) time: Option<UnixMillis>,
    /// The place in the journal at which their records begin.
    pub(super) from: ArchiveEnd,
    /// Their last record; that of `from` when they had none that count.
    pub(super) through: Seq,
    /// Damaged volumes that had them.
    pub(super) volumes: Vec<VolumeName>,
}

/// The plan of a repair.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) substitutes: Vec<Substitute>,
    /// Objects of which nothing is left that could be repaired.
    pub(super) useless: Vec<String>,
    /// The last entry that counts.
    pub(super) end: ArchiveEnd,
    /// The end of the archive with the newest entry that is right.
    pub(super) newest: LogEnd,
}

impl Plan {
    /// Compares what is left with the journal, and finds out what stands for the rest.
    ///
    /// # Errors
    /// When the journal does not have what the archive has, or the archive has a hole that cannot be closed.
    pub(super) fn new(
        beginning: &Beginning<'_>,
        units: &Units,
        note: Option<&Archived>,
    ) -> Result<Self, ArchiveError> {
        let mut plan = Self::default();
        if units.0.iter().all(|unit| unit.brief.is_none()) {
            // Nothing is left: the archive begins again.
            plan.useless = units.0.iter().flat_map(keys).collect();
            return Ok(plan);
        }
        let planning = Planning {
            beginning,
            contents: Contents::list(beginning.store)?,
            superseded: units.superseded(),
            // What a restore has left out does not count, and the claim that says so is not made yet.
            left_out: note.and_then(|note| Some((note.end.position, note.restored_at?))),
        };
        let mut at = 0;
        while let Some(unit) = units.0.get(at) {
            let rest = units.0.get(at..).unwrap_or_default();
            let gap = rest.iter().take_while(|unit| unit.brief.is_none()).count();
            if let Some(lost_units) = rest.get(..gap).filter(|_| gap > 0) {
                let behind = rest.get(gap..).unwrap_or_default();
                planning.substitute(&mut plan, lost_units, behind)?;
                at = at.saturating_add(gap);
                continue;
            }
            planning.compare(&mut plan, unit)?;
            at = at.saturating_add(1);
        }
        Ok(plan)
    }
}

struct Planning<'p> {
    beginning: &'p Beginning<'p>,
    contents: Contents,
    superseded: Superseded,
    left_out: Option<(Position, Position)>,
}

impl Planning<'_> {
    fn counts(&self, position: Position) -> bool {
        let is_left_out = self
            .left_out
            .is_some_and(|(from, upto)| from < position && position <= upto);
        !is_left_out && !self.superseded.has(position)
    }

    /// Compares a unit that is right with the journal.
    fn compare(&self, plan: &mut Plan, unit: &Unit) -> Result<(), ArchiveError> {
        let Some(brief) = &unit.brief else {
            return Ok(());
        };
        plan.newest = brief.end.clone();
        if !self.counts(unit.last) {
            return Ok(());
        }
        let due = brief.head.last_before();
        if due != plan.end.log.last {
            return Err(self.hole(unit, due, plan.end.log.last));
        }
        if self.beginning.is_shared {
            // The log has ensured that all nodes have the same history; what each has erased may differ.
            plan.end.log = brief.end.clone();
            plan.end.next = self.place_after(brief.end.last)?;
            return Ok(());
        }
        for entry in self.contents.walk(self.beginning.store, unit.first) {
            let entry = entry?;
            let position = entry.header.position;
            if self.counts(position) {
                self.beginning.compare(&entry, &mut plan.end)?;
            }
            if position >= unit.last {
                break;
            }
        }
        Ok(())
    }

    /// Finds out what stands for these units; `behind` begins with the next one that is right, if there is one.
    fn substitute(
        &self,
        plan: &mut Plan,
        lost_units: &[Unit],
        behind: &[Unit],
    ) -> Result<(), ArchiveError> {
        let [first, ..] = lost_units else {
            return Ok(());
        };
        let last = lost_units.last().map_or(first.last, |unit| unit.last);
        let next = behind.first().and_then(|unit| unit.brief.as_ref());
        let counting = behind
            .iter()
            .filter(|unit| self.counts(unit.last))
            .find_map(|unit| unit.brief.as_ref());
        let counts = self.counts(last) && counting.is_some();
        let last_counting = plan.end.log.last;
        let through = match counting.filter(|_| counts) {
            Some(brief) => brief.head.last_before(),
            None => last_counting,
        };
        if through < last_counting {
            return Err(self.hole(first, through, last_counting));
        }
        plan.substitutes.push(Substitute {
            before: plan.newest.clone(),
            last,
            stands_for: next.map(|brief| brief.head.before),
            time: next.map(|brief| brief.head.time),
            through,
            volumes: lost_units.iter().filter_map(|unit| unit.volume).collect(),
            from: plan.end.clone(),
        });
        if counts {
            plan.end.next = self.place_after(through)?;
            (plan.end.log.position, plan.end.log.last) = (last, through);
        }
        if let Some(id) = next.map(|brief| brief.head.before) {
            (plan.newest.position, plan.newest.id) = (last, id);
            if counts {
                plan.end.log.id = id;
            }
        }
        Ok(())
    }

    fn place_after(&self, last: Seq) -> Result<Option<JournalPosition>, ArchiveError> {
        if last == Seq(0) {
            return Ok(None);
        }
        match self.beginning.source.reader.place_after(last)? {
            Some(next) => Ok(Some(next)),
            None => Err(self.beginning.lacks(last)?),
        }
    }

    fn hole(&self, unit: &Unit, due: Seq, last: Seq) -> ArchiveError {
        ArchiveError::Unfit(format!(
            "the archive {to} cannot be repaired: entry {position} goes on behind record {due}, and what is before it ends with record \
             {last}; archive to another place (archive.to)",
            to = self.beginning.to,
            position = unit.first.0,
            due = due.0,
            last = last.0,
        ))
    }
}

/// The keys of the objects of a unit.
fn keys(unit: &Unit) -> Vec<String> {
    match unit.volume {
        Some(volume) => vec![volume.key()],
        None if unit.first == unit.last => vec![unit.first.key(ENTRIES)],
        // They are missing.
        None => Vec::new(),
    }
}
