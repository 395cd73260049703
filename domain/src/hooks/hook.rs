//! One hook, and the names of its parts.

use serde::{Deserialize, Serialize};

use crate::id::{AccountId, ContactId, ConversationId, LeadId, SubscriptionId, TaskId, TemplateId};
use crate::time::UnixMillis;
use crate::webhooks::code::WebhookCode;
use switchboard_engine::store::Seq;

/// The highest number of hooks that one record causes.
pub const HOOKS_OF_RECORD_MAX: u8 = 8;

/// The number of a hook: that of the record that it is about, with its place among the hooks of the record. The same record
/// always causes the same numbers, so a hook is never made twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HookNumber(pub u64);

impl HookNumber {
    /// The number of the hook at this place among those of a record; none when a record cannot have so many.
    #[must_use]
    pub fn new(record: Seq, place: u8) -> Option<Self> {
        let count = u64::from(HOOKS_OF_RECORD_MAX);
        if place >= HOOKS_OF_RECORD_MAX {
            return None;
        }
        let first = record.0.checked_mul(count)?;
        Some(Self(first.checked_add(u64::from(place))?))
    }

    /// Returns the record that the hook is about.
    #[must_use]
    pub fn record(self) -> Seq {
        Seq(self.0 / u64::from(HOOKS_OF_RECORD_MAX))
    }
}

/// A webhook of the installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WebhookId {
    /// The account.
    pub account: AccountId,
    /// Its number in the account.
    pub number: SubscriptionId,
}

/// The object that a hook is about. Hooks of one object arrive in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookObject {
    /// A chat, with its talks and messages.
    Chat(ConversationId),
    /// A lead, unsorted or not, with its notes.
    Lead(LeadId),
    /// A contact, with its notes.
    Contact(ContactId),
    /// A task.
    Task(TaskId),
    /// A template.
    Template(TemplateId),
}

impl HookObject {
    /// The bytes of the object in the rows of lists: 17 of them.
    #[must_use]
    pub fn bytes(self) -> [u8; 17] {
        let (kind, id) = match self {
            Self::Chat(conversation) => (1, conversation.bytes()),
            Self::Lead(lead) => (2, u128::from(lead.0).to_be_bytes()),
            Self::Contact(contact) => (3, u128::from(contact.0).to_be_bytes()),
            Self::Task(task) => (4, u128::from(task.0).to_be_bytes()),
            Self::Template(template) => (5, u128::from(template.0).to_be_bytes()),
        };
        let mut bytes = [kind; 17];
        if let Some((_, rest)) = bytes.split_first_mut() {
            rest.copy_from_slice(&id);
        }
        bytes
    }

    /// The object with these bytes; none when no object has them.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 17]) -> Option<Self> {
        let (kind, id) = bytes.split_first()?;
        let id = <[u8; 16]>::try_from(id).ok()?;
        let number = || u64::try_from(u128::from_be_bytes(id)).ok();
        match kind {
            1 => Some(Self::Chat(ConversationId::from_bytes(id))),
            2 => Some(Self::Lead(LeadId(number()?))),
            3 => Some(Self::Contact(ContactId(number()?))),
            4 => Some(Self::Task(TaskId(number()?))),
            5 => Some(Self::Template(TemplateId(number()?))),
            _ => None,
        }
    }
}

/// A hook as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredHook {
    /// Its number.
    pub number: HookNumber,
    /// The account.
    pub account: AccountId,
    /// The event.
    pub code: WebhookCode,
    /// The object.
    pub object: HookObject,
    /// The body of the request, which is the same in every attempt.
    pub form: String,
    /// The webhooks that it goes to.
    pub webhooks: Vec<SubscriptionId>,
    /// The time at which it was made.
    pub at: UnixMillis,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_names_its_record() {
        let number = HookNumber::new(Seq(7), 3).unwrap();
        assert_eq!(number.record(), Seq(7));
        assert!(number < HookNumber::new(Seq(8), 0).unwrap());
        assert_eq!(HookNumber::new(Seq(7), HOOKS_OF_RECORD_MAX), None);
        assert_eq!(HookNumber::new(Seq(u64::MAX), 0), None);
    }

    #[test]
    fn an_object_is_read_back_from_its_bytes() {
        let objects = [
            HookObject::Chat(ConversationId::from_bytes([9; 16])),
            HookObject::Lead(LeadId(u64::MAX)),
            HookObject::Contact(ContactId(1)),
            HookObject::Task(TaskId(2)),
            HookObject::Template(TemplateId(2)),
        ];
        for object in objects {
            assert_eq!(HookObject::from_bytes(&object.bytes()), Some(object));
        }
        assert_eq!(HookObject::from_bytes(&[5; 17]), None);
        // More than a lead's number can be.
        assert_eq!(HookObject::from_bytes(&[2; 17]), None);
    }
}
