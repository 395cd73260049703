//! Reads groups of a journal that is being written.

use crate::store::portable::SALT;
use crate::store::reader::{JournalReader, Walk};
use crate::store::record::{self, Raw, RecordError, RecordHeader};
use crate::store::{Position, ReadError, Seq};

/// Whole groups, one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortableGroups {
    /// Their records, in portable form.
    pub bytes: Vec<u8>,
    /// The first record.
    pub first: Seq,
    /// The last record.
    pub last: Seq,
    /// The place of the records behind them.
    pub next: Position,
}

impl JournalReader {
    /// The place behind the last group.
    #[must_use]
    pub fn end(&self) -> Position {
        self.frontier()
    }

    /// The last record; 0 when there is none.
    ///
    /// # Errors
    /// When the disk refuses, or a record is damaged.
    pub fn last(&self) -> Result<Seq, ReadError> {
        let Some(newest) = self.segment_of(Seq(u64::MAX))? else {
            return Ok(Seq(0));
        };
        let before = |first: Seq| Seq(first.0.saturating_sub(1));
        let mut last = before(self.first_of(newest)?);
        let mut walk = Walk::new(self, Some(newest));
        while let Some((_, seq)) = walk.advance(|raw| Ok(raw.head.seq))? {
            last = seq;
        }
        Ok(last)
    }

    /// The groups from this place on (`None`: from the first one), up to the frontier: whole groups until they have so
    /// many bytes. `None` when there is no group yet.
    ///
    /// # Errors
    /// When the disk refuses, or a record is damaged.
    pub fn groups(
        &self,
        from: Option<Position>,
        bytes_min: usize,
    ) -> Result<Option<PortableGroups>, ReadError> {
        self.groups_until(from, |_, bytes| bytes >= bytes_min)
    }

    /// The groups from this place on up to that of this record; fewer when the journal ends before.
    ///
    /// # Errors
    /// As of [`Self::groups`].
    pub fn groups_through(
        &self,
        from: Option<Position>,
        last: Seq,
    ) -> Result<Option<PortableGroups>, ReadError> {
        self.groups_until(from, |seq, _| seq >= last)
    }

    /// The groups from this place on: whole groups until they have so many bytes, and not beyond that of this record.
    ///
    /// # Errors
    /// As of [`Self::groups`].
    pub fn groups_within(
        &self,
        from: Option<Position>,
        bytes_min: usize,
        last: Seq,
    ) -> Result<Option<PortableGroups>, ReadError> {
        self.groups_until(from, |seq, bytes| seq >= last || bytes >= bytes_min)
    }

    fn groups_until(
        &self,
        from: Option<Position>,
        enough: impl Fn(Seq, usize) -> bool,
    ) -> Result<Option<PortableGroups>, ReadError> {
        let mut walk = Walk::new(self, from);
        let mut bytes = Vec::new();
        let mut whole: Option<PortableGroups> = None;
        let mut first = None;
        while let Some((_, head)) = walk.advance(|raw| append(raw, &mut bytes))? {
            let first = *first.get_or_insert(head.seq);
            if !head.kind.closes_group() {
                continue;
            }
            let Some(next) = walk.position() else { break };
            whole = Some(PortableGroups {
                bytes: Vec::new(),
                first,
                last: head.seq,
                next,
            });
            if enough(head.seq, bytes.len()) {
                break;
            }
        }
        // The frontier is behind a whole group, so nothing is left of another one.
        Ok(whole.map(|groups| PortableGroups { bytes, ..groups }))
    }

    /// Returns the place of the records behind this one; `None` when the journal does not have it.
    ///
    /// # Errors
    /// When the disk refuses, or a record is damaged.
    pub fn place_after(&self, last: Seq) -> Result<Option<Position>, ReadError> {
        let Some(start) = self.segment_of(last)? else {
            return Ok(None);
        };
        let mut walk = Walk::new(self, Some(start));
        while let Some((_, seq)) = walk.advance(|raw| Ok(raw.head.seq))? {
            if seq == last {
                return Ok(walk.position());
            }
        }
        Ok(None)
    }
}

/// Appends a record in its portable form.
fn append(raw: Raw<'_>, bytes: &mut Vec<u8>) -> Result<RecordHeader, RecordError> {
    let head = RecordHeader {
        durable_upto: Seq(0),
        ..raw.head
    };
    record::copy(Raw { head, ..raw }, SALT, bytes)?;
    Ok(head)
}
