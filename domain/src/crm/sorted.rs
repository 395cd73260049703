//! The end of a lead's time in the unsorted stage: a user accepted or declined it.

use serde::{Deserialize, Serialize};

use crate::crm::submission::UnsortedCategory;
use crate::crm::{Crm, LOST, Lead};
use crate::id::{AccountId, LeadId, PipelineId};
use crate::keys;
use crate::tables;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;

/// The decision of a user about an unsorted lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sorted {
    /// The decision.
    pub outcome: SortOutcome,
    /// The pipeline in which the lead was unsorted.
    pub pipeline: PipelineId,
    /// The time of the decision.
    pub at: UnixMillis,
}

/// The possible decisions about an unsorted lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortOutcome {
    /// The lead moved on to a stage other than «lost».
    Accepted,
    /// The lead is lost.
    Declined,
}

impl Sorted {
    /// The decision that a change of a lead amounts to; `None` when the lead was not unsorted before, or still is.
    pub(super) fn by_change(crm: &Crm, before: &Lead, now: &Lead, at: UnixMillis) -> Option<Self> {
        let is_unsorted = |lead: &Lead| crm.is_unsorted(lead.pipeline, lead.stage);
        let is_sorted = is_unsorted(before) && !is_unsorted(now);
        is_sorted.then(|| Self {
            outcome: match now.stage == LOST {
                true => SortOutcome::Declined,
                false => SortOutcome::Accepted,
            },
            pipeline: before.pipeline,
            at,
        })
    }
}

/// The row of a sorted lead, by which it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortedRow {
    /// The lead.
    pub lead: LeadId,
    /// The category of the lead.
    pub category: UnsortedCategory,
    /// The decision.
    pub outcome: SortOutcome,
    /// The pipeline in which it was unsorted.
    pub pipeline: PipelineId,
    /// The time of creation.
    pub created_at: UnixMillis,
    /// The seconds from the creation to the decision.
    pub seconds: u64,
}

impl SortedRow {
    /// The row of a lead; `None` for one that no user sorted.
    #[must_use]
    pub fn new(lead: &Lead) -> Option<Self> {
        let decision = lead.sorted?;
        let millis = decision.at.get().saturating_sub(lead.created_at.get());
        Some(Self {
            lead: lead.id,
            category: lead.category()?,
            outcome: decision.outcome,
            pipeline: decision.pipeline,
            created_at: lead.created_at,
            seconds: millis / 1_000,
        })
    }

    /// Lists a lead with the change that sorts it.
    pub(super) fn index(lead: &Lead, account: AccountId, entries: &mut IndexEntries) {
        let is_new = lead.sorted.is_some_and(|it| it.at == lead.updated_at);
        if let Some(row) = Self::new(lead).filter(|_| is_new) {
            let key = keys::sorted::row(account, row.created_at, row.lead);
            entries.put(tables::SORTED_LEADS, key, row.value());
        }
    }

    fn value(self) -> Vec<u8> {
        let outcome = match self.outcome {
            SortOutcome::Accepted => 1,
            SortOutcome::Declined => 2,
        };
        let mut value = vec![self.category.code(), outcome];
        value.extend(self.pipeline.0.to_be_bytes());
        value.extend(self.seconds.to_be_bytes());
        value
    }

    /// Reads a row.
    #[must_use]
    pub fn read(key: &[u8], value: &[u8]) -> Option<Self> {
        let (created_at, lead) = keys::sorted::parse_row(key)?;
        let ([category, outcome], rest) = value.split_first_chunk::<2>()?;
        let (pipeline, seconds) = rest.split_first_chunk::<8>()?;
        let seconds = <[u8; 8]>::try_from(seconds).ok()?;
        Some(Self {
            lead,
            category: UnsortedCategory::by_code(*category)?,
            outcome: match outcome {
                1 => SortOutcome::Accepted,
                2 => SortOutcome::Declined,
                _ => return None,
            },
            pipeline: PipelineId(u64::from_be_bytes(*pipeline)),
            created_at,
            seconds: u64::from_be_bytes(seconds),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::WON;
    use crate::crm::tests::{OPEN, lead};
    use crate::id::StageId;
    use switchboard_engine::state::State as _;

    fn crm() -> Crm {
        Crm {
            pipelines: Crm::first_pipelines(),
            ..Crm::initial(&AccountId::from_random([1; 16]))
        }
    }

    #[test]
    fn a_lead_is_sorted_as_it_leaves_the_unsorted_stage() {
        let (crm, now) = (crm(), UnixMillis::new(9));
        let outcome = |from: StageId, to: StageId| {
            let decision = Sorted::by_change(&crm, &lead(from), &lead(to), now);
            decision.map(|it| it.outcome)
        };
        let (unsorted, open) = (StageId(1), StageId(2));
        assert_eq!(outcome(unsorted, unsorted), None);
        assert_eq!(outcome(unsorted, open), Some(SortOutcome::Accepted));
        assert_eq!(outcome(unsorted, WON), Some(SortOutcome::Accepted));
        assert_eq!(outcome(unsorted, LOST), Some(SortOutcome::Declined));
        assert_eq!(outcome(open, LOST), None);
    }

    #[test]
    fn the_row_of_a_sorted_lead_is_read_as_it_was_written() {
        let account = AccountId::from_random([1; 16]);
        let unsorted_lead = lead(OPEN);
        assert_eq!(SortedRow::new(&unsorted_lead), None);
        let sorted_lead = Lead {
            sorted: Some(Sorted {
                outcome: SortOutcome::Declined,
                pipeline: PipelineId(3),
                at: UnixMillis::new(5_001),
            }),
            updated_at: UnixMillis::new(5_001),
            ..unsorted_lead
        };
        let row = SortedRow::new(&sorted_lead).unwrap();
        assert_eq!((row.seconds, row.pipeline), (5, PipelineId(3)));
        let key = keys::sorted::row(account, row.created_at, row.lead);
        assert_eq!(SortedRow::read(&key, &row.value()), Some(row));
        assert_eq!(SortedRow::read(&key, &[1]), None);
        let rows = |lead: &Lead| {
            let mut entries = IndexEntries::default();
            SortedRow::index(lead, account, &mut entries);
            entries.rows.len()
        };
        assert_eq!(rows(&sorted_lead), 1);
        let later_lead = Lead {
            updated_at: UnixMillis::new(6_000),
            ..sorted_lead
        };
        assert_eq!(rows(&later_lead), 0, "it is in the list already");
    }
}
