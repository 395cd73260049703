//! Whole groups of a journal as bytes that do not depend on the files they lie in, and a journal made of such bytes.
//!
//! An archive keeps these bytes. They are the records as a segment holds them, sealed with the salt 0 and without a claim
//! of what was on disk: the same records give the same bytes on every machine.

mod read;
mod write;

pub use read::PortableGroups;
pub use write::{JournalWriter, PortableError, Wrote, agree, check, split_behind};

use crate::store::record::{self, Payload, Raw, RecordError, RecordHeader, RecordKind};
use crate::store::{Record, Seq};

/// The records of groups, without those that were erased; up to the first one that is damaged.
pub fn records(groups: &[u8]) -> impl Iterator<Item = Record> + '_ {
    let mut records = PortableRecords::new(groups);
    std::iter::from_fn(move || {
        loop {
            let (raw, _) = records.next()?.ok()?;
            if !raw.head.kind.is_erased() {
                return Some(Payload::parse(raw.payload).ok()?.to_record(raw.head.seq));
            }
        }
    })
}

/// The salt of portable records.
const SALT: u32 = 0;

/// Gives a record that [`record::lay`] has laid its portable form; gives its length.
pub(in crate::store) fn seal(
    record: &mut [u8],
    seq: Seq,
    closes_group: bool,
) -> Result<usize, RecordError> {
    let kind = if closes_group {
        RecordKind::LastOfGroup
    } else {
        RecordKind::Data
    };
    let head = RecordHeader {
        seq,
        durable_upto: Seq(0),
        kind,
    };
    record::seal(record, head, SALT)
}

/// The records that portable bytes hold, in order.
pub(in crate::store) struct PortableRecords<'a> {
    bytes: &'a [u8],
}

impl<'a> PortableRecords<'a> {
    pub(in crate::store) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The next record, with its bytes; `None` at the end.
    pub(in crate::store) fn next(&mut self) -> Option<Result<(Raw<'a>, &'a [u8]), RecordError>> {
        if self.bytes.is_empty() {
            return None;
        }
        let total = match record::length(self.bytes) {
            Ok(total) => total,
            Err(defect) => return Some(Err(defect)),
        };
        let raw = match record::decode(self.bytes, SALT) {
            Ok(raw) => raw,
            Err(defect) => return Some(Err(defect)),
        };
        let (record, rest) = self.bytes.split_at_checked(total)?;
        self.bytes = rest;
        Some(Ok((raw, record)))
    }
}

#[cfg(test)]
mod tests;
