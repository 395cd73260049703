//! The memtable: what the index knows of the records since the last checkpoint.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::keymap::KeyMap;
use super::record_location::RecordLocation;
use super::rows::{Arrival, Change, Rows};
use crate::entries::{Key, Row};
use crate::state_after::StateAfter;
use crate::store::tables::{KeyRange, ScanOrder};
use crate::store::{Committed, Position};
use crate::stream::StreamKey;
use crate::table::Table;

/// So many keys are inserted under one lock: long enough to fetch their slots together, short enough for
/// readers that wait.
const TOGETHER: usize = 64;

/// The memtable: entries of the newest records. One thread writes, any number read.
#[derive(Debug)]
pub(super) struct Overlay {
    keys: RwLock<KeyMap>,
    tails: RwLock<Tails>,
    rows: RwLock<Rows>,
    last: RwLock<Option<RecordLocation>>,
    records: AtomicU64,
    streams: AtomicU64,
    row_bytes: AtomicUsize,
}

/// The newest records of each stream. The records of a stream are a chain through one common list, so that
/// a stream costs its name and a record 24 bytes.
#[derive(Debug)]
struct Tails {
    /// The stream's fingerprint → its number in `streams`.
    numbers: KeyMap,
    streams: Vec<StreamTail>,
    links: Vec<Link>,
}

#[derive(Debug)]
struct StreamTail {
    stream: StreamKey,
    /// The number of its newest record, as in [`Link::before`].
    last: u32,
    /// Its state after that record.
    state: Option<StateAfter>,
}

/// A stream with its records of an overlay, oldest first.
pub(super) struct ChangedStream {
    pub(super) stream: StreamKey,
    pub(super) tail: Vec<RecordLocation>,
    /// Its state after the newest of them, when the owner may still have it.
    pub(super) state: Option<StateAfter>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    place: RecordLocation,
    /// The number of the same stream's record before it, counted from 1; 0 when there is none.
    before: u32,
}

impl Overlay {
    pub(super) fn new() -> Self {
        Self {
            keys: RwLock::new(KeyMap::new()),
            tails: RwLock::new(Tails {
                numbers: KeyMap::new(),
                streams: Vec::new(),
                links: Vec::new(),
            }),
            rows: RwLock::default(),
            last: RwLock::new(None),
            records: AtomicU64::new(0),
            streams: AtomicU64::new(0),
            row_bytes: AtomicUsize::new(0),
        }
    }

    /// An empty overlay with room for as much as another one holds: the next interval will be like the last.
    pub(super) fn like(other: &Self) -> Self {
        let tails = read(&other.tails);
        let roomy = Tails {
            numbers: KeyMap::like(&tails.numbers),
            streams: Vec::with_capacity(tails.streams.len()),
            links: Vec::with_capacity(tails.links.len()),
        };
        Self {
            keys: RwLock::new(KeyMap::like(&read(&other.keys))),
            tails: RwLock::new(roomy),
            ..Self::new()
        }
    }

    /// Takes records in, in the order of their numbers.
    pub(super) fn add(&self, records: Vec<Committed>, arrival: Arrival) {
        let mut rows = Vec::new();
        let mut keys = Vec::with_capacity(records.len().saturating_mul(3));
        let mut tails = Vec::with_capacity(records.len());
        for record in records {
            let place = RecordLocation {
                seq: record.seq,
                position: record.position,
            };
            keys.extend(record.entries.keys.iter().map(|key| (*key, place.position)));
            rows.extend(record.entries.rows);
            let key = record.stream.key();
            tails.push((key, record.stream, place, record.entries.state));
        }
        let Some((_, _, last, _)) = tails.last() else {
            return;
        };
        let (last, count) = (*last, u64::try_from(tails.len()).unwrap_or(u64::MAX));
        // Tails before keys: a reader that finds the key of a stream's first record finds the record in the tail as
        // well.
        let mut tails = tails.into_iter().peekable();
        while tails.peek().is_some() {
            let some: Vec<_> = tails.by_ref().take(TOGETHER).collect();
            let mut all = write(&self.tails);
            all.numbers.warm(some.iter().map(|(key, ..)| *key));
            for (key, stream, place, state) in some {
                all.add(key, stream, place, state);
            }
            let streams = u64::try_from(all.streams.len()).unwrap_or(u64::MAX);
            self.streams.store(streams, Ordering::Release);
        }
        for some in keys.chunks(TOGETHER) {
            let mut map = write(&self.keys);
            map.warm(some.iter().map(|(key, _)| *key));
            for (key, position) in some {
                map.insert(*key, *position);
            }
        }
        self.change_rows(rows, arrival);
        *write(&self.last) = Some(last);
        self.records.fetch_add(count, Ordering::AcqRel);
    }

    pub(super) fn find(&self, key: Key) -> Option<Position> {
        read(&self.keys).get(key)
    }

    /// The stream's records of this overlay, oldest first.
    pub(super) fn tail(&self, stream: &StreamKey) -> Vec<RecordLocation> {
        read(&self.tails).locations(stream)
    }

    /// The `number`-th stream of this overlay.
    pub(super) fn nth_stream(&self, number: usize) -> Option<ChangedStream> {
        let tails = read(&self.tails);
        let stream_tail = tails.streams.get(number)?;
        Some(ChangedStream {
            stream: stream_tail.stream.clone(),
            tail: tails.chain(stream_tail.last),
            state: stream_tail.state.clone(),
        })
    }

    /// The first changes of a range in this order, at most `limit`.
    pub(super) fn changes(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Vec<Change> {
        read(&self.rows).changes(table, range, order, limit)
    }

    /// The first changes of a range as they are to be written, at most `limit`.
    pub(super) fn changed(&self, table: Table, range: &KeyRange, limit: usize) -> Vec<Row> {
        read(&self.rows).changed(table, range, limit)
    }

    /// Returns whether a row of the range was changed.
    pub(super) fn touches(&self, table: Table, range: &KeyRange) -> bool {
        read(&self.rows).touches(table, range)
    }

    /// Returns the row's new value: outside `None` when it did not change, inside `None` when it is gone.
    pub(super) fn change(&self, table: Table, key: &[u8]) -> Option<Option<Vec<u8>>> {
        read(&self.rows).get(table, key)
    }

    /// All keys with their positions, sorted.
    pub(super) fn sorted_keys(&self) -> Vec<(Key, Position)> {
        let keys = read(&self.keys);
        let mut all = Vec::with_capacity(keys.len());
        all.extend(keys.pairs());
        drop(keys);
        all.sort_unstable();
        all
    }

    /// The newest record.
    pub(super) fn last(&self) -> Option<RecordLocation> {
        *read(&self.last)
    }

    /// Returns the number of records that it covers.
    pub(super) fn records(&self) -> u64 {
        self.records.load(Ordering::Acquire)
    }

    /// Returns the number of streams that its records belong to.
    pub(super) fn streams(&self) -> u64 {
        self.streams.load(Ordering::Acquire)
    }

    /// Roughly how many bytes its rows take: most of its memory when records change lists.
    pub(super) fn row_bytes(&self) -> usize {
        self.row_bytes.load(Ordering::Acquire)
    }

    /// Roughly how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let keys = read(&self.keys).bytes();
        let tails = read(&self.tails);
        let links = tails.links.capacity().saturating_mul(size_of::<Link>());
        let names = tails
            .streams
            .capacity()
            .saturating_mul(size_of::<StreamTail>());
        keys.saturating_add(tails.numbers.bytes())
            .saturating_add(links)
            .saturating_add(names)
            .saturating_add(self.row_bytes())
    }

    fn change_rows(&self, changes: Vec<Row>, arrival: Arrival) {
        if changes.is_empty() {
            return;
        }
        let mut rows = write(&self.rows);
        for row in changes {
            rows.change(row, arrival);
        }
        self.row_bytes.store(rows.bytes(), Ordering::Release);
    }
}

impl Tails {
    /// `key` is the stream's fingerprint.
    fn add(
        &mut self,
        key: Key,
        stream: StreamKey,
        place: RecordLocation,
        state: Option<StateAfter>,
    ) {
        // Numbers stay far below this: a checkpoint comes long before.
        let last = u32::try_from(self.links.len().saturating_add(1)).unwrap_or(u32::MAX);
        let number = self.number(key);
        let before = match number.and_then(|number| self.streams.get_mut(number)) {
            Some(known) => {
                known.state = state;
                std::mem::replace(&mut known.last, last)
            }
            None => {
                let offset = u32::try_from(self.streams.len()).unwrap_or(u32::MAX);
                self.numbers.insert(key, Position { segment: 1, offset });
                let new = StreamTail {
                    stream,
                    last,
                    state,
                };
                self.streams.push(new);
                0
            }
        };
        self.links.push(Link { place, before });
    }

    fn locations(&self, stream: &StreamKey) -> Vec<RecordLocation> {
        let number = self.number(stream.key());
        let tail = number.and_then(|number| self.streams.get(number));
        tail.map_or_else(Vec::new, |tail| self.chain(tail.last))
    }

    fn number(&self, stream: Key) -> Option<usize> {
        let number = self.numbers.get(stream)?;
        usize::try_from(number.offset).ok()
    }

    fn chain(&self, last: u32) -> Vec<RecordLocation> {
        let mut places = Vec::new();
        let mut next = last;
        while let Some(link) = next
            .checked_sub(1)
            .and_then(|index| self.links.get(usize::try_from(index).ok()?))
        {
            places.push(link.place);
            next = link.before;
        }
        places.reverse();
        places
    }
}

// Nothing panics while it holds one of these locks, and what they guard has no invariant across two calls.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::IndexEntries;
    use crate::store::Seq;
    use crate::store::testing::kinds;

    fn committed(seq: u64, stream: &[u8], entries: IndexEntries) -> Committed {
        Committed {
            seq: Seq(seq),
            position: Position {
                segment: 1,
                offset: u32::try_from(seq).unwrap(),
            },
            stream: StreamKey::new(kinds::COUNTER, stream),
            entries,
        }
    }

    #[test]
    fn tails_of_interleaved_streams_stay_apart_and_in_order() {
        let overlay = Overlay::new();
        let streams: [&[u8]; 4] = [b"a", b"b", b"a", b"a"];
        for (seq, stream) in (1..).zip(streams) {
            let record = committed(seq, stream, IndexEntries::default());
            overlay.add(vec![record], Arrival::Committed);
        }
        let seqs = |stream: &[u8]| -> Vec<u64> {
            let tail = overlay.tail(&StreamKey::new(kinds::COUNTER, stream));
            tail.iter().map(|place| place.seq.0).collect()
        };
        assert_eq!(seqs(b"a"), [1, 3, 4]);
        assert_eq!(seqs(b"b"), [2]);
        assert_eq!(seqs(b"c"), Vec::<u64>::new());
        assert_eq!(overlay.nth_stream(1).unwrap().stream.id(), b"b");
        assert!(overlay.nth_stream(2).is_none());
        assert_eq!(overlay.records(), 4);
        assert_eq!(overlay.last().unwrap().seq, Seq(4));
    }

    #[test]
    fn keys_come_out_sorted_with_their_newest_positions() {
        let overlay = Overlay::new();
        for seq in 1..=300 {
            let mut entries = IndexEntries::default();
            entries.key(Key::new("n", &(seq % 100)));
            overlay.add(vec![committed(seq, b"a", entries)], Arrival::Committed);
        }
        let keys = overlay.sorted_keys();
        assert_eq!(keys.len(), 100);
        assert!(keys.is_sorted());
        assert!(keys.iter().all(|(_, position)| position.offset > 200));
        assert_eq!(overlay.find(keys[7].0), Some(keys[7].1));
    }
}
