//! The two sides as the measurements see them.

use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use switchboard_engine::entries::{IndexEntries, Key};
use switchboard_engine::table::Table;

use crate::runs::Runs;
use crate::tree::Tree;

/// One of the two kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// The index with its own files.
    Runs,
    /// The library.
    Tree,
}

/// The operations of both sides.
pub trait Stored {
    /// Takes in what a record adds; it is in memory until the next checkpoint.
    fn take(&mut self, entries: IndexEntries);

    /// Brings to disk what is in memory, and merges what is due.
    fn checkpoint(&mut self) -> Result<()>;

    /// The number of the record that a key leads to.
    fn key(&self, key: Key) -> Result<Option<u64>>;

    /// A row of a list.
    fn row(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>>;

    /// The first rows of a list.
    fn first(&self, table: Table, limit: usize) -> Result<Vec<Vec<u8>>>;
}

/// Settings of the library.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub cache_bytes: u64,
}

impl Side {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Runs, Self::Tree];

    /// Opens what is in this directory and must have `records` records in it.
    pub fn open(self, home: &Path, records: u64, settings: Settings) -> Result<Box<dyn Stored>> {
        Ok(match self {
            Self::Runs => Box::new(Runs::open(home, records)?),
            Self::Tree => Box::new(Tree::open(home, records, settings)?),
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Tree => "tree",
        }
    }
}
