//! The operations on a data directory while no system uses it.

mod files;
mod streams;

pub use self::files::files_named_in;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::domain::id::MediaId;
use crate::system::System;
use crate::system::start::schema::schema;
use crate::system::verify::streams::Streams;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::erasure::{self, ErasureError};
use switchboard_engine::store::index::Index;
use switchboard_engine::store::tables::TablesHome;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_engine::store::verify::{self, VerifyProgress, VerifyReport};
use switchboard_runtime::error::StartError;

/// The outcome of moving an index aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovedIndex {
    /// Its parts are here now; nothing is lost by that but the time it takes to make it again.
    Moved(Vec<String>),
    /// It was not moved: these files of the journal are damaged or missing. It could not be rebuilt from them, and it
    /// has what they lack.
    Kept(Vec<String>),
}

impl System {
    /// Reads everything in a data directory that no process uses, and reports what is right, torn or damaged. Repairs
    /// nothing, but completes an erasure that was interrupted after it counted. The caller ensures that no other process
    /// uses the directory meanwhile.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn verify(
        directory: &Path,
        hear: &mut dyn FnMut(&VerifyProgress),
    ) -> Result<VerifyReport, StartError> {
        Self::verify_with_files(directory, &mut BTreeSet::new(), hear)
    }

    /// As [`Self::verify`]. Adds the files that records name, as [`files_named_in`] says, to `files`.
    ///
    /// # Errors
    /// As of [`Self::verify`].
    pub fn verify_with_files(
        directory: &Path,
        files: &mut BTreeSet<MediaId>,
        hear: &mut dyn FnMut(&VerifyProgress),
    ) -> Result<VerifyReport, StartError> {
        let (disk, tables) = open_damaged(directory)?;
        let home: &dyn TablesHome = &tables;
        // Opening tables makes them where there are none.
        let there = tables.path.exists().then_some(home);
        let mut streams = Streams::default();
        let report = verify::verify(&disk, there, &schema(), &mut streams, hear)
            .map_err(|error| StartError::directory(directory, &error))?;
        files.extend(streams.files());
        Ok(report)
    }

    /// Moves the index of a data directory that no process uses out of the way, so that the next start rebuilds it
    /// from the journal, if that is whole: reads all of it before.
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn move_index_aside(
        directory: &Path,
        hear: &mut dyn FnMut(&VerifyProgress),
    ) -> Result<MovedIndex, StartError> {
        let (disk, tables) = open(directory)?;
        let damaged = verify::refuse_another_format(&disk)
            .and_then(|()| verify::journal_damage(disk.as_ref(), &schema(), hear))
            .map_err(|error| StartError::directory(directory, &error))?;
        if !damaged.is_empty() {
            let files = damaged.into_iter().map(|file| file.file);
            return Ok(MovedIndex::Kept(files.collect()));
        }
        Index::move_aside(disk.as_ref(), &tables)
            .map(MovedIndex::Moved)
            .map_err(|error| StartError::Store(error.to_string()))
    }
}

/// A data directory that no process uses. Half of an erasure that counts is completed.
pub(super) fn open(directory: &Path) -> Result<(Arc<dyn Disk>, SledHome), StartError> {
    let (disk, tables) = files(directory)?;
    // Half of an erasure that counts is neither right nor damaged.
    erasure::complete(disk.as_ref(), &tables)
        .map_err(|error| StartError::Store(error.to_string()))?;
    Ok((disk, tables))
}

/// As [`open`], also when the file is damaged that says how the erasure is to be completed.
fn open_damaged(directory: &Path) -> Result<(Arc<dyn Disk>, SledHome), StartError> {
    let (disk, tables) = files(directory)?;
    match erasure::complete(disk.as_ref(), &tables) {
        // The report names the file.
        Ok(_) | Err(ErasureError::Commit { .. }) => Ok((disk, tables)),
        Err(error) => Err(StartError::Store(error.to_string())),
    }
}

fn files(directory: &Path) -> Result<(Arc<dyn Disk>, SledHome), StartError> {
    let disk =
        FileDisk::open(directory).map_err(|error| StartError::directory(directory, &error))?;
    Ok((Arc::new(disk), SledHome::new(directory.join("tables"))))
}
