//! Account users write notes, and change them.

use smallvec::smallvec;

use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::authorship::Authorship;
use crate::crm::entity::NoteSubject;
use crate::crm::note::{Note, NoteChanged, NoteContent};
use crate::crm::{Crm, CrmEvent};
use crate::id::{AccountId, NoteId, UserId};
use crate::text::{MessageText, Name};
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// A note to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNote {
    /// The subject.
    pub about: NoteSubject,
    /// The content.
    pub content: NoteContent,
}

/// A change of a note; a missing field keeps what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteChange {
    /// The text.
    pub text: Option<MessageText>,
    /// The name of the service; ignored for a note of a user.
    pub service: Option<Name>,
}

impl NoteChange {
    /// The content behind the change.
    pub fn applied(self, current: &NoteContent) -> NoteContent {
        let kind = &current.kind;
        NoteContent {
            kind: self
                .service
                .map_or_else(|| kind.clone(), |service| kind.with_service(service)),
            text: self.text.unwrap_or_else(|| current.text.clone()),
        }
    }
}

/// Writes notes: all of them or none.
#[derive(Clone, Debug)]
pub struct CreateNotes {
    /// The actor, for the audit log.
    pub by: By,
    /// The author.
    pub user: UserId,
    /// The notes.
    pub notes: Vec<NewNote>,
}

impl Command for CreateNotes {
    type Of = Crm;
    type Reply = Vec<Note>;
    type Rejection = std::convert::Infallible;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Note>>, Self::Rejection> {
        let authorship = Authorship::new(&self.by, self.user, moment.now);
        let numbers = state.notes.saturating_add(1)..;
        let notes: Vec<Note> = numbers
            .zip(self.notes)
            .map(|(number, new)| Note {
                id: NoteId(number),
                about: new.about,
                content: new.content,
                authorship: authorship.clone(),
            })
            .collect();
        let author = Author {
            by: self.by,
            account: state.account,
        };
        let mut events = Vec::new();
        for note in &notes {
            let event = NoteChanged {
                note: note.clone(),
                updated_before: None,
            };
            events.push(CrmEvent::Note(Box::new(event)).into());
            events.push(author.note(None, note, moment).into());
        }
        Ok(Decision::events(events, notes))
    }
}

/// Changes what a note says.
#[derive(Clone, Debug)]
pub struct UpdateNote {
    /// The account.
    pub account: AccountId,
    /// The note.
    pub id: NoteId,
    /// The actor, for the audit log.
    pub by: By,
    /// The user of the change.
    pub user: UserId,
    /// The change.
    pub change: NoteChange,
}

/// There is no such note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such note")]
pub struct UpdateNoteRejection;

impl Command for UpdateNote {
    type Of = Crm;
    type Reply = Note;
    type Rejection = UpdateNoteRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        smallvec![keys::notes::note(self.account, self.id)]
    }

    fn decide(
        self,
        _state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Note>, UpdateNoteRejection> {
        let current = note(moment.earlier(0)).ok_or(UpdateNoteRejection)?;
        let content = self.change.applied(&current.content);
        if content == current.content {
            return Ok(Decision::unchanged(current.clone()));
        }
        let change = Authorship::new(&self.by, self.user, moment.now);
        let note = Note {
            content,
            authorship: current.authorship.changed_by(&change),
            ..current.clone()
        };
        let author = Author {
            by: self.by,
            account: self.account,
        };
        let event = NoteChanged {
            note: note.clone(),
            updated_before: Some(current.authorship.updated_at),
        };
        let events = vec![
            CrmEvent::Note(Box::new(event)).into(),
            author.note(Some(&current.content), &note, moment).into(),
        ];
        Ok(Decision::events(events, note))
    }
}

/// The note that a record is about.
pub fn note(record: Option<&Recorded<CrmEvent>>) -> Option<&Note> {
    match &record?.event {
        CrmEvent::Note(changed) => Some(&changed.note),
        CrmEvent::Begun(_)
        | CrmEvent::Lead(_)
        | CrmEvent::Contact(_)
        | CrmEvent::Chat(_)
        | CrmEvent::Tag(_)
        | CrmEvent::Task(_)
        | CrmEvent::Source(_)
        | CrmEvent::CustomField(_)
        | CrmEvent::Pipeline(_)
        | CrmEvent::Audited(_)
        | CrmEvent::Erased(_) => None,
    }
}
