//! The notes of the team in a conversation: colleagues who may see the conversation read them, and no integration does.

use crate::domain::drafts::draft::DraftKind;
use crate::domain::id::{ConversationId, IdempotencyKey};
use crate::domain::keys;
use crate::domain::team_notes::create::{CreateTeamNote, TeamNoteCreated};
use crate::domain::team_notes::delete::DeleteTeamNote;
use crate::domain::team_notes::note::{NoteWriter, TeamNote, TeamNoteRejection};
use crate::domain::team_notes::update::UpdateTeamNote;
use crate::domain::team_notes::{TeamNotes, TeamNotesEvent};
use crate::domain::text::MessageText;
use crate::error::{CommandError, UnavailableError};
use crate::system::live::What;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;

/// The rejection of something about a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteRejection {
    /// There is no such conversation that the user may see.
    #[error("there is no such conversation")]
    UnknownConversation,
    /// The notes of the conversation refuse it.
    #[error(transparent)]
    Note(TeamNoteRejection),
}

/// A part of the notes in a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamNotePage {
    /// The notes, newest first.
    pub notes: Vec<TeamNote>,
    /// The number before which the next page begins; `None` at the end.
    pub next: Option<u64>,
}

impl UserAccess {
    /// The notes before this number, newest first, of so many numbers at most. `None` when there is no such conversation that
    /// the user may see.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn team_notes(
        &self,
        id: ConversationId,
        before: Option<u64>,
        limit: u64,
    ) -> Result<Option<TeamNotePage>, UnavailableError> {
        if !self.sees(id).await? {
            return Ok(None);
        }
        let kernel = self.system.kernel();
        let state = kernel.load::<TeamNotes>(id).await?;
        let newest = state.map_or(0, |(state, _)| state.newest);
        kernel.caught_up().await;
        let end = newest.min(before.map_or(u64::MAX, |before| before.saturating_sub(1)));
        let begin = end.saturating_sub(limit).saturating_add(1);
        let mut notes = Vec::new();
        for number in (begin..=end).rev() {
            // An erasure takes notes of the past.
            let record = kernel.record::<TeamNotesEvent>(keys::team::note(id, number))?;
            notes.extend(record.map(|record| record.event.note().clone()));
        }
        let next = (begin > 1).then_some(begin);
        Ok(Some(TeamNotePage { notes, next }))
    }

    /// Writes a note. The user's draft with this number is deleted with it. The answer comes once it is on disk.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, the key was used for another note, or nothing can be stored now.
    pub async fn create_team_note(
        &self,
        id: ConversationId,
        text: MessageText,
        request: Option<IdempotencyKey>,
        draft: Option<u64>,
    ) -> Result<TeamNoteCreated, CommandError<NoteRejection>> {
        self.require_conversation(id).await?;
        let note = CreateTeamNote {
            by: self.note_writer(),
            text,
            request,
        };
        let result = self
            .execute_with_draft(id, note, DraftKind::Note, draft)
            .await;
        let outcome = result.map_err(|refused| refused.map(NoteRejection::Note))?;
        if !outcome.repeated {
            self.publish_note(id, &outcome.note);
        }
        Ok(outcome)
    }

    /// Changes the text of a note of the user's.
    ///
    /// # Errors
    /// When there is no such note that the user may change, or nothing can be stored now.
    pub async fn update_team_note(
        &self,
        id: ConversationId,
        number: u64,
        text: MessageText,
    ) -> Result<TeamNote, CommandError<NoteRejection>> {
        self.require_conversation(id).await?;
        let by = self.caller.user;
        let command = UpdateTeamNote { by, number, text };
        let result = execute(self.system.kernel(), &id, command).await;
        let note = result.map_err(|refused| refused.map(NoteRejection::Note))?;
        self.publish_note(id, &note);
        Ok(note)
    }

    /// Deletes a note of the user's, or any one for an administrator. A mark of it stays.
    ///
    /// # Errors
    /// When there is no such note that the user may delete, or nothing can be stored now.
    pub async fn delete_team_note(
        &self,
        id: ConversationId,
        number: u64,
    ) -> Result<TeamNote, CommandError<NoteRejection>> {
        self.require_conversation(id).await?;
        let command = DeleteTeamNote {
            by: self.note_writer(),
            account: self.caller.account,
            is_administrator: self.caller.is_admin,
            number,
        };
        let result = execute(self.system.kernel(), &id, command).await;
        let mark = result.map_err(|refused| refused.map(NoteRejection::Note))?;
        self.publish_note(id, &mark);
        Ok(mark)
    }

    async fn require_conversation(
        &self,
        id: ConversationId,
    ) -> Result<(), CommandError<NoteRejection>> {
        if self.sees(id).await? {
            return Ok(());
        }
        Err(CommandError::Rejected(NoteRejection::UnknownConversation))
    }

    pub(super) fn note_writer(&self) -> NoteWriter {
        NoteWriter {
            user: self.caller.user,
            name: self.caller.name.clone(),
            client: self.caller.client.clone(),
        }
    }

    fn publish_note(&self, id: ConversationId, note: &TeamNote) {
        self.publish(What::TeamNote(id, Box::new(note.clone())));
    }
}
