//! Looks behind a bad record for one that proves it was on disk once, or for one to go on with, or whether there is
//! anything at all.

use std::io;

use crate::store::Seq;
use crate::store::record::{self, RecordHeader, RecordKind};
use crate::store::segment::Segment;
use crate::store::segment::cursor::PIECE_BYTES;
use crate::store::width::{narrow, wide};

/// The highest number that a readable record at or behind `offset` claims to be on disk, if it is `lost` or
/// higher.
pub(in crate::store) fn find(
    segment: &Segment,
    offset: u64,
    length: u64,
    lost: Seq,
) -> io::Result<Option<Seq>> {
    // Every record is longer than a byte, so no number can be further away than that.
    let highest = Seq(lost.0.saturating_add(length.saturating_sub(offset)));
    let witness = search(segment, offset, length, |head| {
        head.durable_upto >= lost && head.durable_upto <= head.seq && head.seq <= highest
    })?;
    Ok(witness.map(|(_, head)| head.durable_upto))
}

/// The next readable record at or behind `offset` that can come where the number `due` is expected: where it lies,
/// and the number that is due there.
pub(in crate::store) fn next_record(
    segment: &Segment,
    offset: u64,
    length: u64,
    due: Seq,
) -> io::Result<Option<(u64, Seq)>> {
    let highest = Seq(due.0.saturating_add(length.saturating_sub(offset)));
    let next = |head: &RecordHeader| match head.kind {
        RecordKind::Data
        | RecordKind::LastOfGroup
        | RecordKind::Erased
        | RecordKind::LastErased => head.seq,
        RecordKind::Mark => Seq(head.seq.0.saturating_add(1)),
    };
    let witness = search(segment, offset, length, |head| {
        next(head) >= due && head.seq <= highest && head.durable_upto <= head.seq
    })?;
    Ok(witness.map(|(at, head)| (at, next(&head))))
}

/// Returns whether nothing but zeros follows: what is prepared behind the end of the newest segment for the next batches.
pub(in crate::store) fn is_blank(segment: &Segment, offset: u64, length: u64) -> io::Result<bool> {
    let mut window = vec![0; PIECE_BYTES.min(narrow(length.saturating_sub(offset)))];
    let mut at = offset;
    while at < length {
        let count = segment.file.read_at(at, &mut window)?;
        let read = window.get(..count).unwrap_or_default();
        if count == 0 || read.iter().any(|byte| *byte != 0) {
            return Ok(count == 0);
        }
        at = at.saturating_add(wide(count));
    }
    Ok(true)
}

/// The first record at or behind `offset` whose checksum is right and whose head is plausible. A bad record's length is
/// not to be trusted, so every offset is tried; the numbers that a head can hold are so few that hardly any candidate's
/// checksum is ever computed in vain.
fn search(
    segment: &Segment,
    offset: u64,
    length: u64,
    plausible: impl Fn(&RecordHeader) -> bool,
) -> io::Result<Option<(u64, RecordHeader)>> {
    let mut window = vec![0; PIECE_BYTES.min(narrow(length.saturating_sub(offset)))];
    let mut at = offset;
    while at < length {
        let count = segment.file.read_at(at, &mut window)?;
        let bytes = window.get(..count).unwrap_or_default();
        for start in 0..count {
            let candidate = bytes.get(start..).unwrap_or_default();
            let place = at.saturating_add(wide(start));
            if record::peek(candidate).filter(&plausible).is_some()
                && let Some(head) = verify(segment, place, length)?.filter(&plausible)
            {
                return Ok(Some((place, head)));
            }
        }
        // The last bytes again with the next piece: a head may begin in them.
        let step = count.saturating_sub(record::HEAD_BYTES - 1).max(1);
        if count < PIECE_BYTES {
            break;
        }
        at = at.saturating_add(wide(step));
    }
    Ok(None)
}

/// The head of the record at `offset`, when its checksum is right.
fn verify(segment: &Segment, offset: u64, length: u64) -> io::Result<Option<RecordHeader>> {
    let mut head = [0; record::HEAD_BYTES];
    let count = segment.file.read_at(offset, &mut head)?;
    let Ok(total) = record::length(head.get(..count).unwrap_or_default()) else {
        return Ok(None);
    };
    if wide(total) > length.saturating_sub(offset) {
        return Ok(None);
    }
    let mut bytes = vec![0; total];
    let count = segment.file.read_at(offset, &mut bytes)?;
    let bytes = bytes.get(..count).unwrap_or_default();
    let raw = record::decode(bytes, segment.header.salt).ok();
    Ok(raw.map(|raw| raw.head))
}
