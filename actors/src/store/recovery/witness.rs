//! Looks behind a bad record for one that proves it was on disk once.

use std::io;

use crate::store::Seq;
use crate::store::record;
use crate::store::segment::Segment;
use crate::store::segment::cursor::PIECE_BYTES;
use crate::store::width::{narrow, wide};

/// The highest number that a readable record at or behind `offset` claims to be on disk, if it is `lost` or
/// higher. The bad record's length is not to be trusted, so every offset is tried; the numbers that a head
/// can hold here are so few that hardly any candidate's checksum is ever computed in vain.
pub(super) fn find(
    segment: &Segment,
    offset: u64,
    length: u64,
    lost: Seq,
) -> io::Result<Option<Seq>> {
    // Every record is longer than a byte, so no number can be further away than that.
    let highest = Seq(lost.0.saturating_add(length.saturating_sub(offset)));
    let mut window = vec![0; PIECE_BYTES.min(narrow(length.saturating_sub(offset)))];
    let mut at = offset;
    while at < length {
        let count = segment.file.read_at(at, &mut window)?;
        let bytes = window.get(..count).unwrap_or_default();
        for start in 0..count {
            let candidate = bytes.get(start..).unwrap_or_default();
            let plausible = record::peek(candidate).filter(|head| {
                head.durable_upto >= lost && head.durable_upto <= head.seq && head.seq <= highest
            });
            if plausible.is_some()
                && let Some(witness) = verify(segment, at.saturating_add(wide(start)), length)?
                && witness >= lost
            {
                return Ok(Some(witness));
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

/// What the record at `offset` claims to be on disk, when its checksum is right.
fn verify(segment: &Segment, offset: u64, length: u64) -> io::Result<Option<Seq>> {
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
    let found = record::decode(bytes.get(..count).unwrap_or_default(), segment.header.salt);
    Ok(found.ok().map(|raw| raw.head.durable_upto))
}
