//! The durable queue as the dispatcher sees it: rows of the table `Queued`, records of queue streams.

mod cache;
mod cancel;
mod page;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::dispatcher::wake_hints::NewRows;
use crate::domain::delivery_queue::{DeliveryChange, QueueEvent, StoredQueue};
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueHead, QueueId};
use crate::domain::dispatch::record::DeliveryRecord;
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{AccountId, ChannelId, ConversationId};
use crate::domain::keys;
use crate::domain::notice::Notice;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use smallvec::SmallVec;
use switchboard_engine::runtime::writer::Writer;
use switchboard_engine::store::Position;
use switchboard_engine::store::committer::Submitted;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::{Kernel, Shared};

use cache::{AHEAD, QueueCache};
pub(super) use cancel::Cancelling;

/// A head with what is stored of it.
pub(super) type StoredHead = (QueueHead, DeliveryRecord);

/// The durable queue.
pub(super) struct QueueStore {
    kernel: Kernel,
    queues: Writer<StoredQueue, Shared>,
    /// The last record that ends a message.
    last_end: Option<Submitted>,
    /// Queues of which such a record could not be written.
    lost_ends: BTreeSet<QueueId>,
    /// The records that could not be stored yet, one message of a queue at most: the queue waits with it.
    unsaved: BTreeMap<(ConversationId, OutNumber), (QueueId, DeliveryRecord)>,
    /// The beginning of the next page of a channel's queue.
    cursors: BTreeMap<(ChannelId, HookVersion), Vec<u8>>,
    /// The facts that need no second look.
    known: QueueCache,
    /// Of messages before this place of the journal, attempts may have been made of which nothing is known any more. Not a
    /// moment: the clock may have gone back since they were queued.
    fresh_from: Position,
}

/// A row of the queue.
struct Row {
    account: AccountId,
    conversation: ConversationId,
    number: OutNumber,
    since: UnixMillis,
}

/// Some rows of a range, in order.
struct RowsPage {
    /// Those that are not final.
    rows: Vec<Row>,
    /// The range behind them.
    behind: KeyRange,
    /// True when there are none behind them.
    is_last: bool,
}

impl Row {
    fn from_stored(channel: &ChannelId, key: &[u8], value: &[u8]) -> Option<Self> {
        let (account, conversation, number) = keys::parse_queue_row(channel, key)?;
        let since = <[u8; 8]>::try_from(value);
        Some(Self {
            account,
            conversation,
            number: OutNumber(number),
            since: since.map_or(UnixMillis::ZERO, |bytes| {
                UnixMillis::new(u64::from_be_bytes(bytes))
            }),
        })
    }
}

impl QueueStore {
    pub(super) fn new(kernel: Kernel) -> Self {
        Self {
            queues: Writer::new(kernel.clone()),
            last_end: None,
            lost_ends: BTreeSet::new(),
            unsaved: BTreeMap::new(),
            cursors: BTreeMap::new(),
            known: QueueCache::default(),
            // Not the end of the journal now: this thread may have begun behind the first messages.
            fresh_from: kernel.opened_at,
            kernel,
        }
    }

    /// The first message of a queue that is not final.
    pub(super) fn head(&mut self, queue: &QueueId) -> Result<Option<StoredHead>, UnavailableError> {
        self.catch_up();
        let conversation = queue.conversation;
        if self.known.first(conversation).is_none() && !self.known.is_empty(conversation) {
            self.look(queue)?;
        }
        let Some((number, since)) = self.known.first(conversation) else {
            return Ok(None);
        };
        if self.is_unsaved_end(conversation, number) {
            // Nothing behind it goes out before it is known that it went out.
            return Ok(None);
        }
        self.stored(queue, number, since).map(Some)
    }

    /// Reads the first rows of a queue that are not final.
    fn look(&mut self, queue: &QueueId) -> Result<(), UnavailableError> {
        let conversation = queue.conversation;
        let mut range = KeyRange::prefix(&keys::queue_prefix(&queue.scope, conversation));
        if let Some(floor) = self.known.floor(conversation) {
            let row = keys::queue_row(&queue.scope, conversation, floor.0.saturating_sub(1));
            range = range.behind(row, ScanOrder::Ascending);
        }
        while let Some(page) = self.rows(queue.scope.channel(), range, AHEAD)? {
            if !page.rows.is_empty() {
                self.keep(conversation, &page.rows, page.is_last);
                break;
            }
            range = page.behind;
        }
        Ok(())
    }

    /// Messages were added to the end of a queue.
    pub(super) fn heard(&mut self, conversation: ConversationId, new: &NewRows) {
        self.catch_up();
        self.known.heard(conversation, &new.rows, new.more);
    }

    /// All messages that are on disk now were heard of.
    pub(super) fn all_heard(&mut self) {
        self.known.all_heard();
    }

    /// Messages may have been added of which nothing was heard.
    pub(super) fn forget_ends(&mut self) {
        self.known.forget_ends();
    }

    /// The next rows of a range that are not final; `None` when the range has no rows at all.
    fn rows(
        &self,
        channel: &ChannelId,
        range: KeyRange,
        limit: usize,
    ) -> Result<Option<RowsPage>, UnavailableError> {
        let index = &self.kernel.index;
        let stored_rows = index.scan(tables::QUEUED, &range, ScanOrder::Ascending, limit)?;
        let rows = stored_rows
            .iter()
            .filter_map(|(key, value)| Row::from_stored(channel, key, value))
            .filter(|row| !self.is_leaving(row.conversation, row.number))
            .collect();
        let last = stored_rows.last().map(|(key, _)| key.clone());
        Ok(last.map(|last| RowsPage {
            rows,
            behind: range.behind(last, ScanOrder::Ascending),
            is_last: stored_rows.len() < limit,
        }))
    }

    /// Returns whether a record is on its way that takes the message out of the queue: its row may still be there.
    fn is_leaving(&self, conversation: ConversationId, number: OutNumber) -> bool {
        self.queues
            .unindexed(keys::dispatch(conversation, number.0))
            .any(|event| matches!(event, QueueEvent::Settled(_)))
    }

    /// Remembers the queue's first rows that are not final, at least one. `complete`: there are no others.
    fn keep(&mut self, conversation: ConversationId, rows: &[Row], complete: bool) {
        let rows = rows.iter().map(|row| (row.number, row.since));
        self.known.keep(conversation, rows.collect(), complete);
    }

    /// Stores a change. No task waits for it: after a crash, the dispatcher repeats the attempts that were lost. What
    /// cannot be stored now is kept until [`Self::save_again`].
    pub(super) fn write(&mut self, queue: &QueueId, number: OutNumber, record: DeliveryRecord) {
        let name = (queue.conversation, number);
        let change = DeliveryChange {
            scope: queue.scope.clone(),
            number,
            record: record.clone(),
        };
        match self.submit(vec![(queue.conversation, change.into())], Vec::new()) {
            Ok(_) => {
                self.unsaved.remove(&name);
            }
            Err(error) => {
                tracing::warn!(%error, conversation = %queue.conversation, number = number.0, "the outcome of a callback cannot be stored yet");
                self.unsaved.insert(name, (queue.clone(), record));
            }
        }
    }

    /// The newest change of a message that readers may not find yet.
    pub(super) fn on_its_way(
        &self,
        conversation: ConversationId,
        number: OutNumber,
    ) -> Option<Submitted> {
        let key = keys::dispatch(conversation, number.0);
        self.queues.on_its_way(key)
    }

    /// Returns whether something could not be stored yet.
    pub(super) fn has_unsaved(&self) -> bool {
        !self.unsaved.is_empty()
    }

    /// Stores what could not be stored before; gives the queues that may go on.
    pub(super) fn save_again(&mut self) -> Vec<QueueId> {
        let mut saved = Vec::new();
        while let Some(((conversation, number), (queue, record))) = self.unsaved.pop_first() {
            let change = DeliveryChange {
                scope: queue.scope.clone(),
                number,
                record: record.clone(),
            };
            if self
                .submit(vec![(conversation, change.into())], Vec::new())
                .is_err()
            {
                self.unsaved.insert((conversation, number), (queue, record));
                break;
            }
            saved.push(queue);
        }
        saved
    }

    fn is_unsaved_end(&self, conversation: ConversationId, number: OutNumber) -> bool {
        let unsaved = self.unsaved.get(&(conversation, number));
        unsaved.is_some_and(|(_, record)| record.state.is_final())
    }

    /// Queues messages again whose records say so.
    pub(super) fn requeue(
        &mut self,
        messages: Vec<(QueueId, OutNumber, DeliveryRecord)>,
        at: UnixMillis,
    ) -> Result<Submitted, UnavailableError> {
        let mut events = Vec::with_capacity(messages.len());
        let mut notices = Vec::with_capacity(messages.len());
        for (queue, number, record) in messages {
            self.known.requeued(queue.conversation);
            notices.push(Notice::Replayed(queue.clone()));
            let change = Box::new(DeliveryChange {
                scope: queue.scope,
                number,
                record,
            });
            events.push((queue.conversation, QueueEvent::Replayed { change, at }));
        }
        self.submit(events, notices)
    }

    /// Stores that a message no longer waits for its next attempt. Its queue is checked again once that is on disk.
    pub(super) fn end_wait(
        &mut self,
        queue: QueueId,
        number: OutNumber,
        record: DeliveryRecord,
    ) -> Result<Submitted, UnavailableError> {
        let conversation = queue.conversation;
        let change = DeliveryChange {
            scope: queue.scope.clone(),
            number,
            record,
        };
        let event = QueueEvent::Changed(Box::new(change));
        self.submit(vec![(conversation, event)], vec![Notice::Replayed(queue)])
    }

    /// The record of a message, stored or on its way.
    pub(super) fn record(
        &mut self,
        conversation: ConversationId,
        number: OutNumber,
    ) -> Result<DeliveryRecord, UnavailableError> {
        self.catch_up();
        self.find(conversation, number)
    }

    fn find(
        &mut self,
        conversation: ConversationId,
        number: OutNumber,
    ) -> Result<DeliveryRecord, UnavailableError> {
        if let Some((_, record)) = self.unsaved.get(&(conversation, number)) {
            return Ok(record.clone());
        }
        if self.known.is_untouched(conversation, number) {
            return Ok(DeliveryRecord::default());
        }
        let entry = self.queues.find(keys::dispatch(conversation, number.0))?;
        if entry.is_none() {
            self.known.untouched(conversation, number);
        }
        Ok(entry.map_or_else(DeliveryRecord::default, |event| event.into_change().record))
    }

    fn stored(
        &mut self,
        queue: &QueueId,
        number: OutNumber,
        since: UnixMillis,
    ) -> Result<StoredHead, UnavailableError> {
        let record = self.find(queue.conversation, number)?;
        let head = QueueHead {
            number,
            since,
            tally: record.tally,
            replay: record.replays > 0,
            // A message that was attempted before is not taken for new anyway, and one that was just heard of is new.
            inherited: record.tally.made == 0
                && !self.known.is_new(queue.conversation, number)
                && self.is_inherited(queue.conversation, number)?,
        };
        Ok((head, record))
    }

    /// Returns whether the message is from before what is known for certain began.
    fn is_inherited(
        &self,
        conversation: ConversationId,
        number: OutNumber,
    ) -> Result<bool, UnavailableError> {
        let key = keys::outgoing(conversation, number.0);
        let position = self.kernel.index.find(key)?;
        // Of a message that is not found, nothing is known for certain.
        Ok(position.is_none_or(|position| position < self.fresh_from))
    }

    /// A message of the queue is queued again, and its row can be found now.
    pub(super) fn found_again(&mut self, conversation: ConversationId) {
        self.known.found_again(conversation);
    }

    /// Stores these changes as one group.
    fn submit(
        &mut self,
        events: Vec<(ConversationId, QueueEvent)>,
        notices: Vec<Notice>,
    ) -> Result<Submitted, UnavailableError> {
        self.catch_up();
        let mut settled = SmallVec::<[_; 1]>::new();
        for (conversation, event) in &events {
            let number = event.change().number;
            self.known.touched(*conversation, number);
            if matches!(event, QueueEvent::Settled(_)) {
                settled.push((*conversation, number));
            }
        }
        let submitted = self.queues.submit(events, notices)?;
        if !settled.is_empty() {
            self.last_end = Some(submitted);
        }
        for (conversation, number) in settled {
            self.known.settled(conversation, number);
        }
        Ok(submitted)
    }

    /// The last record that ends messages, unless it is on disk.
    pub(super) fn last_end_on_its_way(&self) -> Option<Submitted> {
        let is_stored = |end: &Submitted| self.kernel.journal.decided(*end) == Some(Ok(()));
        self.last_end.filter(|end| !is_stored(end))
    }

    /// The queues in which the end of a message was lost since the last time.
    pub(super) fn take_lost_ends(&mut self) -> BTreeSet<QueueId> {
        self.catch_up();
        std::mem::take(&mut self.lost_ends)
    }

    /// Takes in what became of what was on its way. What a failed write took out of the queue is in the queue again, and no
    /// attempt of those days is known for certain.
    fn catch_up(&mut self) {
        let Some(gap) = self.queues.catch_up() else {
            return;
        };
        for (conversation, event) in gap {
            if let QueueEvent::Settled(change) = event {
                self.lost_ends.insert(QueueId {
                    scope: change.scope,
                    conversation,
                });
            }
        }
        self.last_end = None;
        self.known.forget();
        self.fresh_from = self.kernel.frontier.get();
    }
}
