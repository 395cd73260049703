//! Writes files again that the archive has lost.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use switchboard_media as media;

use super::Repaired;
use crate::archive::files::FILES;
use crate::archive::source::Trouble;
use crate::archive::store::Store;

/// So many damaged files are named at most.
const NAMED_MAX: usize = 100;

/// Compares the files that messages refer to with those of the archive, and copies those that are not the same.
pub(super) fn repair(
    store: &dyn Store,
    directory: &Path,
    repaired: &mut Repaired,
) -> Result<(), Trouble> {
    let directory = directory.join(FILES);
    let failed = |path: &Path, error: &std::io::Error| {
        Trouble::Local(format!("cannot read {}: {error}", path.display()))
    };
    let mut marks = media::kept_marks(&directory).map_err(|error| failed(&directory, &error))?;
    for mark in &marks {
        let parts = media::parts_of(mark);
        let mut local = Vec::new();
        for part in &parts {
            let path = directory.join(part);
            match fs::read(&path) {
                Ok(bytes) => local.push(Some(bytes)),
                Err(error) if error.kind() == ErrorKind::NotFound => local.push(None),
                Err(error) => return Err(failed(&path, &error)),
            }
        }
        if media::check_parts(mark, &local).is_err() {
            // `switchboard verify` reports it. The archive may have it.
            continue;
        }
        let mut is_changed = false;
        // The mark comes last: it says that the other parts are there.
        for (part, bytes) in parts.iter().zip(&local) {
            let (key, Some(bytes)) = (format!("{FILES}/{part}"), bytes) else {
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
    for listed in store.list(FILES)? {
        let name = listed.key.strip_prefix(FILES).unwrap_or_default();
        let mark = name.strip_prefix('/').filter(|it| media::is_kept_mark(it));
        let Some(mark) =
            mark.filter(|it| marks.binary_search_by(|one| one.as_str().cmp(it)).is_err())
        else {
            continue;
        };
        let mut parts = Vec::new();
        for part in media::parts_of(mark) {
            parts.push(store.get(&format!("{FILES}/{part}"))?);
        }
        if let Err(why) = media::check_parts(mark, &parts)
            && repaired.left.len() < NAMED_MAX
        {
            let object = store.describe(&listed.key);
            repaired
                .left
                .push(format!("{object} marks a file that {why}"));
        }
    }
    Ok(())
}
