//! The durable queue as the dispatcher sees it: rows of the table `Queued`, records of lane streams.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::chat::channel::HookVersion;
use crate::domain::dispatch::lane::{Head, LaneId, OutNumber};
use crate::domain::dispatch::record::{CancelReason, DeliveryRecord, DeliveryState, Entry};
use crate::domain::id::{ChannelId, ConversationId, ScopeId};
use crate::domain::index::Table;
use crate::domain::lane::{Change, LaneEvent, StoredLane};
use crate::domain::time::UnixMillis;
use crate::domain::{State, keys};
use crate::error::Unavailable;
use crate::runtime::env::Env;
use crate::store::index::fold::entries_of;
use crate::store::tables::{KeyRange, Order};
use crate::store::{Generation, Group, NewRecord, Seq};

/// How many rows are read at a time.
const ROWS: usize = 512;

/// A head with what is stored of it.
pub(super) type Stored = (Head, DeliveryRecord);

/// The durable queue.
pub(super) struct Queue {
    env: Env,
    /// Final messages whose rows may still be there: their records are on their way.
    leaving: BTreeMap<Seq, Vec<Row>>,
    left: BTreeSet<Row>,
    /// Lanes whose first record is on its way: the index does not know them yet, and must hear of a lane once.
    opened: BTreeMap<ConversationId, Seq>,
    /// The generation that they were submitted in.
    generation: Generation,
    /// Where the next page of a channel's queue begins.
    cursors: BTreeMap<(ChannelId, HookVersion), Vec<u8>>,
}

type Row = (LaneId, OutNumber);

impl Queue {
    pub(super) fn new(env: Env) -> Self {
        Self {
            env,
            leaving: BTreeMap::new(),
            left: BTreeSet::new(),
            opened: BTreeMap::new(),
            generation: Generation::default(),
            cursors: BTreeMap::new(),
        }
    }

    /// The first message of a lane that is not final.
    pub(super) fn head(
        &mut self,
        lane: &LaneId,
        started_at: UnixMillis,
    ) -> Result<Option<Stored>, Unavailable> {
        self.forget_indexed();
        let mut range = KeyRange::prefix(&keys::lane_prefix(&lane.scope, lane.conversation));
        loop {
            let rows = self
                .env
                .index
                .scan(Table::Queued, &range, Order::Ascending, 8)?;
            let Some((last, _)) = rows.last() else {
                return Ok(None);
            };
            range = range.behind(last.clone(), Order::Ascending);
            for (key, value) in &rows {
                let parsed = keys::parse_queue_row(lane.scope.channel(), key);
                let Some((_, _, number)) = parsed else {
                    continue;
                };
                if !self.left.contains(&(lane.clone(), OutNumber(number))) {
                    return self
                        .stored(lane, OutNumber(number), value, started_at)
                        .map(Some);
                }
            }
        }
    }

    /// The next lanes of a channel whose scopes speak this version, at most `room`, and whether that was the last of
    /// them. The reading goes round: the page after the last is the first.
    pub(super) fn page(
        &mut self,
        channel: &ChannelId,
        version: HookVersion,
        room: usize,
        started_at: UnixMillis,
        version_of: impl Fn(&ScopeId) -> Option<HookVersion>,
    ) -> Result<(Vec<(LaneId, Head, DeliveryRecord)>, bool), Unavailable> {
        let cursor = (channel.clone(), version);
        let mut range = KeyRange::prefix(&keys::channel_prefix(channel));
        if let Some(lane) = self.cursors.remove(&cursor) {
            range = range.behind(lane, Order::Ascending);
        }
        let mut lanes = Vec::new();
        let mut last = None;
        // Lanes of the other version are passed over, yet not without end in one step.
        for _ in 0..ROWS {
            if lanes.len() >= room {
                break;
            }
            let rows = self
                .env
                .index
                .scan(Table::Queued, &range, Order::Ascending, 1)?;
            let Some((key, _)) = rows.first() else {
                return Ok((lanes, true));
            };
            let Some((account, conversation, _)) = keys::parse_queue_row(channel, key) else {
                range = range.behind(key.clone(), Order::Ascending);
                continue;
            };
            let lane = LaneId {
                scope: ScopeId::new(channel.clone(), account),
                conversation,
            };
            last = Some(keys::queue_row(&lane.scope, conversation, u64::MAX));
            range = range.behind(
                keys::queue_row(&lane.scope, conversation, u64::MAX),
                Order::Ascending,
            );
            if version_of(&lane.scope) == Some(version)
                && let Some((head, record)) = self.head(&lane, started_at)?
            {
                lanes.push((lane, head, record));
            }
        }
        self.cursors.extend(last.map(|last| (cursor, last)));
        Ok((lanes, false))
    }

    /// Stores a change. Nobody waits for it: what is lost by a crash is attempted again.
    pub(super) fn write(&mut self, lane: &LaneId, number: OutNumber, record: &DeliveryRecord) {
        let change = Change {
            scope: lane.scope.clone(),
            number,
            record: record.clone(),
        };
        self.submit(vec![(lane.conversation, change)]);
    }

    /// Cancels everything queued of a scope but what is in flight; returns how many messages that were.
    pub(super) fn cancel_scope(
        &mut self,
        scope: &ScopeId,
        except: &[(ConversationId, OutNumber)],
        now: UnixMillis,
    ) -> Result<usize, Unavailable> {
        self.forget_indexed();
        let mut range = KeyRange::prefix(&keys::scope_row(scope));
        let mut count = 0;
        loop {
            let rows = self
                .env
                .index
                .scan(Table::Queued, &range, Order::Ascending, ROWS)?;
            let Some((last, _)) = rows.last() else {
                return Ok(count);
            };
            range = range.behind(last.clone(), Order::Ascending);
            let mut changes = Vec::new();
            for (key, _) in &rows {
                let Some((_, conversation, number)) = keys::parse_queue_row(scope.channel(), key)
                else {
                    continue;
                };
                let number = OutNumber(number);
                let lane = LaneId {
                    scope: scope.clone(),
                    conversation,
                };
                if except.contains(&(conversation, number))
                    || self.left.contains(&(lane.clone(), number))
                {
                    continue;
                }
                let mut record = self.stored_record(conversation, number)?;
                record.apply(&Entry {
                    attempt: None,
                    tally: None,
                    state: DeliveryState::Cancelled {
                        at: now,
                        why: CancelReason::Disconnected,
                    },
                });
                let change = Change {
                    scope: lane.scope,
                    number,
                    record,
                };
                changes.push((conversation, change));
            }
            count += changes.len();
            self.submit(changes);
        }
    }

    fn stored(
        &self,
        lane: &LaneId,
        number: OutNumber,
        row: &[u8],
        started_at: UnixMillis,
    ) -> Result<Stored, Unavailable> {
        let record = self.stored_record(lane.conversation, number)?;
        let since = <[u8; 8]>::try_from(row).map_or(UnixMillis::ZERO, |bytes| {
            UnixMillis::new(u64::from_be_bytes(bytes))
        });
        let head = Head {
            number,
            since,
            tally: record.tally,
            replay: record.replays > 0,
            inherited: since < started_at,
        };
        Ok((head, record))
    }

    fn stored_record(
        &self,
        conversation: ConversationId,
        number: OutNumber,
    ) -> Result<DeliveryRecord, Unavailable> {
        let found = self
            .env
            .record::<LaneEvent>(keys::dispatch(conversation, number.0))?;
        Ok(found
            .map(|recorded| recorded.event.change().record.clone())
            .unwrap_or_default())
    }

    /// Stores these changes as one group.
    fn submit(&mut self, changes: Vec<(ConversationId, Change)>) {
        if changes.is_empty() {
            return;
        }
        self.forget_indexed();
        let generation = self.env.journal.generation();
        self.forget_lost(generation);
        let mut opened = BTreeSet::new();
        let mut settled = Vec::new();
        let mut records = Vec::with_capacity(changes.len());
        for (conversation, change) in changes {
            if change.record.state.is_final() {
                let scope = change.scope.clone();
                let lane = LaneId {
                    scope,
                    conversation,
                };
                settled.push((lane, change.number));
            }
            let opens = self.is_new(conversation) && opened.insert(conversation);
            records.push(record_of(conversation, change, opens));
        }
        let group = Group {
            records,
            notices: Vec::new(),
        };
        match self.env.journal.finish(generation, group) {
            Ok(submitted) => {
                let opened = opened.into_iter().map(|lane| (lane, submitted.last));
                self.opened.extend(opened);
                self.left.extend(settled.iter().cloned());
                self.leaving
                    .entry(submitted.last)
                    .or_default()
                    .extend(settled);
            }
            // The queue still holds the message, so it is attempted again: a duplicate, not a loss.
            Err(error) => tracing::warn!(?error, "the outcome of a callback could not be stored"),
        }
    }

    /// Whether nothing was stored of the lane yet, and nothing is on its way.
    fn is_new(&self, conversation: ConversationId) -> bool {
        let stream = StoredLane::stream(&conversation);
        // An index that cannot tell is rebuilt at the next start, from the records alone.
        let stored = || self.env.index.find(stream.key());
        !self.opened.contains_key(&conversation) && stored().is_ok_and(|first| first.is_none())
    }

    /// After a failed write, what was on its way then is on disk, or never will be.
    fn forget_lost(&mut self, generation: Generation) {
        if generation != self.generation {
            let durable = self.env.journal.durable_upto();
            self.opened.retain(|_, seq| *seq <= durable);
            self.generation = generation;
        }
    }

    fn forget_indexed(&mut self) {
        let upto = self.env.index.indexed_upto();
        self.opened.retain(|_, seq| *seq > upto);
        while let Some(entry) = self.leaving.first_entry() {
            if *entry.key() > upto {
                return;
            }
            for row in entry.remove() {
                self.left.remove(&row);
            }
        }
    }
}

/// `opens`: it is the first record of its lane. Only that one names the stream, since the index takes whichever record
/// does for the stream's beginning.
fn record_of(conversation: ConversationId, change: Change, opens: bool) -> NewRecord {
    let stream = StoredLane::stream(&conversation);
    let event = LaneEvent::from(change);
    let blank = StoredLane::blank(&conversation);
    let entries = entries_of(&blank, &event, opens.then_some(&stream));
    NewRecord {
        stream,
        event: crate::runtime::shell::encode(&event),
        blob: bytes::Bytes::new(),
        entries,
    }
}
