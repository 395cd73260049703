//! What is done to a data directory while no system uses it.

mod streams;

use std::path::Path;
use std::sync::Arc;

use crate::error::StartError;
use crate::system::System;
use crate::system::start::schema;
use crate::system::verify::streams::Streams;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::erasure;
use switchboard_engine::store::index::Index;
use switchboard_engine::store::tables::TablesHome;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_engine::store::verify::{self, VerifyProgress, VerifyReport};

/// What became of an index that was to be moved aside.
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
    /// nothing, but completes an erasure that was interrupted after it counted. The caller ensures that no other process uses the directory meanwhile.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn verify(
        directory: &Path,
        hear: &mut dyn FnMut(&VerifyProgress),
    ) -> Result<VerifyReport, StartError> {
        let (disk, tables) = open(directory)?;
        let home: &dyn TablesHome = &tables;
        // Opening tables makes them where there are none.
        let there = tables.path.exists().then_some(home);
        verify::verify(&disk, there, &schema(), &mut Streams::default(), hear)
            .map_err(|error| StartError::directory(directory, &error))
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
    let disk: Arc<dyn Disk> = Arc::new(
        FileDisk::open(directory).map_err(|error| StartError::directory(directory, &error))?,
    );
    let tables = SledHome::new(directory.join("tables"));
    // Half of an erasure that counts is neither right nor damaged.
    erasure::complete(disk.as_ref(), &tables)
        .map_err(|error| StartError::Store(error.to_string()))?;
    Ok((disk, tables))
}
