//! A data directory whose node waits for its turn to own a shared log.

use std::path::Path;
use std::sync::Arc;

use crate::system::System;
use crate::system::start::kernel_config;
use crate::system::start::schema::schema;
use crate::system::verify;
use switchboard_engine::runtime::clock::SystemClock;
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::runtime::open::{self, OpenedStore};
use switchboard_engine::store::disk::Disk;
use switchboard_erasures::{Erasure, Erasures};
use switchboard_runtime::config::SystemConfig;
use switchboard_runtime::error::StartError;

impl System {
    /// Opens a data directory that no process uses, which is made when it is not there: for a node that follows a shared log. An
    /// erasure that was interrupted is settled. The caller ensures that no other process uses the directory meanwhile.
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn open_disk(directory: &Path) -> Result<Arc<dyn Disk>, StartError> {
        let (disk, _) = verify::open(directory)?;
        Ok(disk)
    }

    /// Brings the index of a data directory up to its journal, so that a later start has little to read. Blocks meanwhile. The
    /// caller ensures that no other process uses the directory. Gives whether there are erasures for
    /// [`System::carry_out_begun_erasures`].
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn catch_up(directory: &Path, config: &SystemConfig) -> Result<bool, StartError> {
        let (disk, tables) = verify::open(directory)?;
        let entropy = entropy(directory)?;
        let ports = open::Ports {
            disk,
            tables: Arc::new(tables),
            clock: Arc::new(SystemClock),
            entropy: Arc::new(entropy),
        };
        let store_parts = OpenedStore::open(ports, schema(), kernel_config(config))?;
        let store = |error: &dyn std::fmt::Display| StartError::Store(error.to_string());
        let erasures = store_parts
            .index
            .load::<Erasures>(&())
            .map_err(|error| store(&error))?;
        store_parts
            .index
            .close()
            .map_err(|trouble| store(&trouble))?;
        Ok(erasures.is_some_and(|(erasures, _)| erasures.iter().any(Erasure::is_begun)))
    }
}

fn entropy(directory: &Path) -> Result<Generator, StartError> {
    Generator::from_system().map_err(|error| StartError::directory(directory, &error))
}
