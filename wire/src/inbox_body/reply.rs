//! The body of a reply of an account user.

use crate::body::Body;
use crate::body::value::{Number, Whole};
use crate::domain::id::{MediaId, MessageId, TemplateId};
use crate::domain::text::MessageText;
use crate::domain::violation::ViolationCode;
use crate::json::BodyError;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

/// The number of a version of a draft, as a body has it: 0 before the first.
pub type DraftNumber = Whole<0, 9_007_199_254_740_991>;

/// The number of a scheduled reply, as a body has it.
pub type ScheduledReplyNumber = Whole<1, 9_007_199_254_740_991>;

body!(
    /// A reply.
    #[body(check(check_content(kind)))]
    pub struct ReplyBody {
        #[body(key("type"))]
        kind: ReplyKind,
        /// 1 to 65,536 bytes; needed with text, a caption otherwise.
        text: Option<String>,
        /// The id of an upload; needed with picture and file.
        media_id: Option<MediaId>,
        /// The number of a template that `GET /inbox/v1/conversations/{id}/templates` lists; needed with template. The service
        /// fills its markers now, and adds its file and its buttons.
        template_id: Option<Number>,
        /// Our id of the message of the conversation that it answers.
        reply_to: Option<MessageId>,
        /// Our id of a message of the conversation that failed and that this one sends again: from then on it no longer
        /// counts as failed.
        resends: Option<MessageId>,
        /// Our id of the newest message of the conversation that the writer has seen. If a colleague, the integration or a
        /// program has answered behind it, nothing is sent. Without it nothing is compared.
        seen: Option<MessageId>,
        /// The `number` of the caller's draft that the message was. The draft is deleted with the message, in one step; a
        /// newer version of it stays.
        draft: Option<DraftNumber>,
        /// The `number` of the scheduled reply that the message was. It is at its end with the message, in one step. Not with
        /// draft.
        scheduled_reply: Option<ScheduledReplyNumber>,
    }
);

const KINDS: [(&str, ReplyKind); 4] = [
    ("text", ReplyKind::Text),
    ("picture", ReplyKind::Picture),
    ("file", ReplyKind::File),
    ("template", ReplyKind::Template),
];

body_values! {
    ReplyKind: Schema::choice(&KINDS), |found| found.choice(&KINDS);
}

/// The kind of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// Text alone.
    Text,
    /// A picture.
    Picture,
    /// A file.
    File,
    /// A template of an integration.
    Template,
}

/// A reply as its body asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyParts {
    /// The content.
    pub content: ReplyContent,
    /// The message that it answers.
    pub reply_to: Option<MessageId>,
    /// The message that it sends again.
    pub resends: Option<MessageId>,
    /// The newest message that the writer has seen.
    pub seen: Option<MessageId>,
    /// The number of the draft that the message was.
    pub draft: Option<u64>,
    /// The number of the scheduled reply that the message was.
    pub scheduled_reply: Option<u64>,
}

/// The content that a body asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyContent {
    /// Text alone.
    Text(MessageText),
    /// An upload.
    Upload(ReplyUpload),
    /// A template of an integration.
    Template(TemplateId),
}

/// An upload that goes with a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyUpload {
    /// True when it is sent as a picture.
    pub is_picture: bool,
    /// Its id.
    pub media: MediaId,
    /// The text that accompanies it.
    pub text: Option<MessageText>,
}

/// Reads a reply.
///
/// # Errors
/// With everything that is wrong with it.
pub fn parse_reply(body: &[u8]) -> Result<ReplyParts, BodyError> {
    ReplyBody::read_as(body, parts)
}

pub(super) fn check_content(body: &ObjectReader<'_, '_>, kind: &Option<ReplyKind>) {
    match kind {
        None => {
            body.required("text");
        }
        Some(ReplyKind::Text) => {
            body.required("text");
            if body.raw("media_id").is_some() {
                let detail = "a text has no file; send it as a picture or a file".to_owned();
                body.reject("media_id", ViolationCode::InvalidValue, detail);
            }
        }
        Some(ReplyKind::Picture | ReplyKind::File) => {
            body.required("media_id");
        }
        Some(ReplyKind::Template) => {
            body.required("template_id");
            for field in ["text", "media_id"] {
                if body.raw(field).is_some() {
                    let detail = "a template has its own text and its own file".to_owned();
                    body.reject(field, ViolationCode::InvalidValue, detail);
                }
            }
        }
    }
}

/// The fields of a body that make the content of a reply.
pub(super) struct ContentFields {
    pub(super) kind: ReplyKind,
    pub(super) text: Option<String>,
    pub(super) media_id: Option<MediaId>,
    pub(super) template_id: Option<Number>,
}

/// The content that a body asks for. A caption may be empty, a text may not.
pub(super) fn read_content(
    body: &ObjectReader<'_, '_>,
    fields: ContentFields,
) -> Option<ReplyContent> {
    let parse = |text: &str| body.parsed("text", text);
    Some(match fields.kind {
        ReplyKind::Text => ReplyContent::Text(parse(&fields.text?)?),
        kind @ (ReplyKind::Picture | ReplyKind::File) => {
            let caption = fields.text.filter(|text| !text.is_empty());
            ReplyContent::Upload(ReplyUpload {
                is_picture: kind == ReplyKind::Picture,
                media: fields.media_id?,
                text: caption.as_deref().and_then(parse),
            })
        }
        ReplyKind::Template => ReplyContent::Template(TemplateId(fields.template_id?.0)),
    })
}

/// The reply that a body asks for.
fn parts(body: &ObjectReader<'_, '_>, reply: ReplyBody) -> Option<ReplyParts> {
    if reply.draft.is_some() && reply.scheduled_reply.is_some() {
        let detail = "a reply was a draft or a scheduled reply; name one of them".to_owned();
        body.reject("scheduled_reply", ViolationCode::InvalidValue, detail);
    }
    let content = read_content(
        body,
        ContentFields {
            kind: reply.kind,
            text: reply.text,
            media_id: reply.media_id,
            template_id: reply.template_id,
        },
    );
    Some(ReplyParts {
        content: content?,
        reply_to: reply.reply_to,
        resends: reply.resends,
        seen: reply.seen,
        draft: reply.draft.map(DraftNumber::count),
        scheduled_reply: reply.scheduled_reply.map(ScheduledReplyNumber::count),
    })
}
