//! A user answers in a conversation: each message has its place in the queue of callbacks before it is stored.

use std::error::Error;
use std::sync::Arc;

use crate::domain::account_quota::{AccountQuotaRejection, Addition};
use crate::domain::chat::message::ContentKind;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::chat::quote::Answered;
use crate::domain::conversation::reply::{Reply, Sent};
use crate::domain::conversation::reply_if_unanswered::{ReplyIfUnanswered, ReplyOutcome};
use crate::domain::conversation::{Author, ConversationEvent, Replied};
use crate::domain::dispatch::quota::QuotaRejection;
use crate::domain::drafts::draft::DraftKind;
use crate::domain::id::{ConversationId, IdempotencyKey, MessageId, ScopeId, UserId};
use crate::domain::keys;
use crate::domain::templates::sent::SentTemplate;
use crate::system::inbox::{MessageView, PAGE_MAX};
use crate::system::user_access::UserAccess;
use crate::system::user_access::answerable::{AnswerRejection, Answerable};
use crate::wire::chat_body::stored;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::Recorded;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::shared::account_usage::Reserved;
use switchboard_runtime::shared::admission::queue_counts::QueueTarget;
use switchboard_runtime::shared::admission::{Admission, AdmissionError, QueuePermit};

/// The most answers of others that a refused answer is shown.
const ANSWERS_MAX: usize = 20;

/// An answer of an account user, with the message that it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyRequest {
    /// The message.
    pub content: OutgoingContent,
    /// The message of the same conversation that it answers.
    pub reply_to: Option<MessageId>,
    /// The message of the same conversation that failed, and is sent again by this one.
    pub resends: Option<MessageId>,
    /// The newest message that the writer has seen. If another has answered since, the answer is not sent.
    pub seen: Option<MessageId>,
    /// The number of the version of the user's draft that the message was; it is deleted with the message.
    pub draft: Option<u64>,
    /// The number of the scheduled reply that the message was; it is at its end with the message.
    pub scheduled_reply: Option<u64>,
    /// The template that the message is made of.
    pub template: Option<Box<SentTemplate>>,
}

impl UserAccess {
    /// The user answers in a conversation; a request that is repeated by the same name is the same message. The answer
    /// comes once the message is on disk and queued.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, its scope cannot carry the
    /// message, the name was used for another message, or nothing can be stored now.
    pub async fn reply(
        &self,
        id: ConversationId,
        said: ReplyRequest,
        request: Option<IdempotencyKey>,
    ) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
        let place = self.answerable(id).await?;
        let reply_to = match said.reply_to {
            Some(id) => Some(self.answered(place.conversation, id)?),
            None => None,
        };
        let resends = match said.resends {
            Some(id) => Some(self.resent(place.conversation, id)?),
            None => None,
        };
        let mut reply = self.prepare(&place, said.content, request).await?;
        reply.reply_to = reply_to;
        reply.resends = resends;
        reply.template = said.template;
        let is_plain =
            said.seen.is_none() && said.draft.is_none() && said.scheduled_reply.is_none();
        if is_plain && self.first_assignment(&place).await?.is_none() {
            return self.store_reply(&place, reply).await;
        }
        let seen_number = match said.seen {
            Some(id) => Some(self.seen_number(place.conversation, id).await?),
            None => None,
        };
        let command = ReplyIfUnanswered {
            reply,
            seen: seen_number,
        };
        match said.scheduled_reply {
            None => self.store_if_unanswered(&place, command, said.draft).await,
            Some(number) => self.store_scheduled(&place, command, number).await,
        }
    }

    /// Stores a complete reply and queues its callback.
    pub(super) async fn store_reply(
        &self,
        place: &Answerable,
        reply: Reply,
    ) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
        let promise = self.promise(place, &reply).await?;
        let outcome = execute(self.system.kernel(), &place.conversation, reply)
            .await
            .map_err(|refused| refused.map(AnswerRejection::Reply))?;
        Ok(promise.keep(outcome))
    }

    /// The number of a message of this conversation that the user has seen.
    pub(super) async fn seen_number(
        &self,
        conversation: ConversationId,
        id: MessageId,
    ) -> Result<u64, CommandError<AnswerRejection>> {
        self.system.kernel().caught_up().await;
        let number = self.system.number_of(conversation, id)?;
        number.ok_or(CommandError::Rejected(AnswerRejection::NothingSeen))
    }

    /// As [`Self::store_reply`], unless another has answered behind the message that the user has seen; the draft with
    /// this number goes along.
    async fn store_if_unanswered(
        &self,
        place: &Answerable,
        reply: ReplyIfUnanswered,
        draft: Option<u64>,
    ) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
        let id = place.conversation;
        let seen_number = reply.seen.unwrap_or(u64::MAX);
        let promise = self.promise(place, &reply.reply).await?;
        let result = self.store_answer(place, reply, draft).await;
        let outcome = result.map_err(|refused| refused.map(AnswerRejection::Reply))?;
        let is_new = matches!(&outcome, ReplyOutcome::Sent(sent) if !sent.repeated);
        if let Some(number) = draft.filter(|_| is_new) {
            self.publish_draft(id, DraftKind::Reply, number.saturating_add(1));
        }
        self.kept(id, outcome, promise, seen_number).await
    }

    /// The stored message of an outcome, or the answers of others that were first.
    pub(super) async fn kept(
        &self,
        id: ConversationId,
        outcome: ReplyOutcome,
        promise: Promise,
        seen_number: u64,
    ) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
        match outcome {
            ReplyOutcome::Sent(sent) => Ok(promise.keep(sent)),
            ReplyOutcome::AnsweredMeanwhile => {
                let answers = self.answers_behind(id, seen_number).await?;
                Err(CommandError::Rejected(AnswerRejection::AnsweredMeanwhile(
                    answers,
                )))
            }
        }
    }

    /// The answers of others behind this message, newest first: the newest ones of them.
    async fn answers_behind(
        &self,
        conversation: ConversationId,
        seen: u64,
    ) -> Result<Vec<MessageView>, UnavailableError> {
        let (account, user) = (self.caller.account, self.caller.user);
        let page = self
            .system
            .messages(account, conversation, None, PAGE_MAX)
            .await?;
        let messages = page.map(|page| page.entries).unwrap_or_default();
        let answers = messages.into_iter().filter(|message| match message {
            MessageView::In { received, .. } => received.number > seen && received.is_imported(),
            MessageView::Out { replied, .. } => {
                replied.number > seen && replied.by.person_user() != Some(user)
            }
        });
        Ok(answers.take(ANSWERS_MAX).collect())
    }

    /// Promises a reply its place in the queue of callbacks, and counts it for the quotas of the account.
    pub(super) async fn promise<R>(
        &self,
        place: &Answerable,
        reply: &Reply,
    ) -> Result<Promise, CommandError<R>>
    where
        R: Error + From<AccountQuotaRejection> + From<Box<QuotaRejection>>,
    {
        let reserved = self.reserve(place.conversation, reply).await;
        let reserved = reserved.map_err(|refusal| refusal.map(R::from))?;
        let permit = self.permit(&place.scope, reply).await;
        let permit = permit.map_err(|refusal| refusal.map(R::from))?;
        Ok(Promise { reserved, permit })
    }

    /// Counts a message of the user for the quotas of the account.
    async fn reserve(
        &self,
        conversation: ConversationId,
        reply: &Reply,
    ) -> Result<Option<Reserved>, CommandError<AccountQuotaRejection>> {
        let file = reply.content.file();
        let bytes = file.map_or(0, |file| file.size.bytes());
        let user = self.caller.user;
        let is_repeat = || {
            let Some(request) = &reply.request else {
                return Ok(false);
            };
            let key = keys::request(conversation, user, request);
            Ok(self.system.kernel().index.find(key)?.is_some())
        };
        let account = self.caller.account;
        let message = Addition {
            bot_messages: u64::from(reply.by.is_bot),
            ..Addition::message(bytes)
        };
        self.system.reserve(account, message, is_repeat).await
    }

    /// Completes an account user's message with all that its conversation has to know of it.
    pub(super) async fn prepare(
        &self,
        place: &Answerable,
        content: OutgoingContent,
        request: Option<IdempotencyKey>,
    ) -> Result<Reply, UnavailableError> {
        let connection = self.system.connection(&place.scope).await?;
        let window = connection
            .as_ref()
            .and_then(|connection| self.system.window(&place.scope, connection));
        Ok(Reply {
            conversation: place.conversation,
            by: self.author(),
            content,
            reply_to: None,
            resends: None,
            version: connection.map(|connection| connection.version),
            request,
            lead: place.lead,
            template: None,
            list: None,
            window,
        })
    }

    /// The user as who they are in chats.
    pub(super) fn author(&self) -> Author {
        let Caller { account, user, .. } = self.caller;
        Author {
            user,
            person: self.system.person_of(account, user),
            name: self.caller.name.clone(),
            client: self.caller.client.clone(),
            is_bot: false,
        }
    }

    /// A message of this conversation as it is now, for one that answers it.
    pub(super) fn answered(
        &self,
        conversation: ConversationId,
        id: MessageId,
    ) -> Result<Box<Answered>, CommandError<AnswerRejection>> {
        let number = self.system.number_of(conversation, id)?;
        let view = match number {
            Some(number) => self.system.numbered(conversation, number)?,
            None => None,
        };
        let original = view.and_then(|view| answered_of(&view));
        original
            .map(Box::new)
            .ok_or(CommandError::Rejected(AnswerRejection::NothingToAnswer))
    }

    /// The number among the outgoing messages of this conversation of one that is sent again.
    fn resent(
        &self,
        conversation: ConversationId,
        id: MessageId,
    ) -> Result<u64, CommandError<AnswerRejection>> {
        let view = match self.system.number_of(conversation, id)? {
            Some(number) => self.system.numbered(conversation, number)?,
            None => None,
        };
        match view {
            Some(MessageView::Out { replied, .. }) => Ok(replied.out),
            Some(MessageView::In { .. }) | None => {
                Err(CommandError::Rejected(AnswerRejection::NothingToResend))
            }
        }
    }

    /// A place in the queue of callbacks for the message; `None` for what leaves nothing to send.
    pub(super) async fn permit(
        &self,
        scope: &ScopeId,
        reply: &Reply,
    ) -> Result<Option<QueuePermit>, AdmissionError> {
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
        let place = QueueTarget {
            scope,
            conversation: reply.conversation,
            version,
        };
        Admission::enter(self.system.kernel(), &place)
            .await
            .map(Some)
    }

    pub(super) fn is_known_request(
        &self,
        conversation: ConversationId,
        user: UserId,
        request: &IdempotencyKey,
    ) -> Result<bool, UnavailableError> {
        let key = keys::request(conversation, user, request);
        let earlier: Option<Recorded<ConversationEvent>> = self.system.kernel().record(key)?;
        Ok(earlier.is_some())
    }
}

fn answered_of(view: &MessageView) -> Option<Answered> {
    match view {
        MessageView::In {
            received,
            raw,
            afterwards,
        } => {
            let body = stored::message(received, raw)?;
            let edit = afterwards.edit.as_ref();
            let edited = edit.and_then(|(edited, raw)| stored::edited(edited, raw));
            let content = edited.unwrap_or(body.content);
            let msgid = afterwards.msgid.as_ref().unwrap_or(&received.msgid);
            Some(Answered {
                id: received.id,
                msgid: Some(msgid.clone()),
                kind: content.kind(),
                text: content.text().cloned(),
                media: content.media().cloned(),
                written_at: received.written_at,
                sender: received.from,
                sender_client_id: body.sender.id,
                sender_name: received.name.clone().or(body.sender.name),
                acting_client: None,
            })
        }
        MessageView::Out {
            replied,
            afterwards,
            ..
        } => Some(Answered {
            id: replied.id,
            msgid: afterwards.msgid.clone(),
            kind: match &replied.content {
                OutgoingContent::Text { .. } => ContentKind::Text,
                OutgoingContent::Picture { .. } => ContentKind::Picture,
                OutgoingContent::File { .. } => ContentKind::File,
            },
            text: replied.content.text().parse().ok(),
            media: replied.content.file().map(|file| file.media.clone()),
            written_at: replied.at,
            sender: replied.by.person,
            sender_client_id: None,
            sender_name: Some(replied.by.name.clone()),
            acting_client: replied.by.client.clone(),
        }),
    }
}

/// The promise to a reply that is not stored yet. Dropped, it is given back.
pub(super) struct Promise {
    reserved: Option<Reserved>,
    permit: Option<QueuePermit>,
}

impl Promise {
    /// The stored message counts for the quotas, and takes its place in the queue. A repeat was counted before, and needs
    /// none.
    pub(super) fn keep(self, sent: Sent) -> Arc<Replied> {
        if !sent.repeated {
            if let Some(reserved) = self.reserved {
                reserved.keep();
            }
            if let Some(permit) = self.permit {
                permit.keep();
            }
        }
        sent.replied
    }
}
