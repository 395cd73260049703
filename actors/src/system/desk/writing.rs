//! What a user writes in conversations, and what others are told of it.

use crate::domain::account::rights::calculation::{Deed, Source};
use crate::domain::account::rights::{Action, Grant, Right};
use crate::domain::conversation::Replied;
use crate::domain::conversation::react::ReactRejection;
use crate::domain::conversation::reply::ReplyRejection;
use crate::domain::dispatch::quota::OverQuota;
use crate::domain::id::{ConversationId, IdempotencyKey, MessageId};
use crate::error::{Refused, Unavailable};
use crate::system::desk::Desk;
use crate::system::desk::conversations::thing;
use crate::system::inbox::Said;
use crate::system::inbox::sending::Answerable;
use crate::system::live::{Audience, LiveEvent, What};
use crate::system::reacting::UserReaction;
use crate::system::write_first::{FirstMessage, FirstMessageRejection};

/// Why an answer is not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    /// The user sees the conversation, and may not answer in it.
    #[error("to reply here you need the right to edit the lead of the conversation")]
    Denied,
    /// What it is to answer is no message of this conversation.
    #[error("there is no such message in this conversation")]
    NothingToAnswer,
    /// What it is to send again is no message that an account user wrote in this conversation.
    #[error("there is no such message of an account user in this conversation")]
    NothingToResend,
    /// Too many callbacks wait already; nothing was written.
    #[error(transparent)]
    TooMuchQueued(Box<OverQuota>),
    /// The conversation refuses it.
    #[error(transparent)]
    Reply(ReplyRejection),
    /// The sign cannot be left.
    #[error(transparent)]
    Sign(ReactRejection),
}

impl Desk {
    /// Whether the user may answer in a conversation.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, or it cannot be read now.
    pub async fn may_answer(&self, id: ConversationId) -> Result<(), Refused<NotSent>> {
        self.answerable(id).await.map(drop)
    }

    /// Whether there may be a conversation that the user may answer in: their rights let them change deals, be it only
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
                rights.leads.right(Action::Edit) != Right::Denied
                    || stages.any(|stage| stage.grant(Action::Edit) == Some(Grant::Allowed))
            }
        }
    }

    /// Where it goes what the user writes in a conversation. With a deal, that tells all there is to ask; so the
    /// conversation itself, which may be busy on another thread, is only asked when there is none.
    async fn answerable(&self, id: ConversationId) -> Result<Answerable, Refused<NotSent>> {
        let place = match self.system.deal_of(id).await? {
            Some(deal) => {
                let ours = deal.scope.account() == self.caller.account;
                let seen = ours && self.sees_deal(&deal)?;
                seen.then(|| {
                    // Following a chat lets nobody change anything.
                    let thing = thing(Some(&deal), false);
                    (deal.scope, Some(deal.id), thing)
                })
            }
            None => {
                let seen = self.seen(id).await?;
                let origin = seen.and_then(|seen| seen.state.origin);
                origin.map(|origin| (origin.scope, None, thing(None, false)))
            }
        };
        let unknown = NotSent::Reply(ReplyRejection::UnknownConversation);
        let (scope, deal, thing) = place.ok_or(Refused::Rejected(unknown))?;
        if !self.rule(Deed::Leads(Action::Edit), &thing).allowed {
            return Err(Refused::Rejected(NotSent::Denied));
        }
        Ok(Answerable {
            conversation: id,
            scope,
            deal,
        })
    }

    /// The user answers in a conversation; a request that is repeated by the same name is the same message. The answer
    /// comes once the message is on disk and queued.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, its scope cannot carry the
    /// message, the name was used for another message, or nothing can be stored now.
    pub async fn reply(
        &self,
        id: ConversationId,
        said: Said,
        request: Option<IdempotencyKey>,
    ) -> Result<Replied, Refused<NotSent>> {
        let place = self.answerable(id).await?;
        self.system
            .reply_in(&self.caller, place, said, request)
            .await
    }

    /// The user writes first; where there is a conversation with the number, they must be allowed to answer in it, else
    /// in one without a deal. The answer comes once the message is on disk and queued.
    ///
    /// # Errors
    /// When the user may not, the scope cannot carry it, or nothing can be stored now.
    pub async fn write_first(
        &self,
        first: FirstMessage,
    ) -> Result<(ConversationId, Replied), Refused<FirstMessageRejection>> {
        let (id, _) = self.system.addressed(&self.caller, &first)?;
        let account = self.caller.account;
        let allowed = match self.system.conversation_state(account, id).await? {
            // That there is one that may not be seen is not told.
            Some(_) => match self.may_answer(id).await {
                Ok(()) => true,
                Err(Refused::Rejected(_)) => false,
                Err(Refused::Unavailable(unavailable)) => return Err(unavailable.into()),
            },
            None => {
                let thing = thing(None, false);
                self.rule(Deed::Leads(Action::Edit), &thing).allowed
            }
        };
        if !allowed {
            return Err(Refused::Rejected(FirstMessageRejection::Denied));
        }
        self.system.write_first(&self.caller, first).await
    }

    /// The user has read a conversation; false when there is none that they may see.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn read(&self, id: ConversationId) -> Result<bool, Unavailable> {
        if !self.sees(id).await? {
            return Ok(false);
        }
        self.system.see(&self.caller, id).await
    }

    /// Tells whoever listens that the user is writing, and the integration if it wants to hear of it. Nothing is stored.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, or it cannot be read now.
    pub async fn typing(&self, id: ConversationId) -> Result<(), Refused<NotSent>> {
        self.may_answer(id).await?;
        self.system.env().world.feed.tell(LiveEvent {
            number: None,
            audience: Audience::Account(self.caller.account),
            what: What::Typing(id, self.caller.clone()),
        });
        self.system.tell_typing(&self.caller, id).await?;
        Ok(())
    }

    /// The user leaves a sign on a message, or takes it back. Answers with the id of the callback about it, if there is
    /// one.
    ///
    /// # Errors
    /// When there is no such message that the user may see, they may not answer there, the message has too many signs, or
    /// nothing can be stored now.
    pub async fn react(
        &self,
        id: ConversationId,
        reaction: UserReaction,
    ) -> Result<Option<MessageId>, Refused<NotSent>> {
        let place = self.answerable(id).await?;
        self.system.react_in(&self.caller, place, reaction).await
    }
}
