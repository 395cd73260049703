//! Rows of an ordered list: what is stored, with the changes since then laid over it.

use std::collections::BTreeMap;

use super::failure::Failure;
use super::view::View;
use crate::domain::index::Table;
use crate::store::tables::{KeyRange, Order, StoredRow, Tables};

/// So many rows more than wanted are fetched, because changes may hide some.
const SPARE_ROWS: usize = 64;
/// The most rows that are fetched from one source at a time.
const PAGE_ROWS_MAX: usize = 4096;

/// The first rows of a range in this order, at most `limit`.
pub(super) fn scan(
    view: &View,
    tables: &dyn Tables,
    table: Table,
    range: &KeyRange,
    order: Order,
    limit: usize,
) -> Result<Vec<StoredRow>, Failure> {
    let below = view.stored(tables);
    // Most ranges did not change since the last checkpoint, and are read as they are.
    if !view.overlays().any(|overlay| overlay.touches(table, range)) {
        return below.scan(table, range, order, limit);
    }
    let mut found = Vec::new();
    let mut rest = range.clone();
    while found.len() < limit && !rest.is_void() {
        let wanted = limit.saturating_sub(found.len());
        let size = wanted.saturating_add(SPARE_ROWS).min(PAGE_ROWS_MAX);
        let mut page = Page::new(order, size);
        let stored = below.scan(table, &rest, order, size)?;
        page.lay(stored.into_iter().map(|(key, value)| (key, Some(value))));
        for overlay in view.overlays() {
            page.lay(overlay.changes(table, &rest, order, size).into_iter());
        }
        let horizon = page.horizon.clone();
        found.extend(page.rows().take(wanted));
        match horizon {
            Some(horizon) => rest = rest.behind(horizon, order),
            None => break,
        }
    }
    Ok(found)
}

/// The next rows of all sources: newer sources are laid over older ones.
struct Page {
    order: Order,
    size: usize,
    rows: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// The nearest place behind which a source may have more than it gave: what lies behind it is for the
    /// next page. `None` when all sources are at their end.
    horizon: Option<Vec<u8>>,
}

impl Page {
    fn new(order: Order, size: usize) -> Self {
        Self {
            order,
            size,
            rows: BTreeMap::new(),
            horizon: None,
        }
    }

    fn lay(&mut self, source: impl ExactSizeIterator<Item = (Vec<u8>, Option<Vec<u8>>)>) {
        let full = source.len() >= self.size;
        let mut last = None;
        for (key, value) in source {
            if full {
                last = Some(key.clone());
            }
            self.rows.insert(key, value);
        }
        if let Some(last) = last {
            self.horizon = Some(match (self.horizon.take(), self.order) {
                (None, _) => last,
                (Some(former), Order::Ascending) => former.min(last),
                (Some(former), Order::Descending) => former.max(last),
            });
        }
    }

    /// The rows up to the horizon, in order.
    fn rows(self) -> Box<dyn Iterator<Item = StoredRow>> {
        let (order, horizon) = (self.order, self.horizon);
        let near = move |key: &Vec<u8>| match (&horizon, order) {
            (None, _) => true,
            (Some(horizon), Order::Ascending) => key <= horizon,
            (Some(horizon), Order::Descending) => key >= horizon,
        };
        let present = |(key, value): (Vec<u8>, Option<Vec<u8>>)| value.map(|value| (key, value));
        let rows = self.rows.into_iter();
        match order {
            Order::Ascending => {
                Box::new(rows.take_while(move |row| near(&row.0)).filter_map(present))
            }
            Order::Descending => Box::new(
                rows.rev()
                    .take_while(move |row| near(&row.0))
                    .filter_map(present),
            ),
        }
    }
}
