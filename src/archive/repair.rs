//! Writes again what the archive has lost, from the journal and the files of the data directory.
//!
//! Objects that are right stay as they are. What stands for an entry that was lost has the records that the journal has for it,
//! and the name by which the next entry calls the lost one, so the chain holds. Nothing is written before all that is left of the
//! archive has been compared with the journal: an archive of another history is not touched.

mod files;
mod plan;
mod units;

use std::io;

use switchboard_engine::store::Seq;
use switchboard_engine::store::identity::InstallationTag;

use self::plan::{Plan, Substitute};
use self::units::Units;
use crate::archive::IDENTITY;
use crate::archive::begin::Beginning;
use crate::archive::entry::{Content, Entry, EntryId, Header, Place, hash};
use crate::archive::position::Archived;
use crate::archive::reached::Reached;
use crate::archive::source::{Installations, Trouble};

/// What was written again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repaired {
    /// Entries, volumes and small objects.
    pub(crate) objects: u64,
    /// Files that messages refer to.
    pub(crate) files: u64,
    /// What is damaged and is not in the data directory either, for people.
    pub(crate) left: Vec<String>,
}

impl Repaired {
    fn wrote(&mut self) {
        self.objects = self.objects.saturating_add(1);
    }
}

/// A repair. While it goes on, nothing else writes to the archive.
pub(crate) struct Repair<'r> {
    /// What a start needs to know as well.
    pub(crate) beginning: Beginning<'r>,
}

impl Repair<'_> {
    /// Repairs. The next start of the archive goes on from what is there then. It may be interrupted and repeated.
    ///
    /// # Errors
    /// Why nothing was written: another installation or another history; or what the store or the journal refused.
    pub(crate) fn run(&self) -> Result<Repaired, Trouble> {
        let Beginning {
            store,
            to,
            directory,
            ..
        } = self.beginning;
        let known = Archived::read(directory, to).map_err(local)?;
        let reached = Reached::read(store);
        let reached = match reached {
            Err(failure) if failure.is_damage() => Err(()),
            read => Ok(read?),
        };
        let is_whole = self.compare_identity()?;
        let newest = known.as_ref().map_or(Place(0), |it| it.place);
        let newest = match &reached {
            Ok(Some(reached)) => reached.place.max(newest),
            Ok(None) | Err(()) => newest,
        };
        let units = Units::read(store, newest)?;
        self.check_claims(&units, known.as_ref())?;
        let plan = Plan::of(&self.beginning, &units, known.as_ref())?;
        let mut repaired = Repaired::default();
        if !is_whole {
            store.replace(IDENTITY, &self.beginning.source.identity)?;
            repaired.wrote();
        }
        for object in &plan.useless {
            store.remove(object)?;
        }
        let (mut place, mut id) = plan.newest;
        for substitute in &plan.substitutes {
            let last = self.write(substitute, &mut repaired)?;
            if place <= substitute.last {
                (place, id) = (substitute.last, last);
            }
        }
        files::repair(store, directory, &mut repaired)?;
        let now = Reached {
            place,
            id,
            last: plan.end.last.0,
            installation: self.beginning.source.installation(),
        };
        now.write(store)?;
        let is_right = matches!(&reached, Ok(Some(reached)) if reached.place <= now.place);
        if !is_right {
            repaired.wrote();
        }
        self.note_position(known, &plan)?;
        Ok(repaired)
    }

    /// Whether the identity is that of this installation, and not damaged or missing.
    fn compare_identity(&self) -> Result<bool, Trouble> {
        let Beginning { store, source, .. } = self.beginning;
        let Some(found) = store.get(IDENTITY)? else {
            return Ok(false);
        };
        match Installations::of(&found, &source.identity) {
            Installations::Same => Ok(true),
            Installations::Damaged => Ok(false),
            Installations::Different => self.beginning.compare_identity(&found).map(|()| true),
        }
    }

    /// Refuses an archive whose claims are of another installation, or that another process continues.
    fn check_claims(&self, units: &Units, known: Option<&Archived>) -> Result<(), Trouble> {
        let Beginning {
            source,
            to,
            is_shared,
            ..
        } = self.beginning;
        let own: InstallationTag = source.installation();
        for (place, process, installation) in units.claims() {
            if !own.fits(installation) {
                return Err(Trouble::Unfit(format!(
                    "the archive {to} belongs to another installation, as its claim at place {} says; nothing was written",
                    place.0
                )));
            }
            let Some(known) = known.filter(|_| !is_shared) else {
                continue;
            };
            let own = known.place.max(known.restored_at.unwrap_or_default());
            if place > own && !known.processes.iter().any(|it| it == process) {
                return Err(self.beginning.continued());
            }
        }
        Ok(())
    }

    /// Writes what stands for lost entries, and removes the volumes that had them. Gives the id of the last one.
    fn write(&self, substitute: &Substitute, repaired: &mut Repaired) -> Result<EntryId, Trouble> {
        let Beginning {
            store, source, now, ..
        } = self.beginning;
        let (mut before, mut from) = (substitute.before, substitute.from.clone());
        let mut place = substitute.first;
        while place <= substitute.last {
            let is_last = place == substitute.last;
            let mut header = Header {
                place,
                epoch: substitute.epoch,
                before,
                time: substitute.time.unwrap_or(now),
                last: from.last.0,
                stands_for: substitute.stands_for.filter(|_| is_last),
                content: Content::Lost,
            };
            let mut body = Vec::new();
            if from.last < substitute.through {
                let bytes = if is_last { usize::MAX } else { ENTRY_BYTES };
                let reader = &source.reader;
                let groups = reader.groups_within(from.next, bytes, substitute.through)?;
                let groups = groups.filter(|it| it.last <= substitute.through);
                let groups = groups.ok_or_else(|| self.not_there(substitute.through))?;
                (from.last, from.next) = (groups.last, Some(groups.next));
                body = groups.bytes;
                header.last = groups.last.0;
                header.content = Content::Records {
                    first: groups.first.0,
                    sha256: hash(&body),
                };
            }
            let entry = Entry::new(header, body);
            store.replace(&place.key(), &entry.encode())?;
            before = entry.id;
            repaired.wrote();
            place = place.next();
        }
        if from.last < substitute.through {
            return Err(self.not_there(substitute.through));
        }
        for volume in &substitute.volumes {
            store.remove(&volume.key())?;
        }
        Ok(before)
    }

    fn not_there(&self, through: Seq) -> Trouble {
        Trouble::Local(format!(
            "the journal has no group that ends with record {}",
            through.0
        ))
    }

    /// Lets the next start go on behind what counts.
    fn note_position(&self, known: Option<Archived>, plan: &Plan) -> Result<(), Trouble> {
        let Beginning {
            to,
            directory,
            process,
            ..
        } = self.beginning;
        let (restored_at, mut processes) =
            known.map_or_else(Default::default, |it| (it.restored_at, it.processes));
        processes.push(process.to_owned());
        let archived = Archived {
            to: to.to_owned(),
            place: plan.end.place,
            id: plan.end.id,
            last: plan.end.last.0,
            processes,
            restored_at,
        };
        archived.store(directory).map_err(local)
    }
}

/// When an entry has so many bytes, it takes no further group.
const ENTRY_BYTES: usize = 4 << 20;

fn local(error: io::Error) -> Trouble {
    Trouble::Local(error.to_string())
}
