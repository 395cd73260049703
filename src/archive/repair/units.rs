//! What is left of an archive, object by object.

use std::collections::BTreeMap;

use switchboard_engine::store::identity::InstallationTag;

use crate::archive::contents::{Contents, Superseded};
use crate::archive::entry::{Content, Entry, EntryId, Place};
use crate::archive::read_failure::ReadFailure;
use crate::archive::source::Trouble;
use crate::archive::store::Store;
use crate::archive::volume::VolumeName;

/// Entries that follow each other: those of an object, or those that are missing.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) first: Place,
    pub(super) last: Place,
    /// The volume that has them, if one does.
    pub(super) volume: Option<VolumeName>,
    /// What they say; `None`: they are missing or damaged.
    pub(super) brief: Option<Brief>,
}

/// What a unit says of itself.
#[derive(Clone, Debug)]
pub(super) struct Brief {
    /// The entry before the first one.
    before: EntryId,
    /// The last entry.
    pub(super) id: EntryId,
    pub(super) epoch: u64,
    pub(super) time: i64,
    /// The first record.
    first: Option<u64>,
    /// The last record that the archive has with the first entry, and with the last one.
    upto: u64,
    pub(super) last: u64,
    claim: Option<Claim>,
}

#[derive(Clone, Debug)]
struct Claim {
    from: Place,
    process: String,
    installation: InstallationTag,
}

impl Brief {
    /// Of entries that follow each other; `None` when they do not.
    fn of(entries: &[Entry], first: Place) -> Option<Self> {
        let (head, tail) = (entries.first()?, entries.last()?);
        let mut due = first;
        let mut before = head.header.before;
        for entry in entries {
            if entry.header.place != due || entry.header.before != before {
                return None;
            }
            (due, before) = (due.next(), entry.id);
        }
        Some(Self {
            before: head.header.before,
            id: tail.id,
            epoch: tail.header.epoch,
            time: head.header.time,
            first: match head.header.content {
                Content::Records { first, .. } => Some(first),
                Content::Claim { .. } | Content::Lost => None,
            },
            upto: head.header.last,
            last: tail.header.last,
            claim: match &head.header.content {
                Content::Claim {
                    from,
                    process,
                    installation,
                } => Some(Claim {
                    from: *from,
                    process: process.clone(),
                    installation: *installation,
                }),
                Content::Records { .. } | Content::Lost => None,
            },
        })
    }

    /// The last record that the archive had before it.
    pub(super) fn begins_behind(&self) -> u64 {
        self.first
            .map_or(self.upto, |first| first.saturating_sub(1))
    }

    /// The entry before the first one.
    pub(super) fn before(&self) -> EntryId {
        self.before
    }
}

/// All units, in order and without a gap.
#[derive(Clone, Debug, Default)]
pub(super) struct Units(pub(super) Vec<Unit>);

impl Units {
    /// Reads the archive. It has reached at least `reached`.
    ///
    /// # Errors
    /// When the store refuses.
    pub(super) fn read(store: &dyn Store, reached: Place) -> Result<Self, Trouble> {
        let contents = Contents::list(store)?;
        let newest = contents.newest().unwrap_or_default().max(reached);
        let mut found = BTreeMap::new();
        for (first, (name, _)) in &contents.volumes {
            let unit = Unit {
                first: *first,
                last: name.last,
                volume: Some(*name),
                brief: read(&contents, store, *first, name.last)?,
            };
            found.insert(*first, unit);
        }
        for place in contents.loose.keys() {
            if contents.volume_of(*place).is_some() {
                continue;
            }
            let unit = Unit {
                first: *place,
                last: *place,
                volume: None,
                brief: read(&contents, store, *place, *place)?,
            };
            found.insert(*place, unit);
        }
        let mut units = Vec::new();
        let mut due = Place(1);
        for unit in found.into_values() {
            if due < unit.first {
                units.push(missing(due, Place(unit.first.0.saturating_sub(1))));
            }
            due = unit.last.next();
            units.push(unit);
        }
        if due <= newest {
            units.push(missing(due, newest));
        }
        let mut units = Self(units);
        units.doubt_exchanged();
        Ok(units)
    }

    /// The claims that can be read: their places, processes and installations.
    pub(super) fn claims(&self) -> impl Iterator<Item = (Place, &str, InstallationTag)> {
        self.0.iter().filter_map(|unit| {
            let claim = unit.brief.as_ref()?.claim.as_ref()?;
            Some((unit.first, claim.process.as_str(), claim.installation))
        })
    }

    /// Which places do not count.
    pub(super) fn superseded(&self) -> Superseded {
        let claims: Vec<_> = self
            .0
            .iter()
            .filter_map(|unit| {
                let claim = unit.brief.as_ref()?.claim.as_ref()?;
                Some((unit.first, claim.from))
            })
            .collect();
        Superseded::of(&claims)
    }

    /// A unit that neither follows the one before it nor is followed by the one behind it is another archive's, however
    /// right it is by itself.
    fn doubt_exchanged(&mut self) {
        let mut exchanged = Vec::new();
        for (at, unit) in self.0.iter().enumerate() {
            let Some(brief) = &unit.brief else { continue };
            let older = match at.checked_sub(1) {
                // What names no entry before it may be the beginning of any archive.
                None => None,
                Some(older) => self.brief(older).map(|it| it.id),
            };
            let newer = self.brief(at.saturating_add(1)).map(|it| it.before);
            let links = [
                older.map(|id| id == brief.before),
                newer.map(|before| before == brief.id),
            ];
            let is_alone = links.iter().flatten().all(|is_right| !is_right);
            if is_alone && links.iter().any(Option::is_some) {
                exchanged.push(at);
            }
        }
        for at in exchanged {
            if let Some(unit) = self.0.get_mut(at) {
                unit.brief = None;
            }
        }
    }

    fn brief(&self, at: usize) -> Option<&Brief> {
        self.0.get(at)?.brief.as_ref()
    }
}

fn missing(first: Place, last: Place) -> Unit {
    Unit {
        first,
        last,
        volume: None,
        brief: None,
    }
}

/// What the entries say; `None` when one of them is damaged.
fn read(
    contents: &Contents,
    store: &dyn Store,
    first: Place,
    last: Place,
) -> Result<Option<Brief>, Trouble> {
    let mut entries = Vec::new();
    for entry in contents.walk(store, first) {
        match entry {
            Ok(mut entry) => {
                let is_last = entry.header.place == last;
                entry.body = Vec::new();
                entries.push(entry);
                if is_last {
                    return Ok(Brief::of(&entries, first));
                }
            }
            Err(ReadFailure::Store(error)) => return Err(error.into()),
            Err(ReadFailure::Damaged { .. } | ReadFailure::Missing { .. }) => return Ok(None),
        }
    }
    Ok(None)
}
