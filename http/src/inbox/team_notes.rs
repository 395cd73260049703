//! `/inbox/v1/conversations/{id}/notes`: what colleagues write for each other about a customer. No integration and no customer has
//! a way to a note.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::id::UserId;
use switchboard_actors::domain::team_notes::note::{NoteWriter, TeamNote, TeamNoteRejection};
use switchboard_actors::domain::text::MessageText;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{NoteContent, NoteRejection, TeamNotePage};
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::inbox_body::note::{Mentions, NoteBody, NoteChange};
use switchboard_actors::wire::inbox_body::reply::DraftNumber;
use switchboard_actors::wire::json::object::ObjectReader;

use crate::extract::access::Access;
use crate::extract::body;
use crate::extract::query::Query;
use crate::inbox::place::{self, NO_CONVERSATION, Numbered, unknown};
use crate::inbox::reply::{idempotency_key, idempotency_key_schema, visible};
use crate::oauth::view::ActingClientView;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::problem::Problem;

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
        /// The ids of the users whom it mentions.
        mentions: Vec<UserId> = note.mentions.iter().copied().collect(),
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
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let page = user.team_notes(id, before, limit).await?;
    Ok(HttpResponse::Ok().json(NotePage::new(&page.ok_or_else(unknown)?)))
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
    let parsed = bytes.and_then(|bytes| {
        let (note, draft) = NoteBody::read_as(&bytes, |body, note| {
            let draft = note.draft.map(DraftNumber::count);
            let content = content(body, &note.text, note.mentions, user.users())?;
            Some((content, draft))
        })?;
        Ok((key?, note, draft))
    });
    let (key, note, draft) = visible(&user, id, parsed).await?;
    let result = user.create_team_note(id, note, key, draft).await;
    let outcome = result.map_err(refused)?;
    Ok(HttpResponse::Created().json(NoteView::new(&outcome.note)))
}

pub(crate) async fn update(
    access: Access,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let Numbered {
        conversation: id,
        number,
    } = place::numbered(&path, TeamNoteRejection::Unknown)?;
    let user = access.open().await?;
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await;
    let parsed = bytes.and_then(|bytes| {
        let read = NoteChange::read_as(&bytes, |body, note| {
            content(body, &note.text, note.mentions, user.users())
        });
        Ok(read?)
    });
    let note_change = visible(&user, id, parsed).await?;
    let result = user.update_team_note(id, number, note_change).await;
    let note = result.map_err(refused)?;
    Ok(HttpResponse::Ok().json(NoteView::new(&note)))
}

pub(crate) async fn delete(
    access: Access,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let Numbered {
        conversation: id,
        number,
    } = place::numbered(&path, TeamNoteRejection::Unknown)?;
    let user = access.open().await?;
    let result = user.delete_team_note(id, number).await;
    result.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

/// The content of a note; what is wrong with it is reported.
fn content(
    body: &ObjectReader<'_, '_>,
    text: &str,
    mentions: Option<Mentions>,
    users: &Users,
) -> Option<NoteContent> {
    let parsed = body.parsed("text", text);
    let mentions = match mentions {
        Some(mentions) => Some(mentions.users(body, users)?),
        None => None,
    };
    let text = parsed?;
    Some(NoteContent { text, mentions })
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
            | TeamNoteRejection::TooManyMentioned(_)
            | TeamNoteRejection::OtherRequest => Problem::Conflict(detail),
        }
    })
}

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
        .says("All who may see the conversation may read the note; they receive the event `note`. A user whom it mentions is a subscriber of the conversation from then on: the user may view it and its notes, whatever their rights, and receives the event `mention`.")
        .path("id", Schema::uuid())
        .header("Idempotency-Key", idempotency_key_schema())
        .takes::<NoteBody>(json!({ "text": "@Ada Lovelace: they pay by invoice.", "mentions": [1] }))
        .gives::<NoteView<'_>>(201, "On disk.")
        .refuses(409, "The Idempotency-Key was used for another note, or the notes of the conversation would mention more than 32 different users.")
        .refuses(404, NO_CONVERSATION)
}

pub(crate) fn describe_update() -> Operation {
    Operation::inbox("updateTeamNote", "Update the text of a note for the team.")
        .says("The writer may do so within 15 minutes. A user whom no earlier version mentioned is a subscriber from then on, and receives the event `mention`; one whom it no longer mentions stays a subscriber.")
        .path("id", Schema::uuid())
        .path("number", Schema::number())
        .takes::<NoteChange>(json!({ "text": "They pay in advance." }))
        .gives::<NoteView<'_>>(200, "On disk.")
        .refuses(403, "Another user wrote the note.")
        .refuses(409, "The note is older than 15 minutes, or was deleted, or the notes of the conversation would mention more than 32 different users.")
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
