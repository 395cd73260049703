//! The lists of what was erased: a file for each erasure, `erasure-00000001`. They say which records are gone or say
//! something else, so that copies of the journal can follow.
//!
//! A list is called `erasure-00000001.open` until its product has done what else belongs to the erasure, and called
//! [`finish`].

use std::io;

use serde::{Deserialize, Serialize};

use super::error::ErasureError;
use crate::store::Seq;
use crate::store::disk::Disk;
use crate::store::owned_file;

const PREFIX: &str = "erasure-";
const OPEN: &str = ".open";
const UNFINISHED: &str = ".new";
const HEADING: &str = "switchboard-erasure 2 ";

/// The changes of an erasure and their records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErasedRecords {
    /// The number of the erasure.
    pub number: u32,
    /// The records of which only the number is left.
    pub erased: RecordRanges,
    /// The records that say something else now.
    pub replaced: RecordRanges,
    /// The product's data beside it.
    pub note: String,
}

/// Numbers of records in ascending order, as ranges from the first to the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecordRanges(Vec<(u64, u64)>);

impl RecordRanges {
    /// Adds a number that is greater than all before it.
    pub fn push(&mut self, seq: Seq) {
        match self.0.last_mut() {
            Some((_, last)) if last.saturating_add(1) == seq.0 => *last = seq.0,
            Some(_) | None => self.0.push((seq.0, seq.0)),
        }
    }

    /// The first and the last number of each range, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Seq, Seq)> + '_ {
        self.0.iter().map(|(first, last)| (Seq(*first), Seq(*last)))
    }

    /// Returns the number of sequence numbers.
    #[must_use]
    pub fn count(&self) -> u64 {
        let lengths = self.0.iter();
        lengths
            .map(|(first, last)| last.saturating_sub(*first).saturating_add(1))
            .sum()
    }
}

impl ErasedRecords {
    /// An erasure that changes nothing.
    #[must_use]
    pub fn nothing(number: u32) -> Self {
        Self {
            number,
            ..Self::default()
        }
    }

    /// Returns whether it has changed one of these records.
    #[must_use]
    pub fn touches(&self, first: Seq, last: Seq) -> bool {
        let mut ranges = self.erased.iter().chain(self.replaced.iter());
        ranges.any(|(from, to)| from <= last && first <= to)
    }

    /// Returns whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.erased.count() == 0 && self.replaced.count() == 0
    }

    /// Writes the list, under a name that does not count; gives that name and the one it is to have.
    pub(super) fn prepare(&self, disk: &dyn Disk) -> Result<(String, String), ErasureError> {
        let name = name(self.number);
        let unfinished = format!("{name}{UNFINISHED}");
        owned_file::write(disk, &unfinished, HEADING, self)
            .and_then(|file| file.sync())
            .map_err(|error| ErasureError::io(disk, &unfinished, &error))?;
        Ok((unfinished, format!("{name}{OPEN}")))
    }
}

/// All lists of a directory, by number.
///
/// # Errors
/// When the operating system refuses, and [`io::ErrorKind::InvalidData`] when a list is damaged.
pub fn all(disk: &dyn Disk) -> io::Result<Vec<ErasedRecords>> {
    let names = disk.names()?;
    let lists = names.iter().filter(|name| number(name).is_some());
    lists.map(|name| read_named(disk, name)).collect()
}

/// The lists of erasures to which something still belongs that their product has not done, by number.
///
/// # Errors
/// As of [`all`].
pub fn unfinished(disk: &dyn Disk) -> io::Result<Vec<ErasedRecords>> {
    let names = disk.names()?;
    let open = names.iter().filter(|name| name.ends_with(OPEN));
    let lists = open.filter(|name| number(name).is_some());
    lists.map(|name| read_named(disk, name)).collect()
}

/// Everything that belongs to this erasure is done.
///
/// # Errors
/// When the operating system refuses.
pub fn finish(disk: &dyn Disk, number: u32) -> io::Result<()> {
    let name = name(number);
    disk.rename(&format!("{name}{OPEN}"), &name)?;
    disk.sync_names()
}

/// Reads the list in the file of this name.
pub(in crate::store) fn read(disk: &dyn Disk, name: &str) -> io::Result<ErasedRecords> {
    owned_file::read(disk, name, HEADING)
}

/// As [`read`], with an error that names the file.
fn read_named(disk: &dyn Disk, name: &str) -> io::Result<ErasedRecords> {
    let io_error = |error: io::Error| {
        io::Error::new(error.kind(), format!("{}: {error}", disk.describe(name)))
    };
    read(disk, name).map_err(io_error)
}

/// The number of the erasure whose list has this name; `None` when it is not the name of one.
pub(in crate::store) fn number(file: &str) -> Option<u32> {
    let plain = file.strip_suffix(OPEN).unwrap_or(file);
    let number = plain.strip_prefix(PREFIX)?.parse().ok()?;
    (number > 0 && name(number) == plain).then_some(number)
}

/// Returns whether a file of this name is a list that does not count yet.
pub(super) fn is_unfinished(file: &str) -> bool {
    file.strip_suffix(UNFINISHED)
        .is_some_and(|plain| number(plain).is_some())
}

fn name(number: u32) -> String {
    format!("{PREFIX}{number:08}")
}
