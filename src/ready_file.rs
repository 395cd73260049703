//! The file by which programs learn that a process is ready: it is there from then until the end of the process, and at no
//! other time.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use switchboard_engine::store::disk::whole_file::{remove, write};

/// The ready file of a process.
#[derive(Debug)]
pub(crate) struct ReadyFile {
    path: PathBuf,
    /// The text that this process wrote; `None` while it is not ready.
    text: RefCell<Option<String>>,
}

impl ReadyFile {
    /// The file of a process that is not ready yet. What an earlier process left there is removed: a program that waits for
    /// the file would go on with the address and the token of that one.
    ///
    /// # Errors
    /// When something stands there that cannot be removed.
    pub(crate) fn begin(path: &Path) -> io::Result<Self> {
        remove(path).map_err(|error| {
            let path_text = path.display();
            io::Error::new(
                error.kind(),
                format!("cannot remove the ready file {path_text} of an earlier process: {error}"),
            )
        })?;
        Ok(Self {
            path: path.to_owned(),
            text: RefCell::default(),
        })
    }

    /// The process is ready.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn announce(&self, text: &str, mode: u32) -> io::Result<()> {
        write(&self.path, text, mode).map_err(|error| {
            let path_text = self.path.display();
            io::Error::new(
                error.kind(),
                format!("cannot write the ready file {path_text}: {error}"),
            )
        })?;
        self.text.replace(Some(text.to_owned()));
        Ok(())
    }

    /// The process is not ready any more. A file that another process has written there since then stays.
    pub(crate) fn withdraw(&self) {
        let Some(own) = self.text.take() else { return };
        let is_own = fs::read_to_string(&self.path).is_ok_and(|text| text == own);
        if is_own && let Err(why) = remove(&self.path) {
            tracing::warn!(path = %self.path.display(), %why, "the ready file cannot be removed");
        }
    }
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        self.withdraw();
    }
}

#[cfg(test)]
mod tests {
    use switchboard_engine::store::disk::whole_file::PRIVATE;

    use super::*;

    #[test]
    fn a_ready_file_is_there_while_its_process_is_ready() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("r.json");
        fs::write(&path, "of yesterday").unwrap();
        let file = ReadyFile::begin(&path).unwrap();
        assert!(!path.exists());
        file.announce("ready", PRIVATE).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "ready");
        file.withdraw();
        assert!(!path.exists());
        file.announce("again", PRIVATE).unwrap();
        drop(file);
        assert!(!path.exists());
    }

    #[test]
    fn the_ready_file_of_a_later_process_stays() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("r.json");
        let (first, later) = (ReadyFile::begin(&path), ReadyFile::begin(&path));
        let (first, later) = (first.unwrap(), later.unwrap());
        first.announce("first", PRIVATE).unwrap();
        later.announce("later", PRIVATE).unwrap();
        drop(first);
        assert_eq!(fs::read_to_string(&path).unwrap(), "later");
        drop(later);
        assert!(!path.exists());
    }

    #[test]
    fn what_cannot_be_removed_is_named() {
        let home = tempfile::tempdir().unwrap();
        let why = ReadyFile::begin(home.path()).unwrap_err().to_string();
        assert!(why.contains("cannot remove the ready file"), "{why}");
    }
}
