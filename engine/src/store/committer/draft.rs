//! A batch in the making: the submitter of a group encodes it, and the committer fills in what is known only when it
//! writes.
//!
//! So the bytes of a record are copied once, on the thread that has just made them, and the committer's thread frees
//! nothing of its event and blob: memory that one thread allocates and another frees is the most expensive kind.

use crate::store::portable;
use crate::store::record::{self, RecordError};
use crate::store::width::wide;
use crate::store::{Batch, Committed, Position, RecordGroup, Seq};

/// The memory that an empty draft keeps for the next batch's records, in bytes.
const KEPT_BYTES: usize = 4 << 20;

/// The position of a record that is not written yet: segments are counted from 1.
const NOWHERE: Position = Position {
    segment: 0,
    offset: 0,
};

/// Groups in their order.
#[derive(Debug)]
pub(super) struct Draft<N> {
    groups: Vec<Span>,
    /// Their records one behind the other, not [sealed](record::seal) yet.
    bytes: Vec<u8>,
    /// The batch for the sink; the positions of its records are not known yet.
    told: Batch<N>,
}

/// A group within a draft.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The number of its first record.
    pub(super) first: Seq,
    /// The number of its records.
    pub(super) records: usize,
    /// Their length on disk.
    pub(super) bytes: u64,
}

/// The parts of a draft, to be written.
pub(super) struct Parts<'a> {
    pub(super) groups: &'a [Span],
    pub(super) bytes: &'a mut [u8],
    pub(super) records: &'a mut [Committed],
}

impl<N> Default for Draft<N> {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            bytes: Vec::new(),
            told: Batch::default(),
        }
    }
}

impl<N> Draft<N> {
    /// Takes a group in, whose records are numbered from `first` and have been measured.
    pub(super) fn push(&mut self, group: RecordGroup<N>, first: Seq, bytes: u64) {
        self.groups.push(Span {
            first,
            records: group.records.len(),
            bytes,
        });
        for (number, record) in (first.0..).zip(group.records) {
            record::lay(&record, &mut self.bytes);
            self.told.records.push(Committed {
                seq: Seq(number),
                position: NOWHERE,
                stream: record.stream,
                entries: record.entries,
            });
        }
        self.told.notices.extend(group.notices);
    }

    /// Returns the number of groups.
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the bytes that their records take on disk.
    pub(super) fn bytes(&self) -> u64 {
        wide(self.bytes.len())
    }

    pub(super) fn parts(&mut self) -> Parts<'_> {
        Parts {
            groups: &self.groups,
            bytes: &mut self.bytes,
            records: &mut self.told.records,
        }
    }

    /// The groups in portable form.
    pub(super) fn portable(&self) -> Result<Vec<u8>, RecordError> {
        let mut bytes = self.bytes.clone();
        let mut rest = bytes.as_mut_slice();
        let groups = self.groups.iter();
        let records = groups.flat_map(|group| {
            let last = group.records.saturating_sub(1);
            (group.first.0..)
                .zip(0..group.records)
                .map(move |(seq, index)| (Seq(seq), index == last))
        });
        for (seq, closes_group) in records {
            let length = portable::seal(rest, seq, closes_group)?;
            rest = rest.split_at_mut_checked(length).map_or(&mut [], |it| it.1);
        }
        Ok(bytes)
    }

    /// The last record; 0 when there is none.
    pub(super) fn last(&self) -> Seq {
        self.told.records.last().map_or(Seq(0), |it| it.seq)
    }

    /// The batch for the sink, after [`Self::parts`] were written. The next batch will be about as large.
    pub(super) fn take_batch(&mut self) -> Batch<N> {
        let next = Batch {
            records: Vec::with_capacity(self.told.records.len()),
            notices: Vec::with_capacity(self.told.notices.len()),
        };
        std::mem::replace(&mut self.told, next)
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_BYTES);
        self.told.records.clear();
        self.told.notices.clear();
    }
}
