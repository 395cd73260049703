//! A record whose event is decoded at most once, however many judges read it.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::crm::{Crm, CrmEvent};
use crate::domain::delivery_queue::{QueueEvent, StoredQueue};
use crate::domain::id::{AccountId, ConversationId, ScopeId};
use crate::domain::scope::{Scope, ScopeEvent};
use switchboard_engine::state::State;
use switchboard_engine::store::Record;
use switchboard_engine::stream::StreamKey;

/// A record that this version cannot understand.
#[derive(Clone, Debug, thiserror::Error)]
#[error("record {seq} cannot be understood: {reason}")]
pub struct Undecodable {
    /// Its number.
    pub seq: u64,
    /// Why.
    pub reason: String,
}

/// The event of a record.
pub(super) fn event<E: DeserializeOwned>(record: &Record) -> Result<E, Undecodable> {
    serde_json::from_slice(&record.event).map_err(|error| Undecodable {
        seq: record.seq.0,
        reason: error.to_string(),
    })
}

/// A record that is read by several.
pub(super) struct Reading<'r> {
    record: Cow<'r, Record>,
    talk: Decoded<ConversationEvent>,
    callback: Decoded<QueueEvent>,
    binding: Decoded<ScopeEvent>,
    crm: Decoded<CrmEvent>,
    value: Decoded<Value>,
}

/// An event that is decoded when it is first asked for.
struct Decoded<E>(OnceCell<Result<E, Undecodable>>);

impl<E> Default for Decoded<E> {
    fn default() -> Self {
        Self(OnceCell::new())
    }
}

impl<E: DeserializeOwned> Decoded<E> {
    fn get(&self, record: &Record) -> Result<&E, Undecodable> {
        let decoded = self.0.get_or_init(|| event(record));
        decoded.as_ref().map_err(Undecodable::clone)
    }
}

impl<'r> Reading<'r> {
    /// Of a record of the journal.
    pub(super) fn new(record: &'r Record) -> Self {
        Self::with(Cow::Borrowed(record))
    }

    /// Of a record that says something else since.
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

    /// The conversation that the record is of.
    pub(super) fn conversation(&self) -> Option<ConversationId> {
        Conversation::id_of(self.stream())
    }

    /// The conversation whose callback the record is of.
    pub(super) fn callback_of(&self) -> Option<ConversationId> {
        StoredQueue::id_of(self.stream())
    }

    /// The scope that the record is of.
    pub(super) fn scope(&self) -> Option<ScopeId> {
        Scope::id_of(self.stream())
    }

    /// The account whose CRM the record is of.
    pub(super) fn crm_of(&self) -> Option<AccountId> {
        Crm::id_of(self.stream())
    }

    /// The event of a record of a conversation.
    pub(super) fn talk(&self) -> Result<&ConversationEvent, Undecodable> {
        self.talk.get(&self.record)
    }

    /// The event of a record of a callback.
    pub(super) fn callback(&self) -> Result<&QueueEvent, Undecodable> {
        self.callback.get(&self.record)
    }

    /// The event of a record of a scope.
    pub(super) fn binding(&self) -> Result<&ScopeEvent, Undecodable> {
        self.binding.get(&self.record)
    }

    /// The event of a record of a CRM.
    pub(super) fn crm(&self) -> Result<&CrmEvent, Undecodable> {
        self.crm.get(&self.record)
    }

    /// The event of a record of any kind.
    pub(super) fn value(&self) -> Result<&Value, Undecodable> {
        self.value.get(&self.record)
    }
}
