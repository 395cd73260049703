//! Makes a journal of portable groups.

use std::io;
use std::sync::Arc;

use crate::store::disk::Disk;
use crate::store::portable::PortableRecords;
use crate::store::record::{self, RecordError, RecordHeader};
use crate::store::recovery::Tail;
use crate::store::segment::{self, FIRST_OFFSET, Segment};
use crate::store::width::{field, wide};
use crate::store::{Position, Seq};

/// The bytes gathered before they are written.
const PIECE_BYTES: usize = 1 << 20;

/// The reason for which a journal cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PortableError {
    /// The bytes are not what was read from a journal.
    #[error("record {seq}: {defect}")]
    Damaged {
        /// The record that was due.
        seq: u64,
        /// The damage.
        defect: RecordError,
    },
    /// The last group is not complete.
    #[error("the group of record {seq} has no end")]
    Open {
        /// Its last record.
        seq: u64,
    },
    /// There is a journal already.
    #[error("there is a journal in {place} already")]
    Occupied {
        /// The place.
        place: String,
    },
    /// The operating system refused.
    #[error("cannot write {file}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// The operating system's words.
        reason: String,
    },
}

/// The outcome of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrote {
    /// All of them are in the journal.
    All,
    /// The next group would go beyond the last record that is wanted.
    UpToTheLimit,
}

/// A record of a group, with its bytes.
type GroupRecord<'a> = (RecordHeader, &'a [u8]);

/// Checks that these are whole groups that begin with the record behind `after`; gives the last record.
///
/// # Errors
/// When they are not.
pub fn check(groups: &[u8], after: Seq) -> Result<Seq, PortableError> {
    let mut last = after;
    each_group(groups, after, |_, end| {
        last = end;
        Ok(Wrote::All)
    })?;
    Ok(last)
}

/// Checks that two pieces have the same records but for those that `may_differ`, as records do that were erased in one of them.
#[must_use]
pub fn agree(one: &[u8], other: &[u8], may_differ: impl Fn(Seq) -> bool) -> bool {
    let (mut one, mut other) = (PortableRecords::new(one), PortableRecords::new(other));
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(Ok((raw, bytes))), Some(Ok((other, other_bytes)))) => {
                let is_same = bytes == other_bytes || may_differ(raw.head.seq);
                let same_place = raw.head.seq == other.head.seq
                    && raw.head.kind.closes_group() == other.head.kind.closes_group();
                if !is_same || !same_place {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// The groups up to a record, and those behind it; `None` when it does not end a group.
#[must_use]
pub fn split_behind(groups: &[u8], seq: Seq) -> Option<(&[u8], &[u8])> {
    let mut records = PortableRecords::new(groups);
    let mut length = 0_usize;
    loop {
        let (raw, bytes) = records.next()?.ok()?;
        length = length.saturating_add(bytes.len());
        if raw.head.seq == seq {
            let is_end = raw.head.kind.closes_group();
            return is_end.then(|| groups.split_at_checked(length))?;
        }
    }
}

/// Takes groups apart, which begin with the record behind `after`, until `take` has enough.
fn each_group(
    groups: &[u8],
    after: Seq,
    mut take: impl FnMut(&[GroupRecord<'_>], Seq) -> Result<Wrote, PortableError>,
) -> Result<Wrote, PortableError> {
    let mut records = PortableRecords::new(groups);
    let mut group = Vec::new();
    let mut due = after;
    while let Some(next) = records.next() {
        due = Seq(due.0.saturating_add(1));
        let damaged = |defect| PortableError::Damaged { seq: due.0, defect };
        let (raw, bytes) = next.map_err(damaged)?;
        if raw.head.seq != due {
            return Err(damaged(RecordError::Number {
                expected: due.0,
                found: raw.head.seq.0,
            }));
        }
        group.push((raw.head, bytes));
        if raw.head.kind.closes_group() {
            if take(&group, due)? == Wrote::UpToTheLimit {
                return Ok(Wrote::UpToTheLimit);
            }
            group.clear();
        }
    }
    if group.is_empty() {
        Ok(Wrote::All)
    } else {
        Err(PortableError::Open { seq: due.0 })
    }
}

/// A journal in the making, on a disk without one. Nothing is durable before [`Self::finish`].
#[derive(Debug)]
pub struct JournalWriter {
    disk: Arc<dyn Disk>,
    segment_bytes: u64,
    /// No group goes beyond this record.
    upto: Seq,
    segment: Segment,
    /// The length of the segment, with what has gathered.
    end: u64,
    gathered: Vec<u8>,
    /// The last record.
    last: Seq,
    /// The last record that is on disk.
    synced: Seq,
}

impl JournalWriter {
    /// Begins a journal whose segments have about so many bytes; no group goes beyond the record `upto`.
    ///
    /// # Errors
    /// When the disk refuses or has a journal.
    pub fn create(
        disk: Arc<dyn Disk>,
        segment_bytes: u64,
        upto: Seq,
    ) -> Result<Self, PortableError> {
        let failed = |error: &io::Error| refused(&*disk, 1, error);
        let segments = segment::list(&*disk).map_err(|error| failed(&error))?;
        if !segments.is_empty() {
            return Err(PortableError::Occupied {
                place: disk.describe(&segment::name(1)),
            });
        }
        let segment = Segment::create(&*disk, 1, Seq(1))
            .and_then(|made| made.settle(&*disk).map(|()| made))
            .map_err(|error| failed(&error))?;
        Ok(Self {
            disk,
            segment_bytes,
            upto,
            segment,
            end: u64::from(FIRST_OFFSET),
            gathered: Vec::new(),
            last: Seq(0),
            synced: Seq(0),
        })
    }

    /// Goes on with a journal that ends there, as recovery found it.
    ///
    /// # Errors
    /// When the disk refuses, or the newest segment cannot be read.
    pub fn resume(
        disk: Arc<dyn Disk>,
        segment_bytes: u64,
        tail: &Tail,
    ) -> Result<Self, PortableError> {
        if tail.position.offset < FIRST_OFFSET {
            return Self::create(disk, segment_bytes, Seq(u64::MAX));
        }
        let number = tail.position.segment;
        let segment = Segment::open(&*disk, number)
            .map_err(|error| refused(&*disk, number, &error))?
            .map_err(|bad| PortableError::Io {
                file: disk.describe(&segment::name(number)),
                reason: format!("its header is not readable ({bad:?})"),
            })?;
        Ok(Self {
            disk,
            segment_bytes,
            upto: Seq(u64::MAX),
            segment,
            end: u64::from(tail.position.offset),
            gathered: Vec::new(),
            last: tail.durable,
            synced: tail.durable,
        })
    }

    /// The last record.
    #[must_use]
    pub fn last(&self) -> Seq {
        self.last
    }

    /// The place behind the last record.
    #[must_use]
    pub fn end(&self) -> Position {
        Position {
            segment: self.segment.header.number,
            offset: field(self.end),
        }
    }

    /// Adds groups, which begin with the record behind [`Self::last`].
    ///
    /// # Errors
    /// When they do not, are damaged, or the disk refuses.
    pub fn append(&mut self, groups: &[u8]) -> Result<Wrote, PortableError> {
        each_group(groups, self.last, |group, last| {
            if last > self.upto {
                return Ok(Wrote::UpToTheLimit);
            }
            self.group(group)?;
            Ok(Wrote::All)
        })
    }

    fn group(&mut self, group: &[GroupRecord<'_>]) -> Result<(), PortableError> {
        let length = group.iter().fold(0_u64, |sum, (_, bytes)| {
            sum.saturating_add(wide(bytes.len()))
        });
        let is_empty = self.end <= u64::from(FIRST_OFFSET);
        if !is_empty && self.end.saturating_add(length) > self.segment_bytes {
            self.rotate()?;
        }
        for (head, bytes) in group {
            let start = self.gathered.len();
            self.gathered.extend_from_slice(bytes);
            let head = RecordHeader {
                durable_upto: self.synced,
                ..*head
            };
            let record = self.gathered.get_mut(start..).unwrap_or_default();
            record::seal(record, head, self.segment.header.salt).map_err(|defect| {
                PortableError::Damaged {
                    seq: head.seq.0,
                    defect,
                }
            })?;
            self.last = head.seq;
        }
        self.end = self.end.saturating_add(length);
        if self.gathered.len() >= PIECE_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), PortableError> {
        let offset = self.end.saturating_sub(wide(self.gathered.len()));
        let result = self.segment.file.write_at(offset, &self.gathered);
        result.map_err(|error| self.refused(&error))?;
        self.gathered.clear();
        Ok(())
    }

    /// Puts everything that was appended on disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn sync(&mut self) -> Result<(), PortableError> {
        self.flush()?;
        let synced = self.segment.file.sync();
        synced.map_err(|error| self.refused(&error))?;
        self.synced = self.last;
        Ok(())
    }

    fn rotate(&mut self) -> Result<(), PortableError> {
        self.sync()?;
        let number = self.segment.header.number.saturating_add(1);
        let first = Seq(self.last.0.saturating_add(1));
        self.segment = Segment::create(&*self.disk, number, first)
            .and_then(|made| made.settle(&*self.disk).map(|()| made))
            .map_err(|error| refused(&*self.disk, number, &error))?;
        self.end = u64::from(FIRST_OFFSET);
        Ok(())
    }

    /// Makes the journal durable, and gives its last record.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn finish(mut self) -> Result<Seq, PortableError> {
        self.sync()?;
        let result = self.disk.sync_names();
        result.map_err(|error| self.refused(&error))?;
        Ok(self.last)
    }

    fn refused(&self, error: &io::Error) -> PortableError {
        refused(&*self.disk, self.segment.header.number, error)
    }
}

fn refused(disk: &dyn Disk, number: u32, error: &io::Error) -> PortableError {
    PortableError::Io {
        file: disk.describe(&segment::name(number)),
        reason: error.to_string(),
    }
}
