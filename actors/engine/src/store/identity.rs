//! The identity of an installation: written when its data directory is first used, checked before anything else.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::store::disk::{self, Disk, DiskFile};

/// The newest version of the formats in a data directory that this version reads. A directory of a later one is not
/// touched.
pub const FORMAT: u32 = 2;
/// The format of a directory in which nothing was erased: earlier versions read it as well.
const PLAIN: u32 = 1;
/// The format from the first erasure on: its journal has records that earlier versions do not know.
const WITH_ERASURES: u32 = 2;
/// The name of the file.
pub(in crate::store) const FILE: &str = "identity";
pub(in crate::store) const UNFINISHED: &str = "identity.new";

/// Why a data directory cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The operating system refused.
    #[error("cannot use {file}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// The operating system's words.
        reason: String,
    },
    /// The file is not what it should be.
    #[error(
        "{file} is damaged: {reason}; restore it from a backup of the same data directory (`switchboard verify` tells \
         what else is damaged)"
    )]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The directory was written by another version.
    #[error(
        "{file} says that the data has format {found}; this version of switchboard reads formats up to {FORMAT}: run the version that wrote it"
    )]
    OtherFormat {
        /// The file.
        file: String,
        /// The format it names.
        found: u32,
    },
    /// There is a journal, and the file that says what is in it is gone.
    #[error(
        "{file} is missing, but there is a journal beside it; restore it from a backup of the same data directory \
         (`switchboard verify` tells what else is wrong)"
    )]
    Missing {
        /// The file.
        file: String,
    },
}

#[derive(Serialize, Deserialize)]
struct StoredIdentity {
    format: u32,
    id_space: String,
}

/// Reads the identity, or writes a new one with this secret when the directory is empty.
///
/// # Errors
/// When the directory cannot be used.
pub fn open(disk: &Arc<dyn Disk>, fresh: [u8; 16]) -> Result<[u8; 16], IdentityError> {
    let disk = disk.as_ref();
    let names = disk.names().map_err(|error| io(disk, &error))?;
    if names.iter().any(|name| name == FILE) {
        return read(disk);
    }
    if names.iter().any(|name| name.starts_with("journal-")) {
        return Err(IdentityError::Missing {
            file: disk.describe(FILE),
        });
    }
    write(disk, fresh).map_err(|error| io(disk, &error))?;
    Ok(fresh)
}

/// Reads the identity and changes nothing.
///
/// # Errors
/// When the directory cannot be used.
pub(in crate::store) fn check(disk: &Arc<dyn Disk>) -> Result<(), IdentityError> {
    let disk = disk.as_ref();
    let names = disk.names().map_err(|error| io(disk, &error))?;
    if names.iter().any(|name| name == FILE) {
        return read(disk).map(drop);
    }
    Err(IdentityError::Missing {
        file: disk.describe(FILE),
    })
}

/// Writes beside the identity how it is once records are erased; false: it says so already. It is on disk when this
/// returns, and counts when it is renamed.
pub(in crate::store) fn prepare_for_erasures(disk: &dyn Disk) -> Result<bool, IdentityError> {
    let stored = stored(disk)?;
    if stored.format >= WITH_ERASURES {
        return Ok(false);
    }
    let stored = StoredIdentity {
        format: WITH_ERASURES,
        ..stored
    };
    let prepared = prepare(disk, &stored).and_then(|file| file.sync());
    prepared.map_err(|error| io(disk, &error))?;
    Ok(true)
}

fn read(disk: &dyn Disk) -> Result<[u8; 16], IdentityError> {
    let stored = stored(disk)?;
    let mut key = [0; 16];
    hex::decode_to_slice(&stored.id_space, &mut key).map_err(|error| IdentityError::Damaged {
        file: disk.describe(FILE),
        reason: error.to_string(),
    })?;
    Ok(key)
}

fn stored(disk: &dyn Disk) -> Result<StoredIdentity, IdentityError> {
    let damaged = |reason: String| IdentityError::Damaged {
        file: disk.describe(FILE),
        reason,
    };
    let file = disk.open(FILE).map_err(|error| io(disk, &error))?;
    let mut bytes = [0; 256];
    let length = file
        .read_at(0, &mut bytes)
        .map_err(|error| io(disk, &error))?;
    let text = bytes.get(..length).unwrap_or_default();
    let stored: StoredIdentity =
        serde_json::from_slice(text).map_err(|error| damaged(error.to_string()))?;
    if !(PLAIN..=FORMAT).contains(&stored.format) {
        return Err(IdentityError::OtherFormat {
            file: disk.describe(FILE),
            found: stored.format,
        });
    }
    Ok(stored)
}

fn write(disk: &dyn Disk, key: [u8; 16]) -> std::io::Result<()> {
    let stored = StoredIdentity {
        format: PLAIN,
        id_space: hex::encode(key),
    };
    let file = prepare(disk, &stored)?;
    disk::publish(disk, &*file, UNFINISHED, FILE)
}

fn prepare(disk: &dyn Disk, stored: &StoredIdentity) -> std::io::Result<Arc<dyn DiskFile>> {
    let text = serde_json::to_vec(stored).map_err(std::io::Error::other)?;
    let file = disk.open(UNFINISHED)?;
    file.truncate(0)?;
    file.write_at(0, &text)?;
    Ok(file)
}

fn io(disk: &dyn Disk, error: &std::io::Error) -> IdentityError {
    IdentityError::Io {
        file: disk.describe(FILE),
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::memory::MemoryDisk;

    fn put(disk: &Arc<dyn Disk>, name: &str, text: &str) {
        let file = disk.open(name).unwrap();
        file.truncate(0).unwrap();
        file.write_at(0, text.as_bytes()).unwrap();
    }

    #[test]
    fn the_identity_never_changes_after_the_first_start() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
        assert_eq!(open(&disk, [1; 16]).unwrap(), [1; 16]);
        assert_eq!(open(&disk, [2; 16]).unwrap(), [1; 16]);
    }

    #[test]
    fn the_first_erasure_changes_the_format_and_not_the_secret() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
        open(&disk, [1; 16]).unwrap();
        assert_eq!(stored(&*disk).unwrap().format, PLAIN);
        assert!(prepare_for_erasures(&*disk).unwrap());
        disk.rename(UNFINISHED, FILE).unwrap();
        assert_eq!(stored(&*disk).unwrap().format, WITH_ERASURES);
        assert_eq!(open(&disk, [2; 16]).unwrap(), [1; 16]);
        assert!(!prepare_for_erasures(&*disk).unwrap());
    }

    /// A journal of another format, with a damaged identity or without one is refused.
    #[test]
    fn a_foreign_damaged_or_missing_identity_is_refused() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
        put(&disk, FILE, r#"{"format":3,"id_space":""}"#);
        assert!(matches!(
            open(&disk, [1; 16]),
            Err(IdentityError::OtherFormat { found: 3, .. })
        ));
        put(&disk, FILE, "{");
        assert!(matches!(
            open(&disk, [1; 16]),
            Err(IdentityError::Damaged { .. })
        ));
        disk.remove(FILE).unwrap();
        put(&disk, "journal-00000001", "");
        assert!(matches!(
            open(&disk, [1; 16]),
            Err(IdentityError::Missing { .. })
        ));
    }
}
