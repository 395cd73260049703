//! Lets the archive follow the erasures of the data directory.
//!
//! The journal that was rewritten says what each entry has to say now: a body that has changed records is replaced by the same
//! records of the journal. The header stays, so the chain does. An object in the archive notes that an erasure is followed.

use serde::Serialize;
use switchboard_engine::store::{Position, Seq};
use switchboard_media as media;

use crate::archive::contents::{Contents, Superseded};
use crate::archive::entry::{Content, Entry, Place, hash};
use crate::archive::files::FILES;
use crate::archive::read_failure::ReadFailure;
use crate::archive::source::{Erased, Source, Trouble};
use crate::archive::store::Store;
use crate::archive::volume::{self, VolumeName};

/// The prefix of the keys of erasures that the archive has followed.
pub(crate) const ERASURES: &str = "erasures";

/// What the archive keeps of an erasure.
#[derive(Serialize)]
struct Followed {
    number: u32,
    records_erased: u64,
    records_replaced: u64,
    /// How many files are gone, and how many entries have another body since. Both are of all erasures that were followed
    /// at this moment.
    files: u64,
    entries: u64,
    /// When it was followed, in milliseconds since 1970.
    time: i64,
}

/// How far the journal was read: entries that follow each other are not looked for.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    last: Seq,
    next: Option<Position>,
}

/// The archive, to be changed.
pub(crate) struct Eraser<'e> {
    pub(crate) store: &'e dyn Store,
    pub(crate) source: &'e Source,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
}

impl Eraser<'_> {
    /// Erases in the archive what was erased from the journal since the last time. Gives the number of those erasures.
    ///
    /// # Errors
    /// When the store refuses, or the journal does not have what the archive has. Repeating it goes on.
    pub(crate) fn follow(&self) -> Result<usize, Trouble> {
        let mut due = Vec::new();
        for erased in &self.source.erasures {
            if self.store.get(&key(erased))?.is_none() {
                due.push(erased);
            }
        }
        if due.is_empty() {
            return Ok(0);
        }
        let contents = Contents::list(self.store)?;
        let superseded = contents.superseded(self.store, |_| true)?;
        let entries = self.replace_bodies(&contents, &superseded, &due)?;
        let files = self.remove_files(&due)?;
        for erased in &due {
            let followed = Followed {
                number: erased.records.number,
                records_erased: erased.records.erased.count(),
                records_replaced: erased.records.replaced.count(),
                files,
                entries,
                time: self.now,
            };
            let text = serde_json::to_vec(&followed).map_err(local)?;
            self.store.replace(&key(erased), &text)?;
        }
        Ok(due.len())
    }

    /// Removes the files that are gone, and gives their number.
    fn remove_files(&self, due: &[&Erased]) -> Result<u64, Trouble> {
        let mut removed = 0_u64;
        for listed in self.store.list(FILES)? {
            let Some(mark) = media::mark_beside(&listed.key) else {
                continue;
            };
            let [content, thumbnail, about, mark] = media::parts_of(&mark);
            let mut goes = false;
            for erased in due {
                goes |= media::is_erased(&mark, &erased.note, || self.store.get(&about))?;
            }
            if goes {
                // The description last: an interrupted removal finds it again.
                for part in [content, thumbnail, mark, about] {
                    self.store.remove(&part)?;
                }
                removed = removed.saturating_add(1);
            }
        }
        Ok(removed)
    }

    /// Replaces the bodies that have changed, and gives their number.
    fn replace_bodies(
        &self,
        contents: &Contents,
        superseded: &Superseded,
        due: &[&Erased],
    ) -> Result<u64, Trouble> {
        let mut changed = 0_u64;
        let mut reached = Reached::default();
        let mut volume: Option<(VolumeName, Vec<Entry>, bool)> = None;
        for entry in contents.walk(self.store, Place(1)) {
            let entry = entry?;
            let place = entry.header.place;
            let body = self.new_body(&entry, superseded.has(place), due, &mut reached)?;
            let is_changed = body.is_some();
            changed = changed.saturating_add(u64::from(is_changed));
            let entry = match body {
                Some(body) => entry.replace(body, self.now),
                None => entry,
            };
            let Some(name) = contents.volume_of(place) else {
                if is_changed {
                    self.store.replace(&place.key(), &entry.encode())?;
                }
                continue;
            };
            let (_, entries, any) = volume.get_or_insert_with(|| (name, Vec::new(), false));
            entries.push(entry);
            *any |= is_changed;
            if place == name.last
                && let Some((name, entries, true)) = volume.take()
            {
                self.replace_volume(name, &entries)?;
            }
        }
        Ok(changed)
    }

    fn replace_volume(&self, name: VolumeName, entries: &[Entry]) -> Result<(), Trouble> {
        let entries: Vec<_> = entries.iter().map(Entry::encode).collect();
        let bytes = volume::encode(entries.iter().map(Vec::as_slice)).map_err(local)?;
        Ok(self.store.replace(&name.key(), &bytes)?)
    }

    /// What the entry has to have instead of its body; `None`: it stays.
    fn new_body(
        &self,
        entry: &Entry,
        superseded: bool,
        due: &[&Erased],
        reached: &mut Reached,
    ) -> Result<Option<Vec<u8>>, Trouble> {
        let Content::Records { first, .. } = entry.header.content else {
            return Ok(None);
        };
        if superseded {
            // It may have what was erased, and the journal does not say: these records do not count any more.
            return Ok((!entry.body.is_empty()).then(Vec::new));
        }
        let (first, last) = (Seq(first), entry.last());
        if !due.iter().any(|erased| erased.meets(first, last)) {
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
        let groups = groups.filter(|groups| groups.first == first && groups.last == last);
        let groups = groups.ok_or_else(|| ReadFailure::Damaged {
            object: self.store.describe(&entry.header.place.key()),
            reason: format!(
                "its records {} to {} are not in the journal",
                first.0, last.0
            ),
        })?;
        Ok((entry.sha256() != Some(&hash(&groups.bytes))).then_some(groups.bytes))
    }
}

/// The key of an erasure that is followed. A restore to an earlier moment may give its number to another one.
fn key(erased: &Erased) -> String {
    let text = serde_json::to_vec(erased).unwrap_or_default();
    let digest = hash(&text);
    let digest = digest.get(..16).unwrap_or_default();
    format!("{ERASURES}/{:08}-{digest}", erased.records.number)
}

fn local(error: impl Into<Box<dyn std::error::Error>>) -> Trouble {
    Trouble::Local(error.into().to_string())
}
