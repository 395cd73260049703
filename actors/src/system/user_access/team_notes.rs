//! The notes of the team in a conversation: colleagues who may see the conversation read them, and no integration does.

use std::collections::BTreeSet;

use crate::domain::conversation::mention_users::MentionUsers;
use crate::domain::drafts::delete_sent::DeleteSentDraft;
use crate::domain::drafts::draft::DraftKind;
use crate::domain::id::{ConversationId, IdempotencyKey, LeadId, UserId};
use crate::domain::keys;
use crate::domain::team_notes::create::CreateTeamNote;
use crate::domain::team_notes::delete::DeleteTeamNote;
use crate::domain::team_notes::note::{NoteWriter, StoredNote, TeamNote, TeamNoteRejection};
use crate::domain::team_notes::update::UpdateTeamNote;
use crate::domain::team_notes::{TeamNotes, TeamNotesEvent};
use crate::domain::text::MessageText;
use crate::system::live::What;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_engine::state::Command;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::owners::team_notes::{AlongWithNote, StoreNote};

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

/// The content of a note, as its writer sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteContent {
    /// The text.
    pub text: MessageText,
    /// The users whom it mentions; `None`: those of before.
    pub mentions: Option<BTreeSet<UserId>>,
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

    /// Writes a note; those whom it mentions are subscribers from then on. The user's draft with this number is deleted with it. The
    /// answer comes once all is on disk.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, the key was used for another note, the notes mention too many
    /// users, or nothing can be stored now.
    pub async fn create_team_note(
        &self,
        id: ConversationId,
        content: NoteContent,
        request: Option<IdempotencyKey>,
        draft: Option<u64>,
    ) -> Result<StoredNote, CommandError<NoteRejection>> {
        self.require_conversation(id).await?;
        let note = CreateTeamNote {
            by: self.note_writer(),
            text: content.text,
            mentions: content.mentions.unwrap_or_default(),
            request,
        };
        let sent_draft = draft.map(|number| DeleteSentDraft {
            user: self.caller.user,
            kind: DraftKind::Note,
            number,
        });
        let outcome = self.store_note(id, note, sent_draft).await?;
        if !outcome.repeated {
            self.publish_note(id, &outcome.note);
            if let Some(number) = draft {
                self.publish_draft(id, DraftKind::Note, number.saturating_add(1));
            }
        }
        Ok(outcome)
    }

    /// Changes a note of the user's. Those whom it mentions for the first time are subscribers from then on.
    ///
    /// # Errors
    /// When there is no such note that the user may change, the notes mention too many users, or nothing can be stored now.
    pub async fn update_team_note(
        &self,
        id: ConversationId,
        number: u64,
        content: NoteContent,
    ) -> Result<TeamNote, CommandError<NoteRejection>> {
        self.require_conversation(id).await?;
        let command = UpdateTeamNote {
            by: self.caller.user,
            number,
            text: content.text,
            mentions: content.mentions,
        };
        let outcome = self.store_note(id, command, None).await?;
        self.publish_note(id, &outcome.note);
        Ok(outcome.note)
    }

    /// Stores a note, and makes subscribers of those whom it mentions for the first time, in one step.
    async fn store_note<C>(
        &self,
        id: ConversationId,
        command: C,
        draft: Option<DeleteSentDraft>,
    ) -> Result<StoredNote, CommandError<NoteRejection>>
    where
        C: Command<Of = TeamNotes, Reply = StoredNote, Rejection = TeamNoteRejection>,
    {
        let kernel = self.system.kernel();
        let lead = self.newest_lead(id).await?;
        let mention = MentionUsers {
            users: BTreeSet::new(),
            by: self.caller.user,
            note: None,
            lead,
        };
        let along = AlongWithNote {
            conversation: id,
            mention: mention.clone(),
            draft,
        };
        let _accepted = kernel.gate.enter()?;
        let result = execute_joint(kernel, &id, StoreNote { command, along }).await;
        let outcome = result.map_err(|refused| refused.map(NoteRejection::Note))?;
        // A lead that was opened meanwhile has the subscribers from before. Without users this stores nothing.
        let present = self.newest_lead(id).await?;
        if present != lead {
            let again = MentionUsers {
                users: outcome.news.clone(),
                lead: present,
                ..mention
            };
            let too_many = |why| NoteRejection::Note(TeamNoteRejection::TooManyMentioned(why));
            let result = execute(kernel, &id, again).await;
            result.map_err(|refused| refused.map(too_many))?;
        }
        Ok(outcome)
    }

    async fn newest_lead(&self, id: ConversationId) -> Result<Option<LeadId>, UnavailableError> {
        Ok(self.system.lead_of(id).await?.map(|lead| lead.id))
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
