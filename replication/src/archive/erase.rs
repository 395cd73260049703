//! Lets the archive follow the erasures of the data directory.
//!
//! The journal that was rewritten says what each entry has to say now: a body that has changed records is replaced by the same
//! records of the journal. The header stays, so the chain does. An object in the archive notes that an erasure is followed.

use serde::Serialize;
use switchboard_engine::store::erasure::list::ErasedRecords;
use switchboard_engine::store::{Position as JournalPosition, Seq};
use switchboard_engine::time::UnixMillis;

use super::contents::{Contents, Superseded};
use super::error::ArchiveError;
use super::read_error::ArchiveReadError;
use super::source::Source;
use super::volume::{self, VolumeName};
use crate::entry::{Entry, hash};
use crate::files;
use crate::position::Position;
use crate::store::{ENTRIES, ERASURES, Store};

/// The note of an erasure that the archive has followed.
#[derive(Serialize)]
struct Followed {
    number: u32,
    records_erased: u64,
    records_replaced: u64,
    /// The numbers of files that are gone and of entries that have another body since. Both are of all erasures that were followed
    /// at this moment.
    files: u64,
    entries: u64,
    /// The time at which it was followed.
    time: UnixMillis,
}

/// The end of the last read of the journal: entries that follow each other are not looked for.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    last: Seq,
    next: Option<JournalPosition>,
}

/// The archive, to be changed.
pub(crate) struct Eraser<'e> {
    pub(crate) store: &'e dyn Store,
    pub(crate) source: &'e Source,
    /// The present time.
    pub(crate) now: UnixMillis,
}

impl Eraser<'_> {
    /// Erases in the archive what was erased from the journal since the last time. Gives the number of those erasures.
    ///
    /// # Errors
    /// When the store refuses, or the journal does not have what the archive has. Repeating it goes on.
    pub(crate) fn follow(&self) -> Result<usize, ArchiveError> {
        let mut due = Vec::new();
        for erasure in &self.source.erasures {
            if self.store.get(&key(erasure))?.is_none() {
                due.push(erasure);
            }
        }
        if due.is_empty() {
            return Ok(0);
        }
        let contents = Contents::list(self.store)?;
        let superseded = contents.superseded(self.store, |_| true)?;
        let entries = self.replace_bodies(&contents, &superseded, &due)?;
        let files = self.remove_files(&due)?;
        for erasure in &due {
            let followed = Followed {
                number: erasure.number,
                records_erased: erasure.erased.count(),
                records_replaced: erasure.replaced.count(),
                files,
                entries,
                time: self.now,
            };
            let text = serde_json::to_vec(&followed).map_err(ArchiveError::local)?;
            self.store.replace(&key(erasure), &text)?;
        }
        Ok(due.len())
    }

    /// Removes the files that are gone, and gives their number.
    fn remove_files(&self, due: &[&ErasedRecords]) -> Result<u64, ArchiveError> {
        let mut file_count = 0_u64;
        let layout = &*self.source.files.layout;
        let prefix = files::key(layout, "");
        for object in self.store.list(layout.folder())? {
            let name = object.key.strip_prefix(&prefix);
            let Some(mark) = name.and_then(|name| layout.mark_beside(name)) else {
                continue;
            };
            let [content, thumbnail, about, mark_part] = layout.parts(&mark);
            let mut goes = false;
            for erasure in due {
                let mut description = || self.store.get(&files::key(layout, &about));
                goes |= layout.is_erased(&mark, &erasure.note, &mut description)?;
            }
            if goes {
                // The description last: an interrupted removal finds it again.
                for part in [content, thumbnail, mark_part, about] {
                    self.store.remove(&files::key(layout, &part))?;
                }
                file_count = file_count.saturating_add(1);
            }
        }
        Ok(file_count)
    }

    /// Replaces the bodies that have changed, and gives their number.
    fn replace_bodies(
        &self,
        contents: &Contents,
        superseded: &Superseded,
        due: &[&ErasedRecords],
    ) -> Result<u64, ArchiveError> {
        let mut body_count = 0_u64;
        let mut reached = Reached::default();
        let mut volume: Option<(VolumeName, Vec<Entry>, bool)> = None;
        for entry in contents.walk(self.store, Position(1)) {
            let entry = entry?;
            let position = entry.header.position;
            let body = self.new_body(&entry, superseded.has(position), due, &mut reached)?;
            let is_changed = body.is_some();
            body_count = body_count.saturating_add(u64::from(is_changed));
            let entry = match body {
                Some(body) => entry.replace(body, self.now),
                None => entry,
            };
            let Some(name) = contents.volume_of(position) else {
                if is_changed {
                    self.store
                        .replace(&position.key(ENTRIES), &entry.encode())?;
                }
                continue;
            };
            let (_, entries, any) = volume.get_or_insert_with(|| (name, Vec::new(), false));
            entries.push(entry);
            *any |= is_changed;
            if position == name.last
                && let Some((name, entries, true)) = volume.take()
            {
                self.replace_volume(name, &entries)?;
            }
        }
        Ok(body_count)
    }

    fn replace_volume(&self, name: VolumeName, entries: &[Entry]) -> Result<(), ArchiveError> {
        let entries: Vec<_> = entries.iter().map(Entry::encode).collect();
        let bytes =
            volume::encode(entries.iter().map(Vec::as_slice)).map_err(ArchiveError::local)?;
        Ok(self.store.replace(&name.key(), &bytes)?)
    }

    /// The body that replaces that of the entry; `None`: it stays.
    fn new_body(
        &self,
        entry: &Entry,
        superseded: bool,
        due: &[&ErasedRecords],
        reached: &mut Reached,
    ) -> Result<Option<Vec<u8>>, ArchiveError> {
        let Some(first) = entry.header.content.first() else {
            return Ok(None);
        };
        if superseded {
            // It may have what was erased, and the journal does not say: these records do not count any more.
            return Ok((!entry.body.is_empty()).then(Vec::new));
        }
        let last = entry.header.last;
        if !due.iter().any(|erasure| erasure.touches(first, last)) {
            return Ok(None);
        }
        let reader = &self.source.reader;
        let from = match (first.0.saturating_sub(1), reached.next) {
            (0, _) => None,
            (before, Some(next)) if reached.last == Seq(before) => Some(next),
            (before, _) => reader.place_after(Seq(before))?,
        };
        let groups = reader.groups_through(from, last)?;
        if let Some(groups) = &groups {
            *reached = Reached {
                last: groups.last,
                next: Some(groups.next),
            };
        }
        let groups = groups
            .filter(|groups| groups.first == first && groups.last == last)
            .ok_or_else(|| {
                let (first, last) = (first.0, last.0);
                let reason = format!("its records {first} to {last} are not in the journal");
                ArchiveReadError::damaged(self.store, &entry.header.position.key(ENTRIES), reason)
            })?;
        Ok((entry.sha256() != Some(&hash(&groups.bytes))).then_some(groups.bytes))
    }
}

/// The key of an erasure that is followed. A restore to an earlier moment may give its number to another one.
fn key(erasure: &ErasedRecords) -> String {
    let text = serde_json::to_vec(erasure).unwrap_or_default();
    let full_digest = hash(&text);
    let digest = full_digest.get(..16).unwrap_or_default();
    format!("{ERASURES}/{:08}-{digest}", erasure.number)
}
