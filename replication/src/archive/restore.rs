//! Makes a data directory of an archive.

mod error;

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use switchboard_engine::store::Seq;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::disk::{Disk, private};
use switchboard_engine::store::identity::Identity;
use switchboard_engine::store::portable::{JournalWriter, PortableError, Wrote};
use switchboard_engine::time::UnixMillis;

use super::archived::Archived;
use super::contents::Contents;
use super::reached::Reached;
use crate::entry::EntryHeader;
use crate::files::FileLayout;
use crate::log_end::LogEnd;
use crate::position::Position;
use crate::store::{ENTRIES, IDENTITY, Store};

pub use self::error::{RestoreError, advice};

/// Up to where an archive is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upto {
    /// Everything.
    Newest,
    /// Everything that was archived by this moment.
    Time(UnixMillis),
    /// The last group that ends with this record or before it.
    Record(u64),
}

/// The outcome of a restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The last record.
    pub records: u64,
    /// The time at which the last entry was archived.
    pub time: Option<UnixMillis>,
    /// The number of files.
    pub files: u64,
}

/// The progress of a restore, in bytes of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The bytes of those that were read.
    pub done: u64,
    /// The bytes of all.
    pub total: u64,
    /// The last record.
    pub records: u64,
}

/// A restore.
pub struct Restore<'r> {
    /// The store of the archive.
    pub store: &'r dyn Store,
    /// The layout of the files beside the journal.
    pub files: &'r dyn FileLayout,
    /// The address of the archive, for people.
    pub from: &'r str,
    /// The directory that is made.
    pub to: &'r Path,
    /// Up to where it is restored.
    pub upto: Upto,
    /// The size of a file of the journal.
    pub segment_bytes: u64,
}

/// The journal so far.
struct Draft {
    writer: JournalWriter,
    disk: Arc<dyn Disk>,
    archived: Archived,
    time: Option<UnixMillis>,
    done: u64,
    total: u64,
}

impl Restore<'_> {
    /// Makes the directory. Its name leads to it once it is complete: an interrupted restore leaves `<directory>.restoring`,
    /// which the next one removes.
    ///
    /// # Errors
    /// When that is impossible.
    pub fn run(&self, hear: &mut dyn FnMut(Step)) -> Result<Restored, RestoreError> {
        let reached = Reached::read(self.store).map_err(|it| RestoreError::after(it, 0))?;
        let identity = self.identity()?;
        let to: PathBuf = self.to.components().collect();
        check_free(&to)?;
        let passing = passing(&to);
        if passing.exists() {
            io_at(&passing, fs::remove_dir_all(&passing))?;
        }
        let creation = private::directories().recursive(true).create(&passing);
        io_at(&passing, creation)?;
        let path = passing.join(IDENTITY);
        io_at(&path, write(&path, &identity))?;
        let draft = self.journal(&passing, reached.as_ref(), hear)?;
        let files = self.restore_files(&passing, &draft, hear)?;
        let newest = draft.writer.finish()?;
        io_at(&passing, draft.archived.store(&*draft.disk))?;
        if to.exists() {
            io_at(&to, fs::remove_dir(&to))?;
        }
        io_at(&to, fs::rename(&passing, &to))?;
        if let Some(parent) = to.parent().filter(|it| !it.as_os_str().is_empty()) {
            io_at(parent, sync(parent))?;
        }
        Ok(Restored {
            records: newest.0,
            time: draft.time,
            files,
        })
    }

    /// The identity, which is that of the claims.
    fn identity(&self) -> Result<Vec<u8>, RestoreError> {
        let object = || self.store.describe(IDENTITY);
        let contents = Contents::list(self.store)?;
        let Some(bytes) = self.store.get(IDENTITY)? else {
            return Err(match contents.newest() {
                None => RestoreError::NoArchive(self.from.to_owned()),
                Some(_) => RestoreError::damaged(format!("{} is missing", object()), 0),
            });
        };
        let damaged =
            |reason| RestoreError::damaged(format!("{} is damaged: {reason}", object()), 0);
        let identity = Identity::decode(&bytes).map_err(damaged)?;
        let claims = contents.claims(self.store);
        for claim in claims.map_err(|it| RestoreError::after(it, 0))? {
            let installation = claim.content.claim().map(|claim| claim.installation);
            if installation.is_some_and(|it| !it.fits(identity.tag())) {
                return Err(damaged(format!(
                    "it is of another installation than the claim at place {}",
                    claim.position
                )));
            }
        }
        Ok(bytes)
    }

    fn journal(
        &self,
        directory: &Path,
        reached: Option<&Reached>,
        hear: &mut dyn FnMut(Step),
    ) -> Result<Draft, RestoreError> {
        let contents = Contents::list(self.store)?;
        let superseded = contents
            .superseded(self.store, |header| self.is_past(header))
            .map_err(|it| RestoreError::after(it, 0))?;
        let disk: Arc<dyn Disk> = Arc::new(io_at(directory, FileDisk::open(directory))?);
        let limit = match self.upto {
            Upto::Record(record) => Seq(record),
            Upto::Newest | Upto::Time(_) => Seq(u64::MAX),
        };
        let writer = JournalWriter::create(Arc::clone(&disk), self.segment_bytes, limit)?;
        let objects = self.store.list(self.files.folder())?;
        let files = objects
            .iter()
            .fold(0_u64, |sum, it| sum.saturating_add(it.bytes));
        let mut draft = Draft {
            writer,
            disk,
            archived: Archived {
                to: self.from.to_owned(),
                end: LogEnd::default(),
                processes: Vec::new(),
                restored_at: contents.newest(),
            },
            time: None,
            done: 0,
            total: contents.bytes().saturating_add(files),
        };
        let mut ends = true;
        for entry in contents.walk(self.store, Position(1)) {
            let before = draft.writer.last();
            let entry = entry.map_err(|it| RestoreError::after(it, before.0))?;
            let position = entry.header.position;
            if superseded.has(position) {
                continue;
            }
            if !self.is_past(&entry.header) {
                ends = false;
                break;
            }
            let wrote = draft
                .writer
                .append(&entry.body)
                .map_err(|error| self.unwritten(error, position, before))?;
            if draft.writer.last() > before {
                draft.time = Some(entry.header.time);
            }
            if wrote == Wrote::UpToTheLimit {
                ends = false;
                break;
            }
            draft.archived.end.advance(&entry);
            draft.advance(
                contents.loose.get(&position).copied().unwrap_or_default(),
                hear,
            );
            // What comes behind may be damaged.
            if draft.writer.last() == limit {
                ends = false;
                break;
            }
        }
        if ends && let Some(missing) = contents.missing_end(reached) {
            let last = reached.map_or(0, |it| it.last.0);
            return Err(self.without_end(missing, last, draft.writer.last()));
        }
        if draft.writer.last() == Seq(0) && self.upto != Upto::Newest {
            return Err(RestoreError::TooEarly(self.first_time(&contents)?));
        }
        Ok(draft)
    }

    /// The failure of an entry that could not be written, behind this record.
    fn unwritten(&self, error: PortableError, position: Position, before: Seq) -> RestoreError {
        match error {
            PortableError::Damaged { .. } | PortableError::Open { .. } => {
                let object = self.store.describe(&position.key(ENTRIES));
                RestoreError::damaged(format!("{object} is damaged: {error}"), before.0)
            }
            PortableError::Occupied { .. } | PortableError::Io { .. } => error.into(),
        }
    }

    /// The failure of an archive that ends before the record that it has reached.
    fn without_end(&self, missing: Position, reached: u64, before: Seq) -> RestoreError {
        let object = self.store.describe(&missing.key(ENTRIES));
        let what = format!("{object} is missing: the archive had records up to {reached}");
        RestoreError::damaged(what, before.0)
    }

    /// Returns whether an entry was made by the moment that is asked for.
    fn is_past(&self, header: &EntryHeader) -> bool {
        match self.upto {
            Upto::Newest | Upto::Record(_) => true,
            Upto::Time(time) => header.time <= time,
        }
    }

    /// The time at which the first entry was archived, for people.
    fn first_time(&self, contents: &Contents) -> Result<String, RestoreError> {
        let first = contents
            .walk(self.store, Position(1))
            .next()
            .transpose()
            .map_err(|it| RestoreError::after(it, 0))?;
        Ok(first.map_or_else(String::new, |entry| shown(entry.header.time)))
    }

    fn restore_files(
        &self,
        directory: &Path,
        draft: &Draft,
        hear: &mut dyn FnMut(Step),
    ) -> Result<u64, RestoreError> {
        let mut count = 0_u64;
        let mut bytes_read = draft.done;
        for object in self.store.list(self.files.folder())? {
            let Some(bytes) = self.store.get(&object.key)? else {
                continue;
            };
            // A key with `..` would lead elsewhere.
            let is_plain = object
                .key
                .split('/')
                .all(|part| !matches!(part, "" | "." | ".."));
            if !is_plain {
                continue;
            }
            let path = directory.join(&object.key);
            if let Some(parent) = path.parent() {
                let creation = private::directories().recursive(true).create(parent);
                io_at(parent, creation)?;
            }
            io_at(&path, write(&path, &bytes))?;
            count = count.saturating_add(u64::from(self.files.is_mark(&object.key)));
            bytes_read = bytes_read.saturating_add(object.bytes);
            hear(Step {
                done: bytes_read,
                total: draft.total,
                records: draft.writer.last().0,
            });
        }
        Ok(count)
    }
}

impl Draft {
    fn advance(&mut self, bytes: u64, hear: &mut dyn FnMut(Step)) {
        self.done = self.done.saturating_add(bytes);
        hear(Step {
            done: self.done,
            total: self.total,
            records: self.writer.last().0,
        });
    }
}

/// Checks that a directory can be made there, before anything is read.
fn check_free(to: &Path) -> Result<(), RestoreError> {
    let occupied = |why: &str| Err(RestoreError::Occupied(format!("{} {why}", to.display())));
    let about = match fs::symlink_metadata(to) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return io_at(to, Err(error)),
    };
    if !about.is_dir() {
        return occupied("is no directory");
    }
    if io_at(to, fs::read_dir(to))?.next().is_some() {
        return occupied("is not empty");
    }
    let parent = to.parent().filter(|it| !it.as_os_str().is_empty());
    let above = io_at(to, fs::metadata(parent.unwrap_or(Path::new("."))))?;
    if above.dev() == about.dev() {
        Ok(())
    } else {
        occupied("is the root of a disk")
    }
}

/// The path of the directory while it is made.
fn passing(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(".restoring");
    name.into()
}

/// A time as people read it.
#[must_use]
pub fn shown(time: UnixMillis) -> String {
    let millis = time.get();
    let time = i64::try_from(millis).map(jiff::Timestamp::from_millisecond);
    match time {
        Ok(Ok(time)) => time.to_string(),
        Ok(Err(_)) | Err(_) => format!("{millis} ms"),
    }
}

fn io_at<T>(path: &Path, result: io::Result<T>) -> Result<T, RestoreError> {
    result.map_err(|error| RestoreError::Io {
        path: path.display().to_string(),
        error,
    })
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write as _;
    let mut file = private::files().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn sync(directory: &Path) -> io::Result<()> {
    fs::File::open(directory)?.sync_all()
}
