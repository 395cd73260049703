//! The end of the readable journal: the end of what is on disk, moved by the committer, seen by readers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::Position;

/// The place behind the last record that counts. Cheap to clone; all clones see the same place.
///
/// Bytes behind it may be there already, but they may still be taken back (a full disk) or lost (a power cut), so no
/// reader may see them.
#[derive(Clone, Debug)]
pub struct Frontier(Arc<AtomicU64>);

impl Frontier {
    /// The frontier of a journal that ends at `end`, as recovery found it.
    #[must_use]
    pub fn at(end: Position) -> Self {
        Self(Arc::new(AtomicU64::new(pack(end))))
    }

    /// The place behind the last record that counts.
    #[must_use]
    pub fn get(&self) -> Position {
        unpack(self.0.load(Ordering::Acquire))
    }

    /// Moves the frontier: everything before `end` counts from now on.
    pub fn advance(&self, end: Position) {
        self.0.store(pack(end), Ordering::Release);
    }
}

fn pack(at: Position) -> u64 {
    (u64::from(at.segment) << 32) | u64::from(at.offset)
}

fn unpack(packed: u64) -> Position {
    let low = packed & u64::from(u32::MAX);
    Position {
        segment: u32::try_from(packed >> 32).unwrap_or(u32::MAX),
        offset: u32::try_from(low).unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segment_and_offset_survive_encoding() {
        let frontier = Frontier::at(Position {
            segment: 1,
            offset: 0,
        });
        for (segment, offset) in [(1, 0), (7, u32::MAX), (u32::MAX, 3)] {
            frontier.advance(Position { segment, offset });
            assert_eq!(frontier.get(), Position { segment, offset });
        }
    }
}
