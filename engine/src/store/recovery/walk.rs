//! Walks the segments to find how far the journal is good, and judges what comes behind that.

use std::io;

use crate::store::disk::Disk;
use crate::store::record::{Payload, RecordError, RecordHeader, RecordKind};
use crate::store::recovery::error::JournalOpenError;
use crate::store::recovery::{RecoveryBounds, Tail, witness};
use crate::store::segment::cursor::{CursorError, RecordCursor};
use crate::store::segment::{self, FIRST_OFFSET, Segment};
use crate::store::width::field;
use crate::store::{Position, Seq};

/// The walk through the segments, in order.
pub(super) struct Walk<'a> {
    disk: &'a dyn Disk,
    from: Option<(Position, Seq)>,
    /// The number due next; not known before the first segment.
    next: Option<Seq>,
    /// The highest number that something readable claims to be on disk.
    proven: Seq,
}

/// The end of the good records of a segment.
struct Extent {
    /// The place behind the last complete group, and the number due there.
    whole_end: u64,
    whole_next: Seq,
    /// The place behind the last good record.
    end: u64,
    /// The defect there, when it is not the end of the file.
    defect: Option<RecordError>,
    length: u64,
}

impl<'a> Walk<'a> {
    pub(super) fn new(disk: &'a dyn Disk, known: RecoveryBounds) -> Self {
        let RecoveryBounds { from, proven } = known;
        Self {
            disk,
            from,
            next: None,
            proven: from.map_or(proven, |(_, seq)| proven.max(seq)),
        }
    }

    /// A segment with one behind it was synced before that was made: everything in it was promised.
    pub(super) fn sealed(&mut self, number: u32) -> Result<(), JournalOpenError> {
        let segment = self.open(number)?;
        let extent = self.extent(&segment)?;
        if let Some(defect) = extent.defect {
            return Err(JournalOpenError::damaged(
                self.disk,
                number,
                extent.end,
                &defect.to_string(),
            ));
        }
        if extent.whole_end != extent.end {
            let reason = "the last group of a sealed segment is not complete";
            return Err(JournalOpenError::damaged(
                self.disk,
                number,
                extent.whole_end,
                reason,
            ));
        }
        self.next = Some(extent.whole_next);
        Ok(())
    }

    pub(super) fn newest(mut self, number: u32) -> Result<Tail, JournalOpenError> {
        let segment = self.open(number)?;
        let mut extent = self.extent(&segment)?;
        let length = extent.length;
        let read_error =
            |error: io::Error| JournalOpenError::io(self.disk, &segment::name(number), &error);
        if extent.defect.is_some()
            && witness::is_blank(&segment, extent.end, length).map_err(read_error)?
        {
            // Nothing is wrong: what was prepared for the next batches begins here.
            extent.defect = None;
            extent.length = extent.end;
        }
        self.check_tail(&segment, &extent)?;
        let settle = || -> io::Result<()> {
            if extent.whole_end < length {
                segment.file.truncate(extent.whole_end)?;
            }
            // Also when nothing was cut: what a killed process wrote may be in memory only.
            segment.file.sync()?;
            self.disk.sync_names()
        };
        let name = segment::name(number);
        settle().map_err(|error| JournalOpenError::io(self.disk, &name, &error))?;
        Ok(Tail {
            next_seq: extent.whole_next,
            position: Position {
                segment: number,
                offset: field(extent.whole_end),
            },
            durable: Seq(extent.whole_next.0.saturating_sub(1)),
        })
    }

    /// Checks what lies behind the last complete group and is cut off: an error when it was promised.
    fn check_tail(&self, segment: &Segment, extent: &Extent) -> Result<(), JournalOpenError> {
        let number = segment.header.number;
        if extent.whole_end == extent.length && extent.whole_next > self.proven {
            return Ok(());
        }
        let reason = match extent.defect {
            Some(defect) => defect.to_string(),
            None if extent.whole_end == extent.length => "the journal ends here".to_owned(),
            None => "the group is not complete".to_owned(),
        };
        let promised = |witness: Seq| {
            let reason = format!("{reason}, though record {} was on disk", witness.0);
            JournalOpenError::damaged(self.disk, number, extent.end, &reason)
        };
        if extent.whole_next <= self.proven {
            return Err(promised(self.proven));
        }
        match extent.defect {
            // With a right checksum it is no torn write, but something that was written so.
            Some(defect) if !defect.can_be_torn() => {
                return Err(JournalOpenError::damaged(
                    self.disk, number, extent.end, &reason,
                ));
            }
            Some(_) | None => {}
        }
        let witness = witness::find(segment, extent.end, extent.length, extent.whole_next)
            .map_err(|error| JournalOpenError::io(self.disk, &segment::name(number), &error))?;
        witness.map_or(Ok(()), |seq| Err(promised(seq)))
    }

    fn open(&self, number: u32) -> Result<Segment, JournalOpenError> {
        let segment = Segment::open(self.disk, number)
            .map_err(|error| JournalOpenError::io(self.disk, &segment::name(number), &error))?
            .map_err(|bad| JournalOpenError::header(self.disk, number, bad))?;
        let first = segment.header.first;
        match self.next {
            Some(due) if first != due => {
                // The older segment lacks its end, since this one knows what came before it.
                let reason = format!("it ends before record {}, expected {}", due.0, first.0);
                let older = number.saturating_sub(1);
                let name = segment::name(older);
                let file = self.disk.open(&name);
                let length = file
                    .and_then(|file| file.length())
                    .map_err(|error| JournalOpenError::io(self.disk, &name, &error))?;
                Err(JournalOpenError::damaged(self.disk, older, length, &reason))
            }
            Some(_) | None => Ok(segment),
        }
    }

    /// Reads a segment up to its end or its first defect.
    fn extent(&mut self, segment: &Segment) -> Result<Extent, JournalOpenError> {
        let number = segment.header.number;
        let read_error =
            |error: &io::Error| JournalOpenError::io(self.disk, &segment::name(number), error);
        let length = segment.file.length().map_err(|error| read_error(&error))?;
        let start = self
            .from
            .filter(|(position, _)| position.segment == number && self.next.is_none());
        let (offset, mut due) = start.map_or(
            (u64::from(FIRST_OFFSET), segment.header.first),
            |(position, seq)| (u64::from(position.offset), seq),
        );
        let mut cursor = RecordCursor::new(segment, offset.max(u64::from(FIRST_OFFSET)), length);
        let mut extent = Extent {
            whole_end: cursor.offset(),
            whole_next: due,
            end: cursor.offset(),
            defect: None,
            length,
        };
        loop {
            let kind = match cursor.next() {
                Ok(None) => break,
                Ok(Some(raw)) => match check(raw.head, raw.payload, due) {
                    Ok(()) => {
                        self.proven = self.proven.max(raw.head.durable_upto);
                        raw.head.kind
                    }
                    Err(defect) => {
                        extent.defect = Some(defect);
                        break;
                    }
                },
                Err(CursorError::Defect(defect)) => {
                    extent.defect = Some(defect);
                    break;
                }
                Err(CursorError::Io(error)) => return Err(read_error(&error)),
            };
            extent.end = cursor.offset();
            if kind.is_numbered() {
                due = Seq(due.0.saturating_add(1));
            }
            if kind.closes_group() {
                extent.whole_end = extent.end;
                extent.whole_next = due;
            }
        }
        if let Some((position, seq)) = start
            && due <= seq
        {
            let reason = extent
                .defect
                .map_or_else(|| "the file ends before".to_owned(), |it| it.to_string());
            return Err(JournalOpenError::missing(self.disk, position, seq, &reason));
        }
        Ok(extent)
    }
}

/// Returns whether a readable record is the one that is due.
fn check(head: RecordHeader, payload: &[u8], due: Seq) -> Result<(), RecordError> {
    let due_number = match head.kind {
        RecordKind::Data | RecordKind::LastOfGroup => {
            Payload::parse(payload)?;
            due.0
        }
        RecordKind::Erased | RecordKind::LastErased => due.0,
        RecordKind::Mark => due.0.saturating_sub(1),
    };
    if head.seq.0 != due_number {
        return Err(RecordError::Number {
            expected: due_number,
            found: head.seq.0,
        });
    }
    Ok(())
}
