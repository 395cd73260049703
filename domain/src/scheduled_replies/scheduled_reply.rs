//! A scheduled reply.

use serde::{Deserialize, Serialize};

use crate::chat::outgoing::OutgoingContent;
use crate::conversation::snooze_conversation::SnoozeRejection;
use crate::id::{IdempotencyKey, MessageId, TemplateId, UserId};
use crate::scheduled::DueRejection;
use crate::scheduled_replies::OPEN_MAX;
use crate::team_notes::note::NoteWriter;
use crate::templates::template::TemplateFile;
use crate::text::MessageText;
use crate::time::UnixMillis;

/// One version of a scheduled reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledReply {
    /// Its number in the conversation, from 1.
    pub number: u64,
    /// The number of the version, from 1; it only grows.
    pub version: u64,
    /// Its writer.
    pub by: NoteWriter,
    /// The time of writing.
    pub at: UnixMillis,
    /// The time of the last change; `None` when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<UnixMillis>,
    /// The time at which it is sent.
    pub send_at: UnixMillis,
    /// The messages of others that keep it back.
    pub rule: SendRule,
    /// The content; `None` once it was sent or cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Box<ScheduledContent>>,
    /// Its status.
    pub status: ScheduledStatus,
    /// The idempotency key of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<IdempotencyKey>,
}

/// The messages that keep a scheduled reply back. Numbers are those of messages in the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendRule {
    /// True when a message of the customer that is not silent keeps it back.
    pub unless_customer_wrote: bool,
    /// The newest message at the time of writing: those behind it count.
    pub written_behind: u64,
    /// The newest message that its writer had seen; an answer of others behind it keeps the reply back. `None`: no answer does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<u64>,
}

/// The content of a scheduled reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledContent {
    /// The message; of a template, as it would have been at the time of writing.
    pub message: OutgoingContent,
    /// The template that is filled when the reply is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<ScheduledTemplate>,
    /// The message that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
}

/// A template that is filled when the reply is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledTemplate {
    /// Its number.
    pub id: TemplateId,
    /// Its file when it was chosen: another one was not looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<TemplateFile>,
}

/// The status of a scheduled reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScheduledStatus {
    /// It waits for its time.
    Waiting,
    /// It was not sent at its time.
    Held(DueRejection),
    /// It became this message.
    Sent(MessageId),
    /// This user cancelled it.
    Cancelled(UserId),
}

impl ScheduledStatus {
    /// Returns whether it is not at its end.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Waiting | Self::Held(_))
    }
}

impl ScheduledReply {
    /// The time of its timer; `None` when it has none.
    #[must_use]
    pub fn due(&self) -> Option<UnixMillis> {
        (self.status == ScheduledStatus::Waiting).then_some(self.send_at)
    }
}

impl ScheduledContent {
    /// The same with another text; `None` when it cannot have that text.
    #[must_use]
    pub fn with_text(mut self, new_text: Option<MessageText>) -> Option<Self> {
        match &mut self.message {
            OutgoingContent::Text { text } => *text = new_text?,
            OutgoingContent::Picture { text, .. } | OutgoingContent::File { text, .. } => {
                *text = new_text;
            }
        }
        Some(self)
    }
}

/// The rejection of something about a scheduled reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduledReplyRejection {
    /// There is none of this number that is not at its end.
    #[error("there is no such scheduled reply in this conversation: it was sent or cancelled")]
    Unknown,
    /// Its writer and administrators change it and take it away.
    #[error("only the writer of a scheduled reply and administrators may do that")]
    OfAnother,
    /// The conversation has as many as it can have.
    #[error(
        "this conversation has {OPEN_MAX} scheduled replies, which is the most; send or cancel one"
    )]
    TooMany,
    /// Its time is not one that can be chosen.
    #[error(transparent)]
    Time(SnoozeRejection),
    /// A template has its own text.
    #[error("a template has its own text, and a reply without a file needs one")]
    Text,
    /// A repeated request must be the same one.
    #[error(
        "this Idempotency-Key was used for another scheduled reply in this conversation; use a new one"
    )]
    OtherRequest,
}
