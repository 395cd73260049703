//! `GET /api/v4/contacts`, `GET` and `PATCH /api/v4/contacts/{id}`: the contacts that the caller may see, by number.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Contact;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::crm::fields::EntryFields;
use switchboard_actors::domain::id::{AccountNumber, ContactId, GroupId};
use switchboard_actors::wire::account_body::crm;
use switchboard_actors::wire::account_body::entries::{Known, Numbers};

use crate::http::account::add_contacts::custom_fields;
use crate::http::account::custom_fields::{FieldValues, values};
use crate::http::account::filters::{Filter, entity_filter};
use crate::http::account::place::{Place, responsible};
use crate::http::account::refused;
use crate::http::account::tags::{self, TagView};
use crate::http::base::Base;
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::fields;
use crate::http::openapi::{Operation, Schema, Seconds, may};
use crate::http::reply::hal::{self, Links, PageRequest};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// The filters of the list.
const FILTERS: [Filter; 7] = [
    Filter::Query,
    Filter::Id,
    Filter::Name,
    Filter::Responsible,
    Filter::Created,
    Filter::Updated,
    Filter::Order,
];

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let asked = PageRequest::by(&request, &FILTERS)?;
    let filter = entity_filter(&asked.query, &FILTERS)?;
    let access = state.system().user_access(&caller).await?;
    let listed = access.contacts(&filter, asked.start, asked.limit()).await?;
    let place = Place::of(&state, &caller, access.users(), &base)?;
    let entries = listed.entries.iter();
    let entries = entries.map(|contact| ContactView::of(&place, contact));
    let address = format!("{base}/api/v4/contacts");
    Ok(asked.page(&address, "contacts", entries, listed.next))
}

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let access = state.system().user_access(&caller).await?;
    let contact = access.contact(id).await?.ok_or_else(unknown)?;
    let place = Place::of(&state, &caller, access.users(), &base)?;
    Ok(hal::ok(&ContactView::of(&place, &contact)))
}

pub(crate) async fn patch(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let access = state.system().user_access(&caller).await?;
    access.contact(id).await?.ok_or_else(unknown)?;
    let bytes = body::read_json(&request, payload, state.body_limit()).await?;
    let numbers = Numbers::of(&bytes);
    let mentioned = access.mentioned(EntityKind::Contacts, &numbers).await?;
    let known = Known {
        crm: &access.crm().await?,
        users: access.users(),
        mentioned: &mentioned,
    };
    let change = crm::parse_contact(&bytes, known)?;
    let changed = access.change_contact(id, change).await;
    let contact = changed.map_err(|why| refused(why, unknown))?;
    let place = Place::of(&state, &caller, access.users(), &base)?;
    Ok(hal::ok(&ContactView::of(&place, &contact)))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such contact".to_owned())
}

view! {
    #[schemars(rename = "Contact")]
    struct ContactView<'c>(place: &Place<'_>, contact: &'c Contact) {
        id: ContactId = contact.id,
        name: &'c str = contact.name.as_str(),
        #[schemars(extend("const" = ""))]
        first_name: &'static str = "",
        #[schemars(extend("const" = ""))]
        last_name: &'static str = "",
        /// 0 while there is none.
        responsible_user_id: u64 = responsible(contact.responsible),
        /// The group of the responsible user.
        group_id: GroupId = place.group(contact.responsible),
        #[schemars(extend("const" = 0))]
        created_by: u64 = 0,
        #[schemars(extend("const" = 0))]
        updated_by: u64 = 0,
        created_at: Seconds = contact.created_at.into(),
        updated_at: Seconds = contact.updated_at.into(),
        closest_task_at: () = (),
        #[schemars(extend("const" = false))]
        is_deleted: bool = false,
        #[schemars(extend("const" = false))]
        is_unsorted: bool = false,
        custom_fields_values: Option<Vec<FieldValues<'c>>> = values(contact),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/contacts/{}", place.base, contact.id)),
        _embedded: ContactEmbedded<'c> = ContactEmbedded::of(contact),
    }

    #[schemars(inline)]
    struct ContactEmbedded<'c>(contact: &'c Contact) {
        tags: Vec<TagView<'c>> = contact.tags.iter().map(TagView::of).collect(),
        companies: [(); 0] = [],
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::deals("listContacts", "List the contacts that the caller may see.")
        .filtered(&FILTERS)
        .answers_page::<ContactView<'_>>("contacts")
}

pub(crate) fn describe_get() -> Operation {
    Operation::deals("getContact", "Get a contact.")
        .path("id", Schema::number())
        .gives_hal::<ContactView<'_>>(200, "The contact.")
        .refuses(404, "There is no such contact that the caller may see.")
}

pub(crate) fn describe_patch() -> Operation {
    let embedded = Schema::object([tags::embedded()]).open();
    let others = [custom_fields(), may("_embedded", embedded)];
    let body = Schema::object(fields::of_change::<EntryFields>().chain(others)).open();
    Operation::deals("changeContact", "Update a contact.")
        .says("Fields that the body does not name keep their values.")
        .path("id", Schema::number())
        .body(
            body,
            json!({ "name": "Grace Hopper", "responsible_user_id": 1 }),
        )
        .gives_hal::<ContactView<'_>>(200, "The contact as it is now.")
        .refuses(403, "The caller may not edit it.")
        .refuses(404, "There is no such contact that the caller may see.")
}
