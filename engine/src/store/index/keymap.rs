//! A map from fingerprints to positions that takes 24 bytes per slot and allocates only to grow.
//!
//! The keys are fingerprints already, so one multiplication spreads them. The multiplier is drawn once per map: an
//! attacker who chooses what is fingerprinted cannot aim at one slot.

use std::hash::{BuildHasher, RandomState};

use crate::entries::Key;
use crate::store::Position;

const SMALLEST: usize = 16;

/// Fingerprint → position, the newest one wins.
#[derive(Debug)]
pub(super) struct KeyMap {
    /// As many as a power of two, or none. Probed one after the other from the key's own slot.
    slots: Vec<Slot>,
    used: usize,
    multiplier: u64,
}

/// A pair, or a vacant slot: then `value` is 0.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    high: u64,
    low: u64,
    value: u64,
}

impl KeyMap {
    pub(super) fn new() -> Self {
        Self::as_large_as(&[])
    }

    /// An empty map of the size that another one has grown to: growing takes longer than anything else.
    pub(super) fn like(other: &Self) -> Self {
        Self::as_large_as(&other.slots)
    }

    fn as_large_as(slots: &[Slot]) -> Self {
        Self {
            slots: vec![Slot::default(); slots.len()],
            used: 0,
            multiplier: RandomState::new().hash_one(0) | 1,
        }
    }

    /// Touches the slots of keys that are inserted next. A slot is rarely in the processor's cache; without a
    /// decision between two reads, many slots are fetched at the same time.
    pub(super) fn warm(&self, keys: impl Iterator<Item = Key>) {
        let homes = keys.map(|key| {
            let (high, low) = halves(key);
            let slot = self.slots.get(self.home(high, low));
            slot.map_or(0, |slot| slot.value)
        });
        std::hint::black_box(homes.fold(0, |all, value| all ^ value));
    }

    pub(super) fn insert(&mut self, key: Key, position: Position) {
        if self.used.saturating_mul(4) >= self.slots.len().saturating_mul(3) {
            self.grow();
        }
        let (high, low) = halves(key);
        let start = self.home(high, low);
        let slot = Slot {
            high,
            low,
            value: packed(position),
        };
        if place(&mut self.slots, start, slot) {
            self.used = self.used.saturating_add(1);
        }
    }

    pub(super) fn get(&self, key: Key) -> Option<Position> {
        let (high, low) = halves(key);
        let start = self.home(high, low);
        let (before, after) = self.slots.split_at_checked(start)?;
        let slot = after.iter().chain(before).find(|slot| {
            let vacant = slot.value == 0;
            vacant || (slot.high == high && slot.low == low)
        })?;
        (slot.value != 0).then(|| unpacked(slot.value))
    }

    pub(super) fn len(&self) -> usize {
        self.used
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.len().saturating_mul(size_of::<Slot>())
    }

    /// All pairs, in no order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Key, Position)> {
        let full_slots = self.slots.iter().filter(|slot| slot.value != 0);
        full_slots.map(|slot| {
            let key = (u128::from(slot.high) << 64) | u128::from(slot.low);
            (Key(key), unpacked(slot.value))
        })
    }

    fn grow(&mut self) {
        let size = self.slots.len().saturating_mul(2).max(SMALLEST);
        let former = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for slot in former.into_iter().filter(|slot| slot.value != 0) {
            let start = self.home(slot.high, slot.low);
            place(&mut self.slots, start, slot);
        }
    }

    /// The slot where the search for a key starts; within the slots as long as there are any.
    fn home(&self, high: u64, low: u64) -> usize {
        let bits = self.slots.len().checked_ilog2().unwrap_or(0);
        let mixed = (low ^ high.rotate_left(32)).wrapping_mul(self.multiplier);
        let top = mixed.checked_shr(u64::BITS - bits).unwrap_or(0);
        usize::try_from(top).unwrap_or(0)
    }
}

/// Puts a pair into its slot or the next vacant one behind it; says whether the key is new.
fn place(slots: &mut [Slot], start: usize, new: Slot) -> bool {
    let Some((before, after)) = slots.split_at_mut_checked(start) else {
        return false;
    };
    for slot in after.iter_mut().chain(before) {
        if slot.value == 0 {
            *slot = new;
            return true;
        }
        if slot.high == new.high && slot.low == new.low {
            slot.value = new.value;
            return false;
        }
    }
    false
}

fn halves(key: Key) -> (u64, u64) {
    let [a, b, c, d, e, f, g, h, low @ ..] = key.0.to_be_bytes();
    (
        u64::from_be_bytes([a, b, c, d, e, f, g, h]),
        u64::from_be_bytes(low),
    )
}

/// A position as one number; never 0, because segments are counted from 1.
pub(super) fn packed(position: Position) -> u64 {
    debug_assert!(position.segment > 0, "segments are counted from 1");
    (u64::from(position.segment) << 32) | u64::from(position.offset)
}

pub(super) fn unpacked(value: u64) -> Position {
    let [a, b, c, d, offset @ ..] = value.to_be_bytes();
    Position {
        segment: u32::from_be_bytes([a, b, c, d]),
        offset: u32::from_be_bytes(offset),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn position(number: u32) -> Position {
        Position {
            segment: 1 + number / 7,
            offset: number,
        }
    }

    #[test]
    fn the_newest_position_of_each_key_is_found_while_the_map_grows() {
        let mut map = KeyMap::new();
        let mut model = BTreeMap::new();
        assert_eq!(map.get(Key(1)), None);
        for number in 0..20_000_u32 {
            // Plain small numbers as well as real fingerprints, most of them twice.
            let key = if number % 2 == 0 {
                Key(u128::from(number % 6_000))
            } else {
                Key::new("n", &(number % 6_000))
            };
            map.insert(key, position(number));
            model.insert(key, position(number));
        }
        assert_eq!(map.len(), model.len());
        for (key, position) in &model {
            assert_eq!(map.get(*key), Some(*position));
        }
        assert_eq!(map.get(Key::new("m", &1)), None);
        assert_eq!(map.pairs().collect::<BTreeMap<_, _>>(), model);
    }
}
