//! Reads all of an archive, and says what is in it and what is wrong.

use std::collections::BTreeSet;

use switchboard_actors::domain::id::MediaId;
use switchboard_actors::system::verify::files_named_in;
use switchboard_engine::store::Seq;
use switchboard_engine::store::identity::{Identity, InstallationTag};
use switchboard_engine::store::portable;
use switchboard_media as media;

use crate::archive::IDENTITY;
use crate::archive::contents::Contents;
use crate::archive::entry::{Content, Entry, Place};
use crate::archive::files::FILES;
use crate::archive::reached::{REACHED, Reached};
use crate::archive::read_failure::ReadFailure;
use crate::archive::store::{Listed, Store, StoreError};

/// So many damaged objects are named at most.
const NAMED_MAX: usize = 100;

/// What an archive has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verified {
    /// The last record that counts; before the first damage, if there is any.
    pub(crate) records: u64,
    pub(crate) entries: u64,
    pub(crate) volumes: u64,
    pub(crate) epochs: u64,
    /// Entries that do not count, because a later process went on before them.
    pub(crate) superseded: u64,
    /// Entries whose body an erasure has replaced.
    pub(crate) replaced: u64,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// When the newest entry was archived, in milliseconds since 1970.
    pub(crate) time: Option<i64>,
    /// What is damaged or missing, for people.
    pub(crate) damage: Vec<String>,
    /// Whether no restore needs what is damaged.
    pub(crate) restores_all: bool,
}

/// Why an archive cannot be checked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum VerifyFailure {
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
pub(crate) fn verify(
    store: &dyn Store,
    to: &str,
    hear: &mut dyn FnMut(u64, u64),
) -> Result<Verified, VerifyFailure> {
    let identity = store.get(IDENTITY)?;
    // Before the list: what the archive reaches meanwhile is not missed.
    let reached = Reached::read(store);
    let contents = Contents::list(store)?;
    if identity.is_none() && contents.newest().is_none() && matches!(reached, Ok(None)) {
        return Err(VerifyFailure::NoArchive(to.to_owned()));
    }
    let listed = store.list(FILES)?;
    let files = listed
        .iter()
        .fold(0_u64, |sum, it| sum.saturating_add(it.bytes));
    let total = contents.bytes().saturating_add(files);
    let mut check = Check {
        store,
        hear,
        done: 0,
        found: Verified {
            volumes: u64::try_from(contents.volumes.len()).unwrap_or(u64::MAX),
            bytes: total,
            restores_all: true,
            ..Verified::default()
        },
        installation: InstallationTag::default(),
        named: BTreeSet::new(),
    };
    check.identity(identity.as_deref());
    check.entries(&contents)?;
    check.reached(&contents, reached)?;
    check.files(&listed)?;
    Ok(check.found)
}

struct Check<'c> {
    store: &'c dyn Store,
    hear: &'c mut dyn FnMut(u64, u64),
    done: u64,
    found: Verified,
    /// That of the identity.
    installation: InstallationTag,
    /// The files that records name.
    named: BTreeSet<MediaId>,
}

impl Check<'_> {
    fn heard(&mut self, bytes: u64) {
        self.done = self.done.saturating_add(bytes);
        (self.hear)(self.done, self.found.bytes);
    }

    /// Notes what is wrong with an object.
    fn wrong(&mut self, key: &str, why: &str) {
        let object = self.store.describe(key);
        self.note(format!("{object} {why}"));
    }

    fn note(&mut self, damage: String) {
        if self.found.damage.len() < NAMED_MAX {
            self.found.damage.push(damage);
        }
    }

    /// Notes damage of entries: the restore of all of it needs them.
    fn note_entries(&mut self, damage: String) {
        self.found.restores_all = false;
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
            Err(ReadFailure::Store(error)) => return Err(error),
            read => read.unwrap_or_default(),
        };
        for entry in contents.walk(self.store, Place(1)) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(ReadFailure::Store(error)) => return Err(error),
                Err(failure) => {
                    self.note_entries(failure.to_string());
                    return Ok(());
                }
            };
            let place = entry.header.place;
            self.count(&entry);
            self.heard(contents.loose.get(&place).copied().unwrap_or_default());
            if superseded.has(place) {
                self.found.superseded = self.found.superseded.saturating_add(1);
            } else if let Err(why) = self.records(&entry) {
                let object = self.store.describe(&place.key());
                self.note_entries(format!("{object} is damaged: {why}"));
                return Ok(());
            }
        }
        Ok(())
    }

    fn count(&mut self, entry: &Entry) {
        let found = &mut self.found;
        found.entries = found.entries.saturating_add(1);
        let is_replaced = entry.replaced.is_some();
        found.replaced = found.replaced.saturating_add(u64::from(is_replaced));
        found.time = Some(entry.header.time);
        if let Content::Claim { installation, .. } = entry.header.content {
            found.epochs = found.epochs.saturating_add(1);
            if !installation.fits(self.installation) {
                let place = entry.header.place.0;
                let why = format!("is of another installation than the claim at place {place}");
                self.wrong(IDENTITY, &why);
                // Once is enough.
                self.installation = InstallationTag::default();
            }
        }
    }

    /// Checks the records of an entry that counts.
    fn records(&mut self, entry: &Entry) -> Result<(), String> {
        let last = portable::check(&entry.body, Seq(self.found.records));
        let last = last.map_err(|error| error.to_string())?;
        if last != entry.last() {
            let due = entry.header.last;
            return Err(format!("it ends with record {}, not {due}", last.0));
        }
        self.found.records = last.0;
        let named = portable::records(&entry.body).filter_map(|record| files_named_in(&record));
        self.named.extend(named);
        Ok(())
    }

    /// Checks that the archive ends where it has ended.
    fn reached(
        &mut self,
        contents: &Contents,
        reached: Result<Option<Reached>, ReadFailure>,
    ) -> Result<(), StoreError> {
        let reached = match reached {
            Err(ReadFailure::Store(error)) => return Err(error),
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
            let object = self.store.describe(&missing.key());
            let last = reached.as_ref().map_or(0, |it| it.last);
            self.note_entries(format!(
                "{object} is missing: the archive had records up to {last}"
            ));
            return Ok(());
        }
        let Some(reached) = reached.filter(|it| it.place > Place(0)) else {
            return Ok(());
        };
        if !reached.installation.fits(self.installation) {
            self.wrong(REACHED, "is of another installation than the identity");
            return Ok(());
        }
        match contents.read(self.store, reached.place) {
            Ok(entry) if entry.id != reached.id => {
                self.wrong(
                    REACHED,
                    &format!("names another entry at place {}", reached.place.0),
                );
                Ok(())
            }
            // The walk has said what is wrong.
            Ok(_) | Err(ReadFailure::Damaged { .. } | ReadFailure::Missing { .. }) => Ok(()),
            Err(ReadFailure::Store(error)) => Err(error),
        }
    }

    /// Reads all files, and looks for those that records name.
    fn files(&mut self, listed: &[Listed]) -> Result<(), StoreError> {
        let mut marked = BTreeSet::new();
        for mark in listed.iter().filter(|it| media::is_kept_mark(&it.key)) {
            let mut parts = Vec::new();
            for part in media::parts_of(&mark.key) {
                let bytes = self.store.get(&part)?;
                self.heard(
                    bytes
                        .as_ref()
                        .map_or(0, |it| u64::try_from(it.len()).unwrap_or(u64::MAX)),
                );
                parts.push(bytes);
            }
            if let Err(why) = media::check_parts(&mark.key, &parts) {
                self.wrong(&mark.key, &format!("marks a file that {why}"));
            }
            marked.extend(media::id_of(&mark.key));
            self.found.files = self.found.files.saturating_add(1);
        }
        for id in std::mem::take(&mut self.named) {
            if !marked.contains(&id) {
                let key = format!("{FILES}/{}", media::mark_of(id));
                self.wrong(&key, "is missing, and a message refers to its file");
            }
        }
        Ok(())
    }
}
