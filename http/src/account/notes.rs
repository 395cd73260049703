//! Notes about leads and contacts: `GET` and `POST /api/v4/leads/notes` and `…/leads/{id}/notes`, `GET` and `PATCH
//! …/leads/notes/{note}` and `…/leads/{id}/notes/{note}`, and the same for contacts.

mod describe;

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::crm::entity::{EntityKind, NoteSubject};
use switchboard_actors::domain::crm::note::{Note, NoteType};
use switchboard_actors::domain::crm::notes::{NewNote, NoteChange};
use switchboard_actors::domain::id::{AccountNumber, GroupId, NoteId, UserId};
use switchboard_actors::domain::text::Name;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{NoteFilter, NotesOf, NotesRejection, UserAccess};
use switchboard_actors::wire::account_body::items::Item;
use switchboard_actors::wire::account_body::notes::{
    self, ChangedNote, ChangedNoteParams, NoteBody,
};
use switchboard_actors::wire::body::Body;

pub(crate) use self::describe::*;
use crate::account::authorship::AuthorshipView;
use crate::account::batch;
use crate::account::entity::{self, Entity};
use crate::account::filters::{Filter, all, entity_filter};
use crate::account::place::Place;
use crate::account::refused;
use crate::extract::access::Access;
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

/// The filters of lists of notes.
const FILTERS: [Filter; 6] = [
    Filter::Id,
    Filter::Entity,
    Filter::NoteType,
    Filter::Updated,
    Filter::Order,
    Filter::OrderByChange,
];

pub(crate) async fn list_all(
    access: Access,
    Entity(kind): Entity,
) -> Result<HttpResponse, Problem> {
    list(&access, NotesOf::All(kind), kind).await
}

pub(crate) async fn list_of_one(
    access: Access,
    Entity(kind): Entity,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let about = seen_subject(&access, kind, &id).await?;
    list(&access, NotesOf::One(about), kind).await
}

async fn list(access: &Access, of: NotesOf, kind: EntityKind) -> Result<HttpResponse, Problem> {
    let page = access.page(&FILTERS)?;
    let query_filter = entity_filter(&page.query, &FILTERS)?;
    let types: BTreeSet<String> = all(&page.query, Filter::NoteType)?;
    // The counterpart has more types, of which there are no notes here.
    let known_types = types
        .iter()
        .filter_map(|word| word.parse::<NoteType>().ok());
    let filter = NoteFilter {
        ids: query_filter.ids,
        about: all(&page.query, Filter::Entity)?,
        types: (!types.is_empty()).then(|| known_types.collect()),
        updated: query_filter.updated,
        order: query_filter.order.unwrap_or_default(),
    };
    let user = access.open().await?;
    let notes = user.notes(of, &filter, page.start, page.limit()).await?;
    let place = access.place(&user)?;
    let entries = notes.entries.iter().map(|note| NoteView::new(&place, note));
    let path = match of {
        NotesOf::All(_) => format!("/api/v4/{}/notes", kind.word()),
        NotesOf::One(about) => format!("/api/v4/{}/{}/notes", kind.word(), about.id),
    };
    let address = access.address(&path);
    Ok(page.page_or_nothing(&address, "notes", entries, notes.next))
}

pub(crate) async fn get(
    access: Access,
    Entity(kind): Entity,
    ids: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (about, id) = one_note(kind, &ids.0, &ids.1)?;
    let user = access.open().await?;
    let note = user.note(about, id).await?;
    let place = access.place(&user)?;
    Ok(hal::entry(
        note.as_ref().map(|note| NoteView::new(&place, note)),
    ))
}

/// A note by its number alone.
pub(crate) async fn get_any(
    access: Access,
    Entity(kind): Entity,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let user = access.open().await?;
    let note = user.note_of(kind, id).await?;
    let place = access.place(&user)?;
    Ok(hal::entry(
        note.as_ref().map(|note| NoteView::new(&place, note)),
    ))
}

pub(crate) async fn post(
    access: Access,
    Entity(kind): Entity,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    add(&access, payload, kind, None).await
}

pub(crate) async fn post_to_one(
    access: Access,
    Entity(kind): Entity,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let about = seen_subject(&access, kind, &id).await?;
    add(&access, payload, kind, Some(about)).await
}

/// The subject of notes in an address, if the caller may see it.
async fn seen_subject(access: &Access, kind: EntityKind, id: &str) -> Result<NoteSubject, Problem> {
    let about = subject(kind, id)?;
    if access.open().await?.sees_subject(about).await? {
        Ok(about)
    } else {
        Err(entity::unknown(kind))
    }
}

async fn add(
    access: &Access,
    payload: web::Payload,
    kind: EntityKind,
    about: Option<NoteSubject>,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let items = notes::parse_new(&bytes, about.is_some())?;
    let about = |body: &NoteBody| {
        let id = body.about.unwrap_or_default();
        about.unwrap_or(NoteSubject { kind, id })
    };
    let new_notes = items.iter().map(|item| NewNote {
        about: about(&item.value),
        content: item.value.content.clone(),
    });
    let user = access.open().await?;
    let result = user.create_notes(new_notes.collect()).await;
    let notes = result.map_err(|why| not_noted(why, kind, &items))?;
    let place = access.place(&user)?;
    Ok(batch::answer("notes", &notes, &items, |note, name| {
        NoteMade::new(&place, note, name)
    }))
}

pub(crate) async fn patch(
    access: Access,
    Entity(kind): Entity,
    ids: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (about, id) = one_note(kind, &ids.0, &ids.1)?;
    let user = access.open().await?;
    let note = user.note(about, id).await?.ok_or_else(unknown)?;
    edit(&access, &user, &note, payload).await
}

/// Changes a note by its number alone.
pub(crate) async fn patch_any(
    access: Access,
    Entity(kind): Entity,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let user = access.open().await?;
    let note = user.note_of(kind, id).await?.ok_or_else(unknown)?;
    edit(&access, &user, &note, payload).await
}

async fn edit(
    access: &Access,
    user: &UserAccess,
    note: &Note,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let body = ChangedNote::read(&access.entities(payload).await?)?;
    let note_type = note.content.kind.note_type();
    if body.note_type.is_some_and(|it| it != note_type) {
        let detail = format!("the note has the type {note_type}, which does not change");
        return Err(Problem::field(
            "note_type",
            ViolationCode::InvalidValue,
            &detail,
        ));
    }
    let change = body.params.map_or_else(NoteChange::default, |params| {
        let ChangedNoteParams { text, service } = params;
        NoteChange { text, service }
    });
    let result = user.update_note(note.about, note.id, change).await;
    let note = result.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&NoteView::new(&access.place(user)?, &note)))
}

fn subject(kind: EntityKind, id: &str) -> Result<NoteSubject, Problem> {
    // Leads and contacts have the same kind of numbers.
    let id = id
        .parse::<NoteId>()
        .map_err(|_not_a_number| entity::unknown(kind))?;
    Ok(NoteSubject { kind, id: id.0 })
}

fn one_note(kind: EntityKind, about: &str, id: &str) -> Result<(NoteSubject, NoteId), Problem> {
    let about = subject(kind, about).map_err(|_no_subject| unknown())?;
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    Ok((about, id))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such note".to_owned())
}

fn not_noted(
    why: CommandError<NotesRejection>,
    kind: EntityKind,
    items: &[Item<NoteBody>],
) -> Problem {
    why.into_error(|rejection| match rejection {
        NotesRejection::Unknown(places) => batch::unknown_subjects(items, places, |_| Some(kind)),
        NotesRejection::Denied => Problem::Forbidden(NotesRejection::Denied.to_string()),
    })
}

view! {
    #[schemars(rename = "Note")]
    struct NoteView<'n>(place: &Place<'_>, note: &'n Note) [
        let word = note.about.kind.word();
    ] {
        id: NoteId = note.id,
        /// The number of the lead or the contact.
        entity_id: u64 = note.about.id,
        #[serde(flatten)]
        authorship: AuthorshipView = AuthorshipView::new(&note.authorship),
        /// The author.
        responsible_user_id: UserId = note.authorship.created_by,
        /// The author's group.
        group_id: GroupId = place.group(Some(note.authorship.created_by)),
        note_type: NoteType = note.content.kind.note_type(),
        params: NoteParams<'n> = NoteParams::new(note),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/{word}/{}/notes/{}", place.base, note.about.id, note.id)),
    }

    #[schemars(inline)]
    struct NoteParams<'n>(note: &'n Note) {
        text: &'n str = note.content.text.as_str(),
        /// The name of the service that says it; not there in notes of the type `common`.
        service ?: &'n str = note.content.kind.service().map(Name::as_str),
    }

    struct NoteMade<'n>(place: &Place<'_>, note: &'n Note, request_id: &'n str) [
        let word = note.about.kind.word();
    ] {
        id: NoteId = note.id,
        /// The number of the lead or the contact.
        entity_id: u64 = note.about.id,
        request_id: &'n str = request_id,
        _links: Links = Links::to(format!("{}/api/v4/{word}/{}/notes/{}", place.base, note.about.id, note.id)),
    }
}
