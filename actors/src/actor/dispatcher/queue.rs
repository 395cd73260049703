//! The durable queue as the dispatcher sees it: rows of the table `Queued`, records of lane streams.

mod cancel;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::domain::chat::channel::HookVersion;
use crate::domain::dispatch::lane::{Head, LaneId, OutNumber};
use crate::domain::dispatch::record::DeliveryRecord;
use crate::domain::id::{ChannelId, ConversationId, ScopeId};
use crate::domain::index::Table;
use crate::domain::lane::{Change, LaneEvent, StoredLane};
use crate::domain::notice::Notice;
use crate::domain::time::UnixMillis;
use crate::domain::{State, keys};
use crate::error::Unavailable;
use crate::runtime::env::Env;
use crate::store::committer::Submitted;
use crate::store::index::fold::entries_of;
use crate::store::tables::{KeyRange, Order};
use crate::store::{Generation, Group, NewRecord, Seq};

pub(super) use cancel::Cancelling;

/// How many rows are read at a time.
const ROWS: usize = 512;
/// Of so many conversations it is remembered before which message nothing is queued any more.
const FLOORS_MAX: usize = 100_000;

/// A head with what is stored of it.
pub(super) type Stored = (Head, DeliveryRecord);

/// The durable queue.
pub(super) struct Queue {
    env: Env,
    /// Final messages whose rows may still be there: their records are on their way.
    leaving: BTreeMap<Seq, Vec<Row>>,
    left: BTreeSet<Row>,
    /// Records that are on their way: the index does not know them yet.
    written: BTreeMap<Name, (Seq, DeliveryRecord)>,
    writing: VecDeque<(Seq, Name)>,
    /// What could not be stored yet, one message of a lane at most: the lane waits with it.
    unsaved: BTreeMap<Name, (LaneId, DeliveryRecord)>,
    /// Lanes whose first record is on its way: the index does not know them yet, and must hear of a lane once.
    opened: BTreeMap<ConversationId, Seq>,
    /// The generation that they were submitted in.
    generation: Generation,
    /// Where the next page of a channel's queue begins.
    cursors: BTreeMap<(ChannelId, HookVersion), Vec<u8>>,
    /// Before which number nothing of a lane is queued: what left it lately is not looked through again.
    floors: BTreeMap<ConversationId, u64>,
    /// Of what was queued before this, attempts may have been made of which nothing is known any more.
    fresh_since: UnixMillis,
}

type Row = (LaneId, OutNumber);
type Name = (ConversationId, OutNumber);

/// A page of a channel's queue.
#[derive(Default)]
pub(super) struct QueuePage {
    pub(super) lanes: Vec<(LaneId, Stored)>,
    /// Whether it was the last: the page after it is the first again.
    pub(super) complete: bool,
    /// Scopes that have something queued and speak no version.
    pub(super) mute: BTreeSet<ScopeId>,
}

impl Queue {
    pub(super) fn new(env: Env) -> Self {
        Self {
            leaving: BTreeMap::new(),
            left: BTreeSet::new(),
            written: BTreeMap::new(),
            writing: VecDeque::new(),
            unsaved: BTreeMap::new(),
            opened: BTreeMap::new(),
            generation: env.journal.generation(),
            cursors: BTreeMap::new(),
            floors: BTreeMap::new(),
            fresh_since: env.clock.now(),
            env,
        }
    }

    /// The first message of a lane that is not final.
    pub(super) fn head(&mut self, lane: &LaneId) -> Result<Option<Stored>, Unavailable> {
        self.forget_lost(self.env.journal.generation());
        self.forget_indexed();
        let mut range = KeyRange::prefix(&keys::lane_prefix(&lane.scope, lane.conversation));
        if let Some(floor) = self.floors.get(&lane.conversation) {
            let row = keys::queue_row(&lane.scope, lane.conversation, floor.saturating_sub(1));
            range = range.behind(row, Order::Ascending);
        }
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
                if self.is_unsaved_end(lane.conversation, OutNumber(number)) {
                    // Nothing behind it goes out before it is known that it went out.
                    return Ok(None);
                }
                if !self.left.contains(&(lane.clone(), OutNumber(number))) {
                    self.raise_floor(lane.conversation, number);
                    return self.stored(lane, OutNumber(number), value).map(Some);
                }
            }
        }
    }

    /// The next lanes of a channel whose scopes speak this version, at most `room`. The reading goes round: the page
    /// after the last is the first.
    pub(super) fn page(
        &mut self,
        channel: &ChannelId,
        version: HookVersion,
        room: usize,
        version_of: impl Fn(&ScopeId) -> Option<HookVersion>,
    ) -> Result<QueuePage, Unavailable> {
        let cursor = (channel.clone(), version);
        let mut range = KeyRange::prefix(&keys::channel_prefix(channel));
        if let Some(lane) = self.cursors.remove(&cursor) {
            range = range.behind(lane, Order::Ascending);
        }
        let mut page = QueuePage::default();
        let mut last = None;
        // Lanes of the other version are passed over, yet not without end in one step.
        for _ in 0..ROWS {
            if page.lanes.len() >= room {
                break;
            }
            let rows = self
                .env
                .index
                .scan(Table::Queued, &range, Order::Ascending, 1)?;
            let Some((key, _)) = rows.first() else {
                page.complete = true;
                return Ok(page);
            };
            let Some((account, conversation, _)) = keys::parse_queue_row(channel, key) else {
                range = range.behind(key.clone(), Order::Ascending);
                continue;
            };
            let lane = LaneId {
                scope: ScopeId::new(channel.clone(), account),
                conversation,
            };
            let behind = keys::queue_row(&lane.scope, conversation, u64::MAX);
            last = Some(behind.clone());
            range = range.behind(behind, Order::Ascending);
            match version_of(&lane.scope) {
                Some(spoken) if spoken == version => {
                    if let Some(stored) = self.head(&lane)? {
                        page.lanes.push((lane, stored));
                    }
                }
                Some(_) => {}
                None => {
                    page.mute.insert(lane.scope);
                }
            }
        }
        self.cursors.extend(last.map(|last| (cursor, last)));
        Ok(page)
    }

    /// Stores a change. Nobody waits for it: what is lost by a crash is attempted again. What cannot be stored now is
    /// kept until [`Self::save_again`].
    pub(super) fn write(&mut self, lane: &LaneId, number: OutNumber, record: DeliveryRecord) {
        let name = (lane.conversation, number);
        let change = Change {
            scope: lane.scope.clone(),
            number,
            record: record.clone(),
        };
        match self.submit(vec![(lane.conversation, change.into())], Vec::new()) {
            Ok(_) => {
                self.unsaved.remove(&name);
            }
            Err(error) => {
                tracing::warn!(%error, conversation = %lane.conversation, number = number.0, "the outcome of a callback cannot be stored yet");
                self.unsaved.insert(name, (lane.clone(), record));
            }
        }
    }

    /// Whether something could not be stored yet.
    pub(super) fn has_unsaved(&self) -> bool {
        !self.unsaved.is_empty()
    }

    /// Stores what could not be stored before; gives the lanes that may go on.
    pub(super) fn save_again(&mut self) -> Vec<LaneId> {
        let mut saved = Vec::new();
        while let Some(((conversation, number), (lane, record))) = self.unsaved.pop_first() {
            let change = Change {
                scope: lane.scope.clone(),
                number,
                record: record.clone(),
            };
            if self
                .submit(vec![(conversation, change.into())], Vec::new())
                .is_err()
            {
                self.unsaved.insert((conversation, number), (lane, record));
                break;
            }
            saved.push(lane);
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
        messages: Vec<(LaneId, OutNumber, DeliveryRecord)>,
        at: UnixMillis,
    ) -> Result<Submitted, Unavailable> {
        let mut events = Vec::with_capacity(messages.len());
        let mut notices = Vec::with_capacity(messages.len());
        for (lane, number, record) in messages {
            notices.push(Notice::Replayed {
                scope: lane.scope.clone(),
                conversation: lane.conversation,
            });
            let change = Box::new(Change {
                scope: lane.scope,
                number,
                record,
            });
            events.push((lane.conversation, LaneEvent::Replayed { change, at }));
        }
        self.submit(events, notices)
    }

    /// What is stored of a message, or on its way.
    pub(super) fn record(
        &mut self,
        conversation: ConversationId,
        number: OutNumber,
    ) -> Result<DeliveryRecord, Unavailable> {
        self.forget_indexed();
        let name = (conversation, number);
        let unsaved = self.unsaved.get(&name).map(|(_, record)| record);
        let written = self.written.get(&name).map(|(_, record)| record);
        if let Some(record) = unsaved.or(written) {
            return Ok(record.clone());
        }
        let found = self
            .env
            .record::<LaneEvent>(keys::dispatch(conversation, number.0))?;
        Ok(found
            .map(|recorded| recorded.event.change().record.clone())
            .unwrap_or_default())
    }

    fn stored(
        &mut self,
        lane: &LaneId,
        number: OutNumber,
        row: &[u8],
    ) -> Result<Stored, Unavailable> {
        let record = self.record(lane.conversation, number)?;
        let since = since(row);
        let head = Head {
            number,
            since,
            tally: record.tally,
            replay: record.replays > 0,
            inherited: since < self.fresh_since,
        };
        Ok((head, record))
    }

    /// A message of the lane is queued again, and its row can be found now. Not earlier: a look at the lane while the row
    /// is on its way would pass over it for ever.
    pub(super) fn lower_floor(&mut self, conversation: ConversationId) {
        self.floors.remove(&conversation);
    }

    fn raise_floor(&mut self, conversation: ConversationId, number: u64) {
        if self.floors.len() >= FLOORS_MAX {
            self.floors.clear();
        }
        self.floors.insert(conversation, number);
    }

    /// Stores these changes as one group.
    fn submit(
        &mut self,
        events: Vec<(ConversationId, LaneEvent)>,
        notices: Vec<Notice>,
    ) -> Result<Submitted, Unavailable> {
        self.forget_indexed();
        let generation = self.env.journal.generation();
        self.forget_lost(generation);
        let mut opened = BTreeSet::new();
        let mut records = Vec::with_capacity(events.len());
        for (conversation, event) in &events {
            let opens = self.is_new(*conversation) && opened.insert(*conversation);
            records.push(record_of(*conversation, event, opens));
        }
        let group = Group { records, notices };
        let submitted = self.env.journal.finish(generation, group)?;
        let seq = submitted.last;
        self.opened
            .extend(opened.into_iter().map(|lane| (lane, seq)));
        for (conversation, event) in events {
            let settled = matches!(event, LaneEvent::Settled(_));
            let change = match event {
                LaneEvent::Changed(change)
                | LaneEvent::Settled(change)
                | LaneEvent::Replayed { change, .. } => *change,
            };
            if settled {
                let scope = change.scope;
                let lane = LaneId {
                    scope,
                    conversation,
                };
                self.left.insert((lane.clone(), change.number));
                let leaving = self.leaving.entry(seq).or_default();
                leaving.push((lane, change.number));
            }
            let name = (conversation, change.number);
            self.written.insert(name, (seq, change.record));
            self.writing.push_back((seq, name));
        }
        Ok(submitted)
    }

    /// Whether nothing was stored of the lane yet, and nothing is on its way.
    fn is_new(&self, conversation: ConversationId) -> bool {
        let stream = StoredLane::stream(&conversation);
        // An index that cannot tell is rebuilt at the next start, from the records alone.
        let stored = || self.env.index.find(stream.key());
        !self.opened.contains_key(&conversation) && stored().is_ok_and(|first| first.is_none())
    }

    /// After a failed write, what was on its way then is on disk, or never will be: what it took out of the queue is
    /// in the queue again, and no attempt of those days is known for certain.
    fn forget_lost(&mut self, generation: Generation) {
        if generation == self.generation {
            return;
        }
        let durable = self.env.journal.durable_upto();
        self.opened.retain(|_, seq| *seq <= durable);
        self.written.retain(|_, (seq, _)| *seq <= durable);
        self.writing.retain(|(seq, _)| *seq <= durable);
        let lost = self.leaving.split_off(&Seq(durable.0.saturating_add(1)));
        for row in lost.into_values().flatten() {
            self.left.remove(&row);
        }
        self.floors.clear();
        self.fresh_since = UnixMillis::new(self.env.clock.now().get().saturating_add(1));
        self.generation = generation;
    }

    fn forget_indexed(&mut self) {
        let upto = self.env.index.indexed_upto();
        self.opened.retain(|_, seq| *seq > upto);
        while let Some((seq, name)) = self.writing.front()
            && *seq <= upto
        {
            if self.written.get(name).is_some_and(|(last, _)| last == seq) {
                self.written.remove(name);
            }
            self.writing.pop_front();
        }
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

/// Since when the message of a row is queued.
fn since(row: &[u8]) -> UnixMillis {
    <[u8; 8]>::try_from(row).map_or(UnixMillis::ZERO, |bytes| {
        UnixMillis::new(u64::from_be_bytes(bytes))
    })
}

/// `opens`: it is the first record of its lane. Only that one names the stream, since the index takes whichever record
/// does for the stream's beginning.
fn record_of(conversation: ConversationId, event: &LaneEvent, opens: bool) -> NewRecord {
    let stream = StoredLane::stream(&conversation);
    let blank = StoredLane::blank(&conversation);
    let entries = entries_of(&blank, event, opens.then_some(&stream));
    NewRecord {
        stream,
        event: crate::runtime::shell::encode(event),
        blob: bytes::Bytes::new(),
        entries,
    }
}
