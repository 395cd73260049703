//! Reads all of an archive, and says what is in it.

use std::collections::BTreeSet;

use switchboard_engine::store::Seq;
use switchboard_engine::store::portable::{self, PortableError};

use crate::archive::IDENTITY;
use crate::archive::contents::{Contents, ReadFailure};
use crate::archive::entry::{Content, Place};
use crate::archive::files::FILES;
use crate::archive::store::{Listed, Store, StoreError};
use crate::media;

/// What an archive has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verified {
    /// The last record that counts.
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
}

/// Why an archive is not right.
#[derive(Debug, thiserror::Error)]
pub(crate) enum VerifyFailure {
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An object is missing or damaged.
    #[error(transparent)]
    Archive(#[from] ReadFailure),
    /// There is none.
    #[error("there is no archive at {0}: it has no identity")]
    NoArchive(String),
    /// The records of an entry are not those that are due.
    #[error("entry {place}: {error}")]
    Records {
        /// Its place.
        place: u64,
        /// What is wrong.
        error: PortableError,
    },
    /// A file is not what was uploaded.
    #[error("{object} {why}")]
    File {
        /// Which object.
        object: String,
        /// What is wrong.
        why: String,
    },
}

impl VerifyFailure {
    /// Whether something is wrong with what was read; otherwise it could not be read.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Store(_) | Self::Archive(ReadFailure::Store(_)) | Self::NoArchive(_) => false,
            Self::Archive(ReadFailure::Damaged { .. } | ReadFailure::Missing { .. })
            | Self::Records { .. }
            | Self::File { .. } => true,
        }
    }
}

/// Reads everything in an archive. `hear` hears of the bytes that were read, and of all there are.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn verify(
    store: &dyn Store,
    to: &str,
    hear: &mut dyn FnMut(u64, u64),
) -> Result<Verified, VerifyFailure> {
    if store.get(IDENTITY)?.is_none() {
        return Err(VerifyFailure::NoArchive(to.to_owned()));
    }
    let contents = Contents::list(store)?;
    let superseded = contents.superseded(store, |_| true)?;
    let listed = store.list(FILES)?;
    let files = listed
        .iter()
        .fold(0_u64, |sum, it| sum.saturating_add(it.bytes));
    let total = contents.bytes().saturating_add(files);
    let mut found = Verified {
        volumes: u64::try_from(contents.volumes.len()).unwrap_or(u64::MAX),
        bytes: total,
        ..Verified::default()
    };
    let mut done = 0_u64;
    for entry in contents.walk(store, Place(1)) {
        let entry = entry?;
        let place = entry.header.place;
        found.entries = found.entries.saturating_add(1);
        found.replaced = found
            .replaced
            .saturating_add(u64::from(entry.replaced.is_some()));
        found.time = Some(entry.header.time);
        if matches!(entry.header.content, Content::Claim { .. }) {
            found.epochs = found.epochs.saturating_add(1);
        }
        done = done.saturating_add(contents.loose.get(&place).copied().unwrap_or_default());
        hear(done, total);
        if superseded.has(place) {
            found.superseded = found.superseded.saturating_add(1);
            continue;
        }
        let last = portable::check(&entry.body, Seq(found.records));
        let last = last.map_err(|error| VerifyFailure::Records {
            place: place.0,
            error,
        })?;
        found.records = last.0;
    }
    found.files = verify_files(store, &listed, |bytes| {
        done = done.saturating_add(bytes);
        hear(done, total);
    })?;
    Ok(found)
}

/// Reads all files, and gives their number.
fn verify_files(
    store: &dyn Store,
    listed: &[Listed],
    mut hear: impl FnMut(u64),
) -> Result<u64, VerifyFailure> {
    let keys: BTreeSet<&str> = listed.iter().map(|it| it.key.as_str()).collect();
    let mut count = 0_u64;
    for mark in keys.iter().filter(|key| media::is_kept_mark(key)) {
        let [content, _, about, _] = media::parts_of(mark);
        let [content, about] = [content, about].map(|key| (store.describe(&key), store.get(&key)));
        let wrong = |object: &str, why: String| VerifyFailure::File {
            object: object.to_owned(),
            why,
        };
        let missing = || "is missing".to_owned();
        let bytes = content.1?.ok_or_else(|| wrong(&content.0, missing()))?;
        let about_bytes = about.1?.ok_or_else(|| wrong(&about.0, missing()))?;
        media::check_content(&about_bytes, &bytes).map_err(|why| wrong(&content.0, why))?;
        hear(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        count = count.saturating_add(1);
    }
    Ok(count)
}
