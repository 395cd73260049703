//! The bytes of one record, and nothing else: no files, no order, no policy.
//!
//! ```text
//! ┌─────────┬─────────┬─────────┬──────────────────┬─────────┬─────────┐
//! │ len u32 │ crc u32 │ seq u64 │ durable_upto u64 │ kind u8 │ payload │   all numbers little endian
//! └─────────┴─────────┴─────────┴──────────────────┴─────────┴─────────┘
//! ```
//!
//! `len` counts the bytes behind `crc`; `crc` is the CRC-32 (IEEE) of those bytes, started with the salt of the
//! segment, so that bytes from outside within an event never look like a record. `durable_upto` is the highest number
//! that was known to be on disk when the record was written: recovery knows from it which records must be there. The
//! payload of a data record is `stream kind u8, id length u8, id, event length u32, event JSON, blob`; a mark has
//! none and says only `durable_upto`. An erased record has none either: its number and its place in its group stay.

mod kind;

use bytes::Bytes;
use crc32fast::Hasher;

pub use self::kind::RecordKind;

use crate::store::width::{field, narrow, wide};
use crate::store::{NewRecord, Record, Seq};
use crate::stream::StreamKey;

/// The bytes before the payload.
pub const HEAD_BYTES: usize = 25;
/// The longest record, head included: 16 MiB.
pub const RECORD_BYTES_MAX: usize = 16 << 20;

/// The bytes of `len` and `crc`, which `len` does not count.
const FRAME_BYTES: usize = 8;
/// Stream kind, id length and event length.
const PAYLOAD_FIXED_BYTES: usize = 6;

/// The header: all that stands before the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordHeader {
    /// The record's number; for a mark the number of the last record before it.
    pub seq: Seq,
    /// The highest number known to be on disk when this was written.
    pub durable_upto: Seq,
    /// The kind of the record.
    pub kind: RecordKind,
}

/// The reason for which records cannot be stored at all, now or later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnfitError {
    /// There is nothing to store.
    #[error("a group holds at least one record, got none")]
    Empty,
    /// The stream's id does not fit.
    #[error("a stream's id is at most 255 bytes, got {0}")]
    Id(usize),
    /// A record does not fit.
    #[error("a record is at most {RECORD_BYTES_MAX} bytes, got {0}")]
    Record(usize),
    /// The group does not fit.
    #[error("a group is at most {limit} bytes, got {bytes}")]
    Group {
        /// Its length as stored.
        bytes: u64,
        /// The longest group that the queue takes.
        limit: u64,
    },
}

/// The reason for which bytes are not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The file ends inside the record.
    #[error("the record is {needs} bytes long, but only {has} are left in the file")]
    Short {
        /// The length of the record, or of its head when not even that is there.
        needs: usize,
        /// The bytes that are left.
        has: usize,
    },
    /// The length cannot be one.
    #[error("the length of the record cannot be {0}")]
    Length(u32),
    /// The bytes are not the ones that were written.
    #[error("the checksum is {stored:08x}, but that of the bytes is {computed:08x}")]
    Checksum {
        /// The checksum in the record.
        stored: u32,
        /// The checksum of the bytes.
        computed: u32,
    },
    /// The checksum is right, but this version knows no such kind.
    #[error("the record's kind {0:#04x} is unknown to this version")]
    Kind(u8),
    /// The checksum is right, but the payload cannot be taken apart.
    #[error("the record's {0} cannot be read by this version")]
    Payload(&'static str),
    /// The checksum is right, but another number was due.
    #[error("the record's number is {found}, expected {expected}")]
    Number {
        /// The value that was due.
        expected: u64,
        /// The value in the record.
        found: u64,
    },
    /// The checksum is right, but the record claims that a later one is on disk.
    #[error("record {seq} claims that {durable_upto} was on disk before it")]
    Claim {
        /// The record's number.
        seq: u64,
        /// Its claim.
        durable_upto: u64,
    },
}

impl RecordError {
    /// Returns whether a write that was cut short can leave this. Anything else was written so, or changed later.
    #[must_use]
    pub fn can_be_torn(self) -> bool {
        match self {
            Self::Short { .. } | Self::Length(_) | Self::Checksum { .. } => true,
            Self::Kind(_) | Self::Payload(_) | Self::Number { .. } | Self::Claim { .. } => false,
        }
    }
}

/// The length of a record once stored.
///
/// # Errors
/// When it can never be stored.
pub fn stored_bytes(record: &NewRecord) -> Result<usize, UnfitError> {
    let id = record.stream.id().len();
    if id > usize::from(u8::MAX) {
        return Err(UnfitError::Id(id));
    }
    let bytes = [
        PAYLOAD_FIXED_BYTES,
        id,
        record.event.len(),
        record.blob.len(),
    ]
    .into_iter()
    .fold(HEAD_BYTES, usize::saturating_add);
    if bytes > RECORD_BYTES_MAX {
        return Err(UnfitError::Record(bytes));
    }
    Ok(bytes)
}

/// Appends a data record, which [`stored_bytes`] has measured before, to `out`: all of it but what [`seal`] fills in.
pub fn lay(record: &NewRecord, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; HEAD_BYTES]);
    let id = record.stream.id();
    out.push(record.stream.code());
    out.push(u8::try_from(id.len()).unwrap_or(u8::MAX));
    out.extend_from_slice(id);
    out.extend_from_slice(&field(wide(record.event.len())).to_le_bytes());
    out.extend_from_slice(&record.event);
    out.extend_from_slice(&record.blob);
    note_length(out.get_mut(start..).unwrap_or_default());
}

/// Writes down how long these bytes of a record are.
fn note_length(record: &mut [u8]) {
    let length = field(wide(record.len().saturating_sub(FRAME_BYTES)));
    if let Some((place, _)) = record.split_first_chunk_mut() {
        *place = length.to_le_bytes();
    }
}

/// Fills in the head and the checksum of the record that these bytes begin with, as [`lay`] left it. Gives its length.
///
/// # Errors
/// When no record begins here.
pub fn seal(bytes: &mut [u8], head: RecordHeader, salt: u32) -> Result<usize, RecordError> {
    let total = length(bytes)?;
    let short = RecordError::Short {
        needs: total,
        has: bytes.len(),
    };
    let (frame, body) = bytes
        .get_mut(..total)
        .and_then(|record| record.split_first_chunk_mut::<FRAME_BYTES>())
        .ok_or(short)?;
    let fields = head
        .seq
        .0
        .to_le_bytes()
        .into_iter()
        .chain(head.durable_upto.0.to_le_bytes())
        .chain([head.kind.code()]);
    for (place, byte) in body.iter_mut().zip(fields) {
        *place = byte;
    }
    let crc = checksum(body, salt).to_le_bytes();
    if let Some((_, place)) = frame.split_last_chunk_mut() {
        *place = crc;
    }
    Ok(total)
}

/// A mark: everything up to `durable_upto` is on disk, and nothing was written since.
#[must_use]
pub fn mark(durable_upto: Seq, salt: u32) -> [u8; HEAD_BYTES] {
    let head = RecordHeader {
        seq: durable_upto,
        durable_upto,
        kind: RecordKind::Mark,
    };
    bare(head, salt)
}

/// A record without a payload: a mark, or what is left of an erased record.
#[must_use]
pub fn bare(head: RecordHeader, salt: u32) -> [u8; HEAD_BYTES] {
    let mut bare = [0; HEAD_BYTES];
    note_length(&mut bare);
    let sealed = seal(&mut bare, head, salt);
    debug_assert_eq!(sealed, Ok(HEAD_BYTES), "it is a head");
    bare
}

/// Appends a record with a payload that was read before, as it is.
///
/// # Errors
/// When it is too long for a record.
pub(in crate::store) fn copy(
    raw: Raw<'_>,
    salt: u32,
    out: &mut Vec<u8>,
) -> Result<(), RecordError> {
    let start = out.len();
    out.extend_from_slice(&[0; HEAD_BYTES]);
    out.extend_from_slice(raw.payload);
    let record = out.get_mut(start..).unwrap_or_default();
    note_length(record);
    seal(record, raw.head, salt).map(drop)
}

fn checksum(body: &[u8], salt: u32) -> u32 {
    let mut hasher = Hasher::new_with_initial(salt);
    hasher.update(body);
    hasher.finalize()
}

/// A record whose checksum is right, in the buffer it was read into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a> {
    /// The header: all that stands before the payload.
    pub head: RecordHeader,
    /// The payload; empty for a mark.
    pub payload: &'a [u8],
}

/// The length of the record that begins with these bytes, head included.
///
/// # Errors
/// When no record can be that long, or there are fewer bytes than a head has.
pub fn length(bytes: &[u8]) -> Result<usize, RecordError> {
    let (Some((length, _)), true) = (take_u32(bytes), bytes.len() >= HEAD_BYTES) else {
        return Err(RecordError::Short {
            needs: HEAD_BYTES,
            has: bytes.len(),
        });
    };
    let total = narrow(u64::from(length)).saturating_add(FRAME_BYTES);
    if !(HEAD_BYTES..=RECORD_BYTES_MAX).contains(&total) {
        return Err(RecordError::Length(length));
    }
    Ok(total)
}

/// The head that these bytes begin with, its checksum not yet compared. `None`: there is none.
#[must_use]
pub fn peek(bytes: &[u8]) -> Option<RecordHeader> {
    let (_, rest) = bytes.split_first_chunk::<FRAME_BYTES>()?;
    let (seq, rest) = take_u64(rest)?;
    let (durable_upto, rest) = take_u64(rest)?;
    Some(RecordHeader {
        seq: Seq(seq),
        durable_upto: Seq(durable_upto),
        kind: RecordKind::from_code(*rest.first()?)?,
    })
}

/// Takes apart the record that begins with these bytes.
///
/// # Errors
/// What is wrong with it.
pub fn decode(bytes: &[u8], salt: u32) -> Result<Raw<'_>, RecordError> {
    let total = length(bytes)?;
    let short = RecordError::Short {
        needs: total,
        has: bytes.len(),
    };
    let record = bytes.get(..total).ok_or(short)?;
    let (_, rest) = take_u32(record).ok_or(short)?;
    let (stored, body) = take_u32(rest).ok_or(short)?;
    let computed = checksum(body, salt);
    if stored != computed {
        return Err(RecordError::Checksum { stored, computed });
    }
    let payload = record.get(HEAD_BYTES..).ok_or(short)?;
    let Some(head) = peek(record) else {
        let code = record.get(HEAD_BYTES - 1).copied().unwrap_or_default();
        return Err(RecordError::Kind(code));
    };
    let (claim_max, payload_fits) = match head.kind {
        RecordKind::Data | RecordKind::LastOfGroup => (head.seq.0.saturating_sub(1), true),
        RecordKind::Erased | RecordKind::LastErased => {
            (head.seq.0.saturating_sub(1), payload.is_empty())
        }
        RecordKind::Mark => (head.seq.0, payload.is_empty()),
    };
    if !payload_fits {
        return Err(RecordError::Payload("length"));
    }
    if head.durable_upto.0 > claim_max {
        return Err(RecordError::Claim {
            seq: head.seq.0,
            durable_upto: head.durable_upto.0,
        });
    }
    Ok(Raw { head, payload })
}

/// The payload of a data record, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payload<'a> {
    code: u8,
    id: &'a [u8],
    event: &'a [u8],
    blob: &'a [u8],
}

impl<'a> Payload<'a> {
    /// Takes the payload of a data record apart.
    ///
    /// # Errors
    /// Which part of it cannot be read.
    pub fn parse(payload: &'a [u8]) -> Result<Self, RecordError> {
        let (&code, rest) = payload
            .split_first()
            .ok_or(RecordError::Payload("stream"))?;
        if code == 0 {
            return Err(RecordError::Payload("stream"));
        }
        let (&id_bytes, rest) = rest.split_first().ok_or(RecordError::Payload("stream"))?;
        let (id, rest) = rest
            .split_at_checked(usize::from(id_bytes))
            .ok_or(RecordError::Payload("stream"))?;
        let (event_bytes, rest) = take_u32(rest).ok_or(RecordError::Payload("event"))?;
        let (event, blob) = rest
            .split_at_checked(narrow(u64::from(event_bytes)))
            .ok_or(RecordError::Payload("event"))?;
        Ok(Self {
            code,
            id,
            event,
            blob,
        })
    }

    /// The record with this number: a copy of its own, so that no buffer is kept alive by it.
    #[must_use]
    pub fn to_record(self, seq: Seq) -> Record {
        let mut bytes = Vec::with_capacity(self.event.len().saturating_add(self.blob.len()));
        bytes.extend_from_slice(self.event);
        bytes.extend_from_slice(self.blob);
        let mut event = Bytes::from(bytes);
        let blob = event.split_off(self.event.len());
        Record {
            seq,
            stream: StreamKey::read(self.code, self.id),
            event,
            blob,
        }
    }
}

fn take_u32(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number), rest))
}

fn take_u64(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u64::from_le_bytes(*number), rest))
}

#[cfg(test)]
mod tests;
