//! The identity of an installation: written when its data directory is first used, checked before anything else.
//!
//! It proves itself twice: by the checksum of its file, and by the tag in the header of each segment of the journal, which
//! follows from the secret.

pub(in crate::store) mod content;

pub(in crate::store) use self::content::FILE;
pub use self::content::{FORMAT, Identity, InstallationTag};

use std::io;
use std::sync::Arc;

use self::content::content;
pub(crate) use self::content::tag_on;
use crate::store::disk::{self, Disk};
use crate::store::segment::{self, Segment};
use crate::store::upgrade::{self, UPGRADES, Upgrade};

const UNFINISHED: &str = "identity.new";

/// The reason for which a data directory cannot be used.
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
        "{file} is damaged: {reason}; restore it from a backup of the same data directory (`switchboard verify` lists \
         what else is damaged)"
    )]
    Damaged {
        /// The file.
        file: String,
        /// The damage.
        reason: String,
    },
    /// The file or a segment of the journal is of another installation.
    #[error(
        "{file} and {segment} are of two installations: one of them was exchanged; restore it from a backup of the same data \
         directory (`switchboard verify` lists what else is wrong)"
    )]
    Foreign {
        /// The file.
        file: String,
        /// The oldest segment that does not fit.
        segment: String,
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
         (`switchboard verify` lists what else is wrong)"
    )]
    Missing {
        /// The file.
        file: String,
    },
}

impl IdentityError {
    /// Returns whether the directory has another format than this version reads.
    #[must_use]
    pub fn is_of_another_format(&self) -> bool {
        match self {
            Self::Newer { .. } | Self::TooOld { .. } | Self::NotUpgraded { .. } => true,
            Self::Io { .. }
            | Self::Damaged { .. }
            | Self::Missing { .. }
            | Self::Foreign { .. } => false,
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
    prove(disk, InstallationTag::from_secret(key))?;
    Ok(key)
}

/// Refuses a journal of another installation.
fn prove(disk: &Arc<dyn Disk>, tag: InstallationTag) -> Result<(), IdentityError> {
    let foreign = foreign_segments(&**disk, tag).map_err(|error| io(disk, &error))?;
    match foreign.first() {
        None => Ok(()),
        Some(number) => Err(IdentityError::Foreign {
            file: disk.describe(FILE),
            segment: segment::name(*number),
        }),
    }
}

/// The segments whose headers name another installation, ascending. What is wrong with other headers is for recovery to say.
fn foreign_segments(disk: &dyn Disk, tag: InstallationTag) -> io::Result<Vec<u32>> {
    let mut foreign = segment::list(disk)?;
    let mut failed = None;
    foreign.retain(|number| match Segment::open(disk, *number) {
        Ok(Ok(segment)) => !segment.header.tag.fits(tag),
        Ok(Err(_)) => false,
        Err(error) => {
            failed.get_or_insert(error);
            false
        }
    });
    failed.map_or(Ok(foreign), Err)
}

/// The segments that are of another installation than the rest and the identity; none when the identity is what does not
/// fit.
pub(in crate::store) fn exchanged_segments(disk: &dyn Disk) -> io::Result<Vec<u32>> {
    let tag = tag_on(disk)?;
    let foreign = foreign_segments(disk, tag)?;
    let is_identity = foreign.len() == segment::list(disk)?.len();
    Ok(if is_identity { Vec::new() } else { foreign })
}

/// Gives a directory without records the secret of the installation that it belongs to. Segments, which have none, go: they
/// are of the other one.
///
/// # Errors
/// When the operating system refuses.
pub fn adopt(disk: &Arc<dyn Disk>, secret: [u8; 16]) -> Result<(), IdentityError> {
    let adopt = || {
        for number in segment::list(&**disk)? {
            disk.remove(&segment::name(number))?;
        }
        disk.sync_names()?;
        write(disk, FORMAT, secret)
    };
    adopt().map_err(|error| io(disk, &error))
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
    let (found, key) = read(disk)?;
    if steps(disk, found, upgrades)?.is_empty() {
        return prove(disk, InstallationTag::from_secret(key));
    }
    Err(IdentityError::NotUpgraded {
        file: disk.describe(FILE),
        found,
    })
}

/// Returns the steps from the format in the directory to this version's.
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
    let identity = content(&**disk)
        .map_err(|error| io(disk, &error))?
        .map_err(damaged)?;
    // Of the rest a newer version may have made something else.
    Ok((identity.format(), identity.secret().unwrap_or_default()))
}

fn write(disk: &Arc<dyn Disk>, format: u32, key: [u8; 16]) -> io::Result<()> {
    let bytes = Identity::of_format(format, key).encode();
    let file = disk.open(UNFINISHED)?;
    file.truncate(0)?;
    file.write_at(0, &bytes)?;
    disk::publish(&**disk, &*file, UNFINISHED, FILE)
}

fn missing(disk: &Arc<dyn Disk>) -> IdentityError {
    IdentityError::Missing {
        file: disk.describe(FILE),
    }
}

fn io(disk: &Arc<dyn Disk>, error: &io::Error) -> IdentityError {
    IdentityError::Io {
        file: disk.describe(FILE),
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::memory::MemoryDisk;
    use crate::store::{Seq, small_file};

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

    /// Whole files, each of its own installation.
    #[test]
    fn an_exchanged_identity_or_segment_is_refused_and_named() {
        let directory = |secret| {
            let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
            open(&disk, secret).unwrap();
            for (number, first) in [(1, Seq(1)), (2, Seq(9))] {
                let segment = Segment::create(&*disk, number, first).unwrap();
                segment.settle(&*disk).unwrap();
            }
            disk
        };
        let exchange = |file: &str| {
            let (disk, other) = (directory([1; 16]), directory([2; 16]));
            put(&disk, file, "");
            let mut bytes = [0; 256];
            let length = other.open(file).unwrap().read_at(0, &mut bytes).unwrap();
            let file = disk.open(file).unwrap();
            file.write_at(0, &bytes[..length]).unwrap();
            disk
        };
        check(&directory([1; 16])).unwrap();
        for (file, named, segments) in [
            (FILE, "journal-00000001", &[][..]),
            ("journal-00000001", "journal-00000001", &[1]),
            ("journal-00000002", "journal-00000002", &[2]),
        ] {
            let disk = exchange(file);
            for refused in [open(&disk, [3; 16]).map(drop), check(&disk)] {
                let error = refused.unwrap_err();
                assert!(!error.is_of_another_format(), "{error}");
                assert!(error.to_string().contains(named), "{error}");
            }
            assert_eq!(exchanged_segments(&*disk).unwrap(), segments);
        }
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
            let json = text.replace("\"00\"", &format!("\"{}\"", "00".repeat(16)));
            let value: serde_json::Value = serde_json::from_str(&json).unwrap();
            let bytes = small_file::encode(content::HEADING, &value).unwrap();
            let file = String::from_utf8(bytes).unwrap();
            put(&disk, FILE, &file);
            for result in [open(&disk, [1; 16]).map(drop), check(&disk)] {
                let error = result.unwrap_err();
                assert!(error.is_of_another_format(), "{error}");
                assert!(error.to_string().contains("nothing was changed"), "{error}");
            }
            let message = open(&disk, [1; 16]).unwrap_err().to_string();
            assert!(message.contains(sentence), "{message}");
            assert_eq!(disk.names().unwrap(), [FILE]);
            assert_eq!(written(&disk, FILE), file);
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
        let message = open_with(&disk, [1; 16], &[fails]).unwrap_err().to_string();
        assert!(message.contains("the disk is full"), "{message}");
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
