//! The numbers of unsorted leads that wait, were accepted and were declined.

use std::collections::BTreeMap;

use crate::domain::crm::Lead;
use crate::domain::crm::sorted::{SortOutcome, SortedRow};
use crate::domain::crm::submission::UnsortedCategory;
use crate::domain::id::LeadId;
use crate::domain::tables;
use crate::system::user_access::entity_filter::EntityFilter;
use crate::system::user_access::paging::{EXAMINED_MAX, PageStart};
use crate::system::user_access::{Reach, UserAccess};
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// The number of leads that wait, and of leads that were sorted, up to which a summary counts.
const COUNTED_MAX: usize = 10_000;
/// The number of leads in one batch.
const BATCH: usize = 250;

/// The numbers of unsorted leads. A lead whose chat was linked to another lead does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnsortedSummary {
    /// The leads that users accepted.
    pub accepted: u64,
    /// The leads that users declined.
    pub declined: u64,
    /// The seconds from the creation of those leads to the decision, together.
    pub sort_seconds: u64,
    /// All leads of each category, also those that wait.
    pub categories: BTreeMap<UnsortedCategory, u64>,
}

impl UnsortedSummary {
    /// The number of all leads.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.categories.values().sum()
    }

    /// The number of leads of a category.
    #[must_use]
    pub fn in_category(&self, category: UnsortedCategory) -> u64 {
        self.categories.get(&category).copied().unwrap_or_default()
    }

    /// The seconds until the decision, on average; 0 while there was none.
    #[must_use]
    pub fn average_sort_time(&self) -> u64 {
        let decisions = self.accepted.saturating_add(self.declined);
        self.sort_seconds.checked_div(decisions).unwrap_or_default()
    }

    fn count(&mut self, category: UnsortedCategory) {
        let count = self.categories.entry(category).or_default();
        *count = count.saturating_add(1);
    }

    fn count_sorted(&mut self, row: SortedRow) {
        self.count(row.category);
        self.sort_seconds = self.sort_seconds.saturating_add(row.seconds);
        let count = match row.outcome {
            SortOutcome::Accepted => &mut self.accepted,
            SortOutcome::Declined => &mut self.declined,
        };
        *count = count.saturating_add(1);
    }
}

impl UserAccess {
    /// Counts the unsorted leads that the user may see and the filter takes, by number, pipeline and creation: the newest
    /// 10,000 that wait, and the newest 10,000 that were sorted.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn unsorted_summary(
        &self,
        filter: &EntityFilter,
    ) -> Result<UnsortedSummary, UnavailableError> {
        let mut summary = UnsortedSummary::default();
        self.count_waiting(filter, &mut summary).await?;
        if filter.ids.is_empty() {
            self.count_sorted(filter, &mut summary).await?;
        } else {
            for id in &filter.ids {
                let lead = self.lead(LeadId(*id)).await?;
                let row = lead.as_ref().and_then(SortedRow::new);
                if let Some(row) = row.filter(|row| takes(filter, row)) {
                    summary.count_sorted(row);
                }
            }
        }
        Ok(summary)
    }

    async fn count_waiting(
        &self,
        filter: &EntityFilter,
        summary: &mut UnsortedSummary,
    ) -> Result<(), UnavailableError> {
        let mut start = PageStart::default();
        for _ in 0..COUNTED_MAX / BATCH {
            let page = self
                .unsorted_within(filter, start, BATCH, EXAMINED_MAX)
                .await?;
            let categories = page.entries.iter().filter_map(Lead::category);
            categories.for_each(|category| summary.count(category));
            match page.next {
                Some(next) => start = next,
                None => break,
            }
        }
        Ok(())
    }

    async fn count_sorted(
        &self,
        filter: &EntityFilter,
        summary: &mut UnsortedSummary,
    ) -> Result<(), UnavailableError> {
        let sees_all = self.reach_of_leads() == Reach::Everything;
        let newest_first = ScanOrder::Descending;
        let prefix = self.caller.account.bytes();
        let mut range = KeyRange::prefix(&prefix);
        for _ in 0..COUNTED_MAX / BATCH {
            let index = &self.system.kernel().index;
            let rows = index.scan(tables::SORTED_LEADS, &range, newest_first, BATCH)?;
            for (key, value) in &rows {
                let Some(row) = SortedRow::read(key, value) else {
                    continue;
                };
                if filter
                    .created
                    .from
                    .is_some_and(|from| row.created_at < from)
                {
                    return Ok(());
                }
                if takes(filter, &row) && (sees_all || self.lead(row.lead).await?.is_some()) {
                    summary.count_sorted(row);
                }
            }
            let Some((last, _)) = rows.last().filter(|_| rows.len() == BATCH) else {
                return Ok(());
            };
            range = KeyRange::prefix(&prefix).behind(last.to_vec(), newest_first);
        }
        Ok(())
    }
}

/// Returns whether a filter takes a lead that was sorted.
fn takes(filter: &EntityFilter, row: &SortedRow) -> bool {
    let place = (row.pipeline, None);
    filter.created.has(row.created_at)
        && (filter.stages.is_empty() || filter.stages.contains(&place))
}
