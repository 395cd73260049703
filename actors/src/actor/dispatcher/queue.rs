//! The durable queue as the dispatcher sees it: rows of the table `Queued`, records of lane streams.

mod cancel;
mod known;
mod page;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::domain::chat::channel::HookVersion;
use crate::domain::dispatch::lane::{Head, LaneId, OutNumber};
use crate::domain::dispatch::record::DeliveryRecord;
use crate::domain::id::{ChannelId, ConversationId};
use crate::domain::keys;
use crate::domain::lane::{Change, LaneEvent, StoredLane};
use crate::domain::notice::Notice;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::error::Unavailable;
use crate::world::Env;
use switchboard_engine::state::State;
use switchboard_engine::store::committer::Submitted;
use switchboard_engine::store::index::fold::entries_of;
use switchboard_engine::store::tables::{KeyRange, Order};
use switchboard_engine::store::{Generation, Group, NewRecord, Position, Seq};

pub(super) use cancel::Cancelling;
use known::{AHEAD, Known, Row};

/// A head with what is stored of it.
pub(super) type Stored = (Head, DeliveryRecord);

/// The durable queue.
pub(super) struct Queue {
    env: Env,
    /// Final messages whose rows may still be there: their records are on their way.
    leaving: BTreeMap<Seq, Vec<(LaneId, OutNumber)>>,
    /// Lanes of which such a record could not be written.
    lost_ends: BTreeSet<LaneId>,
    left: BTreeSet<Name>,
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
    /// What need not be looked up again.
    known: Known,
    /// Up to which record what is on its way was last compared with what can be found.
    compared: Seq,
    /// Of messages before this place of the journal, attempts may have been made of which nothing is known any more. Not a
    /// moment: the clock may have gone back since they were queued.
    fresh_from: Position,
}

type Name = (ConversationId, OutNumber);

impl Queue {
    pub(super) fn new(env: Env) -> Self {
        Self {
            leaving: BTreeMap::new(),
            lost_ends: BTreeSet::new(),
            left: BTreeSet::new(),
            written: BTreeMap::new(),
            writing: VecDeque::new(),
            unsaved: BTreeMap::new(),
            opened: BTreeMap::new(),
            generation: env.journal.generation(),
            cursors: BTreeMap::new(),
            known: Known::default(),
            compared: Seq::default(),
            fresh_from: env.frontier.get(),
            env,
        }
    }

    /// The first message of a lane that is not final.
    pub(super) fn head(&mut self, lane: &LaneId) -> Result<Option<Stored>, Unavailable> {
        self.forget_lost(self.env.journal.generation());
        self.forget_indexed();
        if self.known.first(lane.conversation).is_none() {
            self.look(lane)?;
        }
        let Some((number, since)) = self.known.first(lane.conversation) else {
            return Ok(None);
        };
        if self.is_unsaved_end(lane.conversation, number) {
            // Nothing behind it goes out before it is known that it went out.
            return Ok(None);
        }
        self.stored(lane, number, since).map(Some)
    }

    /// Reads the first rows of a lane that are not final.
    fn look(&mut self, lane: &LaneId) -> Result<(), Unavailable> {
        let conversation = lane.conversation;
        let mut range = KeyRange::prefix(&keys::lane_prefix(&lane.scope, conversation));
        if let Some(floor) = self.known.floor(conversation) {
            let row = keys::queue_row(&lane.scope, conversation, floor.0.saturating_sub(1));
            range = range.behind(row, Order::Ascending);
        }
        loop {
            let index = &self.env.index;
            let rows = index.scan(tables::QUEUED, &range, Order::Ascending, AHEAD)?;
            let Some((last, _)) = rows.last() else {
                return Ok(());
            };
            range = range.behind(last.clone(), Order::Ascending);
            let rows = rows.iter().filter_map(|(key, value)| {
                let (_, _, number) = keys::parse_queue_row(lane.scope.channel(), key)?;
                Some((OutNumber(number), since(value)))
            });
            if self.keep(conversation, rows) {
                return Ok(());
            }
        }
    }

    /// Remembers those of the lane's first rows that are not final. False when none is.
    fn keep(&mut self, conversation: ConversationId, rows: impl Iterator<Item = Row>) -> bool {
        let left = &self.left;
        let queued = rows.filter(|(number, _)| !left.contains(&(conversation, *number)));
        let queued: VecDeque<Row> = queued.take(AHEAD).collect();
        let some = !queued.is_empty();
        if some {
            self.known.keep(conversation, queued);
        }
        some
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
            self.known.requeued(lane.conversation);
            notices.push(Notice::Replayed(lane.clone()));
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
        if self.known.is_untouched(conversation, number) {
            return Ok(DeliveryRecord::default());
        }
        let key = keys::dispatch(conversation, number.0);
        let found = self.env.record::<LaneEvent>(key)?;
        let Some(found) = found else {
            self.known.untouched(conversation, number);
            return Ok(DeliveryRecord::default());
        };
        Ok(found.event.into_change().record)
    }

    fn stored(
        &mut self,
        lane: &LaneId,
        number: OutNumber,
        since: UnixMillis,
    ) -> Result<Stored, Unavailable> {
        let record = self.record(lane.conversation, number)?;
        let head = Head {
            number,
            since,
            tally: record.tally,
            replay: record.replays > 0,
            // Whoever was tried before is not taken for new anyway.
            inherited: record.tally.made == 0 && self.is_inherited(lane.conversation, number)?,
        };
        Ok((head, record))
    }

    /// Whether the message is from before what is known for certain began.
    fn is_inherited(
        &self,
        conversation: ConversationId,
        number: OutNumber,
    ) -> Result<bool, Unavailable> {
        let key = keys::outgoing(conversation, number.0);
        let found = self.env.index.find(key)?;
        Ok(found.is_none_or(|position| position < self.fresh_from))
    }

    /// A message of the lane is queued again, and its row can be found now.
    pub(super) fn found_again(&mut self, conversation: ConversationId) {
        self.known.found_again(conversation);
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
            let change = event.into_change();
            let name = (conversation, change.number);
            self.known.touched(conversation, change.number);
            if settled {
                self.known.settled(conversation, change.number);
                self.left.insert(name);
                let lane = LaneId {
                    scope: change.scope,
                    conversation,
                };
                let leaving = self.leaving.entry(seq).or_default();
                leaving.push((lane, change.number));
            }
            self.written.insert(name, (seq, change.record));
            self.writing.push_back((seq, name));
        }
        Ok(submitted)
    }

    /// The last record that ends messages and is not on disk yet.
    pub(super) fn last_end_on_its_way(&self) -> Option<Submitted> {
        let (last, _) = self.leaving.last_key_value()?;
        (*last > self.env.journal.durable_upto()).then_some(Submitted {
            last: *last,
            generation: self.generation,
        })
    }

    /// The lanes in which the end of a message was lost since the last time.
    pub(super) fn take_lost_ends(&mut self) -> BTreeSet<LaneId> {
        self.forget_lost(self.env.journal.generation());
        std::mem::take(&mut self.lost_ends)
    }

    /// Whether nothing was stored of the lane yet, and nothing is on its way.
    fn is_new(&mut self, conversation: ConversationId) -> bool {
        if self.known.is_named(conversation) || self.opened.contains_key(&conversation) {
            return false;
        }
        let stream = StoredLane::stream(&conversation);
        match self.env.index.find(stream.key()) {
            Ok(None) => true,
            Ok(Some(_)) => {
                self.known.named(conversation);
                false
            }
            // An index that cannot tell is rebuilt at the next start, from the records alone.
            Err(_) => false,
        }
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
        for (lane, number) in lost.into_values().flatten() {
            self.left.remove(&(lane.conversation, number));
            self.lost_ends.insert(lane);
        }
        self.known = Known::default();
        self.compared = Seq::default();
        self.fresh_from = self.env.frontier.get();
        self.generation = generation;
    }

    fn forget_indexed(&mut self) {
        let upto = self.env.index.indexed_upto();
        if upto == self.compared {
            return;
        }
        self.compared = upto;
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
            for (lane, number) in entry.remove() {
                self.left.remove(&(lane.conversation, number));
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
        event: switchboard_engine::runtime::shell::encode(event),
        blob: bytes::Bytes::new(),
        entries,
    }
}
