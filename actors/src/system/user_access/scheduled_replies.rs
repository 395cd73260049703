//! Replies that users have written to be sent at a time. All who may see the conversation see them; the writer and
//! administrators change them and take them away.

use std::sync::Arc;

use crate::domain::audit::By;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::conversation::Replied;
use crate::domain::conversation::reply::ReplyRejection;
use crate::domain::conversation::reply_if_unanswered::ReplyIfUnanswered;
use crate::domain::conversation::reply_when_due::{DueOutcome, ReplyWhenDue};
use crate::domain::drafts::draft::DraftKind;
use crate::domain::id::{ConversationId, IdempotencyKey, MessageId};
use crate::domain::keys;
use crate::domain::scheduled::{DueRejection, ScheduledChange};
use crate::domain::scheduled_replies::change::{ChangingUser, ScheduledReplyOutcome};
use crate::domain::scheduled_replies::create::{CreateScheduledReply, ScheduledReplyCreated};
use crate::domain::scheduled_replies::delete::DeleteScheduledReply;
use crate::domain::scheduled_replies::scheduled_reply::{
    ScheduledContent, ScheduledReply, ScheduledReplyRejection, SendRule,
};
use crate::domain::scheduled_replies::update::{ScheduledReplyUpdate, UpdateScheduledReply};
use crate::domain::scheduled_replies::{ScheduledReplies, ScheduledRepliesEvent};
use crate::domain::templates::sent::SentTemplate;
use crate::domain::time::UnixMillis;
use crate::system::user_access::UserAccess;
use crate::system::user_access::answerable::{AnswerRejection, Answerable};
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_engine::state::Command;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::owners::scheduled_replies::{
    ScheduledTarget, SettleRejection, SettleWith,
};

/// A reply that is to be sent at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewScheduledReply {
    /// The content.
    pub content: ScheduledContent,
    /// The time.
    pub send_at: UnixMillis,
    /// True when a message of the customer that is not silent keeps it back.
    pub unless_customer_wrote: bool,
    /// The newest message that the writer has seen. If another has answered since, the reply is held at its time.
    pub seen: Option<MessageId>,
    /// The number of the version of the user's draft that it was; it is deleted with that.
    pub draft: Option<u64>,
}

/// The rejection of something about a scheduled reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleRejection {
    /// The user may not answer there, or the reply names a message that is not there.
    #[error(transparent)]
    Answer(AnswerRejection),
    /// The scheduled replies of the conversation refuse it.
    #[error(transparent)]
    Scheduled(ScheduledReplyRejection),
    /// Another version is stored.
    #[error(
        "a newer version of this scheduled reply is stored; show it, then send the change again with its «version» as «based_on»"
    )]
    Newer(Box<ScheduledReply>),
}

type Outcome<T> = Result<T, CommandError<ScheduleRejection>>;

impl UserAccess {
    /// The scheduled replies of a conversation that are not at their end, oldest first. `None` when there is no such
    /// conversation that the user may see.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn scheduled_replies(
        &self,
        id: ConversationId,
    ) -> Result<Option<Vec<ScheduledReply>>, UnavailableError> {
        if !self.sees(id).await? {
            return Ok(None);
        }
        let kernel = self.system.kernel();
        kernel.caught_up().await;
        let Some((state, _)) = kernel.load::<ScheduledReplies>(id).await? else {
            return Ok(Some(Vec::new()));
        };
        let mut replies = Vec::new();
        for number in state.open.keys() {
            let key = keys::team::scheduled_reply(id, *number);
            let record = kernel.record::<ScheduledRepliesEvent>(key)?;
            let reply = record.map(|record| *record.event.reply);
            replies.extend(reply.filter(|reply| reply.status.is_open()));
        }
        Ok(Some(replies))
    }

    /// Schedules a reply. The answer comes once it is on disk.
    ///
    /// # Errors
    /// When the user may not answer there, the time is not one that can be chosen, the conversation has too many of them, the key
    /// was used for another one, or nothing can be stored now.
    pub async fn create_scheduled_reply(
        &self,
        id: ConversationId,
        new: NewScheduledReply,
        request: Option<IdempotencyKey>,
    ) -> Outcome<ScheduledReplyCreated> {
        self.answerable(id).await.map_err(in_answer)?;
        if let Some(message) = new.content.reply_to {
            self.answered(id, message).map_err(in_answer)?;
        }
        let newest_seen = self.seen_in(id, new.seen).await?;
        let command = CreateScheduledReply {
            by: self.note_writer(),
            content: Box::new(new.content),
            send_at: new.send_at,
            rule: SendRule {
                unless_customer_wrote: new.unless_customer_wrote,
                written_behind: match newest_seen {
                    Some(number) => number,
                    None => self.newest_message(id).await?,
                },
                seen: newest_seen,
            },
            request,
        };
        let result = self
            .execute_with_draft(id, command, DraftKind::Reply, new.draft)
            .await;
        let created = result.map_err(|error| error.map(ScheduleRejection::Scheduled))?;
        if !created.repeated {
            self.set_timer(id, ScheduledChange::Created, created.reply.clone());
        }
        Ok(created)
    }

    /// Changes a scheduled reply; one that was held waits again, if it gets a new time.
    ///
    /// # Errors
    /// When there is none that the user may change, another version is stored, or nothing can be stored now.
    pub async fn update_scheduled_reply(
        &self,
        id: ConversationId,
        number: u64,
        update: ScheduledReplyUpdate,
        seen: Option<MessageId>,
    ) -> Outcome<ScheduledReply> {
        self.require_visible(id).await?;
        let update = ScheduledReplyUpdate {
            seen: self.seen_in(id, seen).await?,
            newest: self.newest_message(id).await?,
            ..update
        };
        let command = UpdateScheduledReply {
            number,
            by: self.changing(),
            update,
        };
        match self.change_scheduled(id, command).await? {
            ScheduledReplyOutcome::Stored(reply) => {
                self.set_timer(id, ScheduledChange::Changed, reply.clone());
                Ok(reply)
            }
            ScheduledReplyOutcome::Newer(reply) => {
                let newer = ScheduleRejection::Newer(Box::new(reply));
                Err(CommandError::Rejected(newer))
            }
        }
    }

    /// Cancels a scheduled reply: it is not sent, and its text is not shown any more.
    ///
    /// # Errors
    /// When there is none that the user may cancel, or nothing can be stored now.
    pub async fn delete_scheduled_reply(&self, id: ConversationId, number: u64) -> Outcome<()> {
        self.require_visible(id).await?;
        let command = DeleteScheduledReply {
            number,
            user: self.changing(),
            by: By::from(&self.caller),
        };
        let reply = self.change_scheduled(id, command).await?;
        self.publish_scheduled(id, ScheduledChange::Cancelled, reply);
        Ok(())
    }

    async fn change_scheduled<C>(&self, id: ConversationId, command: C) -> Outcome<C::Reply>
    where
        C: Command<Of = ScheduledReplies, Rejection = ScheduledReplyRejection>,
    {
        let result = execute(self.system.kernel(), &id, command).await;
        result.map_err(|error| error.map(ScheduleRejection::Scheduled))
    }

    /// Sends a scheduled reply of the user that is due, or holds it for its rule; both in one group of records.
    pub(in crate::system) async fn send_scheduled(
        &self,
        id: ConversationId,
        due: &ScheduledReply,
    ) -> Result<(), CommandError<DueRejection>> {
        let place = self.answerable(id).await.map_err(held)?;
        let (message, template) = self.filled(id, due).await?;
        let reply_to = due.content.as_ref().and_then(|content| content.reply_to);
        let mut reply = self.prepare(&place, message, None).await?;
        reply.template = template;
        reply.reply_to = match reply_to {
            Some(message) => Some(self.answered(id, message).map_err(held)?),
            None => None,
        };
        let promise = self.promise(&place, &reply).await.map_err(held)?;
        let joint = SettleWith {
            command: ReplyWhenDue {
                reply,
                rule: due.rule,
            },
            target: ScheduledTarget {
                conversation: id,
                number: due.number,
                cause: Err(due.version),
            },
        };
        let (outcome, settled) = match execute_joint(self.system.kernel(), &id, joint).await {
            Ok(outcome) => outcome,
            Err(CommandError::Rejected(SettleRejection::Conversation(never))) => match never {},
            // A user was first: it was changed, sent or cancelled.
            Err(CommandError::Rejected(SettleRejection::Scheduled(_))) => return Ok(()),
            Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
        };
        let change = match outcome {
            DueOutcome::Sent(sent) => {
                promise.keep(sent);
                ScheduledChange::Sent
            }
            DueOutcome::Held(_) => ScheduledChange::Held,
        };
        if let Some(reply) = settled {
            self.publish_scheduled(id, change, reply);
        }
        Ok(())
    }

    /// Stores a reply, unless another has answered behind the message that the user has seen; the scheduled reply with this number
    /// is at its end with it.
    pub(super) async fn store_scheduled(
        &self,
        place: &Answerable,
        command: ReplyIfUnanswered,
        number: u64,
    ) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
        let id = place.conversation;
        let seen_number = command.seen.unwrap_or(u64::MAX);
        let promise = self.promise(place, &command.reply).await?;
        let target = ScheduledTarget {
            conversation: id,
            number,
            cause: Ok(self.changing()),
        };
        let joint = SettleWith { command, target };
        let result = execute_joint(self.system.kernel(), &id, joint).await;
        let (outcome, settled) = result.map_err(|refused| {
            refused.map(|rejection| match rejection {
                SettleRejection::Conversation(rejection) => AnswerRejection::Reply(rejection),
                SettleRejection::Scheduled(rejection) => AnswerRejection::Scheduled(rejection),
            })
        })?;
        if let Some(reply) = settled {
            self.publish_scheduled(id, ScheduledChange::Sent, reply);
        }
        self.kept(id, outcome, promise, seen_number).await
    }

    /// The message of a scheduled reply; a template is filled now.
    async fn filled(
        &self,
        id: ConversationId,
        due: &ScheduledReply,
    ) -> Result<(OutgoingContent, Option<Box<SentTemplate>>), CommandError<DueRejection>> {
        let unfit = || CommandError::Rejected(DueRejection::Template);
        let content = due.content.as_deref().ok_or_else(unfit)?;
        let Some(template) = &content.template else {
            return Ok((content.message.clone(), None));
        };
        let result = self.fill_template(id, template.id).await;
        let filled = result.map_err(|error| error.map(|_| DueRejection::Template))?;
        // Its file was looked up when it was chosen: another one was not.
        let is_same_file = filled.template.settings.attachment == template.file;
        if !is_same_file || filled.sendable_text().is_none() {
            return Err(unfit());
        }
        let content = content.clone().with_text(filled.text).ok_or_else(unfit)?;
        Ok((content.message, Some(Box::new(filled.sent))))
    }

    /// The number of a message that the user has seen.
    async fn seen_in(&self, id: ConversationId, seen: Option<MessageId>) -> Outcome<Option<u64>> {
        Ok(match seen {
            Some(message) => Some(self.seen_number(id, message).await.map_err(in_answer)?),
            None => None,
        })
    }

    /// The number of the newest message of a conversation.
    async fn newest_message(&self, id: ConversationId) -> Result<u64, UnavailableError> {
        let account = self.caller.account;
        let state = self.system.conversation_state(account, id).await?;
        Ok(state.map_or(0, |state| state.messages))
    }

    async fn require_visible(&self, id: ConversationId) -> Outcome<()> {
        if self.sees(id).await? {
            return Ok(());
        }
        let unknown = AnswerRejection::Reply(ReplyRejection::UnknownConversation);
        Err(CommandError::Rejected(ScheduleRejection::Answer(unknown)))
    }

    /// The user as one who changes scheduled replies.
    pub(super) fn changing(&self) -> ChangingUser {
        ChangingUser {
            user: self.caller.user,
            is_administrator: self.caller.is_admin,
        }
    }

    /// Wakes the sleeper, which may have to wake up earlier, and reports the change.
    fn set_timer(&self, id: ConversationId, change: ScheduledChange, reply: ScheduledReply) {
        self.system.kernel().shared.scheduled.notify_one();
        self.publish_scheduled(id, change, reply);
    }

    pub(super) fn publish_scheduled(
        &self,
        id: ConversationId,
        change: ScheduledChange,
        reply: ScheduledReply,
    ) {
        let account = self.caller.account;
        self.system.publish_scheduled(account, id, change, reply);
    }
}

fn in_answer(error: CommandError<AnswerRejection>) -> CommandError<ScheduleRejection> {
    error.map(ScheduleRejection::Answer)
}

/// The reason for which a reply is held that cannot be sent now. One that finds too much in the queue waits instead.
fn held(error: CommandError<AnswerRejection>) -> CommandError<DueRejection> {
    let rejection = match error {
        CommandError::Rejected(rejection) => rejection,
        CommandError::Unavailable(unavailable) => return unavailable.into(),
    };
    CommandError::Rejected(match rejection {
        AnswerRejection::TooMuchQueued(_) => return UnavailableError::Busy.into(),
        AnswerRejection::Denied | AnswerRejection::Reply(ReplyRejection::UnknownConversation) => {
            DueRejection::NoRight
        }
        AnswerRejection::NothingToAnswer => DueRejection::MessageGone,
        AnswerRejection::Quota(_) => DueRejection::Quota,
        AnswerRejection::AnsweredMeanwhile(_) => DueRejection::Answered,
        AnswerRejection::TalkClosed
        | AnswerRejection::NothingToResend
        | AnswerRejection::NothingSeen
        | AnswerRejection::Scheduled(_)
        | AnswerRejection::Reply(_)
        | AnswerRejection::Reaction(_) => DueRejection::NotConnected,
    })
}
