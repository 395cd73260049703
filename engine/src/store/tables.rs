//! Ordered lists on disk, as the index sees them: a few operations, so that the engine can be replaced.
//!
//! Lists are written by checkpoints only, in large batches. Nothing in them is the truth: a home whose
//! tables do not open is moved aside and filled again from the journal.

pub mod memory;
pub mod sled;

use std::ops::Bound;
use std::sync::Arc;

use crate::entries::Row;
use crate::table::Table;

/// The most bytes that a value should have. Larger ones work, but the engine may keep them in ways that do
/// not survive a power cut, which costs a rebuild.
pub const VALUE_BYTES_MAX: usize = 48 * 1024;

/// A row as it is stored: its key and its value.
pub type StoredRow = (Vec<u8>, Vec<u8>);

/// Ordered lists of rows, one for each [`Table`].
pub trait Tables: Send + Sync + 'static {
    /// The value of the row with this key.
    ///
    /// # Errors
    /// When the engine refuses or finds damage.
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, TablesError>;

    /// The first rows of a range in this order, at most `limit`.
    ///
    /// # Errors
    /// When the engine refuses or finds damage.
    fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Result<Vec<StoredRow>, TablesError>;

    /// Changes rows, in this order. Readers may see a part of it, and a crash may keep a part of it.
    ///
    /// # Errors
    /// When the engine refuses; some of the rows may be changed then.
    fn write_batch(&self, rows: Vec<Row>) -> Result<(), TablesError>;

    /// Makes everything that was written so far survive a power cut.
    ///
    /// # Errors
    /// When the engine or the operating system refuses; what is durable is unknown then.
    fn flush_durably(&self) -> Result<(), TablesError>;

    /// Returns the bytes that the tables take on disk; 0 when that is not known.
    fn size_bytes(&self) -> u64;

    /// Releases what the tables hold of the operating system, so that their home can be opened again, even while
    /// others still have the tables. To be called after the last flush; later calls are refused with
    /// [`TablesError::Closed`]. Tables that hold nothing need not do anything.
    fn close(&self) {}
}

/// The home of tables: opens them, and moves them aside when they are damaged.
pub trait TablesHome: Send + Sync + 'static {
    /// Opens these tables, making empty ones when there are none.
    ///
    /// # Errors
    /// [`TablesError::Damaged`] when they can only be moved aside, [`TablesError::Refused`] when trying
    /// again later may help.
    fn open(&self, tables: &[Table]) -> Result<Arc<dyn Tables>, TablesError>;

    /// Moves closed tables out of the way and says to where; `None` when there were none.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn move_aside(&self) -> Result<Option<String>, TablesError>;

    /// Removes closed tables, and those that were moved aside before: nothing of their rows is left. No error when there
    /// are none.
    ///
    /// # Errors
    /// When the operating system refuses, or the tables are in use.
    fn remove(&self) -> Result<(), TablesError>;

    /// Returns the place in which tables are built that are to replace these.
    fn successor(&self) -> Arc<dyn TablesHome>;

    /// The closed tables of the successor take the place of these, which are closed too and removed. Nothing happens when
    /// the successor has none, so this may be repeated.
    ///
    /// # Errors
    /// When the operating system refuses, or tables are in use.
    fn replace_by_successor(&self) -> Result<(), TablesError>;
}

/// The tables cannot do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    /// The stored content cannot be trusted any more.
    #[error("{place} is damaged: {reason}")]
    Damaged {
        /// The directory of the tables.
        place: String,
        /// The damage.
        reason: String,
    },
    /// The operating system refused: no space, no permission, in use by another process.
    #[error("cannot use {place}: {reason}")]
    Refused {
        /// The directory of the tables.
        place: String,
        /// The operating system's words.
        reason: String,
    },
    /// They were closed before.
    #[error("the tables are closed")]
    Closed,
}

/// In which order rows are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanOrder {
    /// From the smallest key up.
    Ascending,
    /// From the largest key down.
    Descending,
}

/// A range of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// Its beginning.
    pub from: Bound<Vec<u8>>,
    /// Its end.
    pub to: Bound<Vec<u8>>,
}

impl KeyRange {
    /// All keys.
    #[must_use]
    pub fn all() -> Self {
        Self {
            from: Bound::Unbounded,
            to: Bound::Unbounded,
        }
    }

    /// The keys that begin with these bytes.
    #[must_use]
    pub fn prefix(prefix: &[u8]) -> Self {
        // The smallest key above all of them: the prefix without its trailing 0xff bytes, plus one.
        let mut above = prefix.to_vec();
        while above.last() == Some(&u8::MAX) {
            above.pop();
        }
        let to = match above.last_mut() {
            Some(last) => {
                *last = last.saturating_add(1);
                Bound::Excluded(above)
            }
            None => Bound::Unbounded,
        };
        Self {
            from: Bound::Included(prefix.to_vec()),
            to,
        }
    }

    /// Returns the rest of the range from `key` on.
    #[must_use]
    pub fn from_key(self, key: Vec<u8>) -> Self {
        Self {
            from: Bound::Included(key),
            ..self
        }
    }

    /// The rest of the range behind `key`, in `order`.
    #[must_use]
    pub fn behind(self, key: Vec<u8>, order: ScanOrder) -> Self {
        match order {
            ScanOrder::Ascending => Self {
                from: Bound::Excluded(key),
                ..self
            },
            ScanOrder::Descending => Self {
                to: Bound::Excluded(key),
                ..self
            },
        }
    }

    /// The part of the range up to and including `key`, in `order`; `key` must lie in it.
    #[must_use]
    pub fn up_to(self, key: Vec<u8>, order: ScanOrder) -> Self {
        match order {
            ScanOrder::Ascending => Self {
                to: Bound::Included(key),
                ..self
            },
            ScanOrder::Descending => Self {
                from: Bound::Included(key),
                ..self
            },
        }
    }

    /// Returns whether no key can lie in it. Engines panic when such a range is asked for.
    #[must_use]
    pub fn is_void(&self) -> bool {
        match (&self.from, &self.to) {
            (Bound::Included(from), Bound::Included(to)) => from > to,
            (
                Bound::Included(from) | Bound::Excluded(from),
                Bound::Included(to) | Bound::Excluded(to),
            ) => from >= to,
            (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        }
    }

    /// The borders as a map of byte vectors wants them.
    #[must_use]
    pub fn bounds(&self) -> (Bound<&[u8]>, Bound<&[u8]>) {
        (
            self.from.as_ref().map(Vec::as_slice),
            self.to.as_ref().map(Vec::as_slice),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_covers_exactly_the_keys_that_begin_with_it() {
        let range = KeyRange::prefix(&[1, 255]);
        assert_eq!(range.from, Bound::Included(vec![1, 255]));
        assert_eq!(range.to, Bound::Excluded(vec![2]));
        assert_eq!(KeyRange::prefix(&[255, 255]).to, Bound::Unbounded);
        assert_eq!(KeyRange::prefix(&[]).to, Bound::Unbounded);
    }

    #[test]
    fn the_range_behind_the_last_key_is_empty() {
        let one = KeyRange {
            from: Bound::Included(vec![7]),
            to: Bound::Included(vec![7]),
        };
        assert!(!one.is_void());
        assert!(one.clone().behind(vec![7], ScanOrder::Ascending).is_void());
        assert!(one.behind(vec![7], ScanOrder::Descending).is_void());
    }
}
