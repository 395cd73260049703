//! Rewrites one segment beside the old one, from its first record on that does not stay as it is.

use std::io;

use super::error::ErasureError;
use super::list::{ErasedRecords, RecordRanges};
use super::verdict::{Fate, Judging, ListHead, Verdict};
use crate::entries::IndexEntries;
use crate::store::disk::Disk;
use crate::store::record::{self, Payload, Raw, RecordHeader};
use crate::store::recovery::error::JournalOpenError;
use crate::store::segment::cursor::{CursorError, RecordCursor};
use crate::store::segment::{self, FIRST_OFFSET, Segment};
use crate::store::width::wide;
use crate::store::{NewRecord, Record};

/// The bytes written at once.
const PIECE_BYTES: usize = 1 << 20;

/// The records that verdicts change, by the place of the erasure in its group.
#[derive(Debug, Default)]
pub(super) struct Changes(Vec<Changed>);

/// The records that the verdicts of one erasure change.
#[derive(Clone, Debug, Default)]
struct Changed {
    erased: RecordRanges,
    replaced: RecordRanges,
}

impl Changes {
    fn take(&mut self, record: &Record, fate: &Fate) {
        for place in fate.by.iter().copied() {
            if self.0.len() <= place {
                self.0
                    .resize_with(place.saturating_add(1), Changed::default);
            }
            if let Some(list_changes) = self.0.get_mut(place) {
                match fate.verdict {
                    Verdict::Keep => {}
                    Verdict::Erase => list_changes.erased.push(record.seq),
                    Verdict::Replace { .. } => list_changes.replaced.push(record.seq),
                }
            }
        }
    }

    /// The lists of the erasures of the group.
    pub(super) fn into_lists(self, heads: Vec<ListHead>) -> Vec<ErasedRecords> {
        let changes = self
            .0
            .into_iter()
            .chain(std::iter::repeat_with(Changed::default));
        let lists = heads.into_iter().zip(changes);
        lists
            .map(
                |(ListHead { number, note }, Changed { erased, replaced })| ErasedRecords {
                    number,
                    erased,
                    replaced,
                    note,
                },
            )
            .collect()
    }
}

/// Judges the records of a segment, whose end was found by recovery, and puts the new one on disk under the name that does not
/// count. False: there is none, every record stays.
pub(super) fn rewrite(
    disk: &dyn Disk,
    number: u32,
    judge: Judging<'_>,
    changes: &mut Changes,
) -> Result<bool, ErasureError> {
    let mut rewriting = Rewriting::open(disk, number)?;
    rewriting.run(&mut |record| {
        let fate = judge(record)?;
        changes.take(record, &fate);
        Some(fate.verdict)
    })?;
    rewriting.settle()
}

/// The rewriting of one segment.
struct Rewriting<'a> {
    disk: &'a dyn Disk,
    old: Segment,
    length: u64,
    /// `None` as long as every record stays as it is.
    new: Option<NewSegment>,
}

impl<'a> Rewriting<'a> {
    fn open(disk: &'a dyn Disk, number: u32) -> Result<Self, ErasureError> {
        let name = segment::name(number);
        let io_error = |error: io::Error| ErasureError::io(disk, &name, &error);
        let old = Segment::open(disk, number)
            .map_err(io_error)?
            .map_err(|bad| JournalOpenError::header(disk, number, bad))?;
        let length = old.file.length().map_err(io_error)?;
        Ok(Self {
            disk,
            old,
            length,
            new: None,
        })
    }

    /// Judges all records that are not erased.
    fn run(
        &mut self,
        judge: &mut dyn FnMut(&Record) -> Option<Verdict>,
    ) -> Result<(), ErasureError> {
        let mut cursor = RecordCursor::new(&self.old, u64::from(FIRST_OFFSET), self.length);
        loop {
            let offset = cursor.offset();
            let Some(raw) = next(self.disk, &self.old, &mut cursor)? else {
                return Ok(());
            };
            let is_event = raw.head.kind.is_numbered() && !raw.head.kind.is_erased();
            let (record, verdict) = if is_event {
                let record = Payload::parse(raw.payload)
                    .map_err(|defect| damaged(self.disk, &self.old, offset, &defect))?
                    .to_record(raw.head.seq);
                let verdict = judge(&record).ok_or(ErasureError::GivenUp)?;
                (Some(record), verdict)
            } else {
                (None, Verdict::Keep)
            };
            if verdict != Verdict::Keep && self.new.is_none() {
                self.new = Some(NewSegment::begin(self.disk, &self.old, offset)?);
            }
            if let Some(new) = &mut self.new {
                new.write(raw, record, verdict)
                    .map_err(|refusal| refusal.into_error(self.disk, &self.old, offset))?;
            }
        }
    }

    fn settle(self) -> Result<bool, ErasureError> {
        let Some(new) = self.new else {
            return Ok(false);
        };
        let name = segment::unfinished_name(self.old.header.number);
        new.settle()
            .map_err(|error| ErasureError::io(self.disk, &name, &error))?;
        Ok(true)
    }
}

/// A segment that is to replace another one.
struct NewSegment {
    segment: Segment,
    /// The place of the next piece.
    end: u64,
    piece: Vec<u8>,
}

/// The reason for which a record is not written.
enum RewriteError {
    Io(io::Error),
    Defect(record::RecordError),
    Unfit(u64, record::UnfitError),
}

impl RewriteError {
    fn into_error(self, disk: &dyn Disk, old: &Segment, offset: u64) -> ErasureError {
        match self {
            Self::Io(error) => {
                let name = segment::unfinished_name(old.header.number);
                ErasureError::io(disk, &name, &error)
            }
            Self::Defect(defect) => damaged(disk, old, offset, &defect),
            Self::Unfit(seq, reason) => ErasureError::Unfit { seq, reason },
        }
    }
}

impl NewSegment {
    /// With the records of the old segment before `offset`, which stay as they are.
    fn begin(disk: &dyn Disk, old: &Segment, offset: u64) -> Result<Self, ErasureError> {
        let header = old.header;
        let next_segment = Segment::create_for(disk, header.number, header.first, header.tag);
        let name = segment::unfinished_name(header.number);
        let segment = next_segment.map_err(|error| ErasureError::io(disk, &name, &error))?;
        let mut new = Self {
            segment,
            end: u64::from(FIRST_OFFSET),
            piece: Vec::new(),
        };
        let mut cursor = RecordCursor::new(old, u64::from(FIRST_OFFSET), offset);
        loop {
            let at = cursor.offset();
            let Some(raw) = next(disk, old, &mut cursor)? else {
                return Ok(new);
            };
            new.write(raw, None, Verdict::Keep)
                .map_err(|refusal| refusal.into_error(disk, old, at))?;
        }
    }

    fn write(
        &mut self,
        raw: Raw<'_>,
        record: Option<Record>,
        verdict: Verdict,
    ) -> Result<(), RewriteError> {
        let salt = self.segment.header.salt;
        match (verdict, record) {
            (Verdict::Erase, _) => {
                let head = RecordHeader {
                    kind: raw.head.kind.erased(),
                    ..raw.head
                };
                self.piece.extend_from_slice(&record::bare(head, salt));
            }
            (Verdict::Replace { event, blob }, Some(record)) => {
                let new = NewRecord {
                    stream: record.stream,
                    event,
                    blob,
                    entries: IndexEntries::default(),
                };
                record::stored_bytes(&new)
                    .map_err(|unfit| RewriteError::Unfit(raw.head.seq.0, unfit))?;
                let start = self.piece.len();
                record::lay(&new, &mut self.piece);
                let laid = self.piece.get_mut(start..).unwrap_or_default();
                record::seal(laid, raw.head, salt).map_err(RewriteError::Defect)?;
            }
            (Verdict::Keep | Verdict::Replace { .. }, _) => {
                record::copy(raw, salt, &mut self.piece).map_err(RewriteError::Defect)?;
            }
        }
        if self.piece.len() >= PIECE_BYTES {
            self.flush().map_err(RewriteError::Io)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.segment.file.write_at(self.end, &self.piece)?;
        self.end = self.end.saturating_add(wide(self.piece.len()));
        self.piece.clear();
        Ok(())
    }

    fn settle(mut self) -> io::Result<()> {
        self.flush()?;
        self.segment.file.sync()
    }
}

fn next<'c>(
    disk: &dyn Disk,
    segment: &Segment,
    cursor: &'c mut RecordCursor,
) -> Result<Option<Raw<'c>>, ErasureError> {
    let offset = cursor.offset();
    cursor.next().map_err(|stop| match stop {
        CursorError::Defect(defect) => damaged(disk, segment, offset, &defect),
        CursorError::Io(error) => {
            ErasureError::io(disk, &segment::name(segment.header.number), &error)
        }
    })
}

fn damaged(
    disk: &dyn Disk,
    segment: &Segment,
    offset: u64,
    defect: &record::RecordError,
) -> ErasureError {
    let number = segment.header.number;
    JournalOpenError::damaged(disk, number, offset, &defect.to_string()).into()
}
