//! The identity of an installation: written when its data directory is first used, checked before anything else.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::store::disk::{self, Disk};

/// The version of the formats in the data directory. A directory of another version is not touched.
pub const FORMAT: u32 = 1;
/// The name of the file.
pub(in crate::store) const FILE: &str = "identity";
const UNFINISHED: &str = "identity.new";

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
        "{file} says that the data has format {found}; this version of switchboard reads format {FORMAT}: run the version that wrote it"
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
    let names = disk.names().map_err(|error| io(disk, &error))?;
    if names.iter().any(|name| name == FILE) {
        return read(disk).map(drop);
    }
    Err(IdentityError::Missing {
        file: disk.describe(FILE),
    })
}

fn read(disk: &Arc<dyn Disk>) -> Result<[u8; 16], IdentityError> {
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
    if stored.format != FORMAT {
        return Err(IdentityError::OtherFormat {
            file: disk.describe(FILE),
            found: stored.format,
        });
    }
    let mut key = [0; 16];
    hex::decode_to_slice(&stored.id_space, &mut key).map_err(|error| damaged(error.to_string()))?;
    Ok(key)
}

fn write(disk: &Arc<dyn Disk>, key: [u8; 16]) -> std::io::Result<()> {
    let stored = StoredIdentity {
        format: FORMAT,
        id_space: hex::encode(key),
    };
    let text = serde_json::to_vec(&stored).map_err(std::io::Error::other)?;
    let file = disk.open(UNFINISHED)?;
    file.truncate(0)?;
    file.write_at(0, &text)?;
    disk::publish(&**disk, &*file, UNFINISHED, FILE)
}

fn io(disk: &Arc<dyn Disk>, error: &std::io::Error) -> IdentityError {
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

    /// A journal of another format, with a damaged identity or without one is refused.
    #[test]
    fn a_foreign_damaged_or_missing_identity_is_refused() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
        put(&disk, FILE, r#"{"format":2,"id_space":""}"#);
        assert!(matches!(
            open(&disk, [1; 16]),
            Err(IdentityError::OtherFormat { found: 2, .. })
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
