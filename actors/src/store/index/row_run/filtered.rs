//! What the filter of a row run tells besides whole keys: whether a conversation has anything in a queue. That is asked
//! with every message that goes out, mostly of conversations that have nothing there.

use std::ops::Bound;

use crate::domain::index::Table;
use crate::domain::keys;
use crate::store::tables::KeyRange;

/// The first part of a run's key that rows are asked for by, when they are.
pub(crate) fn prefix(key: &[u8]) -> Option<&[u8]> {
    let (code, row) = key.split_first()?;
    if *code != Table::Queued.code() {
        return None;
    }
    let lane = keys::lane_of_row(row)?;
    key.get(..lane.len().checked_add(1)?)
}

/// The prefix that all keys of a range have, when the filter knows of it; the range is one of whole keys of a run.
pub(crate) fn common_prefix(range: &KeyRange) -> Option<&[u8]> {
    let (Bound::Included(from) | Bound::Excluded(from)) = &range.from else {
        return None;
    };
    let prefix = prefix(from)?;
    (range.to == KeyRange::prefix(prefix).to).then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tables::Order;

    fn row(table: Table, lane: u8, number: u8) -> Vec<u8> {
        // A channel's name of two letters, an account, a conversation, a number.
        let mut key = vec![table.code(), 2, b'a', b'b'];
        key.extend([7; 16]);
        key.extend([lane; 16]);
        key.push(number);
        key
    }

    #[test]
    fn the_rest_of_a_lanes_queue_has_the_lanes_prefix_and_wider_ranges_have_none() {
        let first = row(Table::Queued, 1, 0);
        let lane = prefix(&first).unwrap();
        assert_eq!(lane.len(), first.len() - 1);
        assert_eq!(prefix(&row(Table::Conversations, 1, 0)), None);
        assert_eq!(prefix(&first[..20]), None);
        let whole = KeyRange::prefix(lane);
        assert_eq!(common_prefix(&whole), Some(lane));
        let rest = whole.behind(first.clone(), Order::Ascending);
        assert_eq!(common_prefix(&rest), Some(lane));
        for wider in [KeyRange::prefix(&lane[..20]), KeyRange::all()] {
            assert_eq!(common_prefix(&wider), None);
        }
        let two = KeyRange {
            to: KeyRange::prefix(&row(Table::Queued, 2, 0)).to,
            ..KeyRange::prefix(lane)
        };
        assert_eq!(common_prefix(&two), None);
    }
}
