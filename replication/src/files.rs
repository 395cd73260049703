//! The files beside a journal, as its product lays them out. A log copies, checks and removes them without knowing what is in them.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use switchboard_engine::store::Record;

use crate::store::StoreError;

/// The bytes of a part of a file, which may be asked for; `None`: there is no such part.
pub type Part<'p> = &'p mut dyn FnMut() -> Result<Option<Vec<u8>>, StoreError>;

/// The layout of the files of a product. A file has four parts. The last one, its *mark*, says that the others are there, and
/// names the file. All names are relative to the folder of files.
pub trait FileLayout: fmt::Debug + Send + Sync {
    /// The folder of files in a data directory, which is also the prefix of their keys in a store.
    fn folder(&self) -> &'static str;

    /// The marks of all files in this directory.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn marks(&self, directory: &Path) -> io::Result<Vec<String>>;

    /// Returns whether a part of this name is a mark.
    fn is_mark(&self, name: &str) -> bool;

    /// The parts of the file with this mark: content, thumbnail, description, and the mark.
    fn parts(&self, mark: &str) -> [String; 4];

    /// The mark beside a description; `None`: the name is that of another part.
    fn mark_beside(&self, name: &str) -> Option<String>;

    /// Checks that the parts of the file with this mark, in the order of [`Self::parts`], belong together.
    ///
    /// # Errors
    /// What is wrong, as in «has no description».
    fn check(&self, mark: &str, parts: &[Option<Vec<u8>>]) -> Result<(), String>;

    /// The mark of the file that a record refers to, if it refers to one.
    fn named_in(&self, record: &Record) -> Option<String>;

    /// Returns whether an erasure with this note has removed the file with this mark. The description is asked for only if the
    /// note does not suffice.
    ///
    /// # Errors
    /// When the description cannot be read.
    fn is_erased(&self, mark: &str, note: &str, description: Part<'_>) -> Result<bool, StoreError>;
}

/// The files beside the journal of a data directory.
#[derive(Clone, Debug)]
pub struct JournalFiles {
    /// Their layout.
    pub layout: Arc<dyn FileLayout>,
    /// The data directory.
    pub data: PathBuf,
}

impl JournalFiles {
    /// The directory that has them.
    pub(crate) fn directory(&self) -> PathBuf {
        self.data.join(self.layout.folder())
    }
}

/// The key of a part of a file in a store.
pub(crate) fn key(layout: &dyn FileLayout, part: &str) -> String {
    format!("{}/{part}", layout.folder())
}
