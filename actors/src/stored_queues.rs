//! The durable queues of deliveries that the dispatch machine carries: rows of a table, and records of deliveries.
//!
//! What is queued, under which names and in which table, is the matter of a [`QueueRows`].

mod names;
mod reads;
mod rows;

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::dispatch::delivery_queue::{OutNumber, QueueHead};
use crate::domain::dispatch::event::Event;
use crate::domain::dispatch::record::{CancelReason, DeliveryRecord, DeliveryState, LoggedChange};
use crate::domain::notice::Notice;
use crate::domain::time::UnixMillis;
use switchboard_engine::runtime::writer::Writer;
use switchboard_engine::store::Seq;
use switchboard_engine::store::committer::Submitted;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::{Kernel, Shared};

pub(crate) use names::{NamedQueues, QueueNames};
pub(crate) use reads::{count, readable};
pub(crate) use rows::{Change, Delivery, QueueRows};

/// The number of rows that are read at a time.
const ROWS: usize = 64;
/// The maximum number of queues that are examined in one step.
const QUEUES: usize = 512;
/// The number of deliveries that are cancelled at a time.
const CANCELLED: usize = 256;

/// A row of a queue.
struct Row<K: QueueRows> {
    queue: K::Queue,
    number: OutNumber,
    since: UnixMillis,
}

/// The durable queues.
pub(crate) struct StoredQueues<K: QueueRows> {
    kernel: Kernel,
    deliveries: Writer<K::Deliveries, Shared>,
    /// Changes that could not be stored yet. Each has the whole record, so the newest is enough.
    unsaved: BTreeMap<(K::Queue, OutNumber), Delivery<K>>,
    /// The last outcome that was handed to the journal: a write that fails is noticed by a look at it, even when nothing else
    /// happens any more.
    undecided: Option<Submitted>,
    /// The beginning of the next page of a destination.
    cursors: BTreeMap<K::Endpoint, Vec<u8>>,
    /// Of deliveries from before the end of this record, attempts may have been made of which nothing is known any more.
    inherited_upto: Seq,
}

/// A page of the queues of a destination.
struct QueuePage<K: QueueRows> {
    queues: Vec<(K::Queue, QueueHead)>,
    /// True when it was the last: the page after it is the first again.
    is_complete: bool,
}

impl<K: QueueRows> StoredQueues<K> {
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self {
            deliveries: Writer::new(kernel.clone()),
            unsaved: BTreeMap::new(),
            undecided: None,
            cursors: BTreeMap::new(),
            inherited_upto: kernel.shared.feed.last(),
            kernel,
        }
    }

    /// The first delivery of a queue that is not final; none either when it cannot be read now.
    pub(crate) fn head(&mut self, queue: K::Queue) -> Option<QueueHead> {
        readable::<K, _>(self.first(queue)).flatten()
    }

    /// The event that has the machine look at a queue, if something waits in it. In a queue of replays a delivery that was final is
    /// queued again.
    pub(crate) fn look(&mut self, queue: K::Queue, is_replay: bool) -> Option<Event<K::Names>> {
        let endpoint = K::endpoint(queue);
        let head = self.head(queue)?;
        Some(if is_replay {
            Event::QueueReplayed {
                queue,
                endpoint,
                head,
            }
        } else {
            Event::MessageQueued {
                queue,
                endpoint,
                head,
            }
        })
    }

    /// The events that bring the next queues of a destination into the machine, at most `room`.
    pub(crate) fn page_in(&mut self, endpoint: K::Endpoint, room: usize) -> Vec<Event<K::Names>> {
        let page = readable::<K, _>(self.page(endpoint, room));
        let (queues, complete) =
            page.map_or((Vec::new(), true), |page| (page.queues, page.is_complete));
        let heads = queues.into_iter();
        let mut events: Vec<_> = heads
            .map(|(queue, head)| Event::MessageQueued {
                queue,
                endpoint,
                head,
            })
            .collect();
        events.push(Event::Paged { endpoint, complete });
        events
    }

    fn first(&mut self, queue: K::Queue) -> Result<Option<QueueHead>, UnavailableError> {
        self.catch_up();
        let mut range = KeyRange::prefix(&K::queue_prefix(queue));
        loop {
            let (rows, behind) = self.rows(K::endpoint(queue), &range)?;
            if let Some(row) = rows.into_iter().find(|row| !self.is_leaving(row)) {
                return self.head_of(&row).map(Some);
            }
            match behind {
                Some(next) => range = next,
                None => return Ok(None),
            }
        }
    }

    /// The next queues of a destination, at most `room`. The reading goes round: the page after the last is the first.
    fn page(
        &mut self,
        endpoint: K::Endpoint,
        room: usize,
    ) -> Result<QueuePage<K>, UnavailableError> {
        self.catch_up();
        let mut range = KeyRange::prefix(&K::endpoint_prefix(endpoint));
        if let Some(behind) = self.cursors.remove(&endpoint) {
            range = range.behind(behind, ScanOrder::Ascending);
        }
        let mut queues = Vec::new();
        let mut examined = 0;
        loop {
            let (rows, _) = self.rows(endpoint, &range)?;
            let Some(row) = rows.first() else {
                return Ok(QueuePage {
                    queues,
                    is_complete: true,
                });
            };
            let queue = row.queue;
            queues.extend(self.first(queue)?.map(|head| (queue, head)));
            let behind = K::row(queue, OutNumber(u64::MAX));
            range = range.behind(behind.clone(), ScanOrder::Ascending);
            examined += 1;
            if queues.len() >= room || examined >= QUEUES {
                self.cursors.insert(endpoint, behind);
                return Ok(QueuePage {
                    queues,
                    is_complete: false,
                });
            }
        }
    }

    /// The record of a delivery, stored or on its way.
    pub(crate) fn record(
        &mut self,
        queue: K::Queue,
        number: OutNumber,
    ) -> Result<DeliveryRecord, UnavailableError> {
        if let Some(delivery) = self.unsaved.get(&(queue, number)) {
            return Ok(delivery.record.clone());
        }
        let event = self.deliveries.find(K::delivery_key(queue, number))?;
        Ok(event.map_or_else(DeliveryRecord::default, |event| {
            let (delivery, _) = K::delivery(&event);
            delivery.record
        }))
    }

    /// Applies a change to a delivery that is not final, and stores it; returns its state then. Nothing waits for it: what a crash
    /// loses is an attempt, which is repeated. What cannot be stored now is kept until [`Self::save_again`].
    pub(crate) fn change(
        &mut self,
        queue: K::Queue,
        number: OutNumber,
        entry: &LoggedChange,
    ) -> Option<DeliveryState> {
        let mut record = readable::<K, _>(self.record(queue, number)).unwrap_or_default();
        if record.state.is_final() {
            return None;
        }
        record.apply(entry);
        let state = record.state;
        self.write(Delivery {
            queue,
            number,
            record,
        });
        Some(state)
    }

    fn write(&mut self, delivery: Delivery<K>) {
        let name = (delivery.queue, delivery.number);
        match self.submit(delivery.clone(), Vec::new()) {
            Ok(submitted) => {
                self.unsaved.remove(&name);
                self.undecided = Some(submitted);
            }
            Err(error) => {
                tracing::warn!(%error, number = delivery.number.0, "the outcome of a delivery cannot be stored yet");
                self.unsaved.insert(name, delivery);
            }
        }
    }

    /// Returns whether something could not be stored yet, or may still be lost.
    pub(crate) fn has_unsaved(&self) -> bool {
        self.undecided.is_some() || !self.unsaved.is_empty()
    }

    /// Stores what could not be stored before; returns the queues that may go on.
    pub(crate) fn save_again(&mut self) -> Vec<K::Queue> {
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

    /// Queues a delivery again that is final, with a fresh budget; none when it is not.
    pub(crate) fn replay(
        &mut self,
        queue: K::Queue,
        number: OutNumber,
    ) -> Result<Option<Submitted>, UnavailableError> {
        let mut record = self.record(queue, number)?;
        if !record.replay(true) {
            return Ok(None);
        }
        self.catch_up();
        let delivery = Delivery {
            queue,
            number,
            record,
        };
        let event = K::replay_event(delivery, self.kernel.clock.now());
        let notice = K::replay_notice(queue);
        let records = vec![(K::stream(queue), event)];
        self.deliveries.submit(records, vec![notice]).map(Some)
    }

    /// Ends the wait of a delivery for its next attempt; none when it does not wait.
    pub(crate) fn end_wait(
        &mut self,
        queue: K::Queue,
        number: OutNumber,
    ) -> Result<Option<Submitted>, UnavailableError> {
        let mut record = self.record(queue, number)?;
        if !record.end_wait() {
            return Ok(None);
        }
        let delivery = Delivery {
            queue,
            number,
            record,
        };
        let notice = K::replay_notice(queue);
        self.submit(delivery, vec![notice]).map(Some)
    }

    /// Cancels some of the deliveries of a destination but those in flight; true when none is left.
    pub(crate) fn cancel_some(
        &mut self,
        endpoint: K::Endpoint,
        except: &BTreeSet<(K::Queue, OutNumber)>,
    ) -> Result<bool, UnavailableError> {
        self.catch_up();
        let mut range = KeyRange::prefix(&K::endpoint_prefix(endpoint));
        let mut count = 0;
        let at = self.kernel.clock.now();
        loop {
            let (rows, behind) = self.rows(endpoint, &range)?;
            for row in rows {
                let (queue, number) = (row.queue, row.number);
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
                let delivery = Delivery {
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

    /// Some rows of a range of this destination, and the range behind them; none behind the last ones.
    fn rows(
        &self,
        endpoint: K::Endpoint,
        range: &KeyRange,
    ) -> Result<(Vec<Row<K>>, Option<KeyRange>), UnavailableError> {
        let index = &self.kernel.index;
        let disk_rows = index.scan(K::QUEUED, range, ScanOrder::Ascending, ROWS)?;
        let is_last = disk_rows.len() < ROWS;
        let last = disk_rows.last().map(|(key, _)| key.clone());
        let of_queues = disk_rows.iter().filter_map(|(key, value)| {
            let (queue, number) = K::parse_row(endpoint, key)?;
            let since = value.first_chunk::<8>().map_or(UnixMillis::ZERO, |bytes| {
                UnixMillis::new(u64::from_be_bytes(*bytes))
            });
            Some(Row {
                queue,
                number,
                since,
            })
        });
        let rows = of_queues.collect();
        let behind = last
            .filter(|_| !is_last)
            .map(|last| range.clone().behind(last, ScanOrder::Ascending));
        Ok((rows, behind))
    }

    /// Returns whether the delivery is final already, though its row may still be there.
    fn is_leaving(&self, row: &Row<K>) -> bool {
        let unsaved = self.unsaved.get(&(row.queue, row.number));
        if unsaved.is_some_and(|delivery| delivery.record.state.is_final()) {
            return true;
        }
        let key = K::delivery_key(row.queue, row.number);
        let newest = self.deliveries.unindexed(key).next();
        newest.is_some_and(|event| {
            let (_, change) = K::delivery(event);
            change == Change::Final
        })
    }

    fn head_of(&mut self, row: &Row<K>) -> Result<QueueHead, UnavailableError> {
        let record = self.record(row.queue, row.number)?;
        let was_queued_before =
            || K::is_inherited(&self.kernel, self.inherited_upto, row.queue, row.number);
        Ok(QueueHead {
            number: row.number,
            since: row.since,
            tally: record.tally,
            replay: record.replays > 0,
            inherited: record.tally.made == 0 && was_queued_before()?,
        })
    }

    fn submit(
        &mut self,
        delivery: Delivery<K>,
        notices: Vec<Notice>,
    ) -> Result<Submitted, UnavailableError> {
        self.catch_up();
        let stream = K::stream(delivery.queue);
        self.deliveries
            .submit(vec![(stream, K::event(delivery))], notices)
    }

    /// Takes in what became of what was on its way. What a failed write lost is known here, and is written again.
    fn catch_up(&mut self) {
        for (_, event) in self.deliveries.catch_up().into_iter().flatten() {
            let (delivery, change) = K::delivery(&event);
            // The operator who asked for another delivery gets the failure.
            if change == Change::Replay {
                continue;
            }
            let name = (delivery.queue, delivery.number);
            self.unsaved.entry(name).or_insert(delivery);
        }
    }
}
