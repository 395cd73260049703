//! The layout of a product that has no files beside its journal.

use std::io;
use std::path::Path;

use switchboard_engine::store::Record;

use crate::files::{FileLayout, Part};
use crate::store::StoreError;

#[derive(Debug)]
pub(super) struct NoFiles;

impl FileLayout for NoFiles {
    fn folder(&self) -> &'static str {
        "files"
    }

    fn marks(&self, _: &Path) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn is_mark(&self, _: &str) -> bool {
        false
    }

    fn parts(&self, _: &str) -> [String; 4] {
        Default::default()
    }

    fn mark_beside(&self, _: &str) -> Option<String> {
        None
    }

    fn check(&self, _: &str, _: &[Option<Vec<u8>>]) -> Result<(), String> {
        Ok(())
    }

    fn named_in(&self, _: &Record) -> Option<String> {
        None
    }

    fn is_erased(&self, _: &str, _: &str, _: Part<'_>) -> Result<bool, StoreError> {
        Ok(false)
    }
}
