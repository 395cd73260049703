//! A map that keeps what is used, up to a weight: the second-chance («clock») replacement.
//!
//! A use only sets a mark, so readers share a lock. When the map is too heavy, a hand goes round in the order of the keys,
//! takes the mark off entries that were used since it last came by, and takes the others out. The same uses have the same
//! effect in each run.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};

/// A map of bounded weight.
#[derive(Debug)]
pub struct Bounded<K, V> {
    entries: BTreeMap<K, Entry<V>>,
    weight: usize,
    weight_max: usize,
    /// The key that the hand passed last.
    hand: Option<K>,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    weight: usize,
    used: AtomicBool,
}

impl<K: Ord + Clone, V> Bounded<K, V> {
    /// An empty map of entries that weigh at most so much together. One that weighs more stays alone.
    pub fn new(weight_max: usize) -> Self {
        Self {
            entries: BTreeMap::new(),
            weight: 0,
            weight_max,
            hand: None,
        }
    }

    /// The value of this key, which is used now.
    pub fn get(&self, key: &K) -> Option<&V> {
        let entry = self.entries.get(key)?;
        // Threads that only read a mark do not contend for it.
        if !entry.used.load(Ordering::Relaxed) {
            entry.used.store(true, Ordering::Relaxed);
        }
        Some(&entry.value)
    }

    /// Gives a key this value. Returns what made room for it, and what it had, to be dropped behind the lock.
    pub fn insert(&mut self, key: K, value: V, weight: usize) -> Vec<V> {
        let entry = Entry {
            value,
            weight,
            used: AtomicBool::new(false),
        };
        let mut evicted_entries = Vec::new();
        self.weight = self.weight.saturating_add(weight);
        if let Some(before) = self.entries.insert(key.clone(), entry) {
            self.weight = self.weight.saturating_sub(before.weight);
            evicted_entries.push(before.value);
        }
        while self.weight > self.weight_max && self.entries.len() > 1 {
            evicted_entries.extend(self.turn_hand(&key));
        }
        evicted_entries
    }

    /// Moves the hand to the next entry; takes that out unless it was used, or is the one that came now.
    fn turn_hand(&mut self, newest: &K) -> Option<V> {
        let behind = match &self.hand {
            Some(hand) => (Bound::Excluded(hand), Bound::Unbounded),
            None => (Bound::Unbounded, Bound::Unbounded),
        };
        let next = self.entries.range::<K, _>(behind).next();
        let (key, entry) = next.or_else(|| self.entries.first_key_value())?;
        let stays = key == newest || entry.used.swap(false, Ordering::Relaxed);
        let key = key.clone();
        let evicted_key = if stays {
            None
        } else {
            self.entries.remove(&key)
        };
        self.hand = Some(key);
        let evicted_entry = evicted_key?;
        self.weight = self.weight.saturating_sub(evicted_entry.weight);
        Some(evicted_entry.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(map: &Bounded<u32, &str>) -> Vec<u32> {
        map.entries.keys().copied().collect()
    }

    #[test]
    fn what_is_used_stays_and_what_is_not_makes_room() {
        let mut map = Bounded::new(3);
        for key in [1, 2, 3] {
            assert!(map.insert(key, "first", 1).is_empty());
        }
        assert_eq!((map.get(&2), map.get(&9)), (Some(&"first"), None));
        assert_eq!(map.insert(4, "second", 1), ["first"]);
        assert_eq!(keys(&map), [2, 3, 4]);
        // The hand has taken its mark off, so it stays this time only.
        assert_eq!(map.insert(5, "third", 1), ["first"]);
        assert_eq!(keys(&map), [2, 4, 5]);
        map.insert(6, "fourth", 1);
        assert_eq!(keys(&map), [2, 5, 6]);
    }

    #[test]
    fn the_weight_is_bounded_and_a_heavier_entry_stays_alone() {
        let mut map = Bounded::new(10);
        for key in 0..1_000 {
            map.insert(key, "", usize::try_from(key % 7).unwrap());
            map.get(&(key / 2));
            let weight: usize = map.entries.values().map(|entry| entry.weight).sum();
            assert!(weight <= 10 && weight == map.weight, "{key}: {weight}");
        }
        map.insert(5_000, "heavy", 11);
        assert_eq!(keys(&map), [5_000]);
        map.insert(5_000, "light", 2);
        map.insert(1, "light", 8);
        assert_eq!((keys(&map), map.weight), (vec![1, 5_000], 10));
    }

    #[test]
    fn a_map_of_used_entries_makes_room_too() {
        let mut map = Bounded::new(100);
        for key in 0..10_000 {
            map.insert(key, "", 1);
            map.get(&key);
            assert!(map.entries.len() <= 100);
        }
    }
}
