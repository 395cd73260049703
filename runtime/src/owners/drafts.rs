//! The owner of the drafts in a conversation.

use std::convert::Infallible;

use crate::shared::Shared;
use switchboard_domain::conversation::mention_users::UsersMentioned;
use switchboard_domain::conversation::reply_if_unanswered::ReplyOutcome;
use switchboard_domain::crm::Lead;
use switchboard_domain::drafts::Drafts;
use switchboard_domain::drafts::delete_sent::DeleteSentDraft;
use switchboard_domain::id::ConversationId;
use switchboard_domain::scheduled_replies::create::ScheduledReplyCreated;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::joint::{Joint, RejectedBy};
use switchboard_engine::runtime::owner::{Execute, Owned};
use switchboard_engine::state::Command;

impl Owned<Shared> for Drafts {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.drafts
    }
}

/// The draft of a conversation that was sent.
#[derive(Debug)]
pub struct DraftOf {
    conversation: ConversationId,
    draft: Option<DeleteSentDraft>,
}

/// The outcome of a command that sends a draft.
pub trait SendOutcome {
    /// Returns whether the command has stored the text, and not found it stored before.
    fn is_new(&self) -> bool;
}

impl SendOutcome for ReplyOutcome {
    fn is_new(&self) -> bool {
        matches!(self, Self::Sent(sent) if !sent.repeated)
    }
}

impl SendOutcome for ScheduledReplyCreated {
    fn is_new(&self) -> bool {
        !self.repeated
    }
}

/// Users are mentioned by what is new.
impl SendOutcome for UsersMentioned {
    fn is_new(&self) -> bool {
        true
    }
}

/// The lead that a reply assigns; a repeated reply assigns none.
impl SendOutcome for Option<Lead> {
    fn is_new(&self) -> bool {
        true
    }
}

/// A reply is sent or a note is written, and the draft that it was is deleted.
#[derive(Debug)]
pub struct SendDraft<C> {
    /// The conversation of the draft.
    pub conversation: ConversationId,
    /// The command that sends its text.
    pub command: C,
    /// The draft that is deleted if the text is stored now.
    pub draft: Option<DeleteSentDraft>,
}

impl<C> Joint for SendDraft<C>
where
    C: Command<Of: Owned<Shared>, Reply: SendOutcome>,
{
    type Product = Shared;
    type First = C;
    type Second = Execute<DeleteSentDraft>;
    type SecondInput = DraftOf;
    type Reply = C::Reply;
    type Rejection = C::Rejection;

    fn first(self) -> (C, Self::SecondInput) {
        let draft = DraftOf {
            conversation: self.conversation,
            draft: self.draft,
        };
        (self.command, draft)
    }

    fn second(
        sent: DraftOf,
        outcome: &C::Reply,
    ) -> Option<(ConversationId, Execute<DeleteSentDraft>)> {
        let draft = sent.draft.filter(|_| outcome.is_new())?;
        Some((sent.conversation, Execute::at_once(draft)))
    }

    fn reply(outcome: Option<C::Reply>, _deleted: Option<()>) -> Option<C::Reply> {
        outcome
    }

    fn rejection(by: RejectedBy<C::Rejection, Infallible>) -> C::Rejection {
        by.first()
    }
}
