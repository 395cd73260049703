//! What account users write: each message has its place in the queue of callbacks before it is stored.

use crate::actor::admission::{Admission, NotNow, Promise};
use crate::actor::facts::Caller;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::conversation::reply::{Reply, ReplyRejection, Sent};
use crate::domain::conversation::{Author, Conversation, ConversationEvent, Replied};
use crate::domain::dispatch::stock::Place;
use crate::domain::id::{ConversationId, IdempotencyKey, ScopeId, UserId};
use crate::domain::{Recorded, keys};
use crate::error::{Refused, Unavailable};
use crate::runtime::ask::execute;
use crate::system::System;

impl System {
    /// An account user answers in a conversation. The answer comes once the message is on disk and queued.
    ///
    /// # Errors
    /// When the account has no such conversation, its scope cannot carry the message, or nothing can be stored now.
    pub async fn reply(
        &self,
        caller: &Caller,
        conversation: ConversationId,
        content: OutgoingContent,
    ) -> Result<Replied, Refused<ReplyRejection>> {
        self.reply_once(caller, conversation, content, None).await
    }

    /// As [`Self::reply`]; a request that is repeated by the same name is the same message.
    ///
    /// # Errors
    /// As [`Self::reply`], and when the name was used for another message.
    pub async fn reply_once(
        &self,
        caller: &Caller,
        conversation: ConversationId,
        content: OutgoingContent,
        request: Option<IdempotencyKey>,
    ) -> Result<Replied, Refused<ReplyRejection>> {
        self.env().caught_up().await;
        let state = self
            .conversation_state(caller.account, conversation)
            .await?;
        let Some(origin) = state.and_then(|state| state.origin) else {
            return Err(Refused::Rejected(ReplyRejection::UnknownConversation));
        };
        let reply = self
            .prepare(caller, &origin.scope, conversation, content, request)
            .await?;
        let promise = self.promise(&origin.scope, &reply).await?;
        let sent = execute::<Conversation, _>(self.env(), &conversation, reply).await?;
        Ok(kept(promise, sent))
    }

    /// What an account user writes, with all that its conversation has to know of it.
    pub(in crate::system) async fn prepare(
        &self,
        caller: &Caller,
        scope: &ScopeId,
        conversation: ConversationId,
        content: OutgoingContent,
        request: Option<IdempotencyKey>,
    ) -> Result<Reply, Unavailable> {
        let connection = self.connection(scope).await?;
        Ok(Reply {
            conversation,
            by: Author {
                user: caller.user,
                person: self.env().ids.user(caller.account, caller.user),
                name: caller.name.clone(),
            },
            content,
            version: connection.map(|connection| connection.version),
            request,
            deal: self.deal_of(conversation).await?.map(|deal| deal.id),
        })
    }

    /// A place in the queue of callbacks for the message; `None` for what leaves nothing to send.
    pub(in crate::system) async fn promise(
        &self,
        scope: &ScopeId,
        reply: &Reply,
    ) -> Result<Option<Promise>, Refused<ReplyRejection>> {
        // Without a version, the conversation itself says that nothing can leave.
        let Some(version) = reply.version else {
            return Ok(None);
        };
        // A repeat is answered like the first time, however much waits.
        if let Some(request) = &reply.request
            && self.is_known_request(reply.conversation, reply.by.user, request)?
        {
            return Ok(None);
        }
        let place = Place {
            scope,
            conversation: reply.conversation,
            version,
        };
        let entered = Admission::enter(self.env(), &place).await;
        let promise = entered.map_err(|not_now| match not_now {
            NotNow::OverQuota(refusal) => Refused::Rejected(ReplyRejection::TooMuchQueued(refusal)),
            NotNow::Unavailable(unavailable) => Refused::Unavailable(unavailable),
        })?;
        Ok(Some(promise))
    }

    fn is_known_request(
        &self,
        conversation: ConversationId,
        user: UserId,
        request: &IdempotencyKey,
    ) -> Result<bool, Unavailable> {
        let key = keys::request(conversation, user, request);
        let earlier: Option<Recorded<ConversationEvent>> = self.env().record(key)?;
        Ok(earlier.is_some())
    }
}

/// The stored message takes the place that it was promised; a repeat needs none.
pub(in crate::system) fn kept(promise: Option<Promise>, sent: Sent) -> Replied {
    if let Some(promise) = promise
        && !sent.repeated
    {
        promise.keep();
    }
    sent.replied
}
