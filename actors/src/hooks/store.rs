//! The durable queues of hooks: rows of the table `HooksQueued`, and records of deliveries.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::dispatch::delivery_queue::{OutNumber, QueueHead};
use crate::domain::dispatch::record::{CancelReason, DeliveryRecord, DeliveryState, LoggedChange};
use crate::domain::hooks::hook::{HookNumber, WebhookId};
use crate::domain::hooks::queue::{HookDeliveries, HookDelivery, HookDeliveryEvent};
use crate::domain::hooks::routing::HookQueueId;
use crate::domain::keys;
use crate::domain::notice::Notice;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use switchboard_engine::runtime::writer::Writer;
use switchboard_engine::store::Seq;
use switchboard_engine::store::committer::Submitted;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::{Kernel, Shared};

/// The number of rows that are read at a time.
const ROWS: usize = 64;
/// The maximum number of queues that are examined in one step.
const QUEUES: usize = 512;
/// The number of hooks that are cancelled at a time.
const CANCELLED: usize = 256;

/// A row of a queue.
type Row = (HookQueueId, HookNumber, UnixMillis);

/// The durable queues.
pub(super) struct HookStore {
    kernel: Kernel,
    deliveries: Writer<HookDeliveries, Shared>,
    /// Changes that could not be stored yet. Each has the whole record, so the newest is enough.
    unsaved: BTreeMap<(WebhookId, HookNumber), HookDelivery>,
    /// The last outcome that was handed to the journal: a write that fails is noticed by a look at it, even when nothing else
    /// happens any more.
    undecided: Option<Submitted>,
    /// The beginning of the next page of a webhook.
    cursors: BTreeMap<WebhookId, Vec<u8>>,
    /// Of hooks about records up to this one, attempts may have been made of which nothing is known any more.
    inherited_upto: Seq,
}

/// A page of a webhook's queues.
pub(super) struct HookPage {
    pub(super) queues: Vec<(HookQueueId, QueueHead)>,
    /// True when it was the last: the page after it is the first again.
    pub(super) is_complete: bool,
}

impl HookStore {
    pub(super) fn new(kernel: Kernel) -> Self {
        Self {
            deliveries: Writer::new(kernel.clone()),
            unsaved: BTreeMap::new(),
            undecided: None,
            cursors: BTreeMap::new(),
            inherited_upto: kernel.shared.feed.last(),
            kernel,
        }
    }

    /// The first hook of a queue that is not final.
    pub(super) fn head(
        &mut self,
        queue: HookQueueId,
    ) -> Result<Option<QueueHead>, UnavailableError> {
        self.catch_up();
        let mut range = KeyRange::prefix(&keys::hooks::queue_prefix(queue));
        loop {
            let (rows, behind) = self.rows(queue.webhook, &range)?;
            if let Some((_, number, since)) = rows.into_iter().find(|row| !self.is_leaving(row)) {
                return self.head_of(queue, number, since).map(Some);
            }
            match behind {
                Some(next) => range = next,
                None => return Ok(None),
            }
        }
    }

    /// The next queues of a webhook, at most `room`. The reading goes round: the page after the last is the first.
    pub(super) fn page(
        &mut self,
        webhook: WebhookId,
        room: usize,
    ) -> Result<HookPage, UnavailableError> {
        self.catch_up();
        let mut range = KeyRange::prefix(&keys::hooks::webhook_prefix(webhook));
        if let Some(behind) = self.cursors.remove(&webhook) {
            range = range.behind(behind, ScanOrder::Ascending);
        }
        let mut queues = Vec::new();
        let mut examined = 0;
        loop {
            let (rows, _) = self.rows(webhook, &range)?;
            let Some((queue, ..)) = rows.first() else {
                return Ok(HookPage {
                    queues,
                    is_complete: true,
                });
            };
            let queue = *queue;
            queues.extend(self.head(queue)?.map(|head| (queue, head)));
            let behind = keys::hooks::queue_row(queue, HookNumber(u64::MAX));
            range = range.behind(behind.clone(), ScanOrder::Ascending);
            examined += 1;
            if queues.len() >= room || examined >= QUEUES {
                self.cursors.insert(webhook, behind);
                return Ok(HookPage {
                    queues,
                    is_complete: false,
                });
            }
        }
    }

    /// The number of hooks that wait for a webhook, counted up to `max`.
    pub(super) fn count(&self, webhook: WebhookId, max: usize) -> Result<usize, UnavailableError> {
        let range = KeyRange::prefix(&keys::hooks::webhook_prefix(webhook));
        let index = &self.kernel.index;
        let rows = index.scan(tables::HOOKS_QUEUED, &range, ScanOrder::Ascending, max)?;
        Ok(rows.len())
    }

    /// The webhooks of which hooks are queued, each once.
    pub(super) fn webhooks(&self) -> Result<Vec<WebhookId>, UnavailableError> {
        let mut webhooks = Vec::new();
        let mut range = KeyRange::prefix(&[]);
        loop {
            let index = &self.kernel.index;
            let rows = index.scan(tables::HOOKS_QUEUED, &range, ScanOrder::Ascending, 1)?;
            let Some((key, _)) = rows.first() else {
                return Ok(webhooks);
            };
            let Some(webhook) = keys::hooks::parse_webhook(key) else {
                return Ok(webhooks);
            };
            webhooks.push(webhook);
            range = range.behind(keys::hooks::last_row(webhook), ScanOrder::Ascending);
        }
    }

    /// The record of a delivery, stored or on its way.
    pub(super) fn record(
        &mut self,
        queue: HookQueueId,
        number: HookNumber,
    ) -> Result<DeliveryRecord, UnavailableError> {
        if let Some(delivery) = self.unsaved.get(&(queue.webhook, number)) {
            return Ok(delivery.record.clone());
        }
        let key = keys::hooks::delivery(queue.webhook, number);
        let event = self.deliveries.find(key)?;
        Ok(event.map_or_else(DeliveryRecord::default, |event| {
            event.delivery().record.clone()
        }))
    }

    /// Stores a change. Nothing waits for it: what a crash loses is an attempt, which is repeated. What cannot be
    /// stored now is kept until [`Self::save_again`].
    pub(super) fn write(&mut self, delivery: HookDelivery) {
        let name = (delivery.queue.webhook, delivery.number);
        match self.submit(delivery.clone(), Vec::new()) {
            Ok(submitted) => {
                self.unsaved.remove(&name);
                self.undecided = Some(submitted);
            }
            Err(error) => {
                tracing::warn!(%error, hook = delivery.number.0, "the outcome of a hook cannot be stored yet");
                self.unsaved.insert(name, delivery);
            }
        }
    }

    /// Returns whether something could not be stored yet, or may still be lost.
    pub(super) fn has_unsaved(&self) -> bool {
        self.undecided.is_some() || !self.unsaved.is_empty()
    }

    /// Stores what could not be stored before; returns the queues that may go on.
    pub(super) fn save_again(&mut self) -> Vec<HookQueueId> {
        // In this order: what is lost from here on is found at the next time.
        let journal = &self.kernel.journal;
        self.undecided = self
            .undecided
            .filter(|submitted| journal.decided(*submitted).is_none());
        self.catch_up();
        let mut queues = Vec::new();
        while let Some((name, delivery)) = self.unsaved.pop_first() {
            let queue = delivery.queue;
            match self.submit(delivery.clone(), Vec::new()) {
                Ok(submitted) => self.undecided = Some(submitted),
                Err(_not_yet) => {
                    self.unsaved.insert(name, delivery);
                    break;
                }
            }
            queues.push(queue);
        }
        queues
    }

    /// Queues a hook again that was final, with a fresh budget.
    pub(super) fn requeue(
        &mut self,
        delivery: HookDelivery,
        at: UnixMillis,
    ) -> Result<Submitted, UnavailableError> {
        self.catch_up();
        let notice = Notice::HookReplayed(delivery.queue);
        let account = delivery.queue.webhook.account;
        let delivery = Box::new(delivery);
        let event = HookDeliveryEvent::Replayed { delivery, at };
        self.deliveries.submit(vec![(account, event)], vec![notice])
    }

    /// Stores that a hook no longer waits for its next attempt.
    pub(super) fn end_wait(
        &mut self,
        delivery: HookDelivery,
    ) -> Result<Submitted, UnavailableError> {
        let notice = Notice::HookReplayed(delivery.queue);
        self.submit(delivery, vec![notice])
    }

    /// Cancels some of the hooks of a webhook but those in flight; true when none is left.
    pub(super) fn cancel_some(
        &mut self,
        webhook: WebhookId,
        except: &BTreeSet<(HookQueueId, HookNumber)>,
    ) -> Result<bool, UnavailableError> {
        self.catch_up();
        let mut range = KeyRange::prefix(&keys::hooks::webhook_prefix(webhook));
        let mut count = 0;
        let at = self.kernel.clock.now();
        loop {
            let (rows, behind) = self.rows(webhook, &range)?;
            for row in rows {
                let (queue, number, _) = row;
                if self.is_leaving(&row) || except.contains(&(queue, number)) {
                    continue;
                }
                let mut record = self.record(queue, number)?;
                record.apply(&LoggedChange {
                    attempt: None,
                    tally: None,
                    state: DeliveryState::Cancelled {
                        at,
                        why: CancelReason::Disconnected,
                    },
                });
                let delivery = HookDelivery {
                    queue,
                    number,
                    record,
                };
                self.submit(delivery, Vec::new())?;
                count += 1;
            }
            match behind {
                Some(next) if count < CANCELLED => range = next,
                Some(_) => return Ok(false),
                None => return Ok(true),
            }
        }
    }

    /// Some rows of a range of this webhook, and the range behind them; none behind the last ones.
    fn rows(
        &self,
        webhook: WebhookId,
        range: &KeyRange,
    ) -> Result<(Vec<Row>, Option<KeyRange>), UnavailableError> {
        let index = &self.kernel.index;
        let rows = index.scan(tables::HOOKS_QUEUED, range, ScanOrder::Ascending, ROWS)?;
        let is_last = rows.len() < ROWS;
        let last = rows.last().map(|(key, _)| key.clone());
        let entries = rows.iter().filter_map(|(key, value)| {
            let (object, number) = keys::hooks::parse_queue_row(webhook, key)?;
            let bytes = <[u8; 8]>::try_from(value.as_ref());
            let since = bytes.map_or(UnixMillis::ZERO, |bytes| {
                UnixMillis::new(u64::from_be_bytes(bytes))
            });
            Some((HookQueueId { webhook, object }, number, since))
        });
        let rows = entries.collect();
        let behind = last
            .filter(|_| !is_last)
            .map(|last| range.clone().behind(last, ScanOrder::Ascending));
        Ok((rows, behind))
    }

    /// Returns whether the hook is final already, though its row may still be there.
    fn is_leaving(&self, row: &Row) -> bool {
        let (queue, number, _) = *row;
        let unsaved = self.unsaved.get(&(queue.webhook, number));
        if unsaved.is_some_and(|delivery| delivery.record.state.is_final()) {
            return true;
        }
        let key = keys::hooks::delivery(queue.webhook, number);
        let newest = self.deliveries.unindexed(key).next();
        matches!(newest, Some(HookDeliveryEvent::Settled(_)))
    }

    fn head_of(
        &mut self,
        queue: HookQueueId,
        number: HookNumber,
        since: UnixMillis,
    ) -> Result<QueueHead, UnavailableError> {
        let record = self.record(queue, number)?;
        Ok(QueueHead {
            number: OutNumber(number.0),
            since,
            tally: record.tally,
            replay: record.replays > 0,
            inherited: record.tally.made == 0 && number.record() <= self.inherited_upto,
        })
    }

    fn submit(
        &mut self,
        delivery: HookDelivery,
        notices: Vec<Notice>,
    ) -> Result<Submitted, UnavailableError> {
        self.catch_up();
        let account = delivery.queue.webhook.account;
        self.deliveries
            .submit(vec![(account, delivery.into())], notices)
    }

    /// Takes in what became of what was on its way. What a failed write lost is known here, and is written again.
    fn catch_up(&mut self) {
        for (_, event) in self.deliveries.catch_up().into_iter().flatten() {
            // The operator who asked for another delivery gets the failure.
            if matches!(event, HookDeliveryEvent::Replayed { .. }) {
                continue;
            }
            let delivery = event.delivery().clone();
            let name = (delivery.queue.webhook, delivery.number);
            self.unsaved.entry(name).or_insert(delivery);
        }
    }
}
