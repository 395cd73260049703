//! Reads the journal while it is being written.

mod ahead;

use std::io;
use std::sync::{Arc, Mutex};

use bytes::Bytes;

use self::ahead::Ahead;
use crate::store::disk::Disk;
use crate::store::frontier::Frontier;
use crate::store::lock::lock;
use crate::store::record::{self, Payload, Raw, RecordError, RecordKind};
use crate::store::segment::cursor::{CursorError, RecordCursor};
use crate::store::segment::{self, FIRST_OFFSET, Segment};
use crate::store::width::field;
use crate::store::{Position, ReadError, ReadJournal, Record, Seq};

/// The number of segment files that are kept open.
const OPEN_MAX: usize = 64;
/// The bytes read before a record's length is known: most records are shorter.
const GUESS_BYTES: usize = 4096;

/// Reads records by their place, and all of them in order, up to the frontier and never behind it.
#[derive(Debug)]
pub struct JournalReader {
    disk: Arc<dyn Disk>,
    frontier: Frontier,
    /// The most recently used ones, the latest last.
    open: Mutex<Vec<Segment>>,
}

impl JournalReader {
    /// Reads from this disk up to this frontier.
    #[must_use]
    pub fn new(disk: Arc<dyn Disk>, frontier: Frontier) -> Self {
        Self {
            disk,
            frontier,
            open: Mutex::default(),
        }
    }

    fn segment(&self, number: u32) -> Result<Segment, ReadError> {
        let mut open = lock(&self.open);
        if let Some(place) = open.iter().position(|it| it.header.number == number) {
            let segment = open.remove(place);
            open.push(segment.clone());
            return Ok(segment);
        }
        drop(open);
        let segment = self.open_segment(number)?;
        let mut open = lock(&self.open);
        if open.len() >= OPEN_MAX {
            open.remove(0);
        }
        if open.iter().all(|it| it.header.number != number) {
            open.push(segment.clone());
        }
        Ok(segment)
    }

    fn open_segment(&self, number: u32) -> Result<Segment, ReadError> {
        // Opening makes a file that is not there, so look first.
        let segments = segment::list(&*self.disk).map_err(|error| self.io(number, &error))?;
        if !segments.contains(&number) {
            return Err(self.io(number, &io::ErrorKind::NotFound.into()));
        }
        Segment::open(&*self.disk, number)
            .map_err(|error| self.io(number, &error))?
            .map_err(|bad| {
                self.damaged(number, 0, &format!("its header is not readable ({bad:?})"))
            })
    }

    fn read_raw(
        &self,
        segment: &Segment,
        position: Position,
    ) -> io::Result<Result<Bytes, RecordError>> {
        let offset = u64::from(position.offset);
        let mut guess = [0; GUESS_BYTES];
        let count = segment.file.read_at(offset, &mut guess)?;
        let bytes = guess.get(..count).unwrap_or_default();
        let total = match record::length(bytes) {
            Ok(total) => total,
            Err(defect) => return Ok(Err(defect)),
        };
        if let Some(record) = bytes.get(..total) {
            return Ok(Ok(Bytes::copy_from_slice(record)));
        }
        let mut record = vec![0; total];
        let count = segment.file.read_at(offset, &mut record)?;
        record.truncate(count);
        Ok(Ok(record.into()))
    }

    fn check_within(&self, position: Position) -> Result<(), ReadError> {
        if position < self.frontier.get() {
            return Ok(());
        }
        let reason = "there is no record: it is behind the end of the journal";
        Err(self.damaged(position.segment, u64::from(position.offset), reason))
    }

    /// The record that begins with these bytes, which lie at `position`.
    fn record_in(
        &self,
        bytes: &[u8],
        segment: &Segment,
        position: Position,
    ) -> Result<Record, ReadError> {
        let raw = record::decode(bytes, segment.header.salt)
            .map_err(|defect| self.defect(position, defect))?;
        let reason = match raw.head.kind {
            RecordKind::Data | RecordKind::LastOfGroup => None,
            RecordKind::Erased | RecordKind::LastErased => Some("the record there was erased"),
            RecordKind::Mark => Some("a mark is there, not a record"),
        };
        if let Some(reason) = reason {
            return Err(self.damaged(position.segment, u64::from(position.offset), reason));
        }
        let payload =
            Payload::parse(raw.payload).map_err(|defect| self.defect(position, defect))?;
        Ok(payload.to_record(raw.head.seq))
    }

    fn defect(&self, position: Position, defect: RecordError) -> ReadError {
        self.damaged(
            position.segment,
            u64::from(position.offset),
            &defect.to_string(),
        )
    }

    fn io(&self, number: u32, error: &io::Error) -> ReadError {
        ReadError::Io {
            file: self.disk.describe(&segment::name(number)),
            reason: error.to_string(),
        }
    }

    fn damaged(&self, number: u32, offset: u64, reason: &str) -> ReadError {
        ReadError::Damaged {
            file: self.disk.describe(&segment::name(number)),
            offset,
            reason: reason.to_owned(),
        }
    }

    /// Returns the end of the readable journal.
    pub(in crate::store) fn frontier(&self) -> Position {
        self.frontier.get()
    }

    /// Returns the beginning of the segment that has this record.
    pub(in crate::store) fn segment_of(&self, seq: Seq) -> Result<Option<Position>, ReadError> {
        let segments = segment::list(&*self.disk).map_err(|error| self.io(1, &error))?;
        for number in segments.into_iter().rev() {
            if self.segment(number)?.header.first <= seq {
                return Ok(Some(Position::first_of(number)));
            }
        }
        Ok(None)
    }

    /// The first record of the segment with this place.
    pub(in crate::store) fn first_of(&self, place: Position) -> Result<Seq, ReadError> {
        Ok(self.segment(place.segment)?.header.first)
    }

    fn oldest(&self) -> Result<Option<Position>, ReadError> {
        let segments = segment::list(&*self.disk).map_err(|error| self.io(1, &error))?;
        Ok(segments.first().map(|&segment| Position {
            segment,
            offset: FIRST_OFFSET,
        }))
    }
}

impl ReadJournal for JournalReader {
    fn read(&self, position: Position) -> Result<Record, ReadError> {
        self.check_within(position)?;
        let file = self.segment(position.segment)?;
        let bytes = self
            .read_raw(&file, position)
            .map_err(|error| self.io(position.segment, &error))?
            .map_err(|defect| self.defect(position, defect))?;
        self.record_in(&bytes, &file, position)
    }

    fn read_ahead(&self) -> Box<dyn FnMut(Position) -> Result<Record, ReadError> + '_> {
        let mut ahead = Ahead::new(self);
        Box::new(move |position| ahead.read(position))
    }

    fn scan(
        &self,
        from: Option<Position>,
    ) -> Box<dyn Iterator<Item = Result<(Position, Record), ReadError>> + '_> {
        Box::new(Scan {
            walk: Walk::new(self, from),
            over: false,
        })
    }
}

/// A walk over all records as an iterator; over after the first error.
struct Scan<'a> {
    walk: Walk<'a>,
    over: bool,
}

impl Iterator for Scan<'_> {
    type Item = Result<(Position, Record), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.over {
            // Nothing of an erased record can be shown.
            let read = |raw: Raw<'_>| {
                let is_visible = !raw.head.kind.is_erased();
                let record = is_visible.then(|| Payload::parse(raw.payload));
                Ok(record.transpose()?.map(|it| it.to_record(raw.head.seq)))
            };
            match self.walk.advance(read) {
                Ok(Some((_, None))) => {}
                Ok(Some((position, Some(record)))) => return Some(Ok((position, record))),
                Ok(None) => self.over = true,
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// A walk over all records up to the frontier, as it was at the beginning.
pub(in crate::store) struct Walk<'a> {
    reader: &'a JournalReader,
    /// The entry into the next segment; `None` at first: at the oldest.
    next: Option<Position>,
    /// The end of the walk.
    end: Position,
    cursor: Option<(u32, RecordCursor)>,
    /// The number due next; `None` before the first record.
    due: Option<Seq>,
}

impl<'a> Walk<'a> {
    /// Walks from this place on; `None`: from the first record.
    pub(in crate::store) fn new(reader: &'a JournalReader, from: Option<Position>) -> Self {
        Self {
            reader,
            next: from,
            // Once for the whole walk: it ends even when the writers are faster than the reader.
            end: reader.frontier.get(),
            cursor: None,
            due: None,
        }
    }

    /// Returns the place at which the walk goes on; `None` before it has begun.
    pub(in crate::store) fn position(&self) -> Option<Position> {
        match &self.cursor {
            Some((segment, cursor)) => Some(Position {
                segment: *segment,
                offset: field(cursor.offset()),
            }),
            None => self.next,
        }
    }

    /// Applies `read` to the next record, erased or not, and gives its place; `None` at the end.
    pub(in crate::store) fn advance<T>(
        &mut self,
        mut read: impl FnMut(Raw<'_>) -> Result<T, RecordError>,
    ) -> Result<Option<(Position, T)>, ReadError> {
        loop {
            if self.cursor.is_none() && !self.enter()? {
                return Ok(None);
            }
            let Some((number, cursor)) = &mut self.cursor else {
                return Ok(None);
            };
            let number = *number;
            let offset = cursor.offset();
            let damaged = |defect: RecordError| {
                let reason = defect.to_string();
                self.reader.damaged(number, offset, &reason)
            };
            let raw = match cursor.next() {
                Ok(Some(raw)) => raw,
                Ok(None) => {
                    self.cursor = None;
                    self.next = number.checked_add(1).map(|segment| Position {
                        segment,
                        offset: FIRST_OFFSET,
                    });
                    continue;
                }
                Err(CursorError::Defect(defect)) => return Err(damaged(defect)),
                Err(CursorError::Io(error)) => return Err(self.reader.io(number, &error)),
            };
            if !raw.head.kind.is_numbered() {
                continue;
            }
            let seq = raw.head.seq;
            if let Some(due) = self.due
                && due != seq
            {
                return Err(damaged(RecordError::Number {
                    expected: due.0,
                    found: seq.0,
                }));
            }
            let read = read(raw).map_err(damaged)?;
            self.due = Some(Seq(seq.0.saturating_add(1)));
            let position = Position {
                segment: number,
                offset: field(offset),
            };
            return Ok(Some((position, read)));
        }
    }

    /// Opens the segment that is next. False: there is nothing more before the frontier.
    fn enter(&mut self) -> Result<bool, ReadError> {
        let start = match self.next {
            Some(start) => Some(start),
            None => self.reader.oldest()?,
        };
        let end = self.end;
        let Some(start) = start.filter(|start| *start < end) else {
            return Ok(false);
        };
        let segment = self.reader.segment(start.segment)?;
        let stop = if start.segment == end.segment {
            u64::from(end.offset)
        } else {
            // The frontier has left it, so it is sealed: nothing is added to it or taken from it any more.
            let length = segment.file.length();
            length.map_err(|error| self.reader.io(start.segment, &error))?
        };
        let cursor = RecordCursor::new(&segment, u64::from(start.offset), stop);
        self.cursor = Some((start.segment, cursor));
        Ok(true)
    }
}
