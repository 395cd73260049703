//! The files that messages refer to, in the archive under the names that they have in the data directory.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use switchboard_media as media;

use crate::archive::source::Trouble;
use crate::archive::store::{Store, StoreError};

/// The prefix of the keys of files.
pub(crate) const FILES: &str = "media";

/// Copies files to the archive.
pub(crate) struct FileShipper<'s> {
    store: &'s dyn Store,
    /// The directory of files.
    directory: PathBuf,
    /// Files whose last part is in the archive.
    archived: BTreeSet<String>,
}

impl<'s> FileShipper<'s> {
    /// The shipper of this directory of files.
    ///
    /// # Errors
    /// When the store refuses.
    pub(crate) fn new(store: &'s dyn Store, directory: PathBuf) -> Result<Self, StoreError> {
        let listed = store.list(FILES)?;
        let archived = listed.into_iter().filter_map(|it| {
            let name = it.key.strip_prefix(FILES)?.strip_prefix('/')?;
            media::is_kept_mark(name).then(|| name.to_owned())
        });
        Ok(Self {
            store,
            directory,
            archived: archived.collect(),
        })
    }

    /// How many files the archive has.
    pub(crate) fn count(&self) -> u64 {
        u64::try_from(self.archived.len()).unwrap_or(u64::MAX)
    }

    /// Copies the files that messages refer to and the archive does not have, unless it is over before.
    ///
    /// # Errors
    /// When a file cannot be read, or the store refuses.
    pub(crate) fn ship(&mut self, is_over: impl Fn() -> bool) -> Result<(), Trouble> {
        let failed = |path: &Path, error: &io::Error| {
            Trouble::Local(format!("cannot read {}: {error}", path.display()))
        };
        let marks = media::kept_marks(&self.directory);
        for mark in marks.map_err(|error| failed(&self.directory, &error))? {
            if self.archived.contains(&mark) {
                continue;
            }
            if is_over() {
                return Ok(());
            }
            let [content, thumbnail, about, kept] = media::parts_of(&mark);
            // The description comes first: an erasure finds by it what an interrupted copy left. The mark comes last: it
            // says that the other parts are there.
            for part in [about, content, thumbnail, kept] {
                let path = self.directory.join(&part);
                match fs::read(&path) {
                    Ok(bytes) => self.store.replace(&format!("{FILES}/{part}"), &bytes)?,
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => return Err(failed(&path, &error)),
                }
            }
            self.archived.insert(mark);
        }
        Ok(())
    }
}
