//! Copies the files that records refer to into the archive, under the names that they have in the data directory.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;

use super::error::ArchiveError;
use crate::files::{JournalFiles, key};
use crate::store::{Store, StoreError};

/// Copies files to the archive.
pub(crate) struct FileShipper<'s> {
    store: &'s dyn Store,
    files: &'s JournalFiles,
    /// Files whose last part is in the archive.
    archived: BTreeSet<String>,
}

impl<'s> FileShipper<'s> {
    /// The shipper of these files.
    ///
    /// # Errors
    /// When the store refuses.
    pub(crate) fn new(store: &'s dyn Store, files: &'s JournalFiles) -> Result<Self, StoreError> {
        let layout = &*files.layout;
        let objects = store.list(layout.folder())?;
        let archived = objects.into_iter().filter_map(|it| {
            let name = it.key.strip_prefix(layout.folder())?.strip_prefix('/')?;
            layout.is_mark(name).then(|| name.to_owned())
        });
        Ok(Self {
            store,
            files,
            archived: archived.collect(),
        })
    }

    /// The number of files that the archive has.
    pub(crate) fn count(&self) -> u64 {
        u64::try_from(self.archived.len()).unwrap_or(u64::MAX)
    }

    /// Copies the files that records refer to and the archive does not have, unless it is over before.
    ///
    /// # Errors
    /// When a file cannot be read, or the store refuses.
    pub(crate) fn ship(&mut self, is_over: impl Fn() -> bool) -> Result<(), ArchiveError> {
        let (layout, directory) = (&*self.files.layout, self.files.directory());
        let marks = layout.marks(&directory);
        for mark in marks.map_err(|error| ArchiveError::unread(&directory, &error))? {
            if self.archived.contains(&mark) {
                continue;
            }
            if is_over() {
                return Ok(());
            }
            let [content, thumbnail, about, mark_part] = layout.parts(&mark);
            // The description comes first: an erasure finds by it what an interrupted copy left. The mark comes last: it
            // says that the other parts are there.
            for part in [about, content, thumbnail, mark_part] {
                let path = directory.join(&part);
                match fs::read(&path) {
                    Ok(bytes) => self.store.replace(&key(layout, &part), &bytes)?,
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => return Err(ArchiveError::unread(&path, &error)),
                }
            }
            self.archived.insert(mark);
        }
        Ok(())
    }
}
