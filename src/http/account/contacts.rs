//! `GET /api/v4/contacts`, `GET` and `PATCH /api/v4/contacts/{id}`: the contacts that the caller may see, by number.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::Contact;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::wire::account_body::book;

use crate::http::account::{body_problem, refused};
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
use crate::http::reply::hal::{self, Window};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let (page, limit, start) = query.start()?;
    let desk = state.system().desk(&caller).await?;
    let shown = usize::try_from(limit).unwrap_or(1);
    let listed = desk.contacts(start, shown).await?;
    let entries = listed
        .entries
        .iter()
        .map(|contact| view(&state, caller.account, contact))
        .collect();
    let next = listed.next;
    let window = Window { page, limit, next };
    let base = state.public_url();
    let path = "/api/v4/contacts";
    Ok(hal::page(base, path, "contacts", &query, window, entries))
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
    let change = book::parse_contact(&bytes, desk.users()).map_err(body_problem)?;
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
