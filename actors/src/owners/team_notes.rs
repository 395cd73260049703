//! The owner of the notes of the team in a conversation.

use std::collections::BTreeSet;

use crate::domain::conversation::mention_users::{MentionUsers, TooManyMentioned, UsersMentioned};
use crate::domain::drafts::delete_sent::DeleteSentDraft;
use crate::domain::id::{ConversationId, UserId};
use crate::domain::team_notes::TeamNotes;
use crate::domain::team_notes::create::TeamNoteCreated;
use crate::domain::team_notes::note::{TeamNote, TeamNoteRejection};
use crate::domain::team_notes::update::TeamNoteUpdated;
use crate::owners::drafts::SendDraft;
use crate::shared::Shared;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::joint::{ExecuteJoint, Joint, RejectedBy};
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::state::Command;

impl Owned<Shared> for TeamNotes {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.team_notes
    }
}

/// The outcome of a command that stores a note.
pub(crate) trait NoteOutcome {
    /// The note.
    fn note(&self) -> &TeamNote;
    /// The users who have no news yet that the note mentions them.
    fn news(&self) -> BTreeSet<UserId>;
}

impl NoteOutcome for TeamNoteCreated {
    fn note(&self) -> &TeamNote {
        &self.note
    }

    fn news(&self) -> BTreeSet<UserId> {
        match self.repeated {
            true => BTreeSet::new(),
            false => self.note.mentions.clone(),
        }
    }
}

impl NoteOutcome for TeamNoteUpdated {
    fn note(&self) -> &TeamNote {
        &self.note
    }

    fn news(&self) -> BTreeSet<UserId> {
        self.news.clone()
    }
}

/// A note is stored, those whom it mentions for the first time are subscribers of the conversation, and the draft that it was is
/// deleted.
#[derive(Debug)]
pub(crate) struct StoreMentions<C> {
    pub(crate) conversation: ConversationId,
    pub(crate) command: C,
    /// The mention, without its users and its note.
    pub(crate) mention: MentionUsers,
    pub(crate) draft: Option<DeleteSentDraft>,
}

/// The rejection of a note with mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MentionsRejection {
    #[error(transparent)]
    Note(TeamNoteRejection),
    #[error(transparent)]
    TooMany(TooManyMentioned),
}

/// The conversation with its mention, and the draft that the note was.
#[derive(Debug)]
pub(crate) struct MentionIn {
    conversation: ConversationId,
    mention: MentionUsers,
    draft: Option<DeleteSentDraft>,
}

impl<C> Joint for StoreMentions<C>
where
    C: Command<Of = TeamNotes, Reply: NoteOutcome, Rejection = TeamNoteRejection>,
{
    type Product = Shared;
    type First = C;
    type Second = ExecuteJoint<SendDraft<MentionUsers>>;
    type SecondInput = MentionIn;
    type Reply = C::Reply;
    type Rejection = MentionsRejection;

    fn first(self) -> (C, MentionIn) {
        let mention = MentionIn {
            conversation: self.conversation,
            mention: self.mention,
            draft: self.draft,
        };
        (self.command, mention)
    }

    fn second(input: MentionIn, outcome: &C::Reply) -> Option<(ConversationId, Self::Second)> {
        let users = outcome.news();
        let is_news = !users.is_empty();
        let command = MentionUsers {
            users,
            note: Some(outcome.note().number),
            ..input.mention
        };
        let joint = SendDraft {
            conversation: input.conversation,
            command,
            draft: input.draft,
        };
        is_news.then(|| (input.conversation, joint.into()))
    }

    fn reply(outcome: Option<C::Reply>, _mentioned: Option<UsersMentioned>) -> Option<C::Reply> {
        outcome
    }

    fn rejection(by: RejectedBy<TeamNoteRejection, TooManyMentioned>) -> MentionsRejection {
        match by {
            RejectedBy::First(why) => MentionsRejection::Note(why),
            RejectedBy::Second(why) => MentionsRejection::TooMany(why),
        }
    }
}
