//! Reads all of an archive, and says what is in it and what is wrong.

use std::collections::BTreeSet;

use switchboard_engine::store::Seq;
use switchboard_engine::store::identity::{Identity, InstallationTag};
use switchboard_engine::store::portable;
use switchboard_engine::time::UnixMillis;

use super::contents::Contents;
use super::reached::Reached;
use super::read_error::ArchiveReadError;
use crate::entry::Entry;
use crate::files::{self, FileLayout};
use crate::position::Position;
use crate::store::{ENTRIES, IDENTITY, Listed, REACHED, Store, StoreError};

/// So many damaged objects are named at most.
const NAMED_MAX: usize = 100;

/// The outcome of a check of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The last record that counts; before the first damage, if there is any.
    pub records: u64,
    /// The number of entries.
    pub entries: u64,
    /// The number of volumes.
    pub volumes: u64,
    /// The number of claims.
    pub epochs: u64,
    /// Entries that do not count, because a later process went on before them.
    pub superseded: u64,
    /// Entries whose body an erasure has replaced.
    pub replaced: u64,
    /// The number of files.
    pub files: u64,
    /// The bytes of all objects.
    pub bytes: u64,
    /// The time at which the newest entry was archived.
    pub time: Option<UnixMillis>,
    /// The damaged and missing objects, for people.
    pub damage: Vec<String>,
    /// True when no restore needs the damaged objects.
    pub restores_all: bool,
}

/// The reason for which an archive cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is none.
    #[error(
        "there is no archive at {0}: it has no identity; is its disk mounted, and is its path right?"
    )]
    NoArchive(String),
}

/// Reads everything in an archive. `hear` hears of the bytes that were read, and of all there are.
///
/// # Errors
/// Why it cannot be read.
pub fn verify(
    store: &dyn Store,
    to: &str,
    layout: &dyn FileLayout,
    hear: &mut dyn FnMut(u64, u64),
) -> Result<Verified, VerifyError> {
    let identity = store.get(IDENTITY)?;
    // Before the list: what the archive reaches meanwhile is not missed.
    let reached = Reached::read(store);
    let contents = Contents::list(store)?;
    if identity.is_none() && contents.newest().is_none() && matches!(reached, Ok(None)) {
        return Err(VerifyError::NoArchive(to.to_owned()));
    }
    let file_objects = store.list(layout.folder())?;
    let files = file_objects
        .iter()
        .fold(0_u64, |sum, it| sum.saturating_add(it.bytes));
    let total = contents.bytes().saturating_add(files);
    let mut check = Check {
        store,
        layout,
        hear,
        done: 0,
        outcome: Verified {
            volumes: u64::try_from(contents.volumes.len()).unwrap_or(u64::MAX),
            bytes: total,
            restores_all: true,
            ..Verified::default()
        },
        installation: InstallationTag::default(),
        needed_marks: BTreeSet::new(),
    };
    check.identity(identity.as_deref());
    check.entries(&contents)?;
    check.reached(&contents, reached)?;
    check.files(&file_objects)?;
    Ok(check.outcome)
}

struct Check<'c> {
    store: &'c dyn Store,
    layout: &'c dyn FileLayout,
    hear: &'c mut dyn FnMut(u64, u64),
    done: u64,
    outcome: Verified,
    /// That of the identity.
    installation: InstallationTag,
    /// The marks of the files that records name.
    needed_marks: BTreeSet<String>,
}

impl Check<'_> {
    fn advance(&mut self, bytes: u64) {
        self.done = self.done.saturating_add(bytes);
        (self.hear)(self.done, self.outcome.bytes);
    }

    /// Notes what is wrong with an object.
    fn wrong(&mut self, key: &str, why: &str) {
        let object = self.store.describe(key);
        self.note(format!("{object} {why}"));
    }

    fn note(&mut self, damage: String) {
        if self.outcome.damage.len() < NAMED_MAX {
            self.outcome.damage.push(damage);
        }
    }

    /// Notes damage of entries: the restore of all of it needs them.
    fn note_entries(&mut self, damage: String) {
        self.outcome.restores_all = false;
        self.note(damage);
    }

    fn identity(&mut self, identity: Option<&[u8]>) {
        match identity.map(Identity::decode) {
            None => self.wrong(IDENTITY, "is missing"),
            Some(Err(reason)) => self.wrong(IDENTITY, &format!("is damaged: {reason}")),
            Some(Ok(identity)) => self.installation = identity.tag(),
        }
    }

    /// Reads all entries, up to the first one that is damaged.
    fn entries(&mut self, contents: &Contents) -> Result<(), StoreError> {
        let superseded = match contents.superseded(self.store, |_| true) {
            Err(ArchiveReadError::Store(error)) => return Err(error),
            read => read.unwrap_or_default(),
        };
        for entry in contents.walk(self.store, Position(1)) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(ArchiveReadError::Store(error)) => return Err(error),
                Err(failure) => {
                    self.note_entries(failure.to_string());
                    return Ok(());
                }
            };
            let position = entry.header.position;
            self.count(&entry);
            self.advance(contents.loose.get(&position).copied().unwrap_or_default());
            if superseded.has(position) {
                self.outcome.superseded = self.outcome.superseded.saturating_add(1);
            } else if let Err(why) = self.records(&entry) {
                let object = self.store.describe(&position.key(ENTRIES));
                self.note_entries(format!("{object} is damaged: {why}"));
                return Ok(());
            }
        }
        Ok(())
    }

    fn count(&mut self, entry: &Entry) {
        let outcome = &mut self.outcome;
        outcome.entries = outcome.entries.saturating_add(1);
        let is_replaced = entry.replaced.is_some();
        outcome.replaced = outcome.replaced.saturating_add(u64::from(is_replaced));
        outcome.time = Some(entry.header.time);
        if let Some(claim) = entry.header.content.claim() {
            outcome.epochs = outcome.epochs.saturating_add(1);
            if !claim.installation.fits(self.installation) {
                let position = entry.header.position;
                let why = format!("is of another installation than the claim at place {position}");
                self.wrong(IDENTITY, &why);
                // Once is enough.
                self.installation = InstallationTag::default();
            }
        }
    }

    /// Checks the records of an entry that counts.
    fn records(&mut self, entry: &Entry) -> Result<(), String> {
        let last = portable::check(&entry.body, Seq(self.outcome.records))
            .map_err(|error| error.to_string())?;
        let due = entry.header.last;
        if last != due {
            return Err(format!("it ends with record {}, not {}", last.0, due.0));
        }
        self.outcome.records = last.0;
        let records = portable::records(&entry.body);
        let marks = records.filter_map(|record| self.layout.named_in(&record));
        self.needed_marks.extend(marks);
        Ok(())
    }

    /// Checks that the archive ends where it has ended.
    fn reached(
        &mut self,
        contents: &Contents,
        reached: Result<Option<Reached>, ArchiveReadError>,
    ) -> Result<(), StoreError> {
        let reached = match reached {
            Err(ArchiveReadError::Store(error)) => return Err(error),
            Err(failure) => {
                self.note(failure.to_string());
                None
            }
            Ok(None) => {
                self.wrong(REACHED, "is missing");
                None
            }
            Ok(reached) => reached,
        };
        if let Some(missing) = contents.missing_end(reached.as_ref()) {
            let object = self.store.describe(&missing.key(ENTRIES));
            let last = reached.as_ref().map_or(0, |it| it.last.0);
            self.note_entries(format!(
                "{object} is missing: the archive had records up to {last}"
            ));
            return Ok(());
        }
        let Some(reached) = reached.filter(|it| it.position > Position(0)) else {
            return Ok(());
        };
        if !reached.installation.fits(self.installation) {
            self.wrong(REACHED, "is of another installation than the identity");
            return Ok(());
        }
        match contents.read(self.store, reached.position) {
            Ok(entry) if entry.id != reached.id => {
                self.wrong(
                    REACHED,
                    &format!("names another entry at place {}", reached.position),
                );
                Ok(())
            }
            // The walk has said what is wrong.
            Ok(_) | Err(ArchiveReadError::Damaged { .. } | ArchiveReadError::Missing { .. }) => {
                Ok(())
            }
            Err(ArchiveReadError::Store(error)) => Err(error),
        }
    }

    /// Reads all files, and looks for those that records name.
    fn files(&mut self, file_objects: &[Listed]) -> Result<(), StoreError> {
        let layout = self.layout;
        let prefix = files::key(layout, "");
        let names = file_objects
            .iter()
            .filter_map(|it| it.key.strip_prefix(&prefix));
        let marks: BTreeSet<&str> = names.filter(|name| layout.is_mark(name)).collect();
        for mark in &marks {
            let mut parts = Vec::new();
            for part in layout.parts(mark) {
                let bytes = self.store.get(&files::key(layout, &part))?;
                let length = bytes.as_ref().map_or(0, Vec::len);
                self.advance(u64::try_from(length).unwrap_or(u64::MAX));
                parts.push(bytes);
            }
            if let Err(why) = layout.check(mark, &parts) {
                self.wrong(
                    &files::key(layout, mark),
                    &format!("marks a file that {why}"),
                );
            }
            self.outcome.files = self.outcome.files.saturating_add(1);
        }
        for mark in std::mem::take(&mut self.needed_marks) {
            if !marks.contains(mark.as_str()) {
                let key = files::key(layout, &mark);
                self.wrong(&key, "is missing, and a message refers to its file");
            }
        }
        Ok(())
    }
}
