//! Writes again what the archive has lost, from the journal and the files of the data directory.
//!
//! Objects that are right stay as they are. What stands for an entry that was lost has the records that the journal has for it,
//! and the name by which the next entry calls the lost one, so the chain holds. Nothing is written before all that is left of the
//! archive has been compared with the journal: an archive of another history is not touched.

mod files;
mod plan;
mod repaired;
mod units;

use switchboard_engine::store::Seq;

use self::plan::{Plan, Substitute};
pub use self::repaired::Repaired;
use self::units::Units;
use super::archived::Archived;
use super::begin::Beginning;
use super::error::ArchiveError;
use super::reached::Reached;
use super::shipper::ENTRY_BYTES;
use crate::entry::{Content, Entry};
use crate::log_end::LogEnd;
use crate::position::Position;
use crate::store::{ENTRIES, IDENTITY, Installations};

/// A repair. While it goes on, nothing else writes to the archive.
pub(crate) struct Repair<'r> {
    /// The knowledge that a start needs as well.
    pub(crate) beginning: Beginning<'r>,
}

impl Repair<'_> {
    /// Repairs. The next start of the archive goes on from what is there then. It may be interrupted and repeated.
    ///
    /// # Errors
    /// Why nothing was written: another installation or another history; or what the store or the journal refused.
    pub(crate) fn run(&self) -> Result<Repaired, ArchiveError> {
        let Beginning {
            store, to, source, ..
        } = self.beginning;
        let note = Archived::read(&*source.disk, to).map_err(ArchiveError::local)?;
        let reached = match Reached::read(store) {
            Err(failure) if failure.is_damage() => Err(()),
            read => Ok(read?),
        };
        let is_whole = self.compare_identity()?;
        let own_newest = note.as_ref().map_or(Position(0), |it| it.end.position);
        let newest = match &reached {
            Ok(Some(reached)) => reached.position.max(own_newest),
            Ok(None) | Err(()) => own_newest,
        };
        let units = Units::read(store, newest)?;
        self.check_claims(&units, note.as_ref())?;
        let plan = Plan::new(&self.beginning, &units, note.as_ref())?;
        let mut repaired = Repaired::default();
        if !is_whole {
            store.replace(IDENTITY, &source.identity)?;
            repaired.wrote();
        }
        for object in &plan.useless {
            store.remove(object)?;
        }
        let mut newest = plan.newest.clone();
        for substitute in &plan.substitutes {
            let end = self.write(substitute, &mut repaired)?;
            if newest.position <= end.position {
                newest = end;
            }
        }
        files::repair(store, &source.files, &mut repaired)?;
        let now = Reached {
            position: newest.position,
            id: newest.id,
            last: plan.end.log.last,
            installation: source.installation(),
        };
        now.write(store)?;
        let is_right = matches!(&reached, Ok(Some(reached)) if reached.position <= now.position);
        if !is_right {
            repaired.wrote();
        }
        self.note_position(note, plan)?;
        Ok(repaired)
    }

    /// Returns whether the identity is that of this installation, and not damaged or missing.
    fn compare_identity(&self) -> Result<bool, ArchiveError> {
        let Beginning { store, source, .. } = self.beginning;
        let Some(identity) = store.get(IDENTITY)? else {
            return Ok(false);
        };
        match Installations::compare(&identity, &source.identity) {
            Installations::Same => Ok(true),
            Installations::Damaged => Ok(false),
            Installations::Different | Installations::Newer(_) => {
                self.beginning.compare_identity(&identity).map(|()| true)
            }
        }
    }

    /// Refuses an archive whose claims are of another installation, or that another process continues.
    fn check_claims(&self, units: &Units, note: Option<&Archived>) -> Result<(), ArchiveError> {
        let Beginning {
            source,
            to,
            is_shared,
            ..
        } = self.beginning;
        let own = source.installation();
        for (position, claim) in units.claims() {
            if !own.fits(claim.installation) {
                return Err(ArchiveError::Unfit(format!(
                    "the archive {to} belongs to another installation, as its claim at place {position} says; nothing was written"
                )));
            }
            let Some(note) = note.filter(|_| !is_shared) else {
                continue;
            };
            let own = note.restored_at.unwrap_or_default().max(note.end.position);
            if position > own && !note.processes.contains(&claim.claimant.process) {
                return Err(self.beginning.continued());
            }
        }
        Ok(())
    }

    /// Writes what stands for lost entries, and removes the volumes that had them. Gives the end with the last one.
    fn write(
        &self,
        substitute: &Substitute,
        repaired: &mut Repaired,
    ) -> Result<LogEnd, ArchiveError> {
        let Beginning {
            store, source, now, ..
        } = self.beginning;
        let (mut end, mut from) = (substitute.before.clone(), substitute.from.clone());
        let time = substitute.time.unwrap_or(now);
        while end.position < substitute.last {
            let is_last = end.position.next() == substitute.last;
            let mut content = Content::Lost;
            let mut body = Vec::new();
            if from.log.last < substitute.through {
                let bytes = if is_last { usize::MAX } else { ENTRY_BYTES };
                let reader = &source.reader;
                let groups = reader
                    .groups_within(from.next, bytes, substitute.through)?
                    .filter(|it| it.last <= substitute.through)
                    .ok_or_else(|| not_there(substitute.through))?;
                (from.log.last, from.next) = (groups.last, Some(groups.next));
                body = groups.bytes;
                content = Content::groups(groups.first, &body);
            }
            let mut header = end.next_header(time, from.log.last, content);
            header.stands_for = substitute.stands_for.filter(|_| is_last);
            let entry = Entry::new(header, body);
            store.replace(&entry.header.position.key(ENTRIES), &entry.encode())?;
            end.advance(&entry);
            repaired.wrote();
        }
        if from.log.last < substitute.through {
            return Err(not_there(substitute.through));
        }
        for volume in &substitute.volumes {
            store.remove(&volume.key())?;
        }
        Ok(end)
    }

    /// Lets the next start go on behind what counts.
    fn note_position(&self, note: Option<Archived>, plan: Plan) -> Result<(), ArchiveError> {
        let Beginning {
            to,
            source,
            process,
            ..
        } = self.beginning;
        let (restored_at, mut processes) =
            note.map_or_else(Default::default, |it| (it.restored_at, it.processes));
        processes.push(process.to_owned());
        let archived = Archived {
            to: to.to_owned(),
            end: plan.end.log,
            processes,
            restored_at,
        };
        archived.store(&*source.disk).map_err(ArchiveError::local)
    }
}

fn not_there(through: Seq) -> ArchiveError {
    ArchiveError::Local(format!(
        "the journal has no group that ends with record {}",
        through.0
    ))
}
