//! `/inbox/v1/conversations/{id}/notes`: what colleagues write for each other about a customer. No integration and no customer has
//! a way to a note.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::{ConversationId, UserId};
use switchboard_actors::domain::team_notes::note::{NoteWriter, TeamNote, TeamNoteRejection};
use switchboard_actors::domain::text::MessageText;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{NoteRejection, TeamNotePage};
use switchboard_actors::wire;
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::inbox_body::reply::DraftNumber;
use switchboard_actors::wire::json::object::ObjectReader;

use crate::extract::access::Access;
use crate::extract::body;
use crate::extract::query::Query;
use crate::inbox::reply::{idempotency_key, idempotency_key_schema, unknown, visible};
use crate::oauth::view::ActingClientView;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::problem::Problem;

wire::body!(
    struct NoteBody {
        /// 1 to 65,536 bytes.
        text: String,
        /// The `number` of the caller's draft of the kind `note` that the note was. The draft is deleted with it, in one step.
        draft: Option<DraftNumber>,
    }
);

wire::body!(
    struct NoteChange {
        /// 1 to 65,536 bytes.
        text: String,
    }
);

view! {
    #[schemars(inline)]
    struct NotePage<'p>(page: &'p TeamNotePage) {
        notes: Vec<NoteView<'p>> = page.notes.iter().map(NoteView::new).collect(),
        /// The `cursor` of the next page; null at the end.
        next: Option<u64> = page.next,
    }

    #[schemars(rename = "TeamNote")]
    pub(super) struct NoteView<'n>(note: &'n TeamNote) {
        /// The number of the note in its conversation, from 1.
        number: u64 = note.number,
        user: NoteUser<'n> = NoteUser::new(&note.by),
        created_at: Seconds = note.at.into(),
        /// The time of the last change; null when there was none.
        updated_at: Option<Seconds> = note.updated_at.map(Seconds::from),
        /// Null once the note was deleted.
        text: Option<&'n str> = note.text.as_ref().map(MessageText::as_str),
        /// The user who deleted it; null before.
        deleted_by: Option<UserId> = note.deleted_by,
    }

    /// The writer.
    #[schemars(inline)]
    pub(super) struct NoteUser<'n>(writer: &'n NoteWriter) {
        id: UserId = writer.user,
        name: &'n str = writer.name.as_str(),
        /// The OAuth client that acted for the user; not there when the user wrote it.
        client ?: ActingClientView = writer.client.as_ref().map(ActingClientView::new),
    }
}

pub(crate) async fn list(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let before = query.parsed("cursor")?;
    let limit = query.limit()?;
    let id = place(&id)?;
    let user = access.open().await?;
    let page = user.team_notes(id, before, limit).await?;
    Ok(HttpResponse::Ok().json(NotePage::new(&page.ok_or_else(unknown)?)))
}

pub(crate) async fn create(
    access: Access,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = place(&id)?;
    let user = access.open().await?;
    let key = idempotency_key(&access.request);
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await;
    let parsed = bytes.and_then(|bytes| {
        let (text, draft) = NoteBody::read_as(&bytes, |body, note| {
            let text = body.parsed("text", &note.text)?;
            Some((text, note.draft.map(DraftNumber::count)))
        })?;
        Ok((key?, text, draft))
    });
    let (key, text, draft) = visible(&user, id, parsed).await?;
    let result = user.create_team_note(id, text, key, draft).await;
    let outcome = result.map_err(refused)?;
    Ok(HttpResponse::Created().json(NoteView::new(&outcome.note)))
}

pub(crate) async fn update(
    access: Access,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let (id, number) = (place(&id)?, number_of(&number)?);
    let user = access.open().await?;
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await;
    let parsed = bytes.and_then(|bytes| Ok(NoteChange::read_as(&bytes, text)?));
    let text = visible(&user, id, parsed).await?;
    let result = user.update_team_note(id, number, text).await;
    let note = result.map_err(refused)?;
    Ok(HttpResponse::Ok().json(NoteView::new(&note)))
}

pub(crate) async fn delete(
    access: Access,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let (id, number) = (place(&id)?, number_of(&number)?);
    let user = access.open().await?;
    let result = user.delete_team_note(id, number).await;
    result.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

fn place(id: &str) -> Result<ConversationId, Problem> {
    id.parse().map_err(|_not_an_id| unknown())
}

fn number_of(text: &str) -> Result<u64, Problem> {
    let unknown = TeamNoteRejection::Unknown.to_string();
    text.parse()
        .map_err(|_no_number| Problem::NotFound(unknown))
}

fn text(body: &ObjectReader<'_, '_>, note: NoteChange) -> Option<MessageText> {
    body.parsed("text", &note.text)
}

fn refused(error: CommandError<NoteRejection>) -> Problem {
    error.into_error(|rejection| {
        let detail = rejection.to_string();
        let NoteRejection::Note(why) = rejection else {
            return unknown();
        };
        match why {
            TeamNoteRejection::Unknown => Problem::NotFound(detail),
            TeamNoteRejection::OfAnother | TeamNoteRejection::NotDeletable => {
                Problem::Forbidden(detail)
            }
            TeamNoteRejection::TooLate
            | TeamNoteRejection::Deleted
            | TeamNoteRejection::OtherRequest => Problem::Conflict(detail),
        }
    })
}

const NO_CONVERSATION: &str = "There is no such conversation that the caller may see.";
const NO_NOTE: &str =
    "There is no such conversation that the caller may see, or no such note in it.";

pub(crate) fn describe_list() -> Operation {
    Operation::inbox("listTeamNotes", "List the notes of the team in a conversation.")
        .says("Newest first. Notes are for colleagues: no integration, no hook and no customer receives them.")
        .path("id", Schema::uuid())
        .cursor()
        .gives::<NotePage<'_>>(200, "A page.")
        .refuses(404, NO_CONVERSATION)
}

pub(crate) fn describe_create() -> Operation {
    Operation::inbox("createTeamNote", "Create a note for the team.")
        .says("All who may see the conversation may read the note; they receive the event `note`.")
        .path("id", Schema::uuid())
        .header("Idempotency-Key", idempotency_key_schema())
        .takes::<NoteBody>(json!({ "text": "They pay by invoice." }))
        .gives::<NoteView<'_>>(201, "On disk.")
        .refuses(409, "The Idempotency-Key was used for another note.")
        .refuses(404, NO_CONVERSATION)
}

pub(crate) fn describe_update() -> Operation {
    Operation::inbox("updateTeamNote", "Update the text of a note for the team.")
        .says("The writer may do so within 15 minutes.")
        .path("id", Schema::uuid())
        .path("number", Schema::number())
        .takes::<NoteChange>(json!({ "text": "They pay in advance." }))
        .gives::<NoteView<'_>>(200, "On disk.")
        .refuses(403, "Another user wrote the note.")
        .refuses(409, "The note is older than 15 minutes, or was deleted.")
        .refuses(404, NO_NOTE)
}

pub(crate) fn describe_delete() -> Operation {
    Operation::inbox("deleteTeamNote", "Delete a note for the team.")
        .says("The writer and administrators may do so. A mark stays, without the text; the audit log has an entry.")
        .path("id", Schema::uuid())
        .path("number", Schema::number())
        .answers_nothing(204, "Deleted.")
        .refuses(403, "Another user wrote the note, and the caller is no administrator.")
        .refuses(404, NO_NOTE)
}
