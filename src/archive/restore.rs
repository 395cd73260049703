//! Makes a data directory of an archive.

mod failure;

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use switchboard_engine::store::Seq;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::disk::private;
use switchboard_engine::store::identity::Identity;
use switchboard_engine::store::portable::{JournalWriter, PortableError, Wrote};

use crate::archive::IDENTITY;
use crate::archive::contents::Contents;
use crate::archive::entry::{Content, EntryId, Header, Place};
use crate::archive::files::FILES;
use crate::archive::position::Archived;
use crate::archive::reached::Reached;
use crate::archive::store::Store;

pub(crate) use self::failure::{RestoreFailure, advice};

/// Up to where an archive is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Upto {
    /// Everything.
    Newest,
    /// What was archived by this moment, in milliseconds since 1970.
    Time(i64),
    /// The last group that ends with this record or before it.
    Record(u64),
}

/// What was restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Restored {
    /// The last record.
    pub(crate) records: u64,
    /// When the last entry was archived, in milliseconds since 1970.
    pub(crate) time: Option<i64>,
    pub(crate) files: u64,
}

/// How far a restore is, in bytes of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) done: u64,
    pub(crate) total: u64,
    pub(crate) records: u64,
}

/// A restore.
pub(crate) struct Restore<'r> {
    pub(crate) store: &'r dyn Store,
    /// Where the archive is, for people.
    pub(crate) from: &'r str,
    /// The directory that is made.
    pub(crate) to: &'r Path,
    pub(crate) upto: Upto,
    pub(crate) segment_bytes: u64,
}

/// The journal so far.
struct Made {
    writer: JournalWriter,
    archived: Archived,
    time: Option<i64>,
    done: u64,
    total: u64,
}

impl Restore<'_> {
    /// Makes the directory. Its name leads to it once it is complete: an interrupted restore leaves `<directory>.restoring`,
    /// which the next one removes.
    ///
    /// # Errors
    /// When that is impossible.
    pub(crate) fn run(&self, hear: &mut dyn FnMut(Step)) -> Result<Restored, RestoreFailure> {
        let reached = Reached::read(self.store).map_err(|it| RestoreFailure::of(it, 0))?;
        let identity = self.identity()?;
        let to: PathBuf = self.to.components().collect();
        check_free(&to)?;
        let passing = passing(&to);
        if passing.exists() {
            io_at(&passing, fs::remove_dir_all(&passing))?;
        }
        let made = private::directories().recursive(true).create(&passing);
        io_at(&passing, made)?;
        let path = passing.join(IDENTITY);
        io_at(&path, write(&path, &identity))?;
        let made = self.journal(&passing, reached.as_ref(), hear)?;
        let files = self.files(&passing, &made, hear)?;
        let newest = made.writer.finish()?;
        io_at(&passing, made.archived.store(&passing))?;
        if to.exists() {
            io_at(&to, fs::remove_dir(&to))?;
        }
        io_at(&to, fs::rename(&passing, &to))?;
        if let Some(parent) = to.parent().filter(|it| !it.as_os_str().is_empty()) {
            io_at(parent, sync(parent))?;
        }
        Ok(Restored {
            records: newest.0,
            time: made.time,
            files,
        })
    }

    /// The identity, which is that of the claims.
    fn identity(&self) -> Result<Vec<u8>, RestoreFailure> {
        let object = || self.store.describe(IDENTITY);
        let contents = Contents::list(self.store)?;
        let Some(bytes) = self.store.get(IDENTITY)? else {
            return Err(match contents.newest() {
                None => RestoreFailure::NoArchive(self.from.to_owned()),
                Some(_) => RestoreFailure::damaged(format!("{} is missing", object()), 0),
            });
        };
        let damaged =
            |reason| RestoreFailure::damaged(format!("{} is damaged: {reason}", object()), 0);
        let identity = Identity::decode(&bytes).map_err(damaged)?;
        let claims = contents.claims(self.store);
        for claim in claims.map_err(|it| RestoreFailure::of(it, 0))? {
            if let Content::Claim { installation, .. } = claim.content
                && !installation.fits(identity.tag())
            {
                return Err(damaged(format!(
                    "it is of another installation than the claim at place {}",
                    claim.place.0
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
    ) -> Result<Made, RestoreFailure> {
        let contents = Contents::list(self.store)?;
        let superseded = contents.superseded(self.store, |header| self.is_past(header));
        let superseded = superseded.map_err(|it| RestoreFailure::of(it, 0))?;
        let disk = io_at(directory, FileDisk::open(directory))?;
        let limit = match self.upto {
            Upto::Record(record) => Seq(record),
            Upto::Newest | Upto::Time(_) => Seq(u64::MAX),
        };
        let writer = JournalWriter::create(Arc::new(disk), self.segment_bytes, limit);
        let listed = self.store.list(FILES)?;
        let files = listed
            .iter()
            .fold(0_u64, |sum, it| sum.saturating_add(it.bytes));
        let mut made = Made {
            writer: writer?,
            archived: Archived {
                to: self.from.to_owned(),
                place: Place::default(),
                id: EntryId::default(),
                last: 0,
                processes: Vec::new(),
                restored_at: contents.newest(),
            },
            time: None,
            done: 0,
            total: contents.bytes().saturating_add(files),
        };
        let mut ends = true;
        for entry in contents.walk(self.store, Place(1)) {
            let before = made.writer.last();
            let entry = entry.map_err(|it| RestoreFailure::of(it, before.0))?;
            let place = entry.header.place;
            if superseded.has(place) {
                continue;
            }
            if !self.is_past(&entry.header) {
                ends = false;
                break;
            }
            let wrote = made.writer.append(&entry.body);
            let wrote = wrote.map_err(|error| self.unwritten(error, place, before))?;
            if made.writer.last() > before {
                made.time = Some(entry.header.time);
            }
            if wrote == Wrote::UpToTheLimit {
                ends = false;
                break;
            }
            made.archived.place = place;
            made.archived.id = entry.id;
            made.archived.last = entry.header.last;
            made.heard(
                contents.loose.get(&place).copied().unwrap_or_default(),
                hear,
            );
            // What comes behind may be damaged.
            if made.writer.last() == limit {
                ends = false;
                break;
            }
        }
        if ends && let Some(missing) = contents.missing_end(reached) {
            let last = reached.map_or(0, |it| it.last);
            return Err(self.without_end(missing, last, made.writer.last()));
        }
        if made.writer.last() == Seq(0) && self.upto != Upto::Newest {
            return Err(RestoreFailure::TooEarly(self.first_time(&contents)?));
        }
        Ok(made)
    }

    /// The failure of an entry that could not be written, behind this record.
    fn unwritten(&self, error: PortableError, place: Place, before: Seq) -> RestoreFailure {
        match error {
            PortableError::Damaged { .. } | PortableError::Open { .. } => {
                let object = self.store.describe(&place.key());
                RestoreFailure::damaged(format!("{object} is damaged: {error}"), before.0)
            }
            PortableError::Occupied { .. } | PortableError::Io { .. } => error.into(),
        }
    }

    /// The failure of an archive that ends before the record that it has reached.
    fn without_end(&self, missing: Place, reached: u64, before: Seq) -> RestoreFailure {
        let object = self.store.describe(&missing.key());
        let what = format!("{object} is missing: the archive had records up to {reached}");
        RestoreFailure::damaged(what, before.0)
    }

    /// Whether an entry was made by the moment that is asked for.
    fn is_past(&self, header: &Header) -> bool {
        match self.upto {
            Upto::Newest | Upto::Record(_) => true,
            Upto::Time(time) => header.time <= time,
        }
    }

    /// When the first entry was archived, for people.
    fn first_time(&self, contents: &Contents) -> Result<String, RestoreFailure> {
        let first = contents.walk(self.store, Place(1)).next().transpose();
        let first = first.map_err(|it| RestoreFailure::of(it, 0))?;
        Ok(first.map_or_else(String::new, |entry| shown(entry.header.time)))
    }

    fn files(
        &self,
        directory: &Path,
        made: &Made,
        hear: &mut dyn FnMut(Step),
    ) -> Result<u64, RestoreFailure> {
        let mut count = 0_u64;
        let mut done = made.done;
        for listed in self.store.list(FILES)? {
            let Some(bytes) = self.store.get(&listed.key)? else {
                continue;
            };
            // A key with `..` would lead elsewhere.
            let is_plain = listed
                .key
                .split('/')
                .all(|part| !matches!(part, "" | "." | ".."));
            if !is_plain {
                continue;
            }
            let path = directory.join(&listed.key);
            if let Some(parent) = path.parent() {
                let made = private::directories().recursive(true).create(parent);
                io_at(parent, made)?;
            }
            io_at(&path, write(&path, &bytes))?;
            count = count.saturating_add(u64::from(switchboard_media::is_kept_mark(&listed.key)));
            done = done.saturating_add(listed.bytes);
            hear(Step {
                done,
                total: made.total,
                records: made.writer.last().0,
            });
        }
        Ok(count)
    }
}

impl Made {
    fn heard(&mut self, bytes: u64, hear: &mut dyn FnMut(Step)) {
        self.done = self.done.saturating_add(bytes);
        hear(Step {
            done: self.done,
            total: self.total,
            records: self.writer.last().0,
        });
    }
}

/// Whether a directory can be made there: before anything is read.
fn check_free(to: &Path) -> Result<(), RestoreFailure> {
    let occupied = |why: &str| Err(RestoreFailure::Occupied(format!("{} {why}", to.display())));
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
    let above = to.parent().filter(|it| !it.as_os_str().is_empty());
    let above = io_at(to, fs::metadata(above.unwrap_or(Path::new("."))))?;
    if above.dev() == about.dev() {
        Ok(())
    } else {
        occupied("is the root of a disk")
    }
}

/// Where the directory is while it is made.
fn passing(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(".restoring");
    name.into()
}

/// A time as people read it.
pub(crate) fn shown(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis)
        .map_or_else(|_| format!("{millis} ms"), |time| time.to_string())
}

fn io_at<T>(path: &Path, done: io::Result<T>) -> Result<T, RestoreFailure> {
    done.map_err(|error| RestoreFailure::Io {
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
