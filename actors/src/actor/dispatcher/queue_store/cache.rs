//! What is remembered of lanes between two looks at the stored queue, so that most steps of a lane need none. All of it
//! may be forgotten at any time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::domain::dispatch::lane::OutNumber;
use crate::domain::id::ConversationId;
use crate::domain::time::UnixMillis;

/// So many rows of a lane are read at a time, and remembered.
pub(super) const AHEAD: usize = 16;
/// So many lanes are remembered: as many as there may be in memory at all. A lane takes up to 400 bytes.
const LANES_MAX: usize = 50_000;

/// A row of the queue: a message, and since when it is queued.
type QueueRow = (OutNumber, UnixMillis);

/// What is remembered of lanes.
#[derive(Debug, Default)]
pub(super) struct QueueCache {
    lanes: BTreeMap<ConversationId, QueueMemory>,
    /// Lanes in which something is about to be queued again: which rows follow which is not certain.
    requeued: BTreeSet<ConversationId>,
}

#[derive(Debug, Default)]
struct QueueMemory {
    /// Before which number nothing is queued: what left it lately is not looked through again.
    floor: Option<OutNumber>,
    /// The first rows of the lane that are not final, in their order. Others may be behind them, none between them.
    rows: VecDeque<QueueRow>,
    /// A message of which nothing is stored but its row.
    untouched: Option<OutNumber>,
}

impl QueueCache {
    /// Before which number nothing of the lane is queued.
    pub(super) fn floor(&self, lane: ConversationId) -> Option<OutNumber> {
        self.lanes.get(&lane)?.floor
    }

    /// The first message of the lane that is not final; `None` when that is not known.
    pub(super) fn first(&self, lane: ConversationId) -> Option<QueueRow> {
        self.lanes.get(&lane)?.rows.front().copied()
    }

    /// These are the first messages of the lane that are not final, at least one.
    pub(super) fn keep(&mut self, lane: ConversationId, mut rows: VecDeque<QueueRow>) {
        if self.requeued.contains(&lane) {
            rows.truncate(1);
        }
        rows.truncate(AHEAD);
        let known = self.entry(lane);
        known.floor = rows.front().map(|(number, _)| *number).or(known.floor);
        known.rows = rows;
    }

    /// The message is final.
    pub(super) fn settled(&mut self, lane: ConversationId, number: OutNumber) {
        if let Some(known) = self.lanes.get_mut(&lane) {
            known.rows.retain(|(row, _)| *row != number);
            if known.rows.is_empty() {
                known.rows = VecDeque::new();
            }
        }
    }

    /// Messages of the lane are about to be queued again.
    pub(super) fn requeued(&mut self, lane: ConversationId) {
        self.requeued.insert(lane);
        if let Some(known) = self.lanes.get_mut(&lane) {
            known.rows = VecDeque::new();
        }
    }

    /// What was queued again can be found now. Not earlier: a look at the lane while the row is on its way would pass
    /// over it for ever.
    pub(super) fn found_again(&mut self, lane: ConversationId) {
        self.requeued.remove(&lane);
        if let Some(known) = self.lanes.get_mut(&lane) {
            known.floor = None;
            known.rows = VecDeque::new();
        }
    }

    /// Nothing is stored of this message but its row.
    pub(super) fn untouched(&mut self, lane: ConversationId, number: OutNumber) {
        self.entry(lane).untouched = Some(number);
    }

    pub(super) fn is_untouched(&self, lane: ConversationId, number: OutNumber) -> bool {
        let known = self.lanes.get(&lane);
        known.is_some_and(|known| known.untouched == Some(number))
    }

    /// Something is stored of this message now.
    pub(super) fn touched(&mut self, lane: ConversationId, number: OutNumber) {
        if let Some(known) = self.lanes.get_mut(&lane)
            && known.untouched == Some(number)
        {
            known.untouched = None;
        }
    }

    fn entry(&mut self, lane: ConversationId) -> &mut QueueMemory {
        if self.lanes.len() >= LANES_MAX && !self.lanes.contains_key(&lane) {
            // Ids of conversations follow no order, so this is any lane.
            self.lanes.pop_first();
        }
        self.lanes.entry(lane).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane() -> ConversationId {
        ConversationId::from_bytes([7; 16])
    }

    fn rows(numbers: impl IntoIterator<Item = u64>) -> VecDeque<QueueRow> {
        let row = |number| (OutNumber(number), UnixMillis::from_secs(number));
        numbers.into_iter().map(row).collect()
    }

    fn first(known: &QueueCache) -> Option<u64> {
        known.first(lane()).map(|(number, _)| number.0)
    }

    #[test]
    fn a_lane_goes_on_from_row_to_row_and_then_knows_no_more() {
        let mut known = QueueCache::default();
        known.keep(lane(), rows([3, 4, 9]));
        assert_eq!(known.floor(lane()), Some(OutNumber(3)));
        // One behind the first was discarded.
        known.settled(lane(), OutNumber(4));
        known.settled(lane(), OutNumber(3));
        assert_eq!(first(&known), Some(9));
        known.settled(lane(), OutNumber(9));
        assert_eq!(first(&known), None);
        assert_eq!(known.floor(lane()), Some(OutNumber(3)));
    }

    #[test]
    fn no_more_than_so_many_rows_are_remembered() {
        let mut known = QueueCache::default();
        known.keep(lane(), rows(1..100));
        (1..=16).for_each(|number| known.settled(lane(), OutNumber(number)));
        assert_eq!(first(&known), None);
    }

    #[test]
    fn while_something_is_about_to_be_queued_again_only_the_first_row_is_certain() {
        let mut known = QueueCache::default();
        known.keep(lane(), rows([5, 6]));
        known.requeued(lane());
        assert_eq!(first(&known), None);
        known.keep(lane(), rows([5, 6]));
        known.settled(lane(), OutNumber(5));
        assert_eq!(first(&known), None);
        known.found_again(lane());
        assert_eq!(known.floor(lane()), None);
        known.keep(lane(), rows([2, 6]));
        known.settled(lane(), OutNumber(2));
        assert_eq!(first(&known), Some(6));
    }

    #[test]
    fn a_message_is_untouched_until_something_is_stored_of_it() {
        let mut known = QueueCache::default();
        known.untouched(lane(), OutNumber(1));
        known.touched(lane(), OutNumber(2));
        assert!(known.is_untouched(lane(), OutNumber(1)));
        known.touched(lane(), OutNumber(1));
        assert!(!known.is_untouched(lane(), OutNumber(1)));
    }

    #[test]
    fn the_memory_is_bounded_by_a_number_of_lanes() {
        let mut known = QueueCache::default();
        for number in 0..60_000_u128 {
            known.untouched(
                ConversationId::from_bytes(number.to_be_bytes()),
                OutNumber(1),
            );
        }
        assert_eq!(known.lanes.len(), LANES_MAX);
    }
}
