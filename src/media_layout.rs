//! The layout of media files for an archive, which copies and checks them without knowing what is in them.

use std::io;
use std::path::Path;

use switchboard_actors::system::erasures::ErasureNote;
use switchboard_actors::system::verify::files_named_in;
use switchboard_engine::store::Record;
use switchboard_replication::files::{FileLayout, Part};
use switchboard_replication::store::StoreError;

use switchboard_media as media;

/// The folder of files, in a data directory and in an archive.
pub(crate) const FOLDER: &str = "media";

/// The layout of media files.
#[derive(Debug)]
pub(crate) struct MediaLayout;

impl FileLayout for MediaLayout {
    fn folder(&self) -> &'static str {
        FOLDER
    }

    fn marks(&self, directory: &Path) -> io::Result<Vec<String>> {
        media::kept_marks(directory)
    }

    fn is_mark(&self, name: &str) -> bool {
        media::is_kept_mark(name)
    }

    fn parts(&self, mark: &str) -> [String; 4] {
        media::parts_of(mark)
    }

    fn mark_beside(&self, name: &str) -> Option<String> {
        media::mark_beside(name)
    }

    fn check(&self, mark: &str, parts: &[Option<Vec<u8>>]) -> Result<(), String> {
        media::check_parts(mark, parts)
    }

    fn named_in(&self, record: &Record) -> Option<String> {
        files_named_in(record).map(media::mark_of)
    }

    fn is_erased(&self, mark: &str, note: &str, description: Part<'_>) -> Result<bool, StoreError> {
        // The start of the archive has refused a note that cannot be read.
        let note: ErasureNote = serde_json::from_str(note).unwrap_or_default();
        media::is_erased(mark, &note, description)
    }
}
