//! Ways to find stored records again: by fingerprint, or in order.
//!
//! A *key* is a 128-bit fingerprint that leads to the newest record with that key. A *row* is an entry of an
//! ordered list. Both can be derived again from the records, so an index that is lost is only rebuilt.

use std::fmt;
use std::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher13};
use smallvec::SmallVec;

use crate::state_after::StateAfter;
use crate::table::Table;

/// A 128-bit fingerprint of what a record can be found by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u128);

impl Key {
    /// The fingerprint of `parts` within the family `family`.
    #[must_use]
    pub fn new(family: &'static str, parts: &impl Hash) -> Self {
        let mut hasher = SipHasher13::new_with_keys(0x7377_6974_6368_626f, 0x6172_645f_6b65_7973);
        family.hash(&mut hasher);
        parts.hash(&mut hasher);
        hasher.write_u8(0xff);
        Self(hasher.finish128().as_u128())
    }
}

/// Keys of one record, or that one command asks for: seldom more than four, and so many take no memory of their own.
pub type Keys = SmallVec<[Key; 4]>;

/// The key of a row; one of ordinary length takes no memory of its own.
pub type RowBytes = SmallVec<[u8; 48]>;

/// Changes of rows by one record, likewise.
pub type RowChanges = SmallVec<[Row; 2]>;

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A change of one row of an ordered list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The list.
    pub table: Table,
    /// The place in the list: rows are ordered by the bytes of their keys.
    pub key: RowBytes,
    /// The new content; `None` takes the row away.
    pub value: Option<Vec<u8>>,
    /// True when the list is known to have no such row yet.
    pub is_new: bool,
}

/// The additions of an event to the indexes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexEntries {
    /// The keys that lead to the event's record from now on.
    pub keys: Keys,
    /// The rows that change.
    pub rows: RowChanges,
    /// The state after the event, in the memory of its owner. A replayed event has none.
    pub state: Option<StateAfter>,
}

impl IndexEntries {
    /// The record is found under `key` from now on.
    pub fn key(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// Puts a row into a list that has no such row. Taken away soon after, it costs nothing.
    pub fn insert(&mut self, table: Table, key: impl Into<RowBytes>, value: Vec<u8>) {
        self.rows.push(Row {
            table,
            key: key.into(),
            value: Some(value),
            is_new: true,
        });
    }

    /// Puts a row into a list, or changes it.
    pub fn put(&mut self, table: Table, key: impl Into<RowBytes>, value: Vec<u8>) {
        self.rows.push(Row {
            table,
            key: key.into(),
            value: Some(value),
            is_new: false,
        });
    }

    /// Takes a row away from a list.
    pub fn delete(&mut self, table: Table, key: impl Into<RowBytes>) {
        self.rows.push(Row {
            table,
            key: key.into(),
            value: None,
            is_new: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_differ_by_family_and_by_part_boundaries() {
        assert_ne!(Key::new("a", &("x", "y")), Key::new("b", &("x", "y")));
        assert_ne!(Key::new("a", &("xy", "")), Key::new("a", &("x", "y")));
        assert_eq!(Key::new("a", &("x", 1_u64)), Key::new("a", &("x", 1_u64)));
    }
}
