//! Removes the files that an erasure leaves without a message.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use switchboard_actors::domain::id::MediaId;
use switchboard_actors::system::erasures::ErasureNote;

use super::about::About;
use super::directory::{MediaDirectory, read};
use super::kept::id_of;
use super::verify::names_in;

/// Removes the files that the note names from a data directory that no service uses, and all of its account if it says so.
/// On disk when this returns. May be repeated after it was interrupted.
///
/// # Errors
/// When the operating system refuses.
pub fn remove_erased(directory: &Path, note: &ErasureNote) -> io::Result<()> {
    let root = directory.join("media");
    if !root.is_dir() {
        return Ok(());
    }
    let place = MediaDirectory::at(&root);
    for shard in 0..=u8::MAX {
        let names = names_in(&place.shard(shard))?;
        let there: BTreeSet<MediaId> = names
            .iter()
            .filter_map(|name| name.split('.').next()?.parse().ok())
            .collect();
        let mut is_changed = false;
        for id in there {
            if is_meant(&place, id, note)? {
                place.forget(id)?;
                is_changed = true;
            }
        }
        if is_changed {
            place.sync_shard(shard)?;
        }
    }
    Ok(())
}

/// Returns whether a file goes: it is named, or all of the account go, and it is not another account's.
fn is_meant(place: &MediaDirectory, id: MediaId, note: &ErasureNote) -> io::Result<bool> {
    let is_named = note.files.contains(&id);
    if !is_named && !note.all_files {
        return Ok(false);
    }
    let about = match place.about(id) {
        Ok(about) => about,
        // Whose it is cannot be read: it goes if it is named.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => None,
        Err(error) => return Err(error),
    };
    Ok(goes(about.as_ref(), note, is_named))
}

/// Returns whether a kept file of a copy goes, by its mark. `about` reads its description, if it has one that can be
/// read.
///
/// # Errors
/// As of `about`.
pub fn is_erased<E>(
    mark: &str,
    note: &ErasureNote,
    about: impl FnOnce() -> Result<Option<Vec<u8>>, E>,
) -> Result<bool, E> {
    let id = id_of(mark);
    let is_named = id.is_some_and(|id| note.files.contains(&id));
    if !is_named && !note.all_files {
        return Ok(false);
    }
    let about = about()?.and_then(|bytes| read(id?, &bytes).ok());
    Ok(goes(about.as_ref(), note, is_named))
}

fn goes(about: Option<&About>, note: &ErasureNote, is_named: bool) -> bool {
    match (about, note.account) {
        (Some(about), Some(account)) => about.account == account,
        (Some(_) | None, _) => is_named,
    }
}
