//! The identity of an installation: written when its data directory is first used, checked before anything else.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::store::disk::{self, Disk};
use crate::store::upgrade::{self, UPGRADES, Upgrade};

/// The version of the formats in the data directory. A start upgrades a directory of an older version as
/// [`upgrade`] says, and touches none of a newer version.
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
    /// A newer version wrote the directory.
    #[error(
        "{file} names format {found}: a newer version of switchboard wrote this data, and this version reads format {FORMAT}; \
         nothing was changed: start the newer version, or use a copy of the data directory from before its first start"
    )]
    Newer {
        /// The file.
        file: String,
        /// The format it names.
        found: u32,
    },
    /// An older version wrote the directory, and no upgrade begins with its format.
    #[error(
        "{file} names format {found}, and this version of switchboard upgrades data from format {oldest} on; nothing was \
         changed: start a version between the two first, which CHANGELOG.md names"
    )]
    TooOld {
        /// The file.
        file: String,
        /// The format it names.
        found: u32,
        /// The oldest format that can be upgraded.
        oldest: u32,
    },
    /// An older version wrote the directory, and only a start upgrades it.
    #[error(
        "{file} names format {found}, and this version of switchboard reads format {FORMAT}; nothing was changed: start \
         the service once, which upgrades the data"
    )]
    NotUpgraded {
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

impl IdentityError {
    /// Whether the directory has another format than this version reads.
    #[must_use]
    pub fn is_of_another_format(&self) -> bool {
        match self {
            Self::Newer { .. } | Self::TooOld { .. } | Self::NotUpgraded { .. } => true,
            Self::Io { .. } | Self::Damaged { .. } | Self::Missing { .. } => false,
        }
    }
}

/// Reads the identity, or writes a new one with this secret when the directory is empty. Upgrades a directory of an older
/// format first.
///
/// # Errors
/// When the directory cannot be used.
pub fn open(disk: &Arc<dyn Disk>, fresh: [u8; 16]) -> Result<[u8; 16], IdentityError> {
    open_with(disk, fresh, UPGRADES)
}

fn open_with(
    disk: &Arc<dyn Disk>,
    fresh: [u8; 16],
    upgrades: &[Upgrade],
) -> Result<[u8; 16], IdentityError> {
    let names = disk.names().map_err(|error| io(disk, &error))?;
    if !names.iter().any(|name| name == FILE) {
        if names.iter().any(|name| name.starts_with("journal-")) {
            return Err(missing(disk));
        }
        write(disk, FORMAT, fresh).map_err(|error| io(disk, &error))?;
        return Ok(fresh);
    }
    let (found, key) = read(disk)?;
    for step in steps(disk, found, upgrades)? {
        (step.run)(disk)
            .and_then(|()| write(disk, step.from.saturating_add(1), key))
            .map_err(|error| io(disk, &error))?;
    }
    Ok(key)
}

/// Gives a directory without records the secret of the installation that it belongs to.
///
/// # Errors
/// When the operating system refuses.
pub(in crate::store) fn adopt(disk: &Arc<dyn Disk>, secret: [u8; 16]) -> Result<(), IdentityError> {
    write(disk, FORMAT, secret).map_err(|error| io(disk, &error))
}

/// Reads the identity and changes nothing.
///
/// # Errors
/// When the directory cannot be used, or is not of this version's format.
pub(in crate::store) fn check(disk: &Arc<dyn Disk>) -> Result<(), IdentityError> {
    check_with(disk, UPGRADES)
}

fn check_with(disk: &Arc<dyn Disk>, upgrades: &[Upgrade]) -> Result<(), IdentityError> {
    let names = disk.names().map_err(|error| io(disk, &error))?;
    if !names.iter().any(|name| name == FILE) {
        return Err(missing(disk));
    }
    let (found, _) = read(disk)?;
    if steps(disk, found, upgrades)?.is_empty() {
        return Ok(());
    }
    Err(IdentityError::NotUpgraded {
        file: disk.describe(FILE),
        found,
    })
}

/// What makes this version's format of the one that was found.
fn steps<'u>(
    disk: &Arc<dyn Disk>,
    found: u32,
    upgrades: &'u [Upgrade],
) -> Result<&'u [Upgrade], IdentityError> {
    let file = || disk.describe(FILE);
    if found > FORMAT {
        return Err(IdentityError::Newer {
            file: file(),
            found,
        });
    }
    upgrade::path(upgrades, found, FORMAT).map_err(|oldest| IdentityError::TooOld {
        file: file(),
        found,
        oldest,
    })
}

/// The format and the secret in the file.
fn read(disk: &Arc<dyn Disk>) -> Result<(u32, [u8; 16]), IdentityError> {
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
    if stored.format > FORMAT {
        // Of the rest a newer version may have made something else.
        return Ok((stored.format, [0; 16]));
    }
    let mut key = [0; 16];
    hex::decode_to_slice(&stored.id_space, &mut key).map_err(|error| damaged(error.to_string()))?;
    Ok((stored.format, key))
}

fn write(disk: &Arc<dyn Disk>, format: u32, key: [u8; 16]) -> std::io::Result<()> {
    let stored = StoredIdentity {
        format,
        id_space: hex::encode(key),
    };
    let text = serde_json::to_vec(&stored).map_err(std::io::Error::other)?;
    let file = disk.open(UNFINISHED)?;
    file.truncate(0)?;
    file.write_at(0, &text)?;
    disk::publish(&**disk, &*file, UNFINISHED, FILE)
}

fn missing(disk: &Arc<dyn Disk>) -> IdentityError {
    IdentityError::Missing {
        file: disk.describe(FILE),
    }
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

    fn written(disk: &Arc<dyn Disk>, name: &str) -> String {
        let mut bytes = [0; 256];
        let length = disk.open(name).unwrap().read_at(0, &mut bytes).unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }

    #[test]
    fn the_identity_never_changes_after_the_first_start() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
        assert_eq!(open(&disk, [1; 16]).unwrap(), [1; 16]);
        assert_eq!(open(&disk, [2; 16]).unwrap(), [1; 16]);
    }

    #[test]
    fn a_damaged_or_missing_identity_is_refused() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
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

    /// A newer version may have changed everything but the name of its format.
    #[test]
    fn another_format_is_refused_and_nothing_is_written() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
        for (text, sentence) in [
            (
                r#"{"format":2,"id_space":"of another form"}"#,
                "start the newer version",
            ),
            (
                r#"{"format":0,"id_space":"00"}"#,
                "upgrades data from format 1 on",
            ),
        ] {
            // A secret of the wrong length is damage in a format that this version knows.
            let text = text.replace("\"00\"", &format!("\"{}\"", "00".repeat(16)));
            put(&disk, FILE, &text);
            for refused in [open(&disk, [1; 16]).map(drop), check(&disk)] {
                let refused = refused.unwrap_err();
                assert!(refused.is_of_another_format(), "{refused}");
                assert!(
                    refused.to_string().contains("nothing was changed"),
                    "{refused}"
                );
            }
            let refused = open(&disk, [1; 16]).unwrap_err().to_string();
            assert!(refused.contains(sentence), "{refused}");
            assert_eq!(disk.names().unwrap(), [FILE]);
            assert_eq!(written(&disk, FILE), text);
        }
    }

    /// A step that fails is repeated at the next start; one that is done is not.
    #[test]
    fn an_older_format_is_upgraded_step_by_step() {
        fn append(disk: &Arc<dyn Disk>, line: &str) -> std::io::Result<()> {
            let file = disk.open("steps")?;
            file.write_at(file.length()?, line.as_bytes())
        }
        let fails = Upgrade {
            from: 0,
            run: |_| Err(std::io::Error::other("the disk is full")),
        };
        let works = Upgrade {
            from: 0,
            run: |disk| append(disk, "0"),
        };
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
        write(&disk, 0, [7; 16]).unwrap();
        let refused = open_with(&disk, [1; 16], &[fails]).unwrap_err().to_string();
        assert!(refused.contains("the disk is full"), "{refused}");
        let unchanged = check_with(&disk, &[works]).unwrap_err();
        assert!(unchanged.is_of_another_format(), "{unchanged}");
        assert_eq!(read(&disk).unwrap().0, 0);
        for _ in 0..2 {
            assert_eq!(open_with(&disk, [1; 16], &[works]).unwrap(), [7; 16]);
            assert_eq!(read(&disk).unwrap(), (FORMAT, [7; 16]));
        }
        assert_eq!(written(&disk, "steps"), "0");
    }
}
