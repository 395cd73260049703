//! The owner of the notes of the team in a conversation.

use crate::owners::drafts::SendDraft;
use crate::shared::Shared;
use switchboard_domain::conversation::mention_users::{
    MentionUsers, TooManyMentionedRejection, UsersMentioned,
};
use switchboard_domain::drafts::delete_sent::DeleteSentDraft;
use switchboard_domain::id::ConversationId;
use switchboard_domain::team_notes::TeamNotes;
use switchboard_domain::team_notes::note::{StoredNote, TeamNoteRejection};
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::joint::{ExecuteJoint, Joint, RejectedBy};
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::state::Command;

impl Owned<Shared> for TeamNotes {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.team_notes
    }
}

/// A note is stored, those whom it mentions for the first time are subscribers of the conversation, and the draft that it was is
/// deleted.
#[derive(Debug)]
pub struct StoreNote<C> {
    /// The command that creates or updates the note.
    pub command: C,
    /// The changes that are stored with it.
    pub along: AlongWithNote,
}

/// The changes that are stored with a note.
#[derive(Debug)]
pub struct AlongWithNote {
    /// The conversation that the note is about.
    pub conversation: ConversationId,
    /// The mention, without its users and its note.
    pub mention: MentionUsers,
    /// The draft that became the note, which is deleted.
    pub draft: Option<DeleteSentDraft>,
}

impl<C> Joint for StoreNote<C>
where
    C: Command<Of = TeamNotes, Reply = StoredNote, Rejection = TeamNoteRejection>,
{
    type Product = Shared;
    type First = C;
    type Second = ExecuteJoint<SendDraft<MentionUsers>>;
    type SecondInput = AlongWithNote;
    type Reply = StoredNote;
    type Rejection = TeamNoteRejection;

    fn first(self) -> (C, AlongWithNote) {
        (self.command, self.along)
    }

    fn second(along: AlongWithNote, stored: &StoredNote) -> Option<(ConversationId, Self::Second)> {
        let has_more = !stored.news.is_empty() || along.draft.is_some();
        let joint = SendDraft {
            conversation: along.conversation,
            command: MentionUsers {
                users: stored.news.clone(),
                note: Some(stored.note.number),
                ..along.mention
            },
            draft: along.draft,
        };
        (has_more && !stored.repeated).then(|| (along.conversation, joint.into()))
    }

    fn reply(stored: Option<StoredNote>, _mentioned: Option<UsersMentioned>) -> Option<StoredNote> {
        stored
    }

    fn rejection(
        by: RejectedBy<TeamNoteRejection, TooManyMentionedRejection>,
    ) -> TeamNoteRejection {
        match by {
            RejectedBy::First(why) => why,
            RejectedBy::Second(why) => TeamNoteRejection::TooManyMentioned(why),
        }
    }
}
