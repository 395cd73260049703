//! The mark of an interrupted import: a small file beside the imported one.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use switchboard_actors::domain::id::ScopeId;
use switchboard_engine::store::disk::whole_file;
use url::Url;

use super::super::output::{CliError, say};
use super::tally::Tally;

/// Up to where everything of a file is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ImportMark {
    /// The position after the last line that is done, in bytes.
    pub(super) bytes: u64,
    /// The number of lines before that position.
    pub(super) lines: u64,
    /// The SHA-256 of these bytes.
    pub(super) digest: String,
    /// The results of these lines, and perhaps of some after them.
    pub(super) tally: Tally,
}

/// The form of the file; a mark of another form is not used.
const FORM: u32 = 1;

#[derive(Serialize, Deserialize)]
struct StoredMark {
    form: u32,
    url: String,
    scope: String,
    #[serde(flatten)]
    mark: ImportMark,
}

/// The file that holds the mark.
#[derive(Debug)]
pub(super) struct MarkFile {
    path: PathBuf,
    url: String,
    scope: String,
    /// A warning that the file cannot be written has been printed.
    complained: bool,
}

impl MarkFile {
    /// The mark beside `file`, for its import into this scope of this service.
    pub(super) fn beside(file: &Path, scope: &ScopeId, url: &Url) -> Self {
        let mut name = file.as_os_str().to_owned();
        name.push(".import-mark");
        Self {
            path: name.into(),
            url: url.to_string(),
            scope: scope.to_string(),
            complained: false,
        }
    }

    /// The mark that an interrupted import left.
    pub(super) fn read(&self) -> Result<Option<ImportMark>, CliError> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let what = format!("cannot read {}", self.path.display());
                return Err(CliError::failed(&what, error));
            }
        };
        // One that cannot be understood costs time, not correctness: what is there is skipped by the service.
        let file = serde_json::from_slice::<StoredMark>(&bytes).ok();
        let ours = file.filter(|stored| {
            stored.form == FORM && stored.url == self.url && stored.scope == self.scope
        });
        Ok(ours.map(|stored| stored.mark))
    }

    /// Replaces the mark. Not being able to is no reason to stop.
    pub(super) fn write(&mut self, mark: &ImportMark) {
        if let Err(error) = self.try_write(mark)
            && !std::mem::replace(&mut self.complained, true)
        {
            say(&format!(
                "warning: cannot write {}: {error}; after an interruption the import begins at the first line and skips what is already imported",
                self.path.display()
            ));
        }
    }

    fn try_write(&self, mark: &ImportMark) -> std::io::Result<()> {
        let file = StoredMark {
            form: FORM,
            url: self.url.clone(),
            scope: self.scope.clone(),
            mark: mark.clone(),
        };
        let text = serde_json::to_string(&file)?;
        whole_file::write(&self.path, &text, whole_file::READABLE)
    }

    /// The import is complete.
    pub(super) fn remove(&self) {
        // There is none when nothing was interrupted.
        fs::remove_file(&self.path).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resume_mark_is_valid_for_its_service_and_scope_only() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("history.jsonl");
        let scope: ScopeId = "c_af9945ff-1490-4cad-807d-945c15d88bec".parse().unwrap();
        let other: ScopeId = "d_af9945ff-1490-4cad-807d-945c15d88bec".parse().unwrap();
        let url: Url = "http://127.0.0.1:1".parse().unwrap();
        let mark = ImportMark {
            bytes: 12,
            lines: 3,
            digest: "00ff".to_owned(),
            tally: Tally::default(),
        };
        let mut marks = MarkFile::beside(&file, &scope, &url);
        assert_eq!(marks.read().unwrap(), None);
        marks.write(&mark);
        assert_eq!(marks.read().unwrap(), Some(mark));
        assert_eq!(MarkFile::beside(&file, &other, &url).read().unwrap(), None);
        let elsewhere = "http://127.0.0.1:2".parse().unwrap();
        assert_eq!(
            MarkFile::beside(&file, &scope, &elsewhere).read().unwrap(),
            None
        );
        fs::write(directory.path().join("history.jsonl.import-mark"), "{").unwrap();
        assert_eq!(marks.read().unwrap(), None);
        marks.remove();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
