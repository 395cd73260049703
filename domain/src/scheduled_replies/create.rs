//! A user schedules a reply.

use crate::Decision;
use crate::conversation::snooze_conversation::check_time;
use crate::id::IdempotencyKey;
use crate::keys;
use crate::scheduled_replies::scheduled_reply::{
    ScheduledContent, ScheduledReply, ScheduledReplyRejection, ScheduledStatus, SendRule,
};
use crate::scheduled_replies::{OPEN_MAX, ScheduledReplies, ScheduledRepliesEvent};
use crate::team_notes::note::NoteWriter;
use crate::time::UnixMillis;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Schedules a reply.
#[derive(Clone, Debug)]
pub struct CreateScheduledReply {
    /// The writer.
    pub by: NoteWriter,
    /// The content.
    pub content: Box<ScheduledContent>,
    /// The time at which it is sent.
    pub send_at: UnixMillis,
    /// The messages that keep it back.
    pub rule: SendRule,
    /// The idempotency key of the request; a repeat is the same scheduled reply.
    pub request: Option<IdempotencyKey>,
}

/// The reply is scheduled, or was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledReplyCreated {
    /// The scheduled reply as it was stored.
    pub reply: ScheduledReply,
    /// True when it was there before, and nothing was written.
    pub repeated: bool,
}

impl Command for CreateScheduledReply {
    type Of = ScheduledReplies;
    type Reply = ScheduledReplyCreated;
    type Rejection = ScheduledReplyRejection;

    fn required_keys(&self, state: &ScheduledReplies) -> Keys {
        let (id, user) = (state.conversation, self.by.user);
        let request = self.request.iter();
        request
            .map(|request| keys::team::scheduled_reply_request(id, user, request))
            .collect()
    }

    fn decide(
        self,
        state: &ScheduledReplies,
        moment: &mut Moment<'_, ScheduledRepliesEvent>,
    ) -> Result<Decision<ScheduledRepliesEvent, ScheduledReplyCreated>, ScheduledReplyRejection>
    {
        if let Some(earlier) = moment.earlier(0) {
            let reply = earlier.event.reply.as_ref().clone();
            let is_same = reply.send_at == self.send_at
                && reply
                    .content
                    .as_deref()
                    .is_some_and(|it| self.is_content_of(it))
                && reply.rule.unless_customer_wrote == self.rule.unless_customer_wrote;
            if !is_same {
                return Err(ScheduledReplyRejection::OtherRequest);
            }
            let repeated = true;
            return Ok(Decision::unchanged(ScheduledReplyCreated {
                reply,
                repeated,
            }));
        }
        check_time(self.send_at, moment.now).map_err(ScheduledReplyRejection::Time)?;
        if state.open.len() >= OPEN_MAX {
            return Err(ScheduledReplyRejection::TooMany);
        }
        let reply = ScheduledReply {
            number: state.newest.saturating_add(1),
            version: 1,
            by: self.by,
            at: moment.now,
            updated_at: None,
            send_at: self.send_at,
            rule: self.rule,
            content: Some(self.content),
            status: ScheduledStatus::Waiting,
            request: self.request,
        };
        let event = ScheduledRepliesEvent {
            reply: Box::new(reply.clone()),
            audit: None,
        };
        let repeated = false;
        Ok(Decision::event(
            event,
            ScheduledReplyCreated { reply, repeated },
        ))
    }
}

impl CreateScheduledReply {
    /// Returns whether a scheduled reply has the content of this one. The text of a template is another one by now.
    fn is_content_of(&self, other: &ScheduledContent) -> bool {
        let own = &self.content;
        own.template == other.template
            && own.reply_to == other.reply_to
            && (own.template.is_some() || own.message == other.message)
    }
}
