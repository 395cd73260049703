//! The bodies of scheduled replies of account users.

use crate::body;
use crate::body::Body;
use crate::body::value::{Number, Whole};
use crate::domain::conversation::snooze_conversation::check_time;
use crate::domain::id::{MediaId, MessageId};
use crate::domain::scheduled_replies::update::ScheduledReplyUpdate;
use crate::domain::time::UnixMillis;
use crate::domain::violation::ViolationCode;
use crate::inbox_body::reply::{
    ContentFields, DraftNumber, ReplyContent, ReplyKind, check_content, read_content,
};
use crate::inbox_body::{SnoozeSecond, end};
use crate::json::BodyError;
use crate::json::object::ObjectReader;

/// The number of a version of a scheduled reply, as a body has it.
type VersionNumber = Whole<1, 9_007_199_254_740_991>;

body!(
    /// A reply that is sent at a time.
    #[body(check(check_content(kind)))]
    pub struct ScheduledReplyBody {
        #[body(key("type"))]
        kind: ReplyKind,
        /// 1 to 65,536 bytes; needed with text, a caption otherwise.
        text: Option<String>,
        /// The id of an upload; needed with picture and file.
        media_id: Option<MediaId>,
        /// The number of a template that `GET /inbox/v1/conversations/{id}/templates` lists; needed with template. Its markers are
        /// filled when the reply is sent.
        template_id: Option<Number>,
        /// Our id of the message of the conversation that it answers.
        reply_to: Option<MessageId>,
        /// The reply is sent at this time, in seconds since 1970: in the future, at most a year ahead.
        send_at: SnoozeSecond,
        /// True when the reply is held if the customer writes meanwhile, and not silently; false when it is sent in any case.
        #[body(default(true))]
        unless_customer_wrote: bool,
        /// Our id of the newest message of the conversation that the writer has seen. If a colleague, the integration or a program
        /// answers behind it, the reply is held. Without it no answer holds it.
        seen: Option<MessageId>,
        /// The `number` of the caller's draft that the reply was. The draft is deleted in one step with it; a newer version of it
        /// stays.
        draft: Option<DraftNumber>,
    }

    /// A change of a scheduled reply.
    pub struct ScheduledReplyChangeBody {
        /// The `version` that the caller has changed.
        based_on: VersionNumber,
        /// At most 65,536 bytes; only the caption of a file may be empty. Not of a template.
        text: Option<String>,
        /// The new time, in seconds since 1970: in the future, at most a year ahead. A reply that was held waits again.
        send_at: Option<SnoozeSecond>,
        /// True when the reply is held if the customer writes meanwhile, and not silently; false when it is sent in any case.
        unless_customer_wrote: Option<bool>,
        /// Our id of the newest message of the conversation that the caller has seen.
        seen: Option<MessageId>,
    }
);

/// A scheduled reply as its body asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledReplyParts {
    /// The content.
    pub content: ReplyContent,
    /// The message that it answers.
    pub reply_to: Option<MessageId>,
    /// The time at which it is sent.
    pub send_at: UnixMillis,
    /// True when a message of the customer keeps it back.
    pub unless_customer_wrote: bool,
    /// The newest message that the writer has seen.
    pub seen: Option<MessageId>,
    /// The number of the draft that it was.
    pub draft: Option<u64>,
}

/// A change as its body asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledReplyChangeParts {
    /// The change.
    pub change: ScheduledReplyUpdate,
    /// The newest message that the caller has seen.
    pub seen: Option<MessageId>,
}

/// Reads a scheduled reply. Without `now` its time is not compared: a request that is repeated may be behind it.
///
/// # Errors
/// With everything that is wrong with it.
pub fn parse_scheduled_reply(
    body: &[u8],
    now: Option<UnixMillis>,
) -> Result<ScheduledReplyParts, BodyError> {
    ScheduledReplyBody::read_as(body, |reader, fields| {
        let send_at = now.map_or_else(
            || Some(end(fields.send_at)),
            |now| time(reader, fields.send_at, now),
        );
        let content = read_content(
            reader,
            ContentFields {
                kind: fields.kind,
                text: fields.text,
                media_id: fields.media_id,
                template_id: fields.template_id,
            },
        );
        Some(ScheduledReplyParts {
            content: content?,
            reply_to: fields.reply_to,
            send_at: send_at?,
            unless_customer_wrote: fields.unless_customer_wrote,
            seen: fields.seen,
            draft: fields.draft.map(DraftNumber::count),
        })
    })
}

/// Reads a change of a scheduled reply.
///
/// # Errors
/// With everything that is wrong with it.
pub fn parse_scheduled_reply_change(
    body: &[u8],
    now: UnixMillis,
) -> Result<ScheduledReplyChangeParts, BodyError> {
    ScheduledReplyChangeBody::read_as(body, |reader, fields| {
        let send_at = fields.send_at.map(|second| time(reader, second, now));
        let text = fields.text.map(|text| match text.is_empty() {
            true => Some(None),
            false => reader.parsed("text", &text).map(Some),
        });
        let change = ScheduledReplyUpdate {
            based_on: fields.based_on.count(),
            text: match text {
                Some(text) => Some(text?),
                None => None,
            },
            send_at: match send_at {
                Some(send_at) => Some(send_at?),
                None => None,
            },
            unless_customer_wrote: fields.unless_customer_wrote,
            ..ScheduledReplyUpdate::default()
        };
        Some(ScheduledReplyChangeParts {
            change,
            seen: fields.seen,
        })
    })
}

/// The time that a field names, if it is one that can be chosen.
fn time(body: &ObjectReader<'_, '_>, second: SnoozeSecond, now: UnixMillis) -> Option<UnixMillis> {
    let time = end(second);
    if let Err(why) = check_time(time, now) {
        body.reject("send_at", ViolationCode::InvalidValue, why.to_string());
        return None;
    }
    Some(time)
}
