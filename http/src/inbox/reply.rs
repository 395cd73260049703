//! `POST /inbox/v1/conversations/{id}/messages`: an account user answers. The 201 means: on disk and queued.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::chat::message::{Attachment, FileSize};
use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::conversation::react::ReactRejection;
use switchboard_actors::domain::conversation::reply::ReplyRejection;
use switchboard_actors::domain::id::{ConversationId, IdempotencyKey};
use switchboard_actors::domain::scheduled_replies::scheduled_reply::ScheduledReplyRejection;
use switchboard_actors::domain::templates::template::TemplateFileKind;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::callbacks::CallbackView;
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::system::user_access::{
    AnswerRejection, FilledTemplate, ReplyRequest, TemplateUseRejection, UserAccess,
};
use switchboard_actors::wire::inbox_body::reply::{
    ReplyBody, ReplyContent, ReplyParts, ReplyUpload, parse_reply,
};

use crate::base::Base;
use crate::extract::access::Access;
use crate::extract::body;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::inbox::upload::{self, failed};
use crate::inbox::view::Message;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::{Present, Problem};
use crate::state::AppState;

pub(crate) async fn post(
    access: Access,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let request = read(&access.request, payload, &access.state).await;
    let (key, parts) = visible(&user, id, request).await?;
    if matches!(parts.content, ReplyContent::Upload(_)) {
        // A file that a closed window keeps from being sent is not stored.
        let may = user.may_attach(id, key.as_ref()).await;
        may.map_err(refused)?;
    }
    let (content, template) = resolved(&access, &user, id, parts.content).await?;
    let request = ReplyRequest {
        content,
        reply_to: parts.reply_to,
        resends: parts.resends,
        seen: parts.seen,
        draft: parts.draft,
        scheduled_reply: parts.scheduled_reply,
        template: template.map(|filled| Box::new(filled.sent)),
    };
    let result = user.reply(id, request, key).await;
    let reply = result.map_err(|error| refused_with_answers(error, &access.base))?;
    let view = MessageView::Out {
        replied: reply,
        afterwards: Box::default(),
        callback: CallbackView::queued(),
    };
    Ok(HttpResponse::Created().json(Message::new(&view, &access.base)))
}

/// The answer to a rejection of scheduled replies.
pub(super) fn not_scheduled(why: ScheduledReplyRejection) -> Problem {
    let wrong = |field: &str| Problem::field(field, ViolationCode::InvalidValue, &why);
    match why {
        ScheduledReplyRejection::Unknown => Problem::NotFound(why.to_string()),
        ScheduledReplyRejection::OfAnother => Problem::Forbidden(why.to_string()),
        ScheduledReplyRejection::TooMany | ScheduledReplyRejection::OtherRequest => {
            Problem::Conflict(why.to_string())
        }
        ScheduledReplyRejection::Time(_) => wrong("send_at"),
        ScheduledReplyRejection::Text => wrong("text"),
    }
}

/// The content that a body asks for, with its file and the values of its template.
pub(super) async fn resolved(
    access: &Access,
    user: &UserAccess,
    id: ConversationId,
    content: ReplyContent,
) -> Result<(OutgoingContent, Option<FilledTemplate>), Problem> {
    Ok(match content {
        ReplyContent::Text(text) => (OutgoingContent::Text { text }, None),
        ReplyContent::Upload(file) => {
            // A user who may not answer must not store a file either.
            user.may_answer(id).await.map_err(refused)?;
            (attached(access, file, "media_id").await?, None)
        }
        ReplyContent::Template(template_id) => {
            user.may_answer(id).await.map_err(refused)?;
            let result = user.fill_template(id, template_id).await;
            let filled = result.map_err(|error| error.into_error(not_filled))?;
            let content = of_template(access, &filled).await?;
            (content, Some(filled))
        }
    })
}

async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    state: &AppState,
) -> Result<(Option<IdempotencyKey>, ReplyParts), Problem> {
    let key = idempotency_key(request)?;
    let body = body::read_json(request, payload, state.body_limit()).await?;
    Ok((key, parse_reply(&body)?))
}

/// The parsed request, or its problem for a user who may see the conversation; for all others, the conversation does
/// not exist.
pub(super) async fn visible<T>(
    access: &UserAccess,
    id: ConversationId,
    parsed: Result<T, Problem>,
) -> Result<T, Problem> {
    if parsed.is_err() && !access.sees(id).await? {
        return Err(unknown());
    }
    parsed
}

pub(super) fn refused(refused: CommandError<AnswerRejection>) -> Problem {
    refused.into_error(rejection)
}

/// As [`refused`]; the caller gets the answers that were sent meanwhile.
fn refused_with_answers(error: CommandError<AnswerRejection>, base: &Base) -> Problem {
    let CommandError::Rejected(AnswerRejection::AnsweredMeanwhile(messages)) = &error else {
        return refused(error);
    };
    let answers = messages.iter().map(|message| Message::new(message, base));
    Problem::ConflictWith {
        detail: error.to_string(),
        present: Box::new(Present {
            answers: answers.flat_map(serde_json::to_value).collect(),
            ..Present::default()
        }),
    }
}

/// The answer when nothing is sent in a conversation.
pub(crate) fn rejection(rejection: AnswerRejection) -> Problem {
    match rejection {
        AnswerRejection::Denied => Problem::Forbidden(rejection.to_string()),
        AnswerRejection::TalkClosed => Problem::Unprocessable(rejection.to_string()),
        AnswerRejection::NothingToAnswer => no_such("reply_to", &rejection),
        AnswerRejection::NothingToResend => no_such("resends", &rejection),
        AnswerRejection::NothingSeen => no_such("seen", &rejection),
        AnswerRejection::AnsweredMeanwhile(_) => Problem::Conflict(rejection.to_string()),
        AnswerRejection::TooMuchQueued(refusal) => refusal.into(),
        AnswerRejection::Quota(reached) => reached.into(),
        AnswerRejection::Reply(rejection) => rejected(rejection),
        AnswerRejection::Scheduled(why) => not_scheduled(why),
        AnswerRejection::Reaction(ReactRejection::MessageNotFound) => {
            Problem::NotFound("there is no such message in this conversation".to_owned())
        }
        AnswerRejection::Reaction(ReactRejection::Full) => Problem::Conflict(rejection.to_string()),
    }
}

/// The answer to a rejected reply.
pub(super) fn rejected(rejection: ReplyRejection) -> Problem {
    match rejection {
        ReplyRejection::UnknownConversation => unknown(),
        ReplyRejection::NotConnected
        | ReplyRejection::NeedsVersion2
        | ReplyRejection::OtherRequest => Problem::Conflict(rejection.to_string()),
        ReplyRejection::WindowClosed { closed_at } => Problem::ConflictWith {
            detail: rejection.to_string(),
            present: Box::new(Present {
                window_closed_at: Some(closed_at.into()),
                ..Present::default()
            }),
        },
    }
}

fn no_such(field: &str, rejection: &AnswerRejection) -> Problem {
    Problem::field(field, ViolationCode::InvalidValue, rejection)
}

/// The client's key of the request, with which it can be repeated safely.
pub(crate) fn idempotency_key(request: &HttpRequest) -> Result<Option<IdempotencyKey>, Problem> {
    let Some(value) = request.headers().get("Idempotency-Key") else {
        return Ok(None);
    };
    let text = value.to_str().ok();
    let key = text.and_then(|text| text.parse().ok()).ok_or_else(|| {
        Problem::BadRequest("Idempotency-Key must have 1 to 255 characters of ASCII".to_owned())
    })?;
    Ok(Some(key))
}

/// The content of a message of a template: its text, with its file if it has one.
async fn of_template(access: &Access, filled: &FilledTemplate) -> Result<OutgoingContent, Problem> {
    let no_text = || not_filled(TemplateUseRejection::NoText);
    let text = filled.text.clone();
    let Some(file) = &filled.template.settings.attachment else {
        let text = text.ok_or_else(no_text)?;
        return Ok(OutgoingContent::Text { text });
    };
    filled.sendable_text().ok_or_else(no_text)?;
    let upload = ReplyUpload {
        is_picture: file.kind == TemplateFileKind::Picture,
        media: file.id,
        text,
    };
    attached(access, upload, "template_id").await
}

fn not_filled(why: TemplateUseRejection) -> Problem {
    match why {
        TemplateUseRejection::UnknownConversation => unknown(),
        TemplateUseRejection::Unknown | TemplateUseRejection::NoText => {
            Problem::field("template_id", ViolationCode::InvalidValue, &why)
        }
    }
}

/// The uploaded file as part of a message; a refusal is about this field. From now on the file is kept, whatever becomes of
/// the message.
async fn attached(
    access: &Access,
    upload: ReplyUpload,
    field: &'static str,
) -> Result<OutgoingContent, Problem> {
    let state = &access.state;
    let wrong = |detail: &str| Problem::field(field, ViolationCode::InvalidValue, &detail);
    let record = upload::of_account(state, access.caller.0.account, upload.media).await?;
    let about = record.ok_or_else(|| match field {
        "media_id" => upload::unknown(),
        _ => wrong("the file of the template is no upload of this account; the integration uploads it here, and changes the template"),
    })?;
    if upload.is_picture && about.picture.is_none() {
        return Err(wrong("this upload is no picture; send it as a file"));
    }
    if !state.media().keep(&about).await.map_err(failed)? {
        return Err(wrong(
            "this upload was not sent in time and was removed; upload it again",
        ));
    }
    let url = about.url(state.callback_url());
    let unfit = || {
        Problem::Unavailable(UnavailableError::Unfit(
            "the address of the file".to_owned(),
        ))
    };
    let parse = |url: &str| url.parse().map_err(|_too_long| unfit());
    let file = Attachment {
        media: parse(&url)?,
        name: about.name.clone(),
        size: FileSize::try_from(about.bytes).map_err(|_too_large| unfit())?,
    };
    let text = upload.text;
    Ok(if upload.is_picture {
        OutgoingContent::Picture {
            file,
            thumbnail: parse(&format!("{url}/thumbnail"))?,
            text,
        }
    } else {
        OutgoingContent::File { file, text }
    })
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("reply", "Send a reply.")
        .says(
            "With `seen`, the service refuses a reply that another answer overtook; the `answers` of the 409 are those behind that message, newest first, at most 20. A message of the customer refuses nothing. Where the conversation has a `window_closes_at` that is over, users send templates only; the 409 has `window_closed_at`. Programs send at any time.",
        )
        .path("id", Schema::uuid())
        .header("Idempotency-Key", idempotency_key_schema())
        .takes::<ReplyBody>(json!({ "type": "text", "text": "Red ones and white ones." }))
        .gives::<Message<'_>>(201, "On disk, and queued for the integration.")
        .refuses_to_queue()
        .refuses(403, "The caller may not edit the lead.")
        .refuses(404, NO_CONVERSATION)
}

/// The schema of the key that makes a repeat the same request.
pub(super) fn idempotency_key_schema() -> Schema {
    Schema::line(255).says(
        "A repeated request with the same key and body returns the same message; 1 to 255 characters of ASCII.",
    )
}

impl Operation {
    /// The answers when nothing can be queued.
    pub(super) fn refuses_to_queue(self) -> Self {
        self.refuses(
            409,
            "Nothing can be sent there, its time window is closed, the key was used for another request, or, of a reply with `seen`, another answered meanwhile.",
        )
        .refuses(
            429,
            "Backpressure: too many callbacks are queued; nothing was written.",
        )
    }
}
