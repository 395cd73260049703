//! `/inbox/v1/canned-replies`: texts that account users write once and reply with often, and `/inbox/v1/conversations/{id}/canned-replies`:
//! the same with the values of a conversation. No integration has a way to them.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::canned_replies::canned_reply::{
    CannedReply, CannedReplyFile, CannedReplyRejection,
};
use switchboard_actors::domain::id::{CannedReplyId, MediaId, UserId};
use switchboard_actors::domain::text::{CannedReplyName, FileName, MessageText};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{
    CannedReplyPage, CannedReplyPosition, CannedReplySearch, FilledCannedReply,
};
use switchboard_actors::wire::inbox_body::canned_reply::{
    ChangedCannedReply, NewCannedReply, parse_change, parse_new,
};

use crate::extract::access::Access;
use crate::extract::body;
use crate::extract::numbered::Numbered;
use crate::extract::query::Query;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::inbox::reply::{idempotency_key, idempotency_key_schema};
use crate::inbox::upload::{self, failed};
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::problem::Problem;

const NONE: &str = "The caller has no such canned reply.";
const MAY_NOT: &str = "The caller may not reply, or it is a shared one of another user and the caller is no administrator.";
const NAME_TAKEN: &str = "The name is taken, or the Idempotency-Key was used for another one.";
const FULL: &str = "The account shares 500 canned replies, or the user has 200 of their own, or they take too much room.";

view! {
    struct CannedReplyList<'r>(page: &'r CannedReplyPage) {
        canned_replies: Vec<CannedReplyView<'r>> = page.entries.iter().map(|it| CannedReplyView::new(&it.reply, it.filled.as_ref())).collect(),
        /// The `cursor` of the next page; null at the end.
        next: Option<String> = page.next.as_ref().map(CannedReplyPosition::to_string),
    }

    #[schemars(rename = "CannedReply")]
    struct CannedReplyView<'r>(reply: &'r CannedReply, filled: Option<&'r FilledCannedReply>) {
        id: CannedReplyId = reply.id,
        name: &'r CannedReplyName = &reply.settings.name,
        /// The text with its markers. In the list of a conversation they have their values there; one without a value stays as it is, and the text is null when it is too long for a message.
        text: Option<&'r MessageText> = filled.map_or(Some(&reply.settings.text), |filled| filled.text.as_ref()),
        /// The markers without a value; not there beside a text with its markers.
        empty ?: &'r [String] = filled.map(|filled| filled.empty.as_slice()),
        /// False for one that its author alone has.
        is_shared: bool = reply.settings.is_shared,
        /// The author.
        user_id: UserId = reply.author,
        file: Option<CannedFile<'r>> = reply.settings.file.as_ref().map(CannedFile::new),
        created_at: Seconds = reply.created_at.into(),
        updated_at: Seconds = reply.updated_at.into(),
    }

    /// The upload that goes with the text.
    #[schemars(inline)]
    struct CannedFile<'r>(file: &'r CannedReplyFile) {
        id: MediaId = file.media,
        #[serde(rename = "type")]
        #[schemars(extend("enum" = ["picture", "file"]))]
        kind: &'static str = if file.is_picture { "picture" } else { "file" },
        file_name: &'r FileName = &file.name,
        file_size: u64 = file.bytes,
    }
}

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let search = search(&access)?;
    let page = access.open().await?.canned_replies(&search).await?;
    Ok(HttpResponse::Ok().json(CannedReplyList::new(&page)))
}

pub(crate) async fn list_filled(
    access: Access,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let search = search(&access)?;
    let user = access.open().await?;
    let page = user.filled_canned_replies(id, &search).await?;
    Ok(HttpResponse::Ok().json(CannedReplyList::new(&page.ok_or_else(unknown)?)))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<CannedReplyId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.canned_reply(id).await;
    let reply = result.map_err(refused)?;
    Ok(HttpResponse::Ok().json(CannedReplyView::new(&reply, None)))
}

pub(crate) async fn create(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    user.may_write_canned_reply(None).await.map_err(refused)?;
    let key = idempotency_key(&access.request)?;
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await?;
    let mut new = parse_new(&bytes)?;
    new.content.file = file(&access, new.media).await?.flatten();
    let result = user.create_canned_reply(new.content, key).await;
    let reply = result.map_err(refused)?;
    Ok(HttpResponse::Created().json(CannedReplyView::new(&reply, None)))
}

pub(crate) async fn update(
    access: Access,
    Numbered(id): Numbered<CannedReplyId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    // A user who may not change it must not store a file either.
    let result = user.may_write_canned_reply(Some(id)).await;
    result.map_err(refused)?;
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await?;
    let mut change = parse_change(&bytes)?;
    change.content.file = file(&access, change.media).await?;
    let result = user.update_canned_reply(id, change.content).await;
    let reply = result.map_err(refused)?;
    Ok(HttpResponse::Ok().json(CannedReplyView::new(&reply, None)))
}

pub(crate) async fn delete(
    access: Access,
    Numbered(id): Numbered<CannedReplyId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.delete_canned_reply(id).await;
    result.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

fn search(access: &Access) -> Result<CannedReplySearch, Problem> {
    let query = Query::of_list(&access.request, &["query"])?;
    Ok(CannedReplySearch {
        words: query.text("query").unwrap_or_default().to_owned(),
        after: query.cursor(CannedReplyPosition::parse)?,
        limit: query.entries()?,
    })
}

/// The file that a body names: an upload of the account, which is kept from now on.
async fn file(
    access: &Access,
    media: Option<Option<MediaId>>,
) -> Result<Option<Option<CannedReplyFile>>, Problem> {
    let Some(Some(media)) = media else {
        return Ok(media.map(|_none| None));
    };
    let record = upload::of_account(&access.state, access.caller.0.account, media).await?;
    let about = record.ok_or_else(upload::unknown)?;
    if !access.state.media().keep(&about).await.map_err(failed)? {
        let detail = "this upload was not used in time and was removed; upload it again";
        let code = ViolationCode::InvalidValue;
        return Err(Problem::field("media_id", code, &detail));
    }
    Ok(Some(Some(CannedReplyFile::from(&about))))
}

fn refused(error: CommandError<CannedReplyRejection>) -> Problem {
    use CannedReplyRejection as Why;
    error.into_error(|rejection| {
        let detail = rejection.to_string();
        match rejection {
            Why::Unknown => Problem::NotFound(detail),
            Why::Denied | Why::OfAnother => Problem::Forbidden(detail),
            Why::NameTaken | Why::OtherRequest => Problem::Conflict(detail),
            Why::Full(_) => Problem::Unprocessable(detail),
        }
    })
}

fn listed(operation: Operation) -> Operation {
    let query = Schema::text().says("Words of the name or the text; case and accents are ignored.");
    operation.query("query", query).cursor()
}

pub(crate) fn describe_list() -> Operation {
    listed(Operation::inbox(
        "listCannedReplies",
        "List the canned replies of the caller, their own and the shared ones.",
    ))
    .gives::<CannedReplyList<'_>>(200, "A page, by name.")
}

pub(crate) fn describe_filled() -> Operation {
    listed(Operation::inbox("listFilledCannedReplies", "List the canned replies of the caller for a conversation."))
        .says("As `listCannedReplies`, with the values that the markers have in the conversation now. They are filled once: a value that looks like a marker is text. Send the text as a reply of the type `text`, and the file as one of its own type.")
        .path("id", Schema::uuid())
        .gives::<CannedReplyList<'_>>(200, "A page.")
        .refuses(404, NO_CONVERSATION)
}

pub(crate) fn describe_get() -> Operation {
    Operation::inbox("getCannedReply", "Get a canned reply.")
        .path("id", Schema::number())
        .gives::<CannedReplyView<'_>>(200, "The canned reply.")
        .refuses(404, NONE)
}

pub(crate) fn describe_create() -> Operation {
    Operation::inbox("createCannedReply", "Create a canned reply.")
        .says("A text that the caller, or with `is_shared` every user of the account, replies with often. Those who may see it receive the event `canned_reply`.")
        .header("Idempotency-Key", idempotency_key_schema())
        .takes::<NewCannedReply>(json!({ "name": "Opening hours", "text": "Dear {{contact.name}}, we open at nine." }))
        .gives::<CannedReplyView<'_>>(201, "On disk.")
        .refuses(403, "The caller may not reply.")
        .refuses(409, NAME_TAKEN)
        .refuses(422, FULL)
}

pub(crate) fn describe_update() -> Operation {
    Operation::inbox("updateCannedReply", "Update a canned reply.")
        .says("Its author may do so, and administrators if it is shared. Fields that the body does not name keep their values.")
        .path("id", Schema::number())
        .takes::<ChangedCannedReply>(json!({ "text": "Dear {{contact.name}}, we open at ten." }))
        .gives::<CannedReplyView<'_>>(200, "On disk.")
        .refuses(403, MAY_NOT)
        .refuses(404, NONE)
        .refuses(409, "The name is taken.")
        .refuses(422, FULL)
}

pub(crate) fn describe_delete() -> Operation {
    Operation::inbox("deleteCannedReply", "Delete a canned reply.")
        .says("Its author may do so, and administrators if it is shared. Messages that were made of it stay as they are.")
        .path("id", Schema::number())
        .answers_nothing(204, "Deleted.")
        .refuses(403, "It is a shared one of another user, and the caller is no administrator.")
        .refuses(404, NONE)
}
