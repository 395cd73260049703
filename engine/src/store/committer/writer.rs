//! Puts records into segment files, and takes a failed batch back out of them.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::histogram::Histogram;
use crate::store::committer::config::JournalConfig;
use crate::store::committer::draft::Parts;
use crate::store::committer::outcome::FatalError;
use crate::store::disk::Disk;
use crate::store::record::{self, RecordHeader, RecordKind};
use crate::store::recovery::Tail;
use crate::store::recovery::error::JournalOpenError;
use crate::store::segment::{self, FIRST_OFFSET, Segment, SegmentHeader};
use crate::store::width::{field, narrow, wide};
use crate::store::{Position, Seq};

/// The memory that is kept for the next write that makes the file longer, in bytes.
const PADDED_KEPT_BYTES: usize = 4 << 20;

/// The reason for which a batch is not in the files.
#[derive(Debug)]
pub(super) enum WriteError {
    /// A write was refused: the batch can be taken back.
    Refused {
        /// The file.
        file: String,
        /// The reason that the operating system gives.
        error: io::Error,
    },
    /// The content of the disk is unknown.
    Fatal(FatalError),
}

/// The bounds of the histogram of syncs: from a cache that answers to a disk that is about to fail.
const SYNC_BOUNDS: [Duration; 12] = [
    Duration::from_micros(100),
    Duration::from_micros(250),
    Duration::from_micros(500),
    Duration::from_millis(1),
    Duration::from_micros(2_500),
    Duration::from_millis(5),
    Duration::from_millis(10),
    Duration::from_millis(25),
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(500),
    Duration::from_secs(5),
];

/// The end of the journal, open for writing.
#[derive(Debug)]
pub(super) struct Writer {
    disk: Arc<dyn Disk>,
    segment_bytes: u64,
    prepare_bytes: u64,
    segment: Segment,
    end: u64,
    /// The limit of the file's length: behind the end there are zeros, which the next batches overwrite.
    prepared: u64,
    /// The highest segment that may be there since the last batch that counts.
    newest: u32,
    /// The last record written.
    last: Seq,
    /// The last record known to be on disk.
    synced: Seq,
    /// The last record known to be on disk that a mark names.
    marked: Seq,
    /// Bytes with zeros behind them.
    padded: Vec<u8>,
    /// The durations of successful syncs.
    sync_times: Arc<Histogram>,
}

/// The beginning of a batch: the journal ends there again when the batch fails.
#[derive(Debug)]
pub(super) struct BatchStart {
    segment: Segment,
    end: u64,
    last: Seq,
}

impl Writer {
    pub(super) fn open(
        disk: Arc<dyn Disk>,
        config: &JournalConfig,
        tail: &Tail,
    ) -> Result<Self, JournalOpenError> {
        let number = tail.position.segment;
        let open_error =
            |error: &io::Error| JournalOpenError::io(&*disk, &segment::name(number), error);
        let (segment, end) = if tail.position.offset < FIRST_OFFSET {
            let segment = Segment::create(&*disk, number, tail.next_seq)
                .and_then(|segment| segment.settle(&*disk).map(|()| segment))
                .map_err(|error| open_error(&error))?;
            (segment, FIRST_OFFSET)
        } else {
            let segment = Segment::open(&*disk, number)
                .map_err(|error| open_error(&error))?
                .map_err(|bad| JournalOpenError::header(&*disk, number, bad))?;
            (segment, tail.position.offset)
        };
        Ok(Self {
            disk,
            segment_bytes: u64::from(config.segment_bytes),
            prepare_bytes: u64::from(config.prepare_bytes),
            segment,
            end: u64::from(end),
            // Recovery has cut off what was behind it.
            prepared: u64::from(end),
            newest: number,
            last: tail.durable,
            synced: tail.durable,
            marked: tail.durable,
            padded: Vec::new(),
            sync_times: Arc::new(Histogram::new(&SYNC_BOUNDS)),
        })
    }

    /// The durations of syncs so far.
    pub(super) fn sync_times(&self) -> Arc<Histogram> {
        Arc::clone(&self.sync_times)
    }

    pub(super) fn disk(&self) -> &dyn Disk {
        self.disk.as_ref()
    }

    /// The place behind the last record.
    pub(super) fn end(&self) -> Position {
        self.at(self.end)
    }

    fn at(&self, offset: u64) -> Position {
        Position {
            segment: self.segment.header.number,
            offset: field(offset),
        }
    }

    pub(super) fn last(&self) -> Seq {
        self.last
    }

    /// Returns whether something was written that is not known to be on disk.
    pub(super) fn is_unsynced(&self) -> bool {
        self.synced < self.last
    }

    /// Returns whether no mark names the last record on disk yet.
    pub(super) fn is_unmarked(&self) -> bool {
        self.marked < self.synced
    }

    pub(super) fn start(&self) -> BatchStart {
        BatchStart {
            segment: self.segment.clone(),
            end: self.end,
            last: self.last,
        }
    }

    /// Writes all groups, one write for each segment that they touch, and notes where every record lies. The
    /// newest segment is not synced yet.
    pub(super) fn append(&mut self, parts: Parts<'_>) -> Result<(), WriteError> {
        let Parts {
            groups,
            bytes,
            records,
        } = parts;
        let mut records = records.iter_mut();
        let (mut written, mut sealed) = (0_usize, 0_usize);
        for group in groups {
            let reached = self.behind(sealed.saturating_sub(written));
            let empty = reached <= u64::from(FIRST_OFFSET);
            if !empty && reached.saturating_add(group.bytes) > self.segment_bytes {
                self.write(bytes.get(written..sealed).unwrap_or_default())?;
                written = sealed;
                self.rotate(group.first)?;
            }
            for (behind, record) in (0..group.records).rev().zip(records.by_ref()) {
                let offset = self.behind(sealed.saturating_sub(written));
                record.position = self.at(offset);
                let unsealed = bytes.get_mut(sealed..).unwrap_or_default();
                let length = self.seal(unsealed, record.seq, behind == 0)?;
                sealed = sealed.saturating_add(length);
                self.last = record.seq;
            }
        }
        self.write(bytes.get(written..sealed).unwrap_or_default())
    }

    /// The offset so many bytes behind the end.
    fn behind(&self, bytes: usize) -> u64 {
        self.end.saturating_add(wide(bytes))
    }

    /// Fills in the fields of a record that were unknown when it was encoded; returns its length.
    fn seal(&self, record: &mut [u8], seq: Seq, closes: bool) -> Result<usize, WriteError> {
        let head = RecordHeader {
            seq,
            durable_upto: self.synced,
            kind: if closes {
                RecordKind::LastOfGroup
            } else {
                RecordKind::Data
            },
        };
        let SegmentHeader { number, salt, .. } = self.segment.header;
        record::seal(record, head, salt)
            .map_err(|defect| self.refused(number, io::Error::other(defect)))
    }

    /// Writes at the end, and moves the end behind that.
    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.write_at_end(bytes)
            .map_err(|error| self.refused(self.segment.header.number, error))?;
        self.end = self.behind(bytes.len());
        Ok(())
    }

    /// Writes at the end, and zeros behind that when none are left there. A sync of bytes within the length of the
    /// file costs the disk half of a sync that makes the file longer, since that changes the file itself too.
    fn write_at_end(&mut self, bytes: &[u8]) -> io::Result<()> {
        let end = self.behind(bytes.len());
        let room = self.segment_bytes.saturating_sub(end);
        let zeros = if end <= self.prepared {
            0
        } else {
            narrow(self.prepare_bytes.min(room))
        };
        // A failed write may leave some of them as well.
        self.prepared = self.prepared.max(end.saturating_add(wide(zeros)));
        if zeros > 0 {
            let length = bytes.len().saturating_add(zeros);
            self.padded.reserve_exact(length);
            self.padded.extend_from_slice(bytes);
            self.padded.resize(length, 0);
            let outcome = self.segment.file.write_at(self.end, &self.padded);
            self.padded.clear();
            self.padded.shrink_to(PADDED_KEPT_BYTES);
            if outcome.is_ok() {
                return outcome;
            }
        }
        // There may be space for the batch alone.
        self.segment.file.write_at(self.end, bytes)
    }

    /// Takes the zeros behind the end away.
    pub(super) fn trim(&mut self) -> Result<(), WriteError> {
        if self.prepared > self.end {
            let trimmed = self.segment.file.truncate(self.end);
            trimmed.map_err(|error| self.refused(self.segment.header.number, error))?;
            self.prepared = self.end;
        }
        Ok(())
    }

    /// Seals the segment and goes on in a new one.
    fn rotate(&mut self, first: Seq) -> Result<(), WriteError> {
        // Recovery relies on it: a segment with one behind it is complete, and ends with its last group.
        self.trim()?;
        self.sync_segment().map_err(WriteError::Fatal)?;
        let number = self.segment.header.number.saturating_add(1);
        self.newest = number;
        let segment = Segment::create(&*self.disk, number, first)
            .map_err(|error| self.refused(number, error))?;
        segment
            .settle(&*self.disk)
            .map_err(|error| WriteError::Fatal(self.unsynced(number, &error)))?;
        self.segment = segment;
        self.end = u64::from(FIRST_OFFSET);
        self.prepared = self.end;
        Ok(())
    }

    /// Makes everything that was written durable.
    pub(super) fn sync(&mut self) -> Result<(), FatalError> {
        self.sync_segment()?;
        self.synced = self.last;
        Ok(())
    }

    fn sync_segment(&self) -> Result<(), FatalError> {
        let number = self.segment.header.number;
        let start = Instant::now();
        let outcome = self.segment.file.sync();
        outcome.map_err(|error| self.unsynced(number, &error))?;
        self.sync_times.record(start.elapsed());
        Ok(())
    }

    /// Removes everything behind `start` permanently, before any waiter learns that the batch failed.
    pub(super) fn rewind(&mut self, start: BatchStart) -> Result<(), FatalError> {
        let keep = start.segment.header.number;
        for number in (keep.saturating_add(1)..=self.newest).rev() {
            match self.disk.remove(&segment::name(number)) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(self.stuck(number, &error)),
            }
        }
        if self.newest > keep {
            // Before the older segment is cut: a later one must never follow on a gap.
            self.disk
                .sync_names()
                .map_err(|error| self.stuck(keep, &error))?;
        }
        start
            .segment
            .file
            .truncate(start.end)
            .and_then(|()| start.segment.file.sync())
            .map_err(|error| self.stuck(keep, &error))?;
        self.newest = keep;
        self.segment = start.segment;
        self.end = start.end;
        self.prepared = start.end;
        self.last = start.last;
        // The cut was synced, and with it what was before it.
        self.synced = start.last;
        Ok(())
    }

    /// Writes down how far the journal is on disk, without syncing that.
    pub(super) fn mark(&mut self) -> Result<(), WriteError> {
        let start = self.start();
        let mark = record::mark(self.synced, self.segment.header.salt);
        match self.write(&mark) {
            Ok(()) => {}
            // No harm is done: the next batch states it too. But the bytes that were written of the mark must go.
            Err(WriteError::Refused { .. }) => self.rewind(start).map_err(WriteError::Fatal)?,
            Err(WriteError::Fatal(error)) => return Err(WriteError::Fatal(error)),
        }
        self.marked = self.synced;
        Ok(())
    }

    fn refused(&self, number: u32, error: io::Error) -> WriteError {
        WriteError::Refused {
            file: self.disk.describe(&segment::name(number)),
            error,
        }
    }

    fn unsynced(&self, number: u32, error: &io::Error) -> FatalError {
        FatalError::Sync {
            file: self.disk.describe(&segment::name(number)),
            reason: error.to_string(),
        }
    }

    fn stuck(&self, number: u32, error: &io::Error) -> FatalError {
        FatalError::Rewind {
            file: self.disk.describe(&segment::name(number)),
            reason: error.to_string(),
        }
    }
}
