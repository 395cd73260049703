//! The remains of an archive, object by object.

use std::collections::BTreeMap;

use crate::archive::contents::{Contents, Superseded};
use crate::archive::error::ArchiveError;
use crate::archive::read_error::ArchiveReadError;
use crate::archive::volume::VolumeName;
use crate::chain::check_link;
use crate::entry::{Claim, Entry, EntryHeader};
use crate::log_end::LogEnd;
use crate::position::Position;
use crate::store::Store;

/// Entries that follow each other: those of an object, or those that are missing.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) first: Position,
    pub(super) last: Position,
    /// The volume that has them, if one does.
    pub(super) volume: Option<VolumeName>,
    /// Their summary; `None`: they are missing or damaged.
    pub(super) brief: Option<Brief>,
}

/// The summary of a unit.
#[derive(Clone, Debug)]
pub(super) struct Brief {
    /// The header of its first entry.
    pub(super) head: EntryHeader,
    /// The end of the archive with its last entry.
    pub(super) end: LogEnd,
}

impl Brief {
    /// The summary of these entries, the first of which is at this position; `None` when they do not follow each other.
    fn read(entries: &[Entry], first: Position) -> Option<Self> {
        let head = entries.first()?.header.clone();
        let mut end = LogEnd {
            position: first.previous(),
            id: head.before,
            ..LogEnd::default()
        };
        for entry in entries {
            check_link(&entry.header, end.position.next(), Some(end.id)).ok()?;
            end.advance(entry);
        }
        Some(Self { head, end })
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
    pub(super) fn read(store: &dyn Store, reached: Position) -> Result<Self, ArchiveError> {
        let contents = Contents::list(store)?;
        let newest = contents.newest().unwrap_or_default().max(reached);
        let mut unit_by_first = BTreeMap::new();
        for (first, (name, _)) in &contents.volumes {
            let unit = Unit {
                first: *first,
                last: name.last,
                volume: Some(*name),
                brief: read(&contents, store, *first, name.last)?,
            };
            unit_by_first.insert(*first, unit);
        }
        for position in contents.loose.keys() {
            if contents.volume_of(*position).is_some() {
                continue;
            }
            let unit = Unit {
                first: *position,
                last: *position,
                volume: None,
                brief: read(&contents, store, *position, *position)?,
            };
            unit_by_first.insert(*position, unit);
        }
        let mut units = Vec::new();
        let mut due = Position(1);
        for unit in unit_by_first.into_values() {
            if due < unit.first {
                units.push(missing(due, unit.first.previous()));
            }
            due = unit.last.next();
            units.push(unit);
        }
        if due <= newest {
            units.push(missing(due, newest));
        }
        let mut units = Self(units);
        units.drop_exchanged();
        Ok(units)
    }

    /// The claims that can be read, with their positions.
    pub(super) fn claims(&self) -> impl Iterator<Item = (Position, &Claim)> {
        let briefs = self.0.iter().filter_map(|unit| unit.brief.as_ref());
        briefs.filter_map(|brief| Some((brief.head.position, brief.head.content.claim()?)))
    }

    /// The positions that do not count.
    pub(super) fn superseded(&self) -> Superseded {
        Superseded::new(
            self.claims()
                .map(|(position, claim)| (position, claim.from)),
        )
    }

    /// A unit that neither follows the one before it nor is followed by the one behind it is another archive's, however
    /// right it is by itself.
    fn drop_exchanged(&mut self) {
        let mut exchanged = Vec::new();
        for (at, unit) in self.0.iter().enumerate() {
            let Some(brief) = &unit.brief else { continue };
            let older = match at.checked_sub(1) {
                // What names no entry before it may be the beginning of any archive.
                None => None,
                Some(older) => self.brief(older).map(|it| it.end.id),
            };
            let newer = self.brief(at.saturating_add(1)).map(|it| it.head.before);
            let links = [
                older.map(|id| id == brief.head.before),
                newer.map(|before| before == brief.end.id),
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

fn missing(first: Position, last: Position) -> Unit {
    Unit {
        first,
        last,
        volume: None,
        brief: None,
    }
}

/// The summary of the entries; `None` when one of them is damaged.
fn read(
    contents: &Contents,
    store: &dyn Store,
    first: Position,
    last: Position,
) -> Result<Option<Brief>, ArchiveError> {
    let mut entries = Vec::new();
    for entry in contents.walk(store, first) {
        match entry {
            Ok(mut entry) => {
                let is_last = entry.header.position == last;
                entry.body = Vec::new();
                entries.push(entry);
                if is_last {
                    return Ok(Brief::read(&entries, first));
                }
            }
            Err(ArchiveReadError::Store(error)) => return Err(error.into()),
            Err(ArchiveReadError::Damaged { .. } | ArchiveReadError::Missing { .. }) => {
                return Ok(None);
            }
        }
    }
    Ok(None)
}
