//! Notes about leads and contacts: `GET` and `POST /api/v4/leads/notes` and `…/leads/{id}/notes`, `GET` and `PATCH
//! …/leads/notes/{note}` and `…/leads/{id}/notes/{note}`, and the same for contacts.

mod describe;

use std::collections::BTreeSet;

use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::Caller;
use switchboard_actors::domain::crm::entity::{EntityKind, NoteSubject};
use switchboard_actors::domain::crm::note::Note;
use switchboard_actors::domain::id::{AccountNumber, GroupId, NoteId, UserId};
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::Refused;
use switchboard_actors::system::user_access::{Listed, NotNoted, NoteFilter, NotesOf, UserAccess};
use switchboard_actors::wire::account_body::batch::WrongItem;
use switchboard_actors::wire::account_body::items::Item;
use switchboard_actors::wire::account_body::notes::{self, ChangedNote, NoteBody};
use switchboard_actors::wire::body::Body;

pub(crate) use self::describe::*;
use crate::http::account::entity::{Entity, one};
use crate::http::account::filters::{Filter, VALUES_MAX, entity_filter};
use crate::http::account::place::Place;
use crate::http::account::refused;
use crate::http::base::Base;
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::oauth::view::ActingClientView;
use crate::http::openapi::Seconds;
use crate::http::reply::hal::{self, Links, PageRequest};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// The type of every note, in the counterpart's words.
const COMMON: &str = "common";
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
    AnyUser(caller): AnyUser,
    Entity(kind): Entity,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    list(&caller, (NotesOf::All(kind), kind), &request, &state, &base).await
}

pub(crate) async fn list_of_one(
    AnyUser(caller): AnyUser,
    Entity(kind): Entity,
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let about = subject(kind, &id)?;
    let access = state.system().user_access(&caller).await?;
    if !access.sees_subject(about).await? {
        return Err(no_subject(kind));
    }
    list(
        &caller,
        (NotesOf::One(about), kind),
        &request,
        &state,
        &base,
    )
    .await
}

async fn list(
    caller: &Caller,
    (of, kind): (NotesOf, EntityKind),
    request: &HttpRequest,
    state: &AppState,
    base: &str,
) -> Result<HttpResponse, Problem> {
    let asked = PageRequest::by(request, &FILTERS)?;
    let read = entity_filter(&asked.query, &FILTERS)?;
    let filter = NoteFilter {
        ids: read.ids,
        about: asked.query.all(Filter::Entity.name(), VALUES_MAX)?,
        updated: read.updated,
        order: read.order.unwrap_or_default(),
    };
    let types: BTreeSet<String> = asked.query.all(Filter::NoteType.name(), VALUES_MAX)?;
    let access = state.system().user_access(caller).await?;
    let listed = if types.is_empty() || types.contains(COMMON) {
        let limit = asked.limit();
        access.notes(of, &filter, asked.start, limit).await?
    } else {
        // There are no notes of other types.
        Listed::default()
    };
    let place = Place::of(state, caller, access.users(), base)?;
    let entries = listed.entries.iter();
    let entries = entries.map(|note| NoteView::of(&place, note));
    let address = match of {
        NotesOf::All(_) => format!("{base}/api/v4/{}/notes", kind.word()),
        NotesOf::One(about) => format!("{base}/api/v4/{}/{}/notes", kind.word(), about.id),
    };
    Ok(asked.page_or_nothing(&address, "notes", entries, listed.next))
}

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    Entity(kind): Entity,
    ids: web::Path<(String, String)>,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let (about, id) = one_note(kind, &ids)?;
    let access = state.system().user_access(&caller).await?;
    let note = access.note(about, id).await?;
    let place = Place::of(&state, &caller, access.users(), &base)?;
    Ok(hal::entry(
        note.as_ref().map(|note| NoteView::of(&place, note)),
    ))
}

/// A note by its number alone.
pub(crate) async fn get_any(
    AnyUser(caller): AnyUser,
    Entity(kind): Entity,
    id: web::Path<String>,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let access = state.system().user_access(&caller).await?;
    let note = access.note_of(kind, id).await?;
    let place = Place::of(&state, &caller, access.users(), &base)?;
    Ok(hal::entry(
        note.as_ref().map(|note| NoteView::of(&place, note)),
    ))
}

pub(crate) async fn post(
    AnyUser(caller): AnyUser,
    Entity(kind): Entity,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let bytes = body::read_entities(&request, payload, state.body_limit()).await?;
    let items = notes::parse_new(&bytes, false)?;
    add(&caller, (kind, None), &items, &state, &base).await
}

pub(crate) async fn post_to_one(
    AnyUser(caller): AnyUser,
    Entity(kind): Entity,
    id: web::Path<String>,
    (request, payload): (HttpRequest, web::Payload),
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let about = subject(kind, &id)?;
    let access = state.system().user_access(&caller).await?;
    if !access.sees_subject(about).await? {
        return Err(no_subject(kind));
    }
    let bytes = body::read_entities(&request, payload, state.body_limit()).await?;
    let items = notes::parse_new(&bytes, true)?;
    add(&caller, (kind, Some(about)), &items, &state, &base).await
}

async fn add(
    caller: &Caller,
    (kind, about): (EntityKind, Option<NoteSubject>),
    items: &[Item<NoteBody>],
    state: &AppState,
    base: &str,
) -> Result<HttpResponse, Problem> {
    let about = |body: &NoteBody| {
        let id = body.about.unwrap_or_default();
        about.unwrap_or(NoteSubject { kind, id })
    };
    let wanted = items.iter();
    let wanted = wanted.map(|item| (about(&item.value), item.value.text.clone()));
    let access = state.system().user_access(caller).await?;
    let added = access.add_notes(wanted.collect()).await;
    let added = added.map_err(|why| not_noted(why, kind, items))?;
    let place = Place::of(state, caller, access.users(), base)?;
    let pairs = added.iter().zip(items);
    let views: Vec<NoteMade<'_>> = pairs
        .map(|(note, item)| NoteMade::of(&place, note, &item.request_id))
        .collect();
    Ok(hal::collection("notes", &views))
}

pub(crate) async fn patch(
    AnyUser(caller): AnyUser,
    Entity(kind): Entity,
    ids: web::Path<(String, String)>,
    (request, payload): (HttpRequest, web::Payload),
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let (about, id) = one_note(kind, &ids)?;
    let access = state.system().user_access(&caller).await?;
    let note = access.note(about, id).await?.ok_or_else(unknown)?;
    edit(&caller, &access, &note, (request, payload), &state, &base).await
}

/// Changes a note by its number alone.
pub(crate) async fn patch_any(
    AnyUser(caller): AnyUser,
    Entity(kind): Entity,
    id: web::Path<String>,
    (request, payload): (HttpRequest, web::Payload),
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let access = state.system().user_access(&caller).await?;
    let note = access.note_of(kind, id).await?.ok_or_else(unknown)?;
    edit(&caller, &access, &note, (request, payload), &state, &base).await
}

async fn edit(
    caller: &Caller,
    access: &UserAccess,
    note: &Note,
    (request, payload): (HttpRequest, web::Payload),
    state: &AppState,
    base: &str,
) -> Result<HttpResponse, Problem> {
    let bytes = body::read_entities(&request, payload, state.body_limit()).await?;
    let text = ChangedNote::read(&bytes)?.params.and_then(|it| it.text);
    let edited = access.edit_note(note.about, note.id, text).await;
    let note = edited.map_err(|why| refused(why, unknown))?;
    let place = Place::of(state, caller, access.users(), base)?;
    Ok(hal::ok(&NoteView::of(&place, &note)))
}

fn subject(kind: EntityKind, id: &str) -> Result<NoteSubject, Problem> {
    // Leads and contacts have the same kind of numbers.
    let id = id
        .parse::<NoteId>()
        .map_err(|_not_a_number| no_subject(kind))?;
    Ok(NoteSubject { kind, id: id.0 })
}

fn one_note(
    kind: EntityKind,
    (about, id): &(String, String),
) -> Result<(NoteSubject, NoteId), Problem> {
    let about = subject(kind, about).map_err(|_no_subject| unknown())?;
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    Ok((about, id))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such note".to_owned())
}

fn no_subject(kind: EntityKind) -> Problem {
    Problem::NotFound(format!("there is no such {}", one(kind)))
}

fn not_noted(why: Refused<NotNoted>, kind: EntityKind, items: &[Item<NoteBody>]) -> Problem {
    why.into_error(|rejection| match rejection {
        NotNoted::Unknown(places) => {
            let detail = format!("expected the id of a {} that you may see", one(kind));
            let items = places.into_iter().filter_map(|place| items.get(place));
            let items = items.map(|item| WrongItem {
                request_id: item.request_id.clone(),
                violations: Violations::from(Violation {
                    path: "entity_id".to_owned(),
                    code: ViolationCode::NotSupportedChoice,
                    detail: detail.clone(),
                }),
            });
            Problem::WrongItems(items.collect())
        }
        NotNoted::Denied => Problem::Forbidden(NotNoted::Denied.to_string()),
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
        created_by: UserId = note.created_by,
        /// The OAuth client that acted for the author; not there when the author wrote the note.
        created_by_client ?: ActingClientView = note.created_by_client.as_ref().map(ActingClientView::of),
        updated_by: UserId = note.updated_by,
        /// The OAuth client that acted for who changed the note last; not there when they did.
        updated_by_client ?: ActingClientView = note.updated_by_client.as_ref().map(ActingClientView::of),
        created_at: Seconds = note.created_at.into(),
        updated_at: Seconds = note.updated_at.into(),
        /// The author.
        responsible_user_id: UserId = note.created_by,
        /// The author's group.
        group_id: GroupId = place.group(Some(note.created_by)),
        #[schemars(extend("const" = "common"))]
        note_type: &'static str = COMMON,
        params: NoteParams<'n> = NoteParams::of(note),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/{word}/{}/notes/{}", place.base, note.about.id, note.id)),
    }

    #[schemars(inline)]
    struct NoteParams<'n>(note: &'n Note) {
        text: &'n str = note.text.as_str(),
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
