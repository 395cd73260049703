//! The commit file: from the moment that it is on disk, an erasure counts. It names the files that get other names, so that
//! the next opening of the directory completes what was interrupted.
//!
//! An index that was prepared takes the place of the old one in two steps, each with a commit file of its own: the old one is
//! removed, then the files of the new one get their names. Each step may be repeated.

use std::io;

use serde::{Deserialize, Serialize};

use super::error::ErasureError;
use super::files::{COMMIT as FILE, UNFINISHED, discard};
use super::next_disk::final_name;
use crate::store::disk::{self, Disk};
use crate::store::index::Index;
use crate::store::owned_file;
use crate::store::segment;
use crate::store::tables::TablesHome;

const HEADING: &str = "switchboard-erasure-commit 2 ";

/// The renamings of files.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Commit {
    names: Vec<(String, String)>,
    index: IndexStep,
}

/// The change of the index once the files have their names.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum IndexStep {
    /// It is removed, and the next start builds another one.
    #[default]
    Remove,
    /// It is removed, and the next step gives these files their names.
    Replace(Vec<(String, String)>),
    /// It is gone, the files of the new one have their names, and its tables get their place.
    Place,
}

impl Commit {
    /// The file `from` is to replace the file `to`.
    pub(super) fn rename(&mut self, from: String, to: String) {
        self.names.push((from, to));
    }

    /// All files that were prepared get their names.
    pub(super) fn place_prepared(&mut self, disk: &dyn Disk) -> io::Result<()> {
        let mut index = Vec::new();
        for next in disk.names()? {
            let Some(name) = final_name(&next) else {
                continue;
            };
            let pair = (next.clone(), name.to_owned());
            if segment::number(name).is_some() {
                self.names.push(pair);
            } else {
                index.push(pair);
            }
        }
        self.index = IndexStep::Replace(index);
        Ok(())
    }

    /// The commit file of this directory; `None` when there is none.
    pub(super) fn read(disk: &dyn Disk, names: &[String]) -> Result<Option<Self>, ErasureError> {
        if !names.iter().any(|name| name == FILE) {
            return Ok(None);
        }
        match owned_file::read(disk, FILE, HEADING) {
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
            let file = owned_file::write(disk, UNFINISHED, HEADING, self)?;
            disk::publish(disk, &*file, UNFINISHED, FILE)
        };
        publish().map_err(|error| ErasureError::io(disk, FILE, &error))
    }

    /// Does what is left to do, and removes the commit file.
    pub(super) fn complete(
        self,
        disk: &dyn Disk,
        tables: &dyn TablesHome,
    ) -> Result<(), ErasureError> {
        let io_error = |error: io::Error| ErasureError::io(disk, FILE, &error);
        rename(disk, &self.names).map_err(io_error)?;
        match self.index {
            IndexStep::Remove => Index::remove(disk, tables)?,
            IndexStep::Replace(names) => {
                Index::remove(disk, tables)?;
                let place = Self {
                    names,
                    index: IndexStep::Place,
                };
                place.publish(disk)?;
                return place.complete(disk, tables);
            }
            IndexStep::Place => tables.replace_by_successor()?,
        }
        discard(disk, tables)?;
        disk.remove(FILE).map_err(io_error)?;
        disk.sync_names().map_err(io_error)
    }
}

fn rename(disk: &dyn Disk, names: &[(String, String)]) -> io::Result<()> {
    let there = disk.names()?;
    for (from, to) in names.iter().filter(|(from, _)| there.contains(from)) {
        disk.rename(from, to)?;
    }
    disk.sync_names()
}
