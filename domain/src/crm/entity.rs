//! The kinds of entries that notes and tags belong to, and the traces of erased ones.

use serde::{Deserialize, Serialize};

use crate::id::{ChatLinkId, ContactId, LeadId, NoteId, TaskId};

/// A kind of what notes and tags belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntityKind {
    /// Leads.
    Leads,
    /// Contacts.
    Contacts,
}

impl EntityKind {
    /// The kind as addresses name it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Leads => "leads",
            Self::Contacts => "contacts",
        }
    }

    /// The word for one of the kind.
    #[must_use]
    pub fn singular(self) -> &'static str {
        match self {
            Self::Leads => "lead",
            Self::Contacts => "contact",
        }
    }

    /// The kind that entities of this kind are linked with.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Leads => Self::Contacts,
            Self::Contacts => Self::Leads,
        }
    }

    /// The kind in rows.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Leads => 1,
            Self::Contacts => 2,
        }
    }
}

/// The subject of a note or a task: a lead or a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NoteSubject {
    /// The kind of the entry.
    pub kind: EntityKind,
    /// Its number.
    pub id: u64,
}

/// Something that was erased, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "number", rename_all = "snake_case")]
pub enum ErasedEntity {
    /// A lead.
    Lead(LeadId),
    /// A contact.
    Contact(ContactId),
    /// A chat of the contact.
    Chat(ChatLinkId),
    /// A note.
    Note(NoteId),
    /// A task.
    Task(TaskId),
}
