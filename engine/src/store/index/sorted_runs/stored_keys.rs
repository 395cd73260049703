//! Keys as runs have them: a fingerprint is its bytes, and the key of a row has the number of its list before it, so
//! that one run has rows of all lists.

use std::ops::Bound;

use crate::store::tables::KeyRange;
use crate::table::Table;

/// The key of a row in a run.
pub(crate) fn full_key(table: Table, key: &[u8]) -> Vec<u8> {
    let mut full = Vec::with_capacity(key.len().saturating_add(1));
    full.push(table.code());
    full.extend(key);
    full
}

/// A range of rows as one of keys in a run.
pub(super) fn full_range(table: Table, range: &KeyRange) -> KeyRange {
    let full = |bound: &Bound<Vec<u8>>, open: Bound<Vec<u8>>| match bound {
        Bound::Unbounded => open,
        Bound::Included(key) => Bound::Included(full_key(table, key)),
        Bound::Excluded(key) => Bound::Excluded(full_key(table, key)),
    };
    // Numbers of lists are far below 255.
    let behind = table.code().saturating_add(1);
    KeyRange {
        from: full(&range.from, Bound::Included(vec![table.code()])),
        to: full(&range.to, Bound::Excluded(vec![behind])),
    }
}

/// The prefix that all keys of a range in a run have, when bloom filters know of it. Most reads of a table ask for
/// rows with such a prefix, and mostly the table has none.
pub(super) fn common_prefix(table: Table, range: &KeyRange) -> Option<&[u8]> {
    let (Bound::Included(from) | Bound::Excluded(from)) = &range.from else {
        return None;
    };
    let (_, row) = from.split_first()?;
    let row_prefix = table.prefix()?(row)?;
    let prefix = from.get(..row_prefix.len().checked_add(1)?)?;
    (range.to == KeyRange::prefix(prefix).to).then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::Prefixes;
    use crate::store::tables::ScanOrder;
    use crate::store::testing::tables;

    fn row(table: Table, place: u8, number: u8) -> Vec<u8> {
        // A text of two letters, two ids, a number.
        let mut key = vec![table.code(), 2, b'a', b'b'];
        key.extend([7; 16]);
        key.extend([place; 16]);
        key.push(number);
        key
    }

    /// A range behind a row keeps the prefix of its rows; a wider range has none.
    #[test]
    fn only_ranges_within_one_prefix_use_its_bloom_filter() {
        fn common_prefix(range: &KeyRange) -> Option<&[u8]> {
            super::common_prefix(tables::WAITING, range)
        }
        let prefixes = Prefixes::new(tables::ALL);
        let first = row(tables::WAITING, 1, 0);
        let place = prefixes.prefix(&first).unwrap();
        assert_eq!(place.len(), first.len() - 1);
        assert_eq!(prefixes.prefix(&row(tables::ACTIVITY, 1, 0)), None);
        assert_eq!(prefixes.prefix(&first[..20]), None);
        let whole = KeyRange::prefix(place);
        assert_eq!(common_prefix(&whole), Some(place));
        let rest = whole.behind(first.clone(), ScanOrder::Ascending);
        assert_eq!(common_prefix(&rest), Some(place));
        for wider in [KeyRange::prefix(&place[..20]), KeyRange::all()] {
            assert_eq!(common_prefix(&wider), None);
        }
        let two = KeyRange {
            to: KeyRange::prefix(&row(tables::WAITING, 2, 0)).to,
            ..KeyRange::prefix(place)
        };
        assert_eq!(common_prefix(&two), None);
    }
}
