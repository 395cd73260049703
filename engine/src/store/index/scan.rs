//! Rows of an ordered list: what is stored, with the changes since then laid over it.

use std::collections::BTreeMap;

use super::error::IndexError;
use super::overlay::Overlay;
use super::rows::Change;
use super::view::View;
use crate::store::tables::{KeyRange, ScanOrder, StoredRow, Tables};
use crate::table::Table;

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
    order: ScanOrder,
    limit: usize,
) -> Result<Vec<StoredRow>, IndexError> {
    let below = view.stored(tables);
    // Most ranges did not change since the last checkpoint, and are read as they are.
    if !view.overlays().any(|overlay| overlay.touches(table, range)) {
        return below.scan(table, range, order, limit);
    }
    let mut page_rows = Vec::new();
    let mut rest = range.clone();
    while page_rows.len() < limit && !rest.is_void() {
        let room = limit.saturating_sub(page_rows.len());
        let size = room.saturating_add(SPARE_ROWS).min(PAGE_ROWS_MAX);
        let changes_of = |overlay: &Overlay| overlay.changes(table, &rest, order, size);
        let changes: Vec<Vec<Change>> = view.overlays().map(changes_of).collect();
        // What is stored behind a place up to which changes are not known is for the next page.
        let mut page = Page::new(order, size);
        let changes_in_page = match page.horizon_of(&changes) {
            Some(horizon) => rest.clone().up_to(horizon, order),
            None => rest.clone(),
        };
        let stored_rows = below.scan(table, &changes_in_page, order, size)?;
        page.lay(
            stored_rows
                .into_iter()
                .map(|(key, value)| (key, Some(value)))
                .collect(),
        );
        for some in changes {
            page.lay(some);
        }
        let horizon = page.horizon.clone();
        page_rows.extend(page.rows().take(room));
        match horizon {
            Some(horizon) => rest = rest.behind(horizon, order),
            None => break,
        }
    }
    Ok(page_rows)
}

/// The next rows of all sources: newer sources are laid over older ones.
struct Page {
    order: ScanOrder,
    size: usize,
    rows: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// The nearest place behind which a source may have more than it gave: what lies behind it is for the
    /// next page. `None` when all sources are at their end.
    horizon: Option<Vec<u8>>,
}

impl Page {
    fn new(order: ScanOrder, size: usize) -> Self {
        Self {
            order,
            size,
            rows: BTreeMap::new(),
            horizon: None,
        }
    }

    /// The nearest place behind which one of these sources may have more than it gave.
    fn horizon_of(&self, sources: &[Vec<Change>]) -> Option<Vec<u8>> {
        let full = sources.iter().filter(|source| source.len() >= self.size);
        let ends = full.filter_map(|source| Some(source.last()?.0.clone()));
        match self.order {
            ScanOrder::Ascending => ends.min(),
            ScanOrder::Descending => ends.max(),
        }
    }

    fn lay(&mut self, source: Vec<Change>) {
        let source = [source];
        let ends = [self.horizon.take(), self.horizon_of(&source)]
            .into_iter()
            .flatten();
        self.horizon = match self.order {
            ScanOrder::Ascending => ends.min(),
            ScanOrder::Descending => ends.max(),
        };
        self.rows.extend(source.into_iter().flatten());
    }

    /// The rows up to the horizon, in order.
    fn rows(self) -> Box<dyn Iterator<Item = StoredRow>> {
        let (order, horizon) = (self.order, self.horizon);
        let near = move |key: &Vec<u8>| match (&horizon, order) {
            (None, _) => true,
            (Some(horizon), ScanOrder::Ascending) => key <= horizon,
            (Some(horizon), ScanOrder::Descending) => key >= horizon,
        };
        let present = |(key, value): (Vec<u8>, Option<Vec<u8>>)| value.map(|value| (key, value));
        let rows = self.rows.into_iter();
        match order {
            ScanOrder::Ascending => {
                Box::new(rows.take_while(move |row| near(&row.0)).filter_map(present))
            }
            ScanOrder::Descending => Box::new(
                rows.rev()
                    .take_while(move |row| near(&row.0))
                    .filter_map(present),
            ),
        }
    }
}
