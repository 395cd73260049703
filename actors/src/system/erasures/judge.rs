//! The judges: what becomes of each record. Each looks at all records twice before it judges.

use serde_json::Value;

use crate::domain::endpoint::{EndpointsEvent, StoredEndpoints};
use crate::domain::erasures::certificate::ErasedCounts;
use crate::domain::erasures::{Erasures, ErasuresEvent};
use crate::domain::id::{AccountId, ChannelId, ContactId};
use crate::system::erasures::reading::{Reading, Undecodable, event};
use crate::system::erasures::survey::Surveys;
use switchboard_engine::state::State;
use switchboard_engine::store::erasure::Verdict;
use switchboard_engine::store::{ReadError, Record};

/// Reads all records, as often as it is asked to.
pub(super) type Scan<'s> = &'s dyn Fn() -> Box<dyn Iterator<Item = Result<Record, ReadError>> + 's>;

/// A look at all records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Who belongs to what, and what waits.
    First,
    /// What follows from that.
    Second,
}

impl Look {
    pub(super) const ALL: [Self; 2] = [Self::First, Self::Second];
}

/// Says what becomes of records.
pub(super) trait Judge: Send {
    /// Takes in what a record says. Records that come later pass here in the same way.
    fn look(&mut self, look: Look, record: &Reading<'_>) -> Result<(), Undecodable>;

    /// All records have passed, and are surveyed. False: records that were judged before would be judged otherwise now.
    fn settle(&mut self, look: Look, surveys: &Surveys) -> bool;

    /// What becomes of this record, which comes behind all that were judged before.
    fn verdict(&mut self, record: &Reading<'_>) -> Result<Verdict, Undecodable>;

    /// What was erased so far.
    fn counts(&self) -> ErasedCounts;

    /// The contact of the customer who is erased.
    fn contact(&self) -> Option<ContactId> {
        None
    }

    /// The account of which all files are erased.
    fn whole_account(&self) -> Option<AccountId> {
        None
    }

    /// The same judge, which has judged the same records.
    fn copy(&self) -> Box<dyn Judge>;
}

/// The record says this instead, and its raw bytes stay.
pub(super) fn replaced(
    record: &Record,
    event: &impl serde::Serialize,
) -> Result<Verdict, Undecodable> {
    let event = serde_json::to_vec(event).map_err(|error| Undecodable {
        seq: record.seq.0,
        reason: error.to_string(),
    })?;
    Ok(Verdict::Replace {
        event,
        blob: record.blob.clone(),
    })
}

/// What endpoints of these channels answered last is taken out of what is kept of them: it may repeat what they were sent.
pub(super) fn without_answers(
    record: &Record,
    is_concerned: impl Fn(&ChannelId) -> bool,
) -> Result<Verdict, Undecodable> {
    let channel = StoredEndpoints::id_of(&record.stream);
    if !channel.is_some_and(|channel| is_concerned(&channel)) {
        return Ok(Verdict::Keep);
    }
    let EndpointsEvent::Changed {
        version,
        record: mut kept,
    } = event(record)?;
    match &mut kept.last_error {
        Some(error) if !error.excerpt.is_empty() => error.excerpt.clear(),
        Some(_) | None => return Ok(Verdict::Keep),
    }
    let event = EndpointsEvent::Changed {
        version,
        record: kept,
    };
    replaced(record, &event)
}

/// Changes the entries of the audit log in an event, whatever its kind; how many were changed.
pub(super) fn change_audit(event: &mut Value, change: &mut dyn FnMut(&mut Value) -> bool) -> u64 {
    match event {
        Value::Object(fields) => {
            let is_entry = ["id", "by", "action", "object"]
                .iter()
                .all(|field| fields.contains_key(*field));
            if is_entry {
                return u64::from(change(event));
            }
            fields.values_mut().map(|it| change_audit(it, change)).sum()
        }
        Value::Array(entries) => entries.iter_mut().map(|it| change_audit(it, change)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The erasure that a record orders.
pub(super) fn ordered(record: &Record) -> Option<ErasuresEvent> {
    let is_of = Erasures::id_of(&record.stream).is_some();
    is_of.then(|| event(record).ok())?
}
