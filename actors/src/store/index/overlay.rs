//! What the index knows of the records since the last checkpoint, in memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::fingerprints::Fingerprints;
use super::place::Place;
use crate::domain::index::{Key, Row, StreamKey, Table};
use crate::store::tables::{KeyRange, Order};
use crate::store::{Committed, Position};

const SHARDS: usize = 16;

/// A changed row: its key, and its new value or that it is gone.
pub(super) type Change = (Vec<u8>, Option<Vec<u8>>);

/// Entries of the newest records. One thread writes, any number read.
#[derive(Debug)]
pub(super) struct Overlay {
    keys: [RwLock<Fingerprints>; SHARDS],
    tails: RwLock<Tails>,
    rows: RwLock<BTreeMap<Table, BTreeMap<Vec<u8>, Option<Vec<u8>>>>>,
    last: RwLock<Option<Place>>,
    records: AtomicU64,
}

/// The newest records of each stream. The records of a stream are a chain through one common list, so that
/// a stream costs its name and a record 24 bytes.
#[derive(Debug)]
struct Tails {
    /// The stream's fingerprint → its number in `streams`.
    numbers: Fingerprints,
    streams: Vec<(StreamKey, u32)>,
    links: Vec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    place: Place,
    /// The number of the same stream's record before it, counted from 1; 0 when there is none.
    before: u32,
}

impl Overlay {
    pub(super) fn new() -> Self {
        Self {
            keys: std::array::from_fn(|_| RwLock::new(Fingerprints::new())),
            tails: RwLock::new(Tails {
                numbers: Fingerprints::new(),
                streams: Vec::new(),
                links: Vec::new(),
            }),
            rows: RwLock::default(),
            last: RwLock::new(None),
            records: AtomicU64::new(0),
        }
    }

    /// Takes records in, in the order of their numbers.
    pub(super) fn add(&self, records: Vec<Committed>) {
        let mut rows = Vec::new();
        let mut last = None;
        let mut count = 0_u64;
        for record in records {
            let place = Place {
                seq: record.seq,
                position: record.position,
            };
            for key in record.entries.keys {
                if let Some(shard) = self.shard(key) {
                    write(shard).insert(key, record.position);
                }
            }
            write(&self.tails).add(record.stream, place);
            rows.extend(record.entries.rows);
            last = Some(place);
            count = count.saturating_add(1);
        }
        self.put_rows(rows);
        if last.is_some() {
            *write(&self.last) = last;
        }
        self.records.fetch_add(count, Ordering::AcqRel);
    }

    pub(super) fn find(&self, key: Key) -> Option<Position> {
        self.shard(key).and_then(|shard| read(shard).get(key))
    }

    /// The stream's records of this overlay, oldest first.
    pub(super) fn tail(&self, stream: &StreamKey) -> Vec<Place> {
        read(&self.tails).of(stream)
    }

    /// The name and the records of the `number`-th stream of this overlay.
    pub(super) fn nth_tail(&self, number: usize) -> Option<(StreamKey, Vec<Place>)> {
        let tails = read(&self.tails);
        let (stream, last) = tails.streams.get(number)?;
        Some((stream.clone(), tails.chain(*last)))
    }

    /// The first changes of a range in this order, at most `limit`.
    pub(super) fn changes(
        &self,
        table: Table,
        range: &KeyRange,
        order: Order,
        limit: usize,
    ) -> Vec<Change> {
        let rows = read(&self.rows);
        let Some(list) = rows.get(&table) else {
            return Vec::new();
        };
        if range.is_void() {
            return Vec::new();
        }
        let owned = |(key, value): (&Vec<u8>, &Option<Vec<u8>>)| (key.clone(), value.clone());
        let found = list.range::<[u8], _>(range.bounds());
        match order {
            Order::Ascending => found.take(limit).map(owned).collect(),
            Order::Descending => found.rev().take(limit).map(owned).collect(),
        }
    }

    /// What the row was changed to: outside `None` when it was not, inside `None` when it is gone.
    pub(super) fn change(&self, table: Table, key: &[u8]) -> Option<Option<Vec<u8>>> {
        let rows = read(&self.rows);
        rows.get(&table).and_then(|list| list.get(key)).cloned()
    }

    /// All keys with their positions, sorted.
    pub(super) fn sorted_keys(&self) -> Vec<(Key, Position)> {
        let mut all = Vec::with_capacity(self.keys.iter().map(|shard| read(shard).len()).sum());
        for shard in &self.keys {
            all.extend(read(shard).pairs());
        }
        all.sort_unstable();
        all
    }

    /// The newest record.
    pub(super) fn last(&self) -> Option<Place> {
        *read(&self.last)
    }

    /// How many records it covers.
    pub(super) fn records(&self) -> u64 {
        self.records.load(Ordering::Acquire)
    }

    /// Roughly how many bytes its keys and tails take.
    pub(super) fn bytes(&self) -> usize {
        let keys: usize = self.keys.iter().map(|shard| read(shard).bytes()).sum();
        let tails = read(&self.tails);
        let links = tails.links.capacity().saturating_mul(size_of::<Link>());
        let names = tails.streams.capacity().saturating_mul(64);
        keys.saturating_add(tails.numbers.bytes())
            .saturating_add(links)
            .saturating_add(names)
    }

    fn put_rows(&self, rows: Vec<Row>) {
        if rows.is_empty() {
            return;
        }
        let mut lists = write(&self.rows);
        for row in rows {
            debug_assert!(
                row.table != Table::Snapshots,
                "events do not write snapshots"
            );
            lists
                .entry(row.table)
                .or_default()
                .insert(row.key, row.value);
        }
    }

    fn shard(&self, key: Key) -> Option<&RwLock<Fingerprints>> {
        let [.., last] = key.0.to_be_bytes();
        self.keys.get(usize::from(last) % SHARDS)
    }
}

impl Tails {
    fn add(&mut self, stream: StreamKey, place: Place) {
        let key = stream.key();
        let number = self.number(key);
        let before = match number.and_then(|number| self.streams.get(number)) {
            Some((_, last)) => *last,
            None => 0,
        };
        self.links.push(Link { place, before });
        // Numbers stay far below this: a checkpoint comes long before.
        let newest = u32::try_from(self.links.len()).unwrap_or(u32::MAX);
        match number.and_then(|number| self.streams.get_mut(number)) {
            Some((_, last)) => *last = newest,
            None => {
                let offset = u32::try_from(self.streams.len()).unwrap_or(u32::MAX);
                self.numbers.insert(key, Position { segment: 1, offset });
                self.streams.push((stream, newest));
            }
        }
    }

    fn of(&self, stream: &StreamKey) -> Vec<Place> {
        let number = self.number(stream.key());
        let found = number.and_then(|number| self.streams.get(number));
        found.map_or_else(Vec::new, |(_, last)| self.chain(*last))
    }

    fn number(&self, stream: Key) -> Option<usize> {
        let found = self.numbers.get(stream)?;
        usize::try_from(found.offset).ok()
    }

    fn chain(&self, last: u32) -> Vec<Place> {
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
    use crate::domain::index::{IndexEntries, StreamKind};
    use crate::store::Seq;

    fn committed(seq: u64, stream: &[u8], entries: IndexEntries) -> Committed {
        Committed {
            seq: Seq(seq),
            position: Position {
                segment: 1,
                offset: u32::try_from(seq).unwrap(),
            },
            stream: StreamKey::new(StreamKind::Scope, stream),
            entries,
        }
    }

    #[test]
    fn tails_of_interleaved_streams_stay_apart_and_in_order() {
        let overlay = Overlay::new();
        let streams: [&[u8]; 4] = [b"a", b"b", b"a", b"a"];
        for (seq, stream) in (1..).zip(streams) {
            overlay.add(vec![committed(seq, stream, IndexEntries::default())]);
        }
        let seqs = |stream: &[u8]| -> Vec<u64> {
            let tail = overlay.tail(&StreamKey::new(StreamKind::Scope, stream));
            tail.iter().map(|place| place.seq.0).collect()
        };
        assert_eq!(seqs(b"a"), [1, 3, 4]);
        assert_eq!(seqs(b"b"), [2]);
        assert_eq!(seqs(b"c"), Vec::<u64>::new());
        assert_eq!(overlay.nth_tail(1).unwrap().0.id.as_ref(), b"b");
        assert!(overlay.nth_tail(2).is_none());
        assert_eq!(overlay.records(), 4);
        assert_eq!(overlay.last().unwrap().seq, Seq(4));
    }

    #[test]
    fn keys_come_out_sorted_with_their_newest_positions() {
        let overlay = Overlay::new();
        for seq in 1..=300 {
            let mut entries = IndexEntries::default();
            entries.key(Key::of("n", &(seq % 100)));
            overlay.add(vec![committed(seq, b"a", entries)]);
        }
        let sorted = overlay.sorted_keys();
        assert_eq!(sorted.len(), 100);
        assert!(sorted.is_sorted());
        assert!(sorted.iter().all(|(_, position)| position.offset > 200));
        assert_eq!(overlay.find(sorted[7].0), Some(sorted[7].1));
    }
}
