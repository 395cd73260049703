//! What is remembered of queues between two looks at the stored queue, so that most steps of a queue need none. All of it
//! may be forgotten at any time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::id::ConversationId;
use crate::domain::time::UnixMillis;

/// So many rows of a queue are read at a time, and remembered.
pub(super) const AHEAD: usize = 16;
/// So many queues are remembered: as many as there may be in memory at all. A queue takes up to 400 bytes.
const QUEUES_MAX: usize = 50_000;

/// A row of the queue: a message, and since when it is queued.
type QueueRow = (OutNumber, UnixMillis);

/// What is remembered of queues.
#[derive(Debug, Default)]
pub(super) struct QueueCache {
    queues: BTreeMap<ConversationId, QueueMemory>,
    /// Queues in which something is about to be queued again: which rows follow which is not certain.
    requeued: BTreeSet<ConversationId>,
}

#[derive(Debug, Default)]
struct QueueMemory {
    /// Before which number nothing is queued: what left it lately is not looked through again.
    floor: Option<OutNumber>,
    /// The first rows of the queue that are not final, in their order. Others may be behind them, none between them.
    rows: VecDeque<QueueRow>,
    /// A message of which nothing is stored but its row.
    untouched: Option<OutNumber>,
}

impl QueueCache {
    /// Before which number nothing of the queue is queued.
    pub(super) fn floor(&self, queue: ConversationId) -> Option<OutNumber> {
        self.queues.get(&queue)?.floor
    }

    /// The first message of the queue that is not final; `None` when that is not known.
    pub(super) fn first(&self, queue: ConversationId) -> Option<QueueRow> {
        self.queues.get(&queue)?.rows.front().copied()
    }

    /// These are the first messages of the queue that are not final, at least one.
    pub(super) fn keep(&mut self, queue: ConversationId, mut rows: VecDeque<QueueRow>) {
        if self.requeued.contains(&queue) {
            rows.truncate(1);
        }
        rows.truncate(AHEAD);
        let known = self.entry(queue);
        known.floor = rows.front().map(|(number, _)| *number).or(known.floor);
        known.rows = rows;
    }

    /// The message is final.
    pub(super) fn settled(&mut self, queue: ConversationId, number: OutNumber) {
        if let Some(known) = self.queues.get_mut(&queue) {
            known.rows.retain(|(row, _)| *row != number);
            if known.rows.is_empty() {
                known.rows = VecDeque::new();
            }
        }
    }

    /// Messages of the queue are about to be queued again.
    pub(super) fn requeued(&mut self, queue: ConversationId) {
        self.requeued.insert(queue);
        if let Some(known) = self.queues.get_mut(&queue) {
            known.rows = VecDeque::new();
        }
    }

    /// What was queued again can be found now. Not earlier: a look at the queue while the row is on its way would pass
    /// over it for ever.
    pub(super) fn found_again(&mut self, queue: ConversationId) {
        self.requeued.remove(&queue);
        if let Some(known) = self.queues.get_mut(&queue) {
            known.floor = None;
            known.rows = VecDeque::new();
        }
    }

    /// Nothing is stored of this message but its row.
    pub(super) fn untouched(&mut self, queue: ConversationId, number: OutNumber) {
        self.entry(queue).untouched = Some(number);
    }

    pub(super) fn is_untouched(&self, queue: ConversationId, number: OutNumber) -> bool {
        let known = self.queues.get(&queue);
        known.is_some_and(|known| known.untouched == Some(number))
    }

    /// Something is stored of this message now.
    pub(super) fn touched(&mut self, queue: ConversationId, number: OutNumber) {
        if let Some(known) = self.queues.get_mut(&queue)
            && known.untouched == Some(number)
        {
            known.untouched = None;
        }
    }

    fn entry(&mut self, queue: ConversationId) -> &mut QueueMemory {
        if self.queues.len() >= QUEUES_MAX && !self.queues.contains_key(&queue) {
            // Ids of conversations follow no order, so this is any queue.
            self.queues.pop_first();
        }
        self.queues.entry(queue).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> ConversationId {
        ConversationId::from_bytes([7; 16])
    }

    fn rows(numbers: impl IntoIterator<Item = u64>) -> VecDeque<QueueRow> {
        let row = |number| (OutNumber(number), UnixMillis::from_secs(number));
        numbers.into_iter().map(row).collect()
    }

    fn first(known: &QueueCache) -> Option<u64> {
        known.first(queue()).map(|(number, _)| number.0)
    }

    #[test]
    fn a_cached_queue_advances_row_by_row_until_it_is_exhausted() {
        let mut known = QueueCache::default();
        known.keep(queue(), rows([3, 4, 9]));
        assert_eq!(known.floor(queue()), Some(OutNumber(3)));
        // One behind the first was discarded.
        known.settled(queue(), OutNumber(4));
        known.settled(queue(), OutNumber(3));
        assert_eq!(first(&known), Some(9));
        known.settled(queue(), OutNumber(9));
        assert_eq!(first(&known), None);
        assert_eq!(known.floor(queue()), Some(OutNumber(3)));
    }

    #[test]
    fn a_bounded_number_of_rows_is_cached() {
        let mut known = QueueCache::default();
        known.keep(queue(), rows(1..100));
        (1..=16).for_each(|number| known.settled(queue(), OutNumber(number)));
        assert_eq!(first(&known), None);
    }

    #[test]
    fn during_a_requeue_only_the_first_row_is_trusted() {
        let mut known = QueueCache::default();
        known.keep(queue(), rows([5, 6]));
        known.requeued(queue());
        assert_eq!(first(&known), None);
        known.keep(queue(), rows([5, 6]));
        known.settled(queue(), OutNumber(5));
        assert_eq!(first(&known), None);
        known.found_again(queue());
        assert_eq!(known.floor(queue()), None);
        known.keep(queue(), rows([2, 6]));
        known.settled(queue(), OutNumber(2));
        assert_eq!(first(&known), Some(6));
    }

    #[test]
    fn a_message_counts_as_new_until_a_record_of_it_is_stored() {
        let mut known = QueueCache::default();
        known.untouched(queue(), OutNumber(1));
        known.touched(queue(), OutNumber(2));
        assert!(known.is_untouched(queue(), OutNumber(1)));
        known.touched(queue(), OutNumber(1));
        assert!(!known.is_untouched(queue(), OutNumber(1)));
    }

    #[test]
    fn a_bounded_number_of_queues_is_cached() {
        let mut known = QueueCache::default();
        for number in 0..60_000_u128 {
            known.untouched(
                ConversationId::from_bytes(number.to_be_bytes()),
                OutNumber(1),
            );
        }
        assert_eq!(known.queues.len(), QUEUES_MAX);
    }
}
