//! Notes about leads and contacts: who may see the lead or the contact reads them, who may edit it writes them.

use std::collections::BTreeSet;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::audit::By;
use crate::domain::crm::entity::{EntityKind, NoteSubject};
use crate::domain::crm::note::{Note, NoteType};
use crate::domain::crm::notes::{self, CreateNotes, NewNote, NoteChange, UpdateNote};
use crate::domain::id::{ContactId, LeadId, NoteId};
use crate::domain::keys;
use crate::domain::keys::changes::ChangeList;
use crate::domain::tables;
use crate::system::user_access::entity_filter::{ListOrder, OrderKey, Span};
use crate::system::user_access::paging::{Listed, PageOptions, PageStart, RowSource};
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The subjects whose notes a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotesOf {
    /// Of all leads, or of all contacts.
    All(EntityKind),
    /// Of this lead or contact.
    One(NoteSubject),
}

impl NotesOf {
    /// The list of them in the order of the last change.
    fn by_change(self) -> ChangeList {
        match self {
            Self::All(kind) => ChangeList::NotesOf(kind),
            Self::One(about) => ChangeList::NotesAbout(about),
        }
    }

    /// Returns whether a note about this is one of them.
    fn has(self, about: NoteSubject) -> bool {
        match self {
            Self::All(kind) => about.kind == kind,
            Self::One(wanted) => about == wanted,
        }
    }
}

/// A filter of notes; a missing field takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteFilter {
    /// With one of these numbers.
    pub ids: BTreeSet<u64>,
    /// About the leads, or the contacts, with these numbers.
    pub about: BTreeSet<u64>,
    /// Of one of these types; `None`: of all types.
    pub types: Option<BTreeSet<NoteType>>,
    /// Last changed in this time.
    pub updated: Span,
    /// The order.
    pub order: ListOrder,
}

impl NoteFilter {
    fn takes(&self, note: &Note) -> bool {
        let is_of_type = |types: &BTreeSet<_>| types.contains(&note.content.kind.note_type());
        (self.about.is_empty() || self.about.contains(&note.about.id))
            && self.types.as_ref().is_none_or(is_of_type)
            && self.updated.has(note.authorship.updated_at)
    }
}

/// The rejection of new notes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotesRejection {
    /// The subjects of the notes at these places, from 0, are unknown, or the user may not see them.
    #[error("{} of the notes are about objects that do not exist", .0.len())]
    Unknown(Vec<usize>),
    /// The user sees it, and may not edit it.
    #[error("you need the right to edit what the note is about")]
    Denied,
}

impl UserAccess {
    /// The notes that are wanted, by number.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn notes(
        &self,
        of: NotesOf,
        filter: &NoteFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Note>, UnavailableError> {
        let account = self.caller.account;
        let (table, prefix) = match of {
            NotesOf::All(kind) => (tables::NOTES, keys::notes::notes_prefix(account, kind)),
            NotesOf::One(about) => {
                let prefix = keys::notes::notes_of_prefix(account, about);
                (tables::NOTES_OF, prefix)
            }
        };
        let candidates = if filter.ids.is_empty() {
            RowSource::Of {
                table,
                prefix,
                turned: false,
            }
        } else {
            RowSource::Chosen(filter.ids.clone())
        };
        let rows = match (filter.order.key, candidates) {
            (OrderKey::Number, rows) => rows,
            (OrderKey::LastChange | OrderKey::Due, RowSource::Of { .. }) => RowSource::ByChange {
                prefix: of.by_change().prefix(account),
                span: filter.updated,
            },
            (OrderKey::LastChange | OrderKey::Due, rows) => {
                let updated_at = async |number| {
                    let note = self.any_note(NoteId(number))?;
                    Ok(note.map(|note| note.authorship.updated_at))
                };
                self.by_change(rows, of.by_change(), filter.updated, updated_at)
                    .await?
            }
        };
        let options = PageOptions::examine_each(filter.order);
        self.system.kernel().caught_up().await;
        self.paginate(&rows, options, start, limit, async |number| {
            let note = self.any_note(NoteId(number))?;
            let visible_note = note.filter(|note| of.has(note.about) && filter.takes(note));
            match visible_note {
                Some(note) if self.sees_subject(note.about).await? => Ok(Some(note)),
                Some(_) | None => Ok(None),
            }
        })
        .await
    }

    /// A note about this lead or contact that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn note(
        &self,
        about: NoteSubject,
        id: NoteId,
    ) -> Result<Option<Note>, UnavailableError> {
        let note = self.note_of(about.kind, id).await?;
        Ok(note.filter(|note| note.about == about))
    }

    /// A note about any lead, or about any contact, that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn note_of(
        &self,
        kind: EntityKind,
        id: NoteId,
    ) -> Result<Option<Note>, UnavailableError> {
        self.system.kernel().caught_up().await;
        let note = self.any_note(id)?.filter(|note| note.about.kind == kind);
        match note {
            Some(note) if self.sees_subject(note.about).await? => Ok(Some(note)),
            Some(_) | None => Ok(None),
        }
    }

    /// Returns whether there is such a lead or contact that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn sees_subject(&self, about: NoteSubject) -> Result<bool, UnavailableError> {
        Ok(self.may_edit(about).await?.is_some())
    }

    /// Writes notes, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When the user may not see or edit what one of them is about, or nothing can be stored now.
    pub async fn create_notes(
        &self,
        notes: Vec<NewNote>,
    ) -> Result<Vec<Note>, CommandError<NotesRejection>> {
        let mut unknown = Vec::new();
        let mut denied = false;
        for (place, note) in notes.iter().enumerate() {
            match self.may_edit(note.about).await? {
                None => unknown.push(place),
                Some(may) => denied |= !may,
            }
        }
        if !unknown.is_empty() {
            return Err(CommandError::Rejected(NotesRejection::Unknown(unknown)));
        }
        if denied {
            return Err(CommandError::Rejected(NotesRejection::Denied));
        }
        let command = CreateNotes {
            by: By::from(&self.caller),
            user: self.caller.user,
            notes,
        };
        let account = self.caller.account;
        let outcome = execute(self.system.kernel(), &account, command).await;
        outcome.map_err(|refused| refused.map(|never| match never {}))
    }

    /// Changes what a note says; answers once that is on disk.
    ///
    /// # Errors
    /// When there is none that the user may see, they may not edit what it is about, or nothing can be stored now.
    pub async fn update_note(
        &self,
        about: NoteSubject,
        id: NoteId,
        change: NoteChange,
    ) -> Result<Note, CommandError<CrmRejection>> {
        if self.note(about, id).await?.is_none() {
            return Err(CommandError::Rejected(CrmRejection::Unknown));
        }
        if self.may_edit(about).await? != Some(true) {
            return Err(CommandError::Rejected(CrmRejection::Denied(
                EntityAction::Edit,
            )));
        }
        let account = self.caller.account;
        let command = UpdateNote {
            account,
            id,
            by: By::from(&self.caller),
            user: self.caller.user,
            change,
        };
        let edited = execute(self.system.kernel(), &account, command).await;
        edited.map_err(|refused| refused.map(|_unknown| CrmRejection::Unknown))
    }

    /// Returns whether the user may edit a lead or a contact; `None` when they may not see it.
    async fn may_edit(&self, about: NoteSubject) -> Result<Option<bool>, UnavailableError> {
        Ok(match about.kind {
            EntityKind::Leads => {
                let lead = self.lead(LeadId(about.id)).await?;
                // A user who follows a chat gets no right to change anything.
                lead.map(|lead| {
                    let thing = Self::of_lead(&lead, false);
                    self.authorize(Operation::Leads(EntityAction::Edit), &thing)
                        .allowed
                })
            }
            EntityKind::Contacts => {
                let contact = self.contact(ContactId(about.id)).await?;
                contact.map(|contact| self.may_with(&contact, EntityAction::Edit))
            }
        })
    }

    pub(super) fn any_note(&self, id: NoteId) -> Result<Option<Note>, UnavailableError> {
        let key = keys::notes::note(self.caller.account, id);
        let record = self.system.kernel().record(key)?;
        Ok(notes::note(record.as_ref()).cloned())
    }
}
