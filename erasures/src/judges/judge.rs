//! The interface of the judges, and the changes of a record that several of them make.

use serde_json::Value;

use crate::certificate::ErasedCounts;
use crate::judges::record::{DecodeError, Reading, decode};
use crate::judges::survey::Surveys;
use switchboard_domain::endpoint::{EndpointsEvent, StoredEndpoints};
use switchboard_domain::id::{AccountId, ChannelId, ContactId};
use switchboard_engine::state::State;
use switchboard_engine::store::Record;
use switchboard_engine::store::erasure::Verdict;

/// A pass over all records before the first verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Finds which records belong together, and which callbacks wait.
    First,
    /// Finds what follows from the first.
    Second,
}

impl Look {
    pub(super) const ALL: [Self; 2] = [Self::First, Self::Second];
}

/// Decides which records one erasure keeps, erases or masks.
pub(super) trait Judge: Send {
    /// Takes in a record. Records that arrive after the first verdict pass here in the same way.
    fn look(&mut self, look: Look, record: &Reading<'_>) -> Result<(), DecodeError>;

    /// Ends a look at all records. False: the judge would decide otherwise now on records that it judged before.
    fn settle(&mut self, look: Look, surveys: &Surveys) -> bool;

    /// Judges a record. Records arrive in their order.
    fn verdict(&mut self, record: &Reading<'_>) -> Result<Verdict, DecodeError>;

    /// The numbers of entities erased so far.
    fn counts(&self) -> ErasedCounts;

    /// The contact of the customer whom the erasure is about.
    fn contact(&self) -> Option<ContactId> {
        None
    }

    /// The account whose files all go.
    fn whole_account(&self) -> Option<AccountId> {
        None
    }

    /// A copy with the same memory.
    fn copy(&self) -> Box<dyn Judge>;
}

/// The verdict that replaces the event of a record. Its raw bytes stay.
pub(super) fn replaced(
    record: &Record,
    event: &impl serde::Serialize,
) -> Result<Verdict, DecodeError> {
    let event = serde_json::to_vec(event).map_err(|error| DecodeError {
        seq: record.seq.0,
        reason: error.to_string(),
    })?;
    Ok(Verdict::Replace {
        event,
        blob: record.blob.clone(),
    })
}

/// Clears the last answer of an endpoint of one of these channels: the answer may repeat the message that the endpoint got.
pub(super) fn without_answers(
    record: &Record,
    is_concerned: impl Fn(&ChannelId) -> bool,
) -> Result<Verdict, DecodeError> {
    let channel = StoredEndpoints::id_of(&record.stream);
    if !channel.is_some_and(|channel| is_concerned(&channel)) {
        return Ok(Verdict::Keep);
    }
    let EndpointsEvent::Changed {
        version,
        record: mut endpoint,
    } = decode(record)?;
    match &mut endpoint.last_error {
        Some(error) if !error.excerpt.is_empty() => error.excerpt.clear(),
        Some(_) | None => return Ok(Verdict::Keep),
    }
    let event = EndpointsEvent::Changed {
        version,
        record: endpoint,
    };
    replaced(record, &event)
}

/// Changes the entries of the audit log in an event of any kind. Returns the number of changed entries.
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
