//! `/inbox/v1/conversations/{id}/scheduled-replies`: replies that are sent at a time.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::chat::message::Attachment;
use switchboard_actors::domain::id::{MessageId, TemplateId, UserId};
use switchboard_actors::domain::scheduled::DueRejection;
use switchboard_actors::domain::scheduled_replies::scheduled_reply::{
    ScheduledContent, ScheduledReply, ScheduledReplyRejection, ScheduledStatus, ScheduledTemplate,
};
use switchboard_actors::domain::text::FileName;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{NewScheduledReply, ScheduleRejection};
use switchboard_actors::wire::inbox_body::scheduled_reply::{
    ScheduledReplyBody, ScheduledReplyChangeBody, parse_scheduled_reply,
    parse_scheduled_reply_change,
};

use crate::extract::access::Access;
use crate::extract::body;
use crate::inbox::place::{self, NO_CONVERSATION, Numbered, unknown};
use crate::inbox::reply::{
    idempotency_key, idempotency_key_schema, not_scheduled, rejection, resolved, visible,
};
use crate::inbox::team_notes::NoteUser;
use crate::openapi::{Operation, Schema, Seconds, Url};
use crate::reply::problem::{Present, Problem};

view! {
    #[schemars(inline)]
    struct ScheduledReplyList<'l>(replies: &'l [ScheduledReply]) {
        /// Oldest first.
        scheduled_replies: Vec<ScheduledReplyView<'l>> = replies.iter().map(ScheduledReplyView::new).collect(),
    }

    #[schemars(rename = "ScheduledReply")]
    pub(super) struct ScheduledReplyView<'r>(reply: &'r ScheduledReply) {
        /// The number of the scheduled reply in its conversation, from 1.
        number: u64 = reply.number,
        /// The number of the version, which only grows.
        version: u64 = reply.version,
        user: NoteUser<'r> = NoteUser::new(&reply.by),
        created_at: Seconds = reply.at.into(),
        /// The time of the last change; null when there was none.
        updated_at: Option<Seconds> = reply.updated_at.map(Seconds::from),
        send_at: Seconds = reply.send_at.into(),
        unless_customer_wrote: bool = reply.rule.unless_customer_wrote,
        #[schemars(extend("enum" = ["waiting", "held", "sent", "cancelled"]))]
        status: &'static str = match reply.status {
            ScheduledStatus::Waiting => "waiting",
            ScheduledStatus::Held(_) => "held",
            ScheduledStatus::Sent(_) => "sent",
            ScheduledStatus::Cancelled(_) => "cancelled",
        },
        /// The reason for which it was not sent at its time; null unless it is held.
        held: Option<Held> = match reply.status {
            ScheduledStatus::Held(reason) => Some(Held::new(reason)),
            ScheduledStatus::Waiting | ScheduledStatus::Sent(_) | ScheduledStatus::Cancelled(_) => None,
        },
        /// Our id of the message that it became; null before.
        message_id: Option<MessageId> = match reply.status {
            ScheduledStatus::Sent(message) => Some(message),
            ScheduledStatus::Waiting | ScheduledStatus::Held(_) | ScheduledStatus::Cancelled(_) => None,
        },
        /// The user who cancelled it; null before.
        cancelled_by: Option<UserId> = match reply.status {
            ScheduledStatus::Cancelled(user) => Some(user),
            ScheduledStatus::Waiting | ScheduledStatus::Held(_) | ScheduledStatus::Sent(_) => None,
        },
        /// The message; null once it was sent or cancelled.
        content: Option<Content<'r>> = reply.content.as_deref().map(Content::new),
    }

    #[schemars(inline)]
    struct Held(reason: DueRejection) {
        code: DueRejection = reason,
        /// The reason as a sentence, with what to do.
        detail: &'static str = reason.sentence(),
    }

    #[schemars(inline)]
    struct Content<'r>(content: &'r ScheduledContent) {
        #[serde(rename = "type")]
        #[schemars(extend("enum" = ["text", "picture", "file"]))]
        kind: &'static str = content.message.kind(),
        /// Of a template, the text as it was when the reply was scheduled.
        text: &'r str = content.message.text(),
        file: Option<ContentFile<'r>> = content.message.file().map(ContentFile::new),
        /// The number of the template that is filled when the reply is sent; null without one.
        template_id: Option<TemplateId> = content.template.as_ref().map(|template| template.id),
        reply_to: Option<MessageId> = content.reply_to,
    }

    #[schemars(inline)]
    struct ContentFile<'r>(file: &'r Attachment) {
        url: Url<&'r HttpUrl> = Url(&file.media),
        name: &'r FileName = &file.name,
        size: u64 = file.size.bytes(),
    }
}

pub(crate) async fn list(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let replies = user.scheduled_replies(id).await?.ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(ScheduledReplyList::new(&replies)))
}

pub(crate) async fn create(
    access: Access,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let key = idempotency_key(&access.request);
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await;
    let now = access.system().now();
    let parsed = bytes.and_then(|bytes| {
        let key = key?;
        let now = key.is_none().then_some(now);
        Ok((parse_scheduled_reply(&bytes, now)?, key))
    });
    let (parts, key) = visible(&user, id, parsed).await?;
    let (message, template) = resolved(&access, &user, id, parts.content).await?;
    let new = NewScheduledReply {
        content: ScheduledContent {
            message,
            template: template.map(|it| ScheduledTemplate {
                id: it.template.id,
                file: it.template.settings.attachment,
            }),
            reply_to: parts.reply_to,
        },
        send_at: parts.send_at,
        unless_customer_wrote: parts.unless_customer_wrote,
        seen: parts.seen,
        draft: parts.draft,
    };
    let result = user.create_scheduled_reply(id, new, key).await;
    let created = result.map_err(refused)?;
    Ok(HttpResponse::Created().json(ScheduledReplyView::new(&created.reply)))
}

pub(crate) async fn update(
    access: Access,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let Numbered {
        conversation: id,
        number,
    } = place::numbered(&path, ScheduledReplyRejection::Unknown)?;
    let user = access.open().await?;
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await;
    let now = access.system().now();
    let parsed = bytes.and_then(|bytes| Ok(parse_scheduled_reply_change(&bytes, now)?));
    let parts = visible(&user, id, parsed).await?;
    let result = user
        .update_scheduled_reply(id, number, parts.change, parts.seen)
        .await;
    let reply = result.map_err(refused)?;
    Ok(HttpResponse::Ok().json(ScheduledReplyView::new(&reply)))
}

pub(crate) async fn delete(
    access: Access,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let Numbered {
        conversation: id,
        number,
    } = place::numbered(&path, ScheduledReplyRejection::Unknown)?;
    let user = access.open().await?;
    let result = user.delete_scheduled_reply(id, number).await;
    result.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

fn refused(error: CommandError<ScheduleRejection>) -> Problem {
    error.into_error(|why| match why {
        ScheduleRejection::Answer(why) => rejection(why),
        ScheduleRejection::Scheduled(why) => not_scheduled(why),
        ScheduleRejection::Newer(ref reply) => Problem::ConflictWith {
            detail: why.to_string(),
            present: Box::new(Present {
                scheduled_reply: serde_json::to_value(ScheduledReplyView::new(reply)).ok(),
                ..Present::default()
            }),
        },
    })
}

const NO_REPLY: &str =
    "There is no such conversation that the caller may see, or no such scheduled reply in it.";
const OF_ANOTHER: &str = "Another user wrote it, and the caller is no administrator.";

pub(crate) fn describe_list() -> Operation {
    Operation::inbox("listScheduledReplies", "List the scheduled replies of a conversation.")
        .says("Those that wait and those that are held, oldest first, at most 20. One that was sent is a message.")
        .path("id", Schema::uuid())
        .gives::<ScheduledReplyList<'_>>(200, "All of them.")
        .refuses(404, NO_CONVERSATION)
}

pub(crate) fn describe_create() -> Operation {
    Operation::inbox("createScheduledReply", "Create a reply that is sent at a time.")
        .says("At its time the conversation stores the message in one step with the end of the scheduled reply. The rights of the writer count as they are then. If the customer wrote meanwhile, another answered behind `seen`, or nothing can be sent, it is `held` with a reason: the writer sends it by a reply with `scheduled_reply`, or deletes it. All who may see the conversation receive the event `scheduled_reply`. A conversation has at most 20.")
        .path("id", Schema::uuid())
        .header("Idempotency-Key", idempotency_key_schema())
        .takes::<ScheduledReplyBody>(json!({ "type": "text", "text": "It is ready.", "send_at": 1_900_000_000 }))
        .gives::<ScheduledReplyView<'_>>(201, "On disk.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(409, "The conversation has 20 of them, or the Idempotency-Key was used for another one.")
        .refuses(404, NO_CONVERSATION)
}

pub(crate) fn describe_update() -> Operation {
    Operation::inbox("updateScheduledReply", "Update a scheduled reply.")
        .says("The writer and administrators change its text, its time and its rule until it is sent. `based_on` keeps an older page from overwriting a newer version: it gets a 409 with that version as `scheduled_reply`.")
        .path("id", Schema::uuid())
        .path("number", Schema::number())
        .takes::<ScheduledReplyChangeBody>(json!({ "based_on": 1, "text": "It is ready now.", "send_at": 1_900_000_000 }))
        .gives::<ScheduledReplyView<'_>>(200, "On disk.")
        .refuses(403, OF_ANOTHER)
        .refuses(409, "A newer version is stored.")
        .refuses(404, NO_REPLY)
}

pub(crate) fn describe_delete() -> Operation {
    Operation::inbox("deleteScheduledReply", "Delete a scheduled reply.")
        .says(
            "It is not sent. The writer and administrators may do so; the audit log has an entry.",
        )
        .path("id", Schema::uuid())
        .path("number", Schema::number())
        .answers_nothing(204, "Cancelled.")
        .refuses(403, OF_ANOTHER)
        .refuses(404, NO_REPLY)
}
