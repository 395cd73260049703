//! Going through a list of numbered things, of which not all may be seen.

mod by_change;
mod options;

use std::collections::BTreeSet;
use std::ops::{Bound, RangeInclusive};

use crate::domain::keys;
use crate::domain::time::UnixMillis;
use crate::system::user_access::UserAccess;
use crate::system::user_access::entity_filter::{EntityFilter, Span};
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::table::Table;
use switchboard_runtime::error::UnavailableError;

/// The number of entries that are examined for one page, whether the user may see them or not.
pub const EXAMINED_MAX: usize = 1_000;
/// The number of entries that are examined when a filter leaves out most of them.
const FILTERED_MAX: usize = 5_000;
/// The number of entries that are counted off unseen for a page further on, when the user may see all.
const SKIPPED_MAX: u64 = 100_000;
/// The number of rows that are read at once.
const BATCH: usize = 128;

/// The place of an entry in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListPosition {
    /// The time of the entry's last change, in a list in that order; `None` in a list by number.
    pub updated_at: Option<UnixMillis>,
    /// The number of the entry.
    pub number: u64,
}

impl From<u64> for ListPosition {
    fn from(number: u64) -> Self {
        Self {
            updated_at: None,
            number,
        }
    }
}

/// The beginning of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageStart {
    /// Behind this place; `None` at the beginning.
    pub after: Option<ListPosition>,
    /// Without the first so many of those that may be seen.
    pub skip: u64,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T> {
    /// The entries.
    pub entries: Vec<T>,
    /// The beginning of the next page; `None` after the last one.
    pub next: Option<PageStart>,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            next: None,
        }
    }
}

/// The rows to go through.
#[derive(Clone, Debug)]
pub(super) enum RowSource {
    /// All numbers from 1 to this one.
    Numbers(u64),
    /// All numbers from the first to the last.
    Between {
        /// The first.
        first: u64,
        /// The last.
        last: u64,
    },
    /// The rows of a list that begin so, with a number behind that, and perhaps more.
    Of {
        /// The list.
        table: Table,
        /// The prefix of its rows.
        prefix: Vec<u8>,
        /// True when the number is stored so that the newest comes first.
        turned: bool,
    },
    /// The rows of several such lists as one, by number.
    OfEach {
        /// The list.
        table: Table,
        /// The prefixes of the rows of each.
        prefixes: Vec<Vec<u8>>,
        /// True when the number is stored so that the newest comes first.
        turned: bool,
    },
    /// These numbers.
    Chosen(BTreeSet<u64>),
    /// These places in the order of the last change.
    Sorted(BTreeSet<ListPosition>),
    /// The rows of a list in the order of the last change.
    ByChange {
        /// The prefix of the rows.
        prefix: Vec<u8>,
        /// The time of the changes.
        span: Span,
    },
}

/// The candidates of a page: numbers that an index has found, and behind them those of the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates<'c> {
    /// The numbers that come first.
    pub(super) first: &'c BTreeSet<u64>,
    /// The rows behind them.
    pub(super) rows: &'c RowSource,
}

/// In which order, and what needs no look.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageOptions {
    /// The largest number first, or the last change.
    pub(super) newest_first: bool,
    /// Everything may be seen.
    pub(super) everything: bool,
    /// The number of entries that may be examined.
    pub(super) examined_max: usize,
}

/// The number of entries that are examined for a page that this filter takes.
pub(super) fn examined_max(filter: &EntityFilter) -> usize {
    if filter.takes_all() {
        EXAMINED_MAX
    } else {
        FILTERED_MAX
    }
}

impl UserAccess {
    /// Gives those of the `first` numbers, and then those of the rows, that `look` gives something for; each once, and at
    /// most `limit`. In `start`, numbers begin with 1, so 0 is among the first ones.
    pub(super) async fn paginate_from_first<T>(
        &self,
        candidates: Candidates<'_>,
        options: PageOptions,
        start: PageStart,
        limit: usize,
        mut look: impl AsyncFnMut(u64) -> Result<Option<T>, UnavailableError>,
    ) -> Result<Listed<T>, UnavailableError> {
        let Candidates { first, rows } = candidates;
        if first.is_empty() {
            return self.paginate(rows, options, start, limit, look).await;
        }
        let (mut begin, mut entries) = (start, Vec::new());
        if start.after.is_none_or(|after| after.number == 0) {
            begin.after = None;
            for number in in_order(first, options.newest_first) {
                match look(number).await? {
                    Some(_) if begin.skip > 0 => begin.skip = begin.skip.saturating_sub(1),
                    found => entries.extend(found),
                }
                if entries.len() == limit {
                    let page_size = u64::try_from(limit).unwrap_or(u64::MAX);
                    let next = Some(PageStart {
                        after: Some(ListPosition::from(0)),
                        skip: start.skip.saturating_add(page_size),
                    });
                    return Ok(Listed { entries, next });
                }
            }
        }
        let room = limit.saturating_sub(entries.len());
        // Who has what an index found does not wait long for the rest.
        let options = PageOptions {
            examined_max: options.examined_max.min(EXAMINED_MAX),
            ..options
        };
        let others = async |number| match first.contains(&number) {
            true => Ok(None),
            false => look(number).await,
        };
        let rest = self.paginate(rows, options, begin, room, others).await?;
        entries.extend(rest.entries);
        Ok(Listed {
            entries,
            next: rest.next,
        })
    }

    /// Goes through the rows and gives those that `look` gives something for, at most `limit`.
    pub(super) async fn paginate<T>(
        &self,
        rows: &RowSource,
        options: PageOptions,
        start: PageStart,
        limit: usize,
        mut look: impl AsyncFnMut(u64) -> Result<Option<T>, UnavailableError>,
    ) -> Result<Listed<T>, UnavailableError> {
        let mut at = start;
        let mut skipped = 0_u64;
        let last = match rows {
            RowSource::Numbers(last) | RowSource::Between { last, .. } => Some(*last),
            RowSource::Of { .. }
            | RowSource::OfEach { .. }
            | RowSource::Chosen(_)
            | RowSource::Sorted(_)
            | RowSource::ByChange { .. } => None,
        };
        if let Some(last) = last.filter(|_| options.everything) {
            // Nothing has to be found to be counted off.
            let after = at.after.map(|after| after.number);
            let number = if options.newest_first {
                let begin = after.unwrap_or_else(|| last.saturating_add(1));
                begin.saturating_sub(at.skip).max(1)
            } else {
                after.unwrap_or(0).saturating_add(at.skip)
            };
            at.after = Some(number.into());
            at.skip = 0;
        }
        let mut entries = Vec::new();
        let mut examined = 0;
        loop {
            let places = self.places(rows, options.newest_first, at.after)?;
            let last_batch = places.len() < BATCH;
            for place in places {
                if entries.len() == limit
                    || examined == options.examined_max
                    || skipped == SKIPPED_MAX
                {
                    return Ok(Listed {
                        entries,
                        next: Some(at),
                    });
                }
                if options.everything && at.skip > 0 {
                    skipped = skipped.saturating_add(1);
                    at.skip = at.skip.saturating_sub(1);
                } else {
                    examined = examined.saturating_add(1);
                    if let Some(entry) = look(place.number).await? {
                        if at.skip > 0 {
                            at.skip = at.skip.saturating_sub(1);
                        } else {
                            entries.push(entry);
                        }
                    }
                }
                at.after = Some(place);
            }
            if last_batch {
                return Ok(Listed {
                    entries,
                    next: None,
                });
            }
        }
    }

    /// All numbers of these rows; `None` when they are more than this many.
    pub(super) fn few_numbers(
        &self,
        rows: &RowSource,
        max: usize,
    ) -> Result<Option<BTreeSet<u64>>, UnavailableError> {
        let mut numbers = BTreeSet::new();
        loop {
            let after = numbers.last().copied().map(ListPosition::from);
            let batch = self.places(rows, false, after)?;
            let is_last = batch.len() < BATCH;
            numbers.extend(batch.into_iter().map(|place| place.number));
            if numbers.len() > max {
                return Ok(None);
            }
            if is_last {
                return Ok(Some(numbers));
            }
        }
    }

    /// The next places behind this one; fewer than [`BATCH`] at the end only.
    fn places(
        &self,
        rows: &RowSource,
        newest_first: bool,
        after: Option<ListPosition>,
    ) -> Result<Vec<ListPosition>, UnavailableError> {
        let number = after.map(|after| after.number);
        let numbers = match rows {
            RowSource::Numbers(last) => counted(1..=*last, newest_first, number),
            RowSource::Between { first, last } => counted(*first..=*last, newest_first, number),
            RowSource::Chosen(numbers) => among(numbers, newest_first, number),
            RowSource::Of {
                table,
                prefix,
                turned,
            } => self.numbers(*table, prefix, *turned, newest_first, number)?,
            RowSource::OfEach {
                table,
                prefixes,
                turned,
            } => {
                let mut numbers = BTreeSet::new();
                for prefix in prefixes {
                    numbers.extend(self.numbers(*table, prefix, *turned, newest_first, number)?);
                }
                among(&numbers, newest_first, None)
            }
            RowSource::Sorted(places) => return Ok(among(places, newest_first, after)),
            RowSource::ByChange { prefix, span } => {
                return self.places_by_change(prefix, *span, newest_first, after);
            }
        };
        Ok(numbers.into_iter().map(ListPosition::from).collect())
    }

    /// The next numbers in the rows of a list behind this one; fewer than [`BATCH`] at the end only.
    fn numbers(
        &self,
        table: Table,
        prefix: &[u8],
        turned: bool,
        newest_first: bool,
        after: Option<u64>,
    ) -> Result<Vec<u64>, UnavailableError> {
        let order = if newest_first == turned {
            ScanOrder::Ascending
        } else {
            ScanOrder::Descending
        };
        let mut range = KeyRange::prefix(prefix);
        if let Some(after) = after {
            let bound = if turned { u64::MAX - after } else { after };
            // Rows of the same number that differ behind it are one entry.
            let next = match order {
                ScanOrder::Ascending => bound.checked_add(1),
                ScanOrder::Descending => Some(bound),
            };
            let Some(next) = next else {
                return Ok(Vec::new());
            };
            let border = [prefix, &next.to_be_bytes()].concat();
            range = match order {
                ScanOrder::Ascending => range.from_key(border),
                ScanOrder::Descending => range.behind(border, order),
            };
        }
        // A number has at most two rows.
        let rows =
            self.system
                .kernel()
                .index
                .scan(table, &range, order, BATCH.saturating_mul(2))?;
        let mut numbers: Vec<u64> = rows
            .iter()
            .filter_map(|(key, _)| {
                let number = key.get(prefix.len()..)?.first_chunk::<8>()?;
                let key_number = u64::from_be_bytes(*number);
                Some(if turned {
                    u64::MAX - key_number
                } else {
                    key_number
                })
            })
            .collect();
        numbers.dedup();
        numbers.truncate(BATCH);
        Ok(numbers)
    }

    /// The rows of the user's own list.
    pub(super) fn own(&self, table: Table) -> RowSource {
        RowSource::Of {
            table,
            prefix: keys::written_prefix(self.caller.account, self.caller.user),
            turned: false,
        }
    }
}

/// The next of these numbers behind this one in this order.
fn counted(numbers: RangeInclusive<u64>, newest_first: bool, after: Option<u64>) -> Vec<u64> {
    let (first, last) = numbers.into_inner();
    if newest_first {
        let end = after.unwrap_or(u64::MAX).min(last.saturating_add(1));
        return (first..end).rev().take(BATCH).collect();
    }
    let begin = after.map_or(first, |after| first.max(after.saturating_add(1)));
    (begin..=last).take(BATCH).collect()
}

/// These numbers in this order.
fn in_order(numbers: &BTreeSet<u64>, newest_first: bool) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.iter().copied().collect();
    if newest_first {
        numbers.reverse();
    }
    numbers
}

/// Those of these places that are behind this one in this order.
fn among<T: Copy + Ord>(places: &BTreeSet<T>, newest_first: bool, after: Option<T>) -> Vec<T> {
    let border = after.map_or(Bound::Unbounded, Bound::Excluded);
    if newest_first {
        let before = places.range((Bound::Unbounded, border));
        return before.rev().copied().take(BATCH).collect();
    }
    let behind = places.range((border, Bound::Unbounded));
    behind.copied().take(BATCH).collect()
}
