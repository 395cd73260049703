//! Walks the records of one segment in order, reading ahead in large pieces.

use std::io;
use std::sync::Arc;

use crate::store::disk::DiskFile;
use crate::store::record::{self, Raw, RecordError};
use crate::store::segment::Segment;
use crate::store::width::{narrow, wide};

/// The bytes read at once: 1 MiB. A longer record is read whole.
pub(crate) const PIECE_BYTES: usize = 1 << 20;

/// The walk; after an error it is over.
#[derive(Debug)]
pub(crate) struct RecordCursor {
    file: Arc<dyn DiskFile>,
    salt: u32,
    /// The offset of the next record.
    offset: u64,
    /// The end of the walk.
    end: u64,
    buffer: Vec<u8>,
    /// The bytes of the buffer that lie behind us.
    passed: usize,
}

/// The reason for which a walk cannot go on.
#[derive(Debug)]
pub(crate) enum CursorError {
    /// There is no right record at the cursor's offset.
    Defect(RecordError),
    /// The operating system refused.
    Io(io::Error),
}

impl RecordCursor {
    /// Walks from `offset` up to `end`, where a file may go on that is not ours to see.
    pub(crate) fn new(segment: &Segment, offset: u64, end: u64) -> Self {
        Self {
            file: Arc::clone(&segment.file),
            salt: segment.header.salt,
            offset,
            end,
            buffer: Vec::new(),
            passed: 0,
        }
    }

    /// The offset of the next record.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next record, `None` at the end. After an error [`Self::offset`] is the place of it.
    pub(crate) fn next(&mut self) -> Result<Option<Raw<'_>>, CursorError> {
        if self.offset >= self.end {
            return Ok(None);
        }
        self.fill(record::HEAD_BYTES)?;
        let total = record::length(self.ahead()).map_err(CursorError::Defect)?;
        self.fill(total)?;
        // Checked before the cursor moves, so that an error leaves it where the defect is.
        let head = match record::decode(self.ahead(), self.salt) {
            Ok(raw) => raw.head,
            Err(defect) => return Err(CursorError::Defect(defect)),
        };
        let start = self.passed.saturating_add(record::HEAD_BYTES);
        self.passed = self.passed.saturating_add(total);
        self.offset = self.offset.saturating_add(wide(total));
        Ok(Some(Raw {
            head,
            payload: self.buffer.get(start..self.passed).unwrap_or_default(),
        }))
    }

    fn ahead(&self) -> &[u8] {
        self.buffer.get(self.passed..).unwrap_or_default()
    }

    /// Sees to it that `wanted` bytes are ahead, unless the end comes before.
    fn fill(&mut self, wanted: usize) -> Result<(), CursorError> {
        let has = self.ahead().len();
        if has >= wanted {
            return Ok(());
        }
        self.buffer.drain(..self.passed);
        self.passed = 0;
        let at = self.offset.saturating_add(wide(has));
        let rest = narrow(self.end.saturating_sub(at));
        let more = wanted.saturating_sub(has).max(PIECE_BYTES).min(rest);
        self.buffer.resize(has.saturating_add(more), 0);
        let place = self.buffer.get_mut(has..).unwrap_or_default();
        let count = self.file.read_at(at, place).map_err(CursorError::Io)?;
        self.buffer.truncate(has.saturating_add(count));
        Ok(())
    }
}
