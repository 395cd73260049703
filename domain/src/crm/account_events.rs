//! The events of an account, as its programs read them: changes of leads and contacts, notes, and messages.
//!
//! No event has a record of its own. Each follows from one that is stored anyway: from an entry of the audit log, from a
//! lead or a contact that a chat opened, or from a message. So its id is the same after a restore, and it vanishes with its
//! record.

mod audited;
mod id;

use std::str::FromStr;

pub use self::audited::{AuditedEvent, Subject, events_of};
pub use self::id::{EventId, EventPlace};
use crate::crm::entity::EntityKind;
use crate::id::{ChannelId, LeadId, MessageId, NoteId, PipelineId, StageId, TagId, UserId};

/// A type of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventType {
    /// A lead is new.
    LeadAdded,
    /// A contact is new.
    ContactAdded,
    /// A lead moved to another stage.
    LeadStatusChanged,
    /// Another user is responsible.
    ResponsibleChanged,
    /// A note is new.
    NoteAdded,
    /// A service said something about a lead or a contact.
    ServiceNoteAdded,
    /// It has more tags.
    TagAdded,
    /// It has fewer tags.
    TagDeleted,
    /// A lead has a contact.
    Linked,
    /// A lead has this contact no more.
    Unlinked,
    /// A customer wrote.
    IncomingMessage,
    /// A customer was answered.
    OutgoingMessage,
}

impl EventType {
    /// All types.
    pub const ALL: [Self; 12] = [
        Self::LeadAdded,
        Self::ContactAdded,
        Self::LeadStatusChanged,
        Self::ResponsibleChanged,
        Self::NoteAdded,
        Self::ServiceNoteAdded,
        Self::TagAdded,
        Self::TagDeleted,
        Self::Linked,
        Self::Unlinked,
        Self::IncomingMessage,
        Self::OutgoingMessage,
    ];

    /// The type in the counterpart's words.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::LeadAdded => "lead_added",
            Self::ContactAdded => "contact_added",
            Self::LeadStatusChanged => "lead_status_changed",
            Self::ResponsibleChanged => "entity_responsible_changed",
            Self::NoteAdded => "common_note_added",
            Self::ServiceNoteAdded => "service_note_added",
            Self::TagAdded => "entity_tag_added",
            Self::TagDeleted => "entity_tag_deleted",
            Self::Linked => "entity_linked",
            Self::Unlinked => "entity_unlinked",
            Self::IncomingMessage => "incoming_chat_message",
            Self::OutgoingMessage => "outgoing_chat_message",
        }
    }
}

impl FromStr for EventType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self::ALL.into_iter();
        all.find(|event_type| event_type.word() == text)
            .ok_or_else(|| {
                let words: Vec<&str> = Self::ALL.iter().map(|it| it.word()).collect();
                format!("there are only events of the types {}", words.join(", "))
            })
    }
}

/// A value of an event, before or after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventValue {
    /// A note.
    Note(NoteId),
    /// A stage.
    Stage {
        /// The stage.
        stage: StageId,
        /// Its pipeline; `None` where the record does not name it.
        pipeline: Option<PipelineId>,
    },
    /// A responsible user; `None` for no user.
    Responsible(Option<UserId>),
    /// A tag.
    Tag(TagId),
    /// The other end of a link.
    Link {
        /// The kind of the entity.
        kind: EntityKind,
        /// Its number.
        id: u64,
    },
    /// A message.
    Message {
        /// The message.
        id: MessageId,
        /// The channel.
        origin: ChannelId,
        /// The talk: the newest lead of the conversation.
        talk: Option<LeadId>,
    },
}
