//! Finds the end of the journal after whatever happened, and tells a torn tail from damage.
//!
//! A power cut leaves the last, never answered batch in any state: missing, half there, in pieces. That is
//! cut off silently. A bad record further inside is damage to what was promised, and is refused with the
//! place and the way out. What tells them apart is `durable_upto`: every record, and every mark written when
//! the journal is idle or closed, says how far everything was on disk when it was written. If anything
//! readable behind the bad place claims that the bad place was on disk, it is damage.
//!
//! What this cannot see: damage to the very last batch before a power cut, when nothing was written after
//! it. It looks like a batch that was never finished. The window closes with the next batch or, when there is
//! none, with the mark written 50 ms later.

pub mod error;
mod walk;
pub(in crate::store) mod witness;

use std::io;

use crate::store::disk::Disk;
use crate::store::recovery::walk::Walk;
use crate::store::segment::{self, BadHeader};
use crate::store::width::narrow;
use crate::store::{Position, Seq};

use crate::store::recovery::error::OpenError;

/// Where the journal ends, and so where it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The number of the next record.
    pub next_seq: Seq,
    /// The place behind the last record; offset 0 when there is no segment yet.
    pub position: Position,
    /// The last record: it and everything before it is on disk.
    pub durable: Seq,
}

/// Finds the end of the journal, reading from `from`, a record known to be on disk with its number (usually
/// the last one that the index has taken in), or from the beginning. Cuts a torn tail off. When this returns,
/// all that is left is on disk, also what a killed process had written but not synced.
///
/// May be repeated at will, also after it was interrupted anywhere.
///
/// # Errors
/// When promised records are damaged or missing, a file is not ours, or the operating system refuses.
pub fn recover(disk: &dyn Disk, from: Option<(Position, Seq)>) -> Result<Tail, OpenError> {
    let segments = drop_unfinished(disk, list(disk)?)?;
    let Some((&oldest, &newest)) = segments.first().zip(segments.last()) else {
        return match from {
            Some((position, seq)) => Err(OpenError::missing(
                disk,
                position,
                seq,
                "there is no segment",
            )),
            None => Ok(Tail {
                next_seq: Seq(1),
                position: Position {
                    segment: 1,
                    offset: 0,
                },
                durable: Seq(0),
            }),
        };
    };
    let first = from.map_or(oldest, |(position, _)| position.segment);
    if let Some((position, seq)) = from
        && !segments.contains(&first)
    {
        return Err(OpenError::missing(
            disk,
            position,
            seq,
            "there is no such file",
        ));
    }
    let mut walk = Walk::new(disk, from);
    for number in first..newest {
        walk.sealed(number)?;
    }
    walk.newest(newest)
}

/// The numbers of all segments; there must be no gap.
fn list(disk: &dyn Disk) -> Result<Vec<u32>, OpenError> {
    let segments = segment::list(disk).map_err(|error| OpenError::io(disk, "", &error))?;
    for (older, newer) in segments.iter().zip(segments.iter().skip(1)) {
        let due = older.saturating_add(1);
        if *newer != due {
            return Err(OpenError::Gap {
                file: disk.describe(&segment::name(due)),
            });
        }
    }
    Ok(segments)
}

/// Removes a newest segment whose making was cut short: nothing was ever written behind its header.
fn drop_unfinished(disk: &dyn Disk, mut segments: Vec<u32>) -> Result<Vec<u32>, OpenError> {
    let Some(&newest) = segments.last() else {
        return Ok(segments);
    };
    let name = segment::name(newest);
    let refused = |error: &io::Error| OpenError::io(disk, &name, error);
    let file = disk.open(&name).map_err(|error| refused(&error))?;
    let length = file.length().map_err(|error| refused(&error))?;
    if length > segment::header_length() {
        return Ok(segments);
    }
    let mut bytes = vec![0; narrow(length)];
    file.read_at(0, &mut bytes)
        .map_err(|error| refused(&error))?;
    let unfinished = match segment::Header::decode(&bytes) {
        Ok(_) => false,
        Err(BadHeader::Newer(found)) => {
            return Err(OpenError::header(disk, newest, BadHeader::Newer(found)));
        }
        Err(BadHeader::Short | BadHeader::Foreign | BadHeader::Damaged) => true,
    };
    if !unfinished {
        return Ok(segments);
    }
    if !segment::is_torn_header(&bytes) {
        return Err(OpenError::header(disk, newest, BadHeader::Foreign));
    }
    if segments.len() == 1 && newest > 1 {
        // The segments before it were there when it was made, and are never removed before it holds records.
        return Err(OpenError::header(disk, newest, BadHeader::Damaged));
    }
    disk.remove(&name)
        .and_then(|()| disk.sync_names())
        .map_err(|error| refused(&error))?;
    segments.pop();
    Ok(segments)
}

#[cfg(test)]
mod tests;
