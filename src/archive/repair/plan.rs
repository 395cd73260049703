//! What has to be written so that the archive has again what the journal has.

use switchboard_engine::store::Seq;

use super::units::{Unit, Units};
use crate::archive::begin::{Beginning, End};
use crate::archive::contents::{Contents, Superseded};
use crate::archive::entry::{EntryId, Place};
use crate::archive::position::Archived;
use crate::archive::source::Trouble;
use crate::archive::volume::VolumeName;

/// Stands for entries that follow each other and were lost.
#[derive(Clone, Debug)]
pub(super) struct Substitute {
    pub(super) first: Place,
    pub(super) last: Place,
    /// The entry before them.
    pub(super) before: EntryId,
    /// How the entry behind them calls the last one of them.
    pub(super) stands_for: Option<EntryId>,
    pub(super) epoch: u64,
    /// When the entry behind them was made: they were there by then.
    pub(super) time: Option<i64>,
    /// Where their records begin in the journal.
    pub(super) from: End,
    /// Their last record; that of `from` when they had none that count.
    pub(super) through: Seq,
    /// Damaged volumes that had them.
    pub(super) volumes: Vec<VolumeName>,
}

/// What a repair is going to do.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) substitutes: Vec<Substitute>,
    /// Objects of which nothing is left that could be repaired.
    pub(super) useless: Vec<String>,
    /// The last entry that counts.
    pub(super) end: End,
    /// The newest entry that is right.
    pub(super) newest: (Place, EntryId),
}

impl Plan {
    /// Compares what is left with the journal, and finds out what stands for the rest.
    ///
    /// # Errors
    /// When the journal does not have what the archive has, or the archive has a hole that cannot be closed.
    pub(super) fn of(
        beginning: &Beginning<'_>,
        units: &Units,
        known: Option<&Archived>,
    ) -> Result<Self, Trouble> {
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
            left_out: known.and_then(|known| Some((known.place, known.restored_at?))),
        };
        let mut at = 0;
        while let Some(unit) = units.0.get(at) {
            let rest = units.0.get(at..).unwrap_or_default();
            let lost = rest.iter().take_while(|unit| unit.brief.is_none()).count();
            if let Some(lost_units) = rest.get(..lost).filter(|_| lost > 0) {
                let behind = rest.get(lost..).unwrap_or_default();
                planning.substitute(&mut plan, lost_units, behind)?;
                at = at.saturating_add(lost);
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
    left_out: Option<(Place, Place)>,
}

impl Planning<'_> {
    fn counts(&self, place: Place) -> bool {
        let is_left_out = self
            .left_out
            .is_some_and(|(from, upto)| from < place && place <= upto);
        !is_left_out && !self.superseded.has(place)
    }

    /// Compares a unit that is right with the journal.
    fn compare(&self, plan: &mut Plan, unit: &Unit) -> Result<(), Trouble> {
        let Some(brief) = &unit.brief else {
            return Ok(());
        };
        plan.newest = (unit.last, brief.id);
        plan.end.epoch = brief.epoch;
        if !self.counts(unit.last) {
            return Ok(());
        }
        if brief.begins_behind() != plan.end.last.0 {
            return Err(self.hole(unit, brief.begins_behind(), plan.end.last));
        }
        if self.beginning.is_shared {
            // The log has ensured that all nodes have the same history; what each has erased may differ.
            plan.end.last = Seq(brief.last);
            plan.end.next = self.place_after(plan.end.last)?;
            (plan.end.place, plan.end.id) = (unit.last, brief.id);
            return Ok(());
        }
        for entry in self.contents.walk(self.beginning.store, unit.first) {
            let entry = entry?;
            let place = entry.header.place;
            if self.counts(place) {
                self.beginning.compare(&entry, &mut plan.end)?;
            }
            if place >= unit.last {
                break;
            }
        }
        Ok(())
    }

    /// Finds out what stands for these units; `behind` begins with the next one that is right, if there is one.
    fn substitute(&self, plan: &mut Plan, lost: &[Unit], behind: &[Unit]) -> Result<(), Trouble> {
        let [first, ..] = lost else { return Ok(()) };
        let last = lost.last().map_or(first.last, |unit| unit.last);
        let next = behind.first().and_then(|unit| unit.brief.as_ref());
        let counting = behind
            .iter()
            .filter(|unit| self.counts(unit.last))
            .find_map(|unit| unit.brief.as_ref());
        let counts = self.counts(last) && counting.is_some();
        let through = match counting.filter(|_| counts) {
            Some(brief) => Seq(brief.begins_behind()),
            None => plan.end.last,
        };
        if through < plan.end.last {
            return Err(self.hole(first, through.0, plan.end.last));
        }
        let from = plan.end.clone();
        plan.substitutes.push(Substitute {
            first: first.first,
            last,
            before: plan.newest.1,
            stands_for: next.map(super::units::Brief::before),
            epoch: plan.end.epoch,
            time: next.map(|brief| brief.time),
            through,
            volumes: lost.iter().filter_map(|unit| unit.volume).collect(),
            from,
        });
        if counts {
            plan.end.next = self.place_after(through)?;
            (plan.end.place, plan.end.last) = (last, through);
        }
        if let Some(id) = next.map(super::units::Brief::before) {
            plan.newest = (last, id);
            if counts {
                plan.end.id = id;
            }
        }
        Ok(())
    }

    fn place_after(
        &self,
        last: Seq,
    ) -> Result<Option<switchboard_engine::store::Position>, Trouble> {
        if last == Seq(0) {
            return Ok(None);
        }
        match self.beginning.source.reader.place_after(last)? {
            Some(next) => Ok(Some(next)),
            None => Err(self.beginning.lacks(last)?),
        }
    }

    fn hole(&self, unit: &Unit, due: u64, last: Seq) -> Trouble {
        Trouble::Unfit(format!(
            "the archive {to} cannot be repaired: entry {place} goes on behind record {due}, and what is before it ends with record \
             {last}; archive to another place (archive.to)",
            to = self.beginning.to,
            place = unit.first.0,
            last = last.0,
        ))
    }
}

/// The keys of the objects of a unit.
fn keys(unit: &Unit) -> Vec<String> {
    match unit.volume {
        Some(volume) => vec![volume.key()],
        None if unit.first == unit.last => vec![unit.first.key()],
        // They are missing.
        None => Vec::new(),
    }
}
