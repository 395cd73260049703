//! The commit file: from the moment that it is on disk, an erasure counts. It names the files that get other names, so that
//! the next opening of the directory completes what was interrupted.

use std::io;

use serde::{Deserialize, Serialize};

use super::ErasureError;
use super::list::{read_checked, write_checked};
use crate::store::disk::{self, Disk};
use crate::store::index::Index;
use crate::store::tables::TablesHome;

/// Its name.
pub(super) const FILE: &str = "erasure-commit";
/// Its name before it counts.
pub(super) const UNFINISHED: &str = "erasure-commit.new";
const HEADING: &str = "switchboard-erasure-commit 1 ";

/// Which files get which names.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Commit {
    names: Vec<(String, String)>,
}

impl Commit {
    /// The file `from` is to replace the file `to`.
    pub(super) fn rename(&mut self, from: String, to: String) {
        self.names.push((from, to));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The commit file of this directory; `None` when there is none.
    pub(super) fn read(disk: &dyn Disk, names: &[String]) -> Result<Option<Self>, ErasureError> {
        if !names.iter().any(|name| name == FILE) {
            return Ok(None);
        }
        match read_checked(disk, FILE, HEADING) {
            Ok(commit) => Ok(Some(commit)),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(ErasureError::Commit {
                file: disk.describe(FILE),
            }),
            Err(error) => Err(ErasureError::io(disk, FILE, &error)),
        }
    }

    /// Makes the erasure count.
    pub(super) fn publish(&self, disk: &dyn Disk) -> Result<(), ErasureError> {
        let publish = || {
            let file = write_checked(disk, UNFINISHED, HEADING, self)?;
            disk::publish(disk, &*file, UNFINISHED, FILE)
        };
        publish().map_err(|error| ErasureError::io(disk, FILE, &error))
    }

    /// Does what is left to do, and removes the commit file.
    pub(super) fn complete(
        &self,
        disk: &dyn Disk,
        tables: &dyn TablesHome,
    ) -> Result<(), ErasureError> {
        let rename = || -> io::Result<()> {
            let there = disk.names()?;
            for (from, to) in self.names.iter().filter(|(from, _)| there.contains(from)) {
                disk.rename(from, to)?;
            }
            disk.sync_names()
        };
        let refused = |error: io::Error| ErasureError::io(disk, FILE, &error);
        rename().map_err(refused)?;
        Index::remove(disk, tables)?;
        disk.remove(FILE).map_err(refused)?;
        disk.sync_names().map_err(refused)
    }
}
