//! Records of the journal as events: a record that several judges read is decoded at most once.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Erasures, ErasuresEvent};
use switchboard_domain::conversation::{Conversation, ConversationEvent};
use switchboard_domain::crm::{Crm, CrmEvent};
use switchboard_domain::delivery_queue::{QueueEvent, StoredQueue};
use switchboard_domain::drafts::Drafts;
use switchboard_domain::id::{AccountId, ConversationId, ScopeId};
use switchboard_domain::scheduled_replies::{ScheduledReplies, ScheduledRepliesEvent};
use switchboard_domain::scope::{Scope, ScopeEvent};
use switchboard_domain::team_notes::TeamNotes;
use switchboard_domain::time::UnixMillis;
use switchboard_engine::state::State;
use switchboard_engine::store::Record;
use switchboard_engine::stream::StreamKey;

/// A record that this version cannot decode.
#[derive(Clone, Debug, thiserror::Error)]
#[error("record {seq} cannot be understood: {reason}")]
pub struct DecodeError {
    /// The number of the record.
    pub seq: u64,
    /// The message of the decoder.
    pub reason: String,
}

/// Decodes the event of a record.
///
/// # Errors
/// When the record is of a form that this version does not know.
pub fn decode<E: DeserializeOwned>(record: &Record) -> Result<E, DecodeError> {
    serde_json::from_slice(&record.event).map_err(|error| DecodeError {
        seq: record.seq.0,
        reason: error.to_string(),
    })
}

/// The event of a record about erasures; `None` for every other record.
#[must_use]
pub fn erasure_event(record: &Record) -> Option<ErasuresEvent> {
    Erasures::id_of(&record.stream)?;
    decode(record).ok()
}

/// A record with its decoded events.
pub(super) struct Reading<'r> {
    record: Cow<'r, Record>,
    talk: Decoded<ConversationEvent>,
    callback: Decoded<QueueEvent>,
    binding: Decoded<ScopeEvent>,
    crm: Decoded<CrmEvent>,
    value: Decoded<Value>,
}

/// An event, decoded at the first use.
struct Decoded<E>(OnceCell<Result<E, DecodeError>>);

impl<E> Default for Decoded<E> {
    fn default() -> Self {
        Self(OnceCell::new())
    }
}

impl<E: DeserializeOwned> Decoded<E> {
    fn get(&self, record: &Record) -> Result<&E, DecodeError> {
        let decoded = self.0.get_or_init(|| decode(record));
        decoded.as_ref().map_err(DecodeError::clone)
    }
}

impl<'r> Reading<'r> {
    /// Borrows a record of the journal.
    pub(super) fn new(record: &'r Record) -> Self {
        Self::with(Cow::Borrowed(record))
    }

    /// Takes a record whose event was replaced.
    pub(super) fn changed(record: Record) -> Self {
        Self::with(Cow::Owned(record))
    }

    fn with(record: Cow<'r, Record>) -> Self {
        Self {
            record,
            talk: Decoded::default(),
            callback: Decoded::default(),
            binding: Decoded::default(),
            crm: Decoded::default(),
            value: Decoded::default(),
        }
    }

    pub(super) fn record(&self) -> &Record {
        &self.record
    }

    pub(super) fn stream(&self) -> &StreamKey {
        &self.record.stream
    }

    /// The conversation, when the record is of one.
    pub(super) fn conversation(&self) -> Option<ConversationId> {
        Conversation::id_of(self.stream())
    }

    /// The conversation, when the record is of a callback.
    pub(super) fn callback_of(&self) -> Option<ConversationId> {
        StoredQueue::id_of(self.stream())
    }

    /// The conversation, when the record is of the drafts in one.
    pub(super) fn drafts_of(&self) -> Option<ConversationId> {
        Drafts::id_of(self.stream())
    }

    /// The conversation, when the record is of the notes of the team in one.
    pub(super) fn team_notes_of(&self) -> Option<ConversationId> {
        TeamNotes::id_of(self.stream())
    }

    /// The conversation, when the record is of the scheduled replies in one.
    pub(super) fn scheduled_replies_of(&self) -> Option<ConversationId> {
        ScheduledReplies::id_of(self.stream())
    }

    /// The conversation, when the record is of what the team wrote beside one: drafts, notes and scheduled replies.
    pub(super) fn team_of(&self) -> Option<ConversationId> {
        self.drafts_of()
            .or_else(|| self.team_notes_of())
            .or_else(|| self.scheduled_replies_of())
    }

    /// The time at which a scheduled reply is sent, when the record is of one.
    pub(super) fn send_at(&self) -> Result<Option<UnixMillis>, DecodeError> {
        let is_scheduled = self.scheduled_replies_of().is_some();
        let event = is_scheduled.then(|| decode::<ScheduledRepliesEvent>(&self.record));
        Ok(event.transpose()?.map(|event| event.reply.send_at))
    }

    /// The scope, when the record is of one.
    pub(super) fn scope(&self) -> Option<ScopeId> {
        Scope::id_of(self.stream())
    }

    /// The account, when the record is of its CRM.
    pub(super) fn crm_of(&self) -> Option<AccountId> {
        Crm::id_of(self.stream())
    }

    /// The event of a record of a conversation.
    pub(super) fn talk(&self) -> Result<&ConversationEvent, DecodeError> {
        self.talk.get(&self.record)
    }

    /// The event of a record of a callback.
    pub(super) fn callback(&self) -> Result<&QueueEvent, DecodeError> {
        self.callback.get(&self.record)
    }

    /// The event of a record of a scope.
    pub(super) fn binding(&self) -> Result<&ScopeEvent, DecodeError> {
        self.binding.get(&self.record)
    }

    /// The event of a record of a CRM.
    pub(super) fn crm(&self) -> Result<&CrmEvent, DecodeError> {
        self.crm.get(&self.record)
    }

    /// The event of a record of any kind.
    pub(super) fn value(&self) -> Result<&Value, DecodeError> {
        self.value.get(&self.record)
    }
}
