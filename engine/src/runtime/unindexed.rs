//! Submitted writes that the index cannot find yet. They are laid over the index, so that a writer sees its own
//! writes.
//!
//! Their number is bounded, since the queues of the committer and of the index are.

use std::collections::{BTreeSet, VecDeque};

use crate::entries::{Key, Keys};
use crate::store::Seq;
use crate::store::width::{narrow, wide};

/// Up to so many writes are looked through one by one: most owners never have more on their way, and a list of places
/// would cost each of them memory.
const FEW: usize = 32;

/// The writes of one writer that the index cannot find yet.
#[derive(Debug)]
pub(crate) struct Unindexed<T> {
    /// In the order in which they were submitted.
    writes: VecDeque<Write<T>>,
    /// The places of writes by their keys, once there are many writes.
    places: Option<Box<Places>>,
}

#[derive(Debug)]
struct Write<T> {
    /// The last record of its group.
    last: Seq,
    keys: Keys,
    what: T,
}

/// The places of writes by their keys. The first write has the place `first`, each other one the place after its
/// predecessor's.
#[derive(Debug, Default)]
struct Places {
    first: u64,
    of_keys: BTreeSet<(Key, u64)>,
}

impl<T> Default for Unindexed<T> {
    fn default() -> Self {
        Self {
            writes: VecDeque::new(),
            places: None,
        }
    }
}

impl<T> Unindexed<T> {
    /// A record with these keys was submitted in a group that ends with the record `last`, behind all others.
    pub(crate) fn put(&mut self, last: Seq, keys: Keys, what: T) {
        if let Some(places) = &mut self.places {
            places.put(self.writes.len(), &keys);
        }
        if self.writes.capacity() == 0 {
            // A quiet owner has one write on its way, and events are large: by itself, the queue begins with four places.
            self.writes.reserve_exact(1);
        }
        self.writes.push_back(Write { last, keys, what });
        if self.places.is_none() {
            self.place();
        }
    }

    /// The writes with this key, the newest first.
    pub(crate) fn with(&self, key: Key) -> impl Iterator<Item = &T> {
        self.writes_with(key).map(|write| &write.what)
    }

    /// The last record of the newest group with this key.
    pub(crate) fn last_with(&self, key: Key) -> Option<Seq> {
        self.writes_with(key).next().map(|write| write.last)
    }

    fn writes_with(&self, key: Key) -> impl Iterator<Item = &Write<T>> {
        let placed = self
            .places
            .iter()
            .flat_map(move |places| places.with(key))
            .filter_map(|place| self.writes.get(place));
        let few = self.places.is_none().then_some(&self.writes);
        let others = few
            .into_iter()
            .flat_map(|writes| writes.iter().rev())
            .filter(move |write| write.keys.contains(&key));
        placed.chain(others)
    }

    /// Forgets what can be found now: all records up to this one.
    pub(crate) fn forget(&mut self, indexed: Seq) {
        while let Some(write) = self.writes.front()
            && write.last <= indexed
        {
            if let Some(places) = &mut self.places {
                places.forget_first(&write.keys);
            }
            self.writes.pop_front();
        }
        if self.writes.is_empty() {
            self.places = None;
        }
    }

    /// Takes out what a failed write took away: all behind the last record that is stored.
    pub(crate) fn take_lost(&mut self, is_stored: impl Fn(Seq) -> bool) -> impl Iterator<Item = T> {
        let stored_count = self.writes.partition_point(|write| is_stored(write.last));
        let lost_writes = self.writes.split_off(stored_count);
        self.place();
        lost_writes.into_iter().map(|write| write.what)
    }

    /// Gives back the memory that writes of a busier time took.
    pub(crate) fn shrink(&mut self) {
        self.writes.shrink_to_fit();
    }

    /// Finds out the places of all writes, if there are many.
    fn place(&mut self) {
        self.places = (self.writes.len() > FEW).then(|| {
            let mut places = Box::<Places>::default();
            for (place, write) in self.writes.iter().enumerate() {
                places.put(place, &write.keys);
            }
            places
        });
    }
}

impl Places {
    fn put(&mut self, behind_first: usize, keys: &Keys) {
        let place = self.first.saturating_add(wide(behind_first));
        self.of_keys.extend(keys.iter().map(|key| (*key, place)));
    }

    /// Returns the distances of the writes with this key from the first one, the newest first.
    fn with(&self, key: Key) -> impl Iterator<Item = usize> {
        let places = self.of_keys.range((key, 0)..=(key, u64::MAX)).rev();
        places.map(|(_, place)| narrow(place.saturating_sub(self.first)))
    }

    fn forget_first(&mut self, keys: &Keys) {
        for key in keys {
            self.of_keys.remove(&(*key, self.first));
        }
        self.first = self.first.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Dice;

    fn keys(keys: impl IntoIterator<Item = u128>) -> Keys {
        keys.into_iter().map(Key).collect()
    }

    fn with(unindexed: &Unindexed<u32>, key: u128) -> Vec<u32> {
        unindexed.with(Key(key)).copied().collect()
    }

    #[test]
    fn the_newest_write_is_read_first_and_removed_last() {
        let mut unindexed = Unindexed::default();
        unindexed.put(Seq(1), keys([7, 8]), 10);
        unindexed.put(Seq(3), keys([7]), 30);
        unindexed.put(Seq(3), keys([9, 7]), 31);
        assert_eq!(with(&unindexed, 7), [31, 30, 10]);
        unindexed.forget(Seq(2));
        assert_eq!(with(&unindexed, 7), [31, 30]);
        assert_eq!(with(&unindexed, 8), [0; 0]);
        // Records of one group are found together or not at all.
        unindexed.forget(Seq(3));
        assert_eq!(with(&unindexed, 7), [0; 0]);
    }

    /// Writes that are lost are handed back in order, and what they hid is visible again.
    #[test]
    fn lost_writes_are_returned_in_order_and_uncover_older_ones() {
        let mut unindexed = Unindexed::default();
        for seq in 1..=100 {
            unindexed.put(Seq(u64::from(seq)), keys([7]), seq);
        }
        let lost_writes: Vec<u32> = unindexed.take_lost(|seq| seq <= Seq(40)).collect();
        assert_eq!(lost_writes, (41..=100).collect::<Vec<_>>());
        assert_eq!(unindexed.with(Key(7)).next(), Some(&40));
        // Their numbers are given out again.
        unindexed.put(Seq(41), keys([7]), 141);
        assert_eq!(with(&unindexed, 7).get(..2), Some([141, 40].as_slice()));
    }

    #[test]
    fn a_removed_write_leaves_nothing_behind() {
        let mut unindexed = Unindexed::default();
        for seq in 1..=1_000 {
            unindexed.put(Seq(seq), keys([u128::from(seq % 50), 99]), ());
        }
        unindexed.forget(Seq(990));
        let places = unindexed.places.as_ref().unwrap();
        assert_eq!(places.of_keys.len(), 20, "two for each of ten");
        unindexed.forget(Seq(1_000));
        assert!(unindexed.places.is_none());
        unindexed.shrink();
        assert_eq!(unindexed.writes.capacity(), 0);
        unindexed.put(Seq(1_001), keys([1]), ());
        assert!(unindexed.places.is_none(), "few take no list of places");
    }

    /// Does what the model does, which is a list that is looked through.
    #[test]
    fn unindexed_writes_agree_with_a_plain_list() {
        for seed in 0..300 {
            let mut dice = Dice::new(seed);
            let mut unindexed = Unindexed::default();
            let mut model: Vec<(Seq, Keys, u32)> = Vec::new();
            let mut next = 1_u64;
            for step in 0..200_u32 {
                match dice.below(12) {
                    0 => {
                        let upto = Seq(next.saturating_sub(wide(dice.below(80))));
                        unindexed.forget(upto);
                        model.retain(|(last, _, _)| *last > upto);
                    }
                    1 => {
                        let durable = next.saturating_sub(wide(dice.below(40)) + 1);
                        let lost_writes: Vec<u32> =
                            unindexed.take_lost(|last| last <= Seq(durable)).collect();
                        let stored_count = model.partition_point(|(last, _, _)| last.0 <= durable);
                        let lost_tail = model.split_off(stored_count).into_iter();
                        assert_eq!(
                            lost_writes,
                            lost_tail.map(|(_, _, what)| what).collect::<Vec<_>>()
                        );
                        next = durable + 1;
                    }
                    _ => {
                        let records = 1 + dice.below(9);
                        let last = Seq(next + wide(records) - 1);
                        next = last.0 + 1;
                        for record in 0..records {
                            let numbers = (0..dice.below(6)).map(|_| u128::from(dice.next() % 20));
                            let write_keys = keys(numbers.collect::<Vec<_>>());
                            let what = step * 16 + u32::try_from(record).unwrap();
                            unindexed.put(last, write_keys.clone(), what);
                            model.push((last, write_keys, what));
                        }
                    }
                }
                for key in 0..20 {
                    let matches: Vec<u32> = model
                        .iter()
                        .rev()
                        .filter(|(_, keys, _)| keys.contains(&Key(key)))
                        .map(|(_, _, what)| *what)
                        .collect();
                    assert_eq!(with(&unindexed, key), matches, "seed {seed}, step {step}");
                }
            }
        }
    }
}
