//! Finds the end of the journal after any crash, and distinguishes a torn tail from damage.
//!
//! A power cut leaves the last batch, which was never answered, in any state: missing, partial, in pieces. Recovery
//! cuts it off silently. A bad record further inside is damage to promised records: recovery refuses the journal,
//! with the place and the remedy. The difference is in `durable_upto`: every record, and every mark written when the
//! journal is idle or closed, says how far everything was on disk when it was written. If anything readable behind
//! the bad place claims that the bad place was on disk, it is damage. It is damage as well when the index has seen
//! records that are not there, and when the journal does not begin with record 1.
//!
//! What this cannot see: damage to the very last batch before a power cut, when nothing was written after
//! it. It looks like a batch that was never finished. The window closes with the next batch or, when there is
//! none, with the mark written 50 ms later. Nor does it see that newest segments were taken away as whole files when
//! no checkpoint has seen a record of them.

pub mod error;
mod walk;
pub(in crate::store) mod witness;

use crate::store::disk::Disk;
use crate::store::recovery::error::JournalOpenError;
use crate::store::recovery::walk::Walk;
use crate::store::segment::{self, Segment};
use crate::store::{Position, Seq};

/// The segment that record 1 lies in.
const FIRST: u32 = 1;

/// The end of the journal, at which it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The number of the next record.
    pub next_seq: Seq,
    /// The place behind the last record; offset 0 when there is no segment yet.
    pub position: Position,
    /// The last record: it and everything before it is on disk.
    pub durable: Seq,
}

/// The knowledge of others about the journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecoveryBounds {
    /// A record that is on disk, and where it lies: usually the last one that the index has taken in. What comes before
    /// it is not read again.
    pub from: Option<(Position, Seq)>,
    /// The last record that was on disk for certain; 0 when nothing is known of any.
    pub proven: Seq,
}

/// Finds the end of the journal, reading from the known record on, or from the beginning. Cuts a torn tail off. When
/// this returns, all that is left is on disk, also what a killed process had written but not synced.
///
/// May be repeated at will, also after it was interrupted anywhere.
///
/// # Errors
/// When promised records are damaged or missing, a file is not ours, or the operating system refuses.
pub fn recover(disk: &dyn Disk, known: RecoveryBounds) -> Result<Tail, JournalOpenError> {
    let segments = list(disk)?;
    let from = known.from;
    let Some((&oldest, &newest)) = segments.first().zip(segments.last()) else {
        check_nothing(disk, known)?;
        drop_unfinished(disk)?;
        return Ok(Tail {
            next_seq: Seq(1),
            position: Position {
                segment: FIRST,
                offset: 0,
            },
            durable: Seq(0),
        });
    };
    check_beginning(disk, oldest)?;
    let first = from.map_or(oldest, |(position, _)| position.segment);
    if let Some((position, seq)) = from
        && !segments.contains(&first)
    {
        return Err(JournalOpenError::missing(
            disk,
            position,
            seq,
            "there is no such file",
        ));
    }
    let mut walk = Walk::new(disk, known);
    for number in first..newest {
        walk.sealed(number)?;
    }
    let tail = walk.newest(newest)?;
    drop_unfinished(disk)?;
    Ok(tail)
}

/// The numbers of all segments; there must be no gap.
fn list(disk: &dyn Disk) -> Result<Vec<u32>, JournalOpenError> {
    let segments = segment::list(disk).map_err(|error| JournalOpenError::io(disk, "", &error))?;
    for (older, newer) in segments.iter().zip(segments.iter().skip(1)) {
        let due = older.saturating_add(1);
        if *newer != due {
            return Err(JournalOpenError::Gap {
                file: disk.describe(&segment::name(due)),
            });
        }
    }
    Ok(segments)
}

/// Without any segment, there must not have been a record.
fn check_nothing(disk: &dyn Disk, known: RecoveryBounds) -> Result<(), JournalOpenError> {
    let proven = known
        .from
        .map_or(known.proven, |(_, seq)| known.proven.max(seq));
    if proven == Seq(0) {
        return Ok(());
    }
    let reason = format!("it is missing, though record {} was on disk", proven.0);
    Err(JournalOpenError::damaged(disk, FIRST, 0, &reason))
}

/// The journal begins with record 1, whatever became of it since.
fn check_beginning(disk: &dyn Disk, oldest: u32) -> Result<(), JournalOpenError> {
    let name = segment::name(oldest);
    let segment = Segment::open(disk, oldest)
        .map_err(|error| JournalOpenError::io(disk, &name, &error))?
        .map_err(|bad| JournalOpenError::header(disk, oldest, bad))?;
    let first = segment.header.first;
    if first == Seq(1) {
        return Ok(());
    }
    Err(JournalOpenError::Headless {
        file: disk.describe(&name),
        first: first.0,
        last_missing: first.0.saturating_sub(1),
    })
}

/// Removes segments whose making was cut short.
fn drop_unfinished(disk: &dyn Disk) -> Result<(), JournalOpenError> {
    let names = disk
        .names()
        .map_err(|error| JournalOpenError::io(disk, "", &error))?;
    for name in names.iter().filter(|name| segment::is_unfinished(name)) {
        disk.remove(name)
            .map_err(|error| JournalOpenError::io(disk, name, &error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
