//! Conversations that a user may answer in, and the rejections of the others.

use crate::domain::account::rights::calculation::{Operation, Source};
use crate::domain::account::rights::{EntityAction, Grant, Right};
use crate::domain::account_quota::AccountQuotaRejection;
use crate::domain::conversation::react::ReactRejection;
use crate::domain::conversation::reply::ReplyRejection;
use crate::domain::dispatch::quota::QuotaRejection;
use crate::domain::id::{ConversationId, LeadId, ScopeId};
use crate::domain::scheduled_replies::scheduled_reply::ScheduledReplyRejection;
use crate::system::inbox::MessageView;
use crate::system::user_access::UserAccess;
use crate::system::user_access::conversations::thing;
use switchboard_runtime::error::CommandError;

/// The destination of an account user's message.
#[derive(Clone, Debug)]
pub(super) struct Answerable {
    /// The conversation.
    pub(super) conversation: ConversationId,
    /// Its scope.
    pub(super) scope: ScopeId,
    /// Its newest lead.
    pub(super) lead: Option<LeadId>,
}

/// The rejection of an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerRejection {
    /// The user sees the conversation, and may not answer in it.
    #[error("to reply here you need the right to edit the lead of the conversation")]
    Denied,
    /// The talk is closed: a person, or a message of the customer, takes it up again.
    #[error("Talk is closed")]
    TalkClosed,
    /// The message to answer is none of this conversation.
    #[error("there is no such message in this conversation")]
    NothingToAnswer,
    /// The message to send again is none that an account user wrote in this conversation.
    #[error("there is no such message of an account user in this conversation")]
    NothingToResend,
    /// The message that the writer has seen is none of this conversation.
    #[error("there is no such message in this conversation")]
    NothingSeen,
    /// Another answered behind the message that the writer has seen; nothing was written.
    #[error(
        "another answer was sent after the message in «seen»; read the answers in «answers», then discard yours or send it \
         again with the newest message as «seen»"
    )]
    AnsweredMeanwhile(Vec<MessageView>),
    /// Too many callbacks wait already; nothing was written.
    #[error(transparent)]
    TooMuchQueued(#[from] Box<QuotaRejection>),
    /// A quota of the account is used up; nothing was written.
    #[error(transparent)]
    Quota(#[from] AccountQuotaRejection),
    /// The conversation refuses it.
    #[error(transparent)]
    Reply(ReplyRejection),
    /// The scheduled reply that it was cannot be sent by this user, or is at its end.
    #[error(transparent)]
    Scheduled(ScheduledReplyRejection),
    /// The reaction cannot be left.
    #[error(transparent)]
    Reaction(ReactRejection),
}

impl UserAccess {
    /// Returns whether the user may answer in a conversation.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, or it cannot be read now.
    pub async fn may_answer(
        &self,
        id: ConversationId,
    ) -> Result<(), CommandError<AnswerRejection>> {
        self.answerable(id).await.map(drop)
    }

    /// Returns whether there may be a conversation that the user may answer in: their rights let them change leads, be it only
    /// some of them.
    #[must_use]
    pub fn may_write(&self) -> bool {
        let Some(user) = self.users.get(self.caller.user) else {
            return false;
        };
        match self.users.source(user) {
            Source::Inactive | Source::Free => false,
            Source::Administrator => true,
            Source::Role(_, rights) | Source::Own(rights) => {
                let mut stages = rights.stages.iter().map(|(_, _, stage)| stage);
                rights.leads.right(EntityAction::Edit) != Right::Denied
                    || stages.any(|stage| stage.grant(EntityAction::Edit) == Some(Grant::Allowed))
            }
        }
    }

    /// The destination of what the user writes in a conversation. A lead has all the data that is needed, so the
    /// conversation itself, which may be busy on another thread, is only asked when there is no lead.
    pub(super) async fn answerable(
        &self,
        id: ConversationId,
    ) -> Result<Answerable, CommandError<AnswerRejection>> {
        let place = match self.system.lead_of(id).await? {
            Some(lead) => {
                let ours = |scope: &ScopeId| scope.account() == self.caller.account;
                let scope = lead
                    .chat
                    .as_ref()
                    .map(|chat| chat.scope.clone())
                    .filter(ours);
                let is_visible = scope.is_some() && self.sees_lead(&lead)?;
                // A user who follows a chat gets no right to change anything.
                let thing = thing(Some(&lead), false);
                let scope = scope.filter(|_| is_visible);
                scope.map(|scope| (scope, Some(lead.id), thing))
            }
            None => {
                let visible = self.seen(id).await?;
                let origin = visible.and_then(|visible| visible.state.origin);
                origin.map(|origin| (origin.scope, None, thing(None, false)))
            }
        };
        let unknown = AnswerRejection::Reply(ReplyRejection::UnknownConversation);
        let (scope, lead, thing) = place.ok_or(CommandError::Rejected(unknown))?;
        if !self
            .authorize(Operation::Leads(EntityAction::Edit), &thing)
            .allowed
        {
            return Err(CommandError::Rejected(AnswerRejection::Denied));
        }
        Ok(Answerable {
            conversation: id,
            scope,
            lead,
        })
    }
}
