//! The newest position of the archive: an object beside the entries that names the newest one. Entries that are gone from its end
//! leave no hole behind, and this object shows them.

use serde::{Deserialize, Serialize};
use switchboard_engine::store::Seq;
use switchboard_engine::store::identity::InstallationTag;
use switchboard_engine::store::small_file;

use super::read_error::ArchiveReadError;
use crate::entry::EntryId;
use crate::position::Position;
use crate::store::{REACHED, Store, StoreError};

const HEADING: &str = "switchboard-archive-reached 2 ";

/// The newest entry, as it was written last: behind the entry, so that the archive has reached at least this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reached {
    pub(crate) position: Position,
    pub(crate) id: EntryId,
    /// The last record that the archive has with it.
    pub(crate) last: Seq,
    /// The installation that the archive belongs to.
    pub(crate) installation: InstallationTag,
}

impl Reached {
    /// Reads the object; `None` when there is none.
    ///
    /// # Errors
    /// When the store refuses, or the object is damaged.
    pub(crate) fn read(store: &dyn Store) -> Result<Option<Self>, ArchiveReadError> {
        let Some(bytes) = store.get(REACHED)? else {
            return Ok(None);
        };
        let reached = small_file::decode(&bytes, HEADING);
        let damaged = |error: std::io::Error| ArchiveReadError::damaged(store, REACHED, error);
        reached.map(Some).map_err(damaged)
    }

    /// Writes the object.
    ///
    /// # Errors
    /// When the store refuses.
    pub(crate) fn write(&self, store: &dyn Store) -> Result<(), StoreError> {
        // Numbers and texts are written into memory.
        let bytes = small_file::encode(HEADING, self).unwrap_or_default();
        store.replace(REACHED, &bytes)
    }
}
