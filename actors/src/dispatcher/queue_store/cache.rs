//! The memory of queues between two looks at the stored queue, so that most steps of a queue need none. All of it
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

/// The memory of queues.
#[derive(Debug, Default)]
pub(super) struct QueueCache {
    queues: BTreeMap<ConversationId, QueueMemory>,
    /// Queues in which something is about to be queued again: which rows follow which is not certain.
    requeued: BTreeSet<ConversationId>,
    /// True when a queue was forgotten of which something may still be heard that was handled before.
    forgotten: bool,
}

#[derive(Debug, Default)]
struct QueueMemory {
    /// Before which number nothing is queued: what left it lately is not looked through again.
    floor: Option<OutNumber>,
    /// The first rows of the queue that are not final, in their order. Others may be behind them, none between them.
    rows: VecDeque<QueueRow>,
    /// Up to which number the rows are all that is queued; `None`: others may be behind them.
    complete_upto: Option<OutNumber>,
    /// The highest number of which something was stored. It may be heard of later, and must not look new then.
    handled: Option<OutNumber>,
    /// From which number on the rows were heard of when they were added: of those messages, nothing but their rows is
    /// stored.
    new_from: Option<OutNumber>,
    /// A message of which nothing is stored but its row.
    untouched: Option<OutNumber>,
}

impl QueueCache {
    /// Nothing is remembered any more.
    pub(super) fn forget(&mut self) {
        *self = Self {
            forgotten: true,
            ..Self::default()
        };
    }

    /// All messages that are on disk now were heard of.
    pub(super) fn all_heard(&mut self) {
        self.forgotten = false;
    }

    /// Before which number nothing of the queue is queued.
    pub(super) fn floor(&self, queue: ConversationId) -> Option<OutNumber> {
        self.queues.get(&queue)?.floor
    }

    /// The first message of the queue that is not final; `None` when that is not known.
    pub(super) fn first(&self, queue: ConversationId) -> Option<QueueRow> {
        self.queues.get(&queue)?.rows.front().copied()
    }

    /// Returns whether it is known that nothing is queued. A message that is heard of later changes that.
    pub(super) fn is_empty(&self, queue: ConversationId) -> bool {
        let cached = self.queues.get(&queue);
        cached.is_some_and(|cached| cached.rows.is_empty() && cached.complete_upto.is_some())
    }

    /// These are the first messages of the queue that are not final, at least one. `complete`: there are no others.
    pub(super) fn keep(
        &mut self,
        queue: ConversationId,
        mut rows: VecDeque<QueueRow>,
        mut complete: bool,
    ) {
        let most = if self.requeued.contains(&queue) {
            complete = false;
            1
        } else {
            AHEAD
        };
        complete &= rows.len() <= most && !self.forgotten;
        rows.truncate(most);
        let entry = self.entry(queue);
        entry.floor = rows.front().map(|(number, _)| *number).or(entry.floor);
        let last = rows.back().map(|(number, _)| *number);
        // What was handled was added before: what is queued up to there was found too.
        entry.complete_upto = last.max(entry.handled).filter(|_| complete);
        entry.new_from = None;
        entry.rows = rows;
    }

    /// These messages were added to the end of the queue. They are remembered if all others are known. `more`: there
    /// are others behind them.
    pub(super) fn heard(&mut self, queue: ConversationId, rows: &[QueueRow], more: bool) {
        if let Some(memory) = self.queues.get_mut(&queue) {
            for row in rows {
                memory.heard(*row);
            }
            memory.complete_upto = memory.complete_upto.filter(|_| !more);
        }
    }

    /// Messages may have been added of which nothing was heard.
    pub(super) fn forget_ends(&mut self) {
        for memory in self.queues.values_mut() {
            memory.complete_upto = None;
        }
    }

    /// Returns whether the message was heard of when it was added, and nothing was stored of it since.
    pub(super) fn is_new(&self, queue: ConversationId, number: OutNumber) -> bool {
        let cached = self.queues.get(&queue);
        cached.is_some_and(|cached| cached.new_from.is_some_and(|from| from <= number))
    }

    /// The message is final.
    pub(super) fn settled(&mut self, queue: ConversationId, number: OutNumber) {
        if let Some(memory) = self.queues.get_mut(&queue) {
            match memory.rows.front() {
                Some((first, _)) if *first == number => drop(memory.rows.pop_front()),
                Some(_) => memory.rows.retain(|(row, _)| *row != number),
                None => {}
            }
        }
    }

    /// Messages of the queue are about to be queued again.
    pub(super) fn requeued(&mut self, queue: ConversationId) {
        self.requeued.insert(queue);
        if let Some(memory) = self.queues.get_mut(&queue) {
            memory.forget_rows();
        }
    }

    /// Forgets that nothing is queued, since a replay can be found now. Not earlier: a look at the queue while the row is on
    /// its way would pass over it for ever.
    pub(super) fn found_again(&mut self, queue: ConversationId) {
        self.requeued.remove(&queue);
        if let Some(memory) = self.queues.get_mut(&queue) {
            memory.floor = None;
            memory.forget_rows();
        }
    }

    /// Nothing is stored of this message but its row.
    pub(super) fn untouched(&mut self, queue: ConversationId, number: OutNumber) {
        self.entry(queue).untouched = Some(number);
    }

    pub(super) fn is_untouched(&self, queue: ConversationId, number: OutNumber) -> bool {
        let cached = self.queues.get(&queue);
        cached.is_some_and(|cached| cached.untouched == Some(number)) || self.is_new(queue, number)
    }

    /// Something is stored of this message now.
    pub(super) fn touched(&mut self, queue: ConversationId, number: OutNumber) {
        let entry = self.entry(queue);
        if entry.untouched == Some(number) {
            entry.untouched = None;
        }
        entry.handled = entry.handled.max(Some(number));
        // Nothing was heard of it yet, so there may be others like it.
        if entry.complete_upto.is_some_and(|upto| upto < number) {
            entry.complete_upto = None;
        }
        if entry.new_from.is_some_and(|from| from <= number) {
            entry.new_from = Some(OutNumber(number.0.saturating_add(1)));
        }
    }

    fn entry(&mut self, queue: ConversationId) -> &mut QueueMemory {
        if self.queues.len() >= QUEUES_MAX && !self.queues.contains_key(&queue) {
            // Ids of conversations follow no order, so this is any queue.
            self.queues.pop_first();
            self.forgotten = true;
        }
        self.queues.entry(queue).or_default()
    }
}

impl QueueMemory {
    /// The message with this number stands at the end of the queue.
    fn heard(&mut self, row: QueueRow) {
        let Some(upto) = self.complete_upto.filter(|upto| *upto < row.0) else {
            return;
        };
        if row.0.0 == upto.0.saturating_add(1) && self.rows.len() < AHEAD {
            self.rows.push_back(row);
            self.complete_upto = Some(row.0);
            self.new_from.get_or_insert(row.0);
        } else {
            self.complete_upto = None;
        }
    }

    fn forget_rows(&mut self) {
        self.rows = VecDeque::new();
        self.complete_upto = None;
        self.new_from = None;
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
        let mut cache = QueueCache::default();
        cache.keep(queue(), rows([3, 4, 9]), false);
        assert_eq!(cache.floor(queue()), Some(OutNumber(3)));
        // One behind the first was discarded.
        cache.settled(queue(), OutNumber(4));
        cache.settled(queue(), OutNumber(3));
        assert_eq!(first(&cache), Some(9));
        cache.settled(queue(), OutNumber(9));
        assert_eq!(first(&cache), None);
        assert_eq!(cache.floor(queue()), Some(OutNumber(3)));
    }

    #[test]
    fn a_bounded_number_of_rows_is_cached() {
        let mut cache = QueueCache::default();
        cache.keep(queue(), rows(1..100), true);
        (1..=16).for_each(|number| cache.settled(queue(), OutNumber(number)));
        assert_eq!(first(&cache), None);
    }

    #[test]
    fn during_a_requeue_only_the_first_row_is_trusted() {
        let mut cache = QueueCache::default();
        cache.keep(queue(), rows([5, 6]), true);
        cache.requeued(queue());
        assert_eq!(first(&cache), None);
        cache.keep(queue(), rows([5, 6]), true);
        cache.settled(queue(), OutNumber(5));
        assert_eq!(first(&cache), None);
        cache.found_again(queue());
        assert_eq!(cache.floor(queue()), None);
        cache.keep(queue(), rows([2, 6]), false);
        cache.settled(queue(), OutNumber(2));
        assert_eq!(first(&cache), Some(6));
    }

    #[test]
    fn a_message_counts_as_new_until_a_record_of_it_is_stored() {
        let mut cache = QueueCache::default();
        cache.untouched(queue(), OutNumber(1));
        cache.touched(queue(), OutNumber(2));
        assert!(cache.is_untouched(queue(), OutNumber(1)));
        cache.touched(queue(), OutNumber(1));
        assert!(!cache.is_untouched(queue(), OutNumber(1)));
    }

    #[test]
    fn an_announced_message_is_appended_to_a_complete_queue() {
        let mut cache = QueueCache::default();
        let row = |number| (OutNumber(number), UnixMillis::from_secs(number));
        cache.heard(queue(), &[row(1)], false);
        assert_eq!(first(&cache), None);
        cache.keep(queue(), rows([1]), true);
        cache.heard(queue(), &[row(1), row(2)], false);
        assert!(!cache.is_new(queue(), OutNumber(1)) && cache.is_new(queue(), OutNumber(2)));
        for number in [1, 2] {
            assert_eq!(first(&cache), Some(number));
            cache.touched(queue(), OutNumber(number));
            cache.settled(queue(), OutNumber(number));
        }
        assert!(cache.is_empty(queue()));
        cache.heard(queue(), &[row(3)], true);
        cache.touched(queue(), OutNumber(3));
        cache.settled(queue(), OutNumber(3));
        assert!(!cache.is_empty(queue()), "there are others behind it");
        cache.keep(queue(), rows([5]), true);
        cache.touched(queue(), OutNumber(5));
        cache.settled(queue(), OutNumber(5));
        assert!(cache.is_empty(queue()));
        // One between them was not heard of.
        cache.heard(queue(), &[row(7)], false);
        assert!(first(&cache).is_none() && !cache.is_empty(queue()));
    }

    #[test]
    fn a_message_handled_before_its_notice_is_not_queued_again() {
        let mut cache = QueueCache::default();
        let row = |number| (OutNumber(number), UnixMillis::from_secs(number));
        cache.keep(queue(), rows([1]), true);
        cache.touched(queue(), OutNumber(2));
        cache.settled(queue(), OutNumber(2));
        cache.keep(queue(), rows([1]), true);
        cache.heard(queue(), &[row(2)], false);
        cache.settled(queue(), OutNumber(1));
        assert_eq!(first(&cache), None);
        // That is not remembered after a failed write, until all that is on disk was heard of.
        cache.forget();
        cache.keep(queue(), rows([1]), true);
        cache.heard(queue(), &[row(2)], false);
        cache.settled(queue(), OutNumber(1));
        assert!(first(&cache).is_none() && !cache.is_empty(queue()));
        cache.all_heard();
        cache.keep(queue(), rows([3]), true);
        cache.heard(queue(), &[row(4)], false);
        cache.settled(queue(), OutNumber(3));
        assert_eq!(first(&cache), Some(4));
    }

    #[test]
    fn a_bounded_number_of_queues_is_cached() {
        let mut cache = QueueCache::default();
        for number in 0..60_000_u128 {
            cache.untouched(
                ConversationId::from_bytes(number.to_be_bytes()),
                OutNumber(1),
            );
        }
        assert_eq!(cache.queues.len(), QUEUES_MAX);
    }
}
