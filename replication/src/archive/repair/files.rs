//! Writes files again that the archive has lost.

use std::fs;
use std::io::ErrorKind;

use super::repaired::Repaired;
use crate::archive::error::ArchiveError;
use crate::files::{JournalFiles, key};
use crate::store::Store;

/// So many damaged files are named at most.
const NAMED_MAX: usize = 100;

/// Compares the files that records refer to with those of the archive, and copies those that are not the same.
pub(super) fn repair(
    store: &dyn Store,
    files: &JournalFiles,
    repaired: &mut Repaired,
) -> Result<(), ArchiveError> {
    let (layout, directory) = (&*files.layout, files.directory());
    let mut marks = layout
        .marks(&directory)
        .map_err(|error| ArchiveError::unread(&directory, &error))?;
    for mark in &marks {
        let parts = layout.parts(mark);
        let mut local = Vec::new();
        for part in &parts {
            let path = directory.join(part);
            match fs::read(&path) {
                Ok(bytes) => local.push(Some(bytes)),
                Err(error) if error.kind() == ErrorKind::NotFound => local.push(None),
                Err(error) => return Err(ArchiveError::unread(&path, &error)),
            }
        }
        if layout.check(mark, &local).is_err() {
            // `switchboard verify` reports it. The archive may have it.
            continue;
        }
        let mut is_changed = false;
        // The mark comes last: it says that the other parts are there.
        for (part, bytes) in parts.iter().zip(&local) {
            let (key, Some(bytes)) = (key(layout, part), bytes) else {
                continue;
            };
            if store.get(&key)?.as_ref() != Some(bytes) {
                store.replace(&key, bytes)?;
                is_changed = true;
            }
        }
        repaired.files = repaired.files.saturating_add(u64::from(is_changed));
    }
    marks.sort_unstable();
    for object in store.list(layout.folder())? {
        let name = object.key.strip_prefix(layout.folder()).unwrap_or_default();
        let mark = name.strip_prefix('/').filter(|it| layout.is_mark(it));
        let Some(mark) =
            mark.filter(|it| marks.binary_search_by(|one| one.as_str().cmp(it)).is_err())
        else {
            continue;
        };
        let mut parts = Vec::new();
        for part in layout.parts(mark) {
            parts.push(store.get(&key(layout, &part))?);
        }
        if let Err(why) = layout.check(mark, &parts)
            && repaired.left.len() < NAMED_MAX
        {
            let place = store.describe(&object.key);
            repaired
                .left
                .push(format!("{place} marks a file that {why}"));
        }
    }
    Ok(())
}
