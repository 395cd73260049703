//! Lists in the order of the last change.
//!
//! The place of an entry is the time of its last change, so an entry that changes while a client pages moves behind all
//! others: no other entry is left out or comes twice.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::{BATCH, ListPosition, RowSource};
use crate::domain::keys::changes::{ChangeList, parse_place, place};
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::system::user_access::UserAccess;
use crate::system::user_access::entity_filter::Span;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// The number of entries that are read to sort them.
const SORTED_MAX: usize = 500;

impl UserAccess {
    /// The same rows in the order of the last change. Up to [`SORTED_MAX`] are sorted here; in place of more, or of all
    /// numbers, stand the rows of the whole list, of which the caller leaves out what does not belong.
    pub(in crate::system::user_access) async fn by_change(
        &self,
        rows: RowSource,
        list: ChangeList,
        span: Span,
        mut updated_at: impl AsyncFnMut(u64) -> Result<Option<UnixMillis>, UnavailableError>,
    ) -> Result<RowSource, UnavailableError> {
        let numbers = if matches!(rows, RowSource::Numbers(_)) {
            None
        } else {
            self.few_numbers(&rows, SORTED_MAX)?
        };
        let Some(numbers) = numbers else {
            let prefix = list.prefix(self.caller.account);
            return Ok(RowSource::ByChange { prefix, span });
        };
        let mut places = BTreeSet::new();
        for number in numbers {
            let updated_at = updated_at(number).await?;
            places.extend(updated_at.map(|time| ListPosition {
                updated_at: Some(time),
                number,
            }));
        }
        Ok(RowSource::Sorted(places))
    }

    /// The next places in the rows of a list by the last change; fewer than [`BATCH`] at the end only.
    pub(super) fn places_by_change(
        &self,
        prefix: &[u8],
        span: Span,
        newest_first: bool,
        after: Option<ListPosition>,
    ) -> Result<Vec<ListPosition>, UnavailableError> {
        let row = |time, number| [prefix, place(time, number).as_slice()].concat();
        let mut range = KeyRange::prefix(prefix);
        if let Some(from) = span.from {
            range.from = Bound::Included(row(from, 0));
        }
        if let Some(to) = span.to {
            range.to = Bound::Included(row(to, u64::MAX));
        }
        let order = if newest_first {
            ScanOrder::Descending
        } else {
            ScanOrder::Ascending
        };
        if let Some(after) = after {
            let time = after.updated_at.unwrap_or_default();
            range = range.behind(row(time, after.number), order);
        }
        if range.is_void() {
            return Ok(Vec::new());
        }
        let index = &self.system.kernel().index;
        let rows = index.scan(tables::BY_CHANGE, &range, order, BATCH)?;
        let places = rows.iter().filter_map(|(key, _)| {
            let (time, number) = parse_place(key.get(prefix.len()..)?)?;
            Some(ListPosition {
                updated_at: Some(time),
                number,
            })
        });
        Ok(places.collect())
    }
}
