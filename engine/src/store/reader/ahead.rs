//! Reads records in the order of their places, many with one call to the operating system.

use std::io;

use super::JournalReader;
use crate::store::record;
use crate::store::segment::Segment;
use crate::store::width::{narrow, wide};
use crate::store::{Position, ReadError, Record};

/// The bytes read at once: some seventy records of ordinary length, and not too much when only one of them is wanted.
const PIECE_BYTES: usize = 64 << 10;

/// The piece of a segment that was read last.
pub(super) struct Ahead<'a> {
    reader: &'a JournalReader,
    segment: Option<Segment>,
    /// The offset of the piece in the segment.
    start: u64,
    piece: Vec<u8>,
}

impl<'a> Ahead<'a> {
    pub(super) fn new(reader: &'a JournalReader) -> Self {
        Self {
            reader,
            segment: None,
            start: 0,
            piece: Vec::new(),
        }
    }

    /// The record at this place, which lies behind those that were read before.
    pub(super) fn read(&mut self, position: Position) -> Result<Record, ReadError> {
        self.reader.check_within(position)?;
        let segment = self.enter(position.segment)?;
        let io_error = |error: io::Error| self.reader.io(position.segment, &error);
        if !self.holds(position) {
            self.fetch(&segment, position, PIECE_BYTES)
                .map_err(io_error)?;
            let length = record::length(self.from(position)).unwrap_or_default();
            if length > PIECE_BYTES {
                self.fetch(&segment, position, length).map_err(io_error)?;
            }
        }
        self.reader
            .record_in(self.from(position), &segment, position)
    }

    fn enter(&mut self, number: u32) -> Result<Segment, ReadError> {
        match &self.segment {
            Some(segment) if segment.header.number == number => Ok(segment.clone()),
            _ => {
                let segment = self.reader.segment(number)?;
                self.segment = Some(segment.clone());
                self.piece.clear();
                Ok(segment)
            }
        }
    }

    /// Returns whether the whole record is in the piece.
    fn holds(&self, position: Position) -> bool {
        let bytes = self.from(position);
        record::length(bytes).is_ok_and(|length| length <= bytes.len())
    }

    fn from(&self, position: Position) -> &[u8] {
        let inside = u64::from(position.offset)
            .checked_sub(self.start)
            .map_or(usize::MAX, narrow);
        self.piece.get(inside..).unwrap_or_default()
    }

    fn fetch(&mut self, segment: &Segment, position: Position, bytes: usize) -> io::Result<()> {
        // What lies behind the frontier is being written: it must not be kept as if it had been read later.
        let frontier = self.reader.frontier.get();
        let sealed = position.segment != frontier.segment;
        self.start = u64::from(position.offset);
        let readable_bytes = u64::from(frontier.offset).saturating_sub(self.start);
        let bytes = if sealed {
            bytes
        } else {
            bytes.min(narrow(readable_bytes))
        };
        self.piece.resize(bytes, 0);
        let count = segment.file.read_at(self.start, &mut self.piece)?;
        self.piece.truncate(count);
        debug_assert!(wide(count) <= wide(bytes), "no more is read than asked for");
        Ok(())
    }
}
