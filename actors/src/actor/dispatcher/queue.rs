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
use crate::store::{Group, NewRecord, Seq};

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
        let settled = if record.state.is_final() {
            vec![(lane.clone(), number)]
        } else {
            Vec::new()
        };
        let change = Change {
            scope: lane.scope.clone(),
            number,
            record: record.clone(),
        };
        self.submit(vec![record_of(lane.conversation, change)], settled);
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
            let mut records = Vec::new();
            let mut settled = Vec::new();
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
                records.push(record_of(
                    conversation,
                    Change {
                        scope: scope.clone(),
                        number,
                        record,
                    },
                ));
                settled.push((lane, number));
            }
            count += records.len();
            self.submit(records, settled);
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

    fn submit(&mut self, records: Vec<NewRecord>, settled: Vec<Row>) {
        if records.is_empty() {
            return;
        }
        let group = Group {
            records,
            notices: Vec::new(),
        };
        match self
            .env
            .journal
            .submit(self.env.journal.generation(), group)
        {
            Ok(submitted) => {
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

    fn forget_indexed(&mut self) {
        let upto = self.env.index.indexed_upto();
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

fn record_of(conversation: ConversationId, change: Change) -> NewRecord {
    let stream = StoredLane::stream(&conversation);
    let event = LaneEvent::from(change);
    // Naming the stream's key again does no harm, and nobody here knows which record is its first.
    let entries = entries_of(&StoredLane::blank(&conversation), &event, Some(&stream));
    NewRecord {
        stream,
        event: crate::runtime::shell::encode(&event),
        blob: bytes::Bytes::new(),
        entries,
    }
}
