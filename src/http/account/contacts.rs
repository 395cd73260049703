//! `GET /api/v4/contacts`, `GET` and `PATCH /api/v4/contacts/{id}`: the contacts that the caller may see, by number.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::Contact;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::wire::account_body::book;

use crate::http::account::refused;
use crate::http::account::responsible_user;
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::openapi::{Asker, Operation, Schema, Tag, may, must};
use crate::http::reply::hal::{self, Asked};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let asked = Asked::by(&request)?;
    let desk = state.system().desk(&caller).await?;
    let listed = desk.contacts(asked.start, asked.limit()).await?;
    let entries = listed
        .entries
        .iter()
        .map(|contact| view(&state, caller.account, contact))
        .collect();
    let address = format!("{}/api/v4/contacts", state.public_url());
    Ok(asked.page(&address, "contacts", entries, listed.next))
}

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let desk = state.system().desk(&caller).await?;
    let contact = desk.contact(id).await?.ok_or_else(unknown)?;
    Ok(hal::ok(&view(&state, caller.account, &contact)))
}

pub(crate) async fn patch(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let desk = state.system().desk(&caller).await?;
    desk.contact(id).await?.ok_or_else(unknown)?;
    let bytes = body::read_json(&request, payload, state.body_limit()).await?;
    let change = book::parse_contact(&bytes, desk.users())?;
    let changed = desk.change_contact(id, change).await;
    let contact = changed.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&view(&state, caller.account, &contact)))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such contact".to_owned())
}

fn view(state: &AppState, account: AccountId, contact: &Contact) -> Value {
    let field = |code: &str, name: &str, value: Option<&str>| {
        value.map(|value| {
            json!({ "field_code": code, "field_name": name, "values": [{ "value": value, "enum_code": "WORK" }] })
        })
    };
    let fields: Vec<Value> = [
        field(
            "PHONE",
            "Phone",
            contact.phone.as_ref().map(|phone| phone.as_str()),
        ),
        field(
            "EMAIL",
            "Email",
            contact.email.as_ref().map(|email| email.as_str()),
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    json!({
        "id": contact.id,
        "name": contact.name,
        "responsible_user_id": contact.responsible,
        "created_at": contact.created_at.secs(),
        "updated_at": contact.updated_at.secs(),
        "is_deleted": false,
        "account_id": account,
        "custom_fields_values": if fields.is_empty() { Value::Null } else { Value::Array(fields) },
        "_links": { "self": { "href": format!("{}/api/v4/contacts/{}", state.public_url(), contact.id) } },
    })
}

pub(crate) fn describe_list() -> Operation {
    Operation::new(
        Tag::Deals,
        Asker::User,
        "listContacts",
        "Lists the contacts that the caller may see, by number.",
    )
    .answers_page("contacts", schema())
}

pub(crate) fn describe_get() -> Operation {
    Operation::new(Tag::Deals, Asker::User, "getContact", "Tells one contact.")
        .path("id", Schema::number())
        .answers_hal(200, "The contact.", schema())
        .refuses(404, "There is no such contact that the caller may see.")
}

pub(crate) fn describe_patch() -> Operation {
    let body = Schema::object([
        may("name", Schema::line(255)),
        may("responsible_user_id", responsible_user()),
    ])
    .open();
    Operation::new(
        Tag::Deals,
        Asker::User,
        "changeContact",
        "Changes what is named and leaves the rest.",
    )
    .path("id", Schema::number())
    .body(
        body,
        json!({ "name": "Grace Hopper", "responsible_user_id": 1 }),
    )
    .answers_hal(200, "The contact as it is now.", schema())
    .refuses(403, "The caller may not edit it.")
    .refuses(404, "There is no such contact that the caller may see.")
}

fn schema() -> Schema {
    let value = Schema::object([
        must("value", Schema::text()),
        must("enum_code", Schema::only("WORK")),
    ]);
    let field = Schema::object([
        must("field_code", Schema::words(["PHONE", "EMAIL"])),
        must("field_name", Schema::text()),
        must("values", Schema::list(value)),
    ]);
    let contact = Schema::object([
        must("id", Schema::number()),
        must("name", Schema::text()),
        must("responsible_user_id", Schema::number().or_null()),
        must("created_at", Schema::seconds()),
        must("updated_at", Schema::seconds()),
        must("is_deleted", Schema::only(false)),
        must("account_id", Schema::uuid()),
        must("custom_fields_values", Schema::list(field).or_null()),
        hal::links(),
    ]);
    Schema::named("Contact", contact)
}
