//! `GET /api/v4/contacts`: the contacts of the caller's account, by number.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::Contact;
use switchboard_actors::domain::id::{AccountId, ContactId};

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
    let (page, limit) = query.page()?;
    let count = state.system().book(caller.account).await?.contacts;
    let first = page
        .saturating_sub(1)
        .saturating_mul(limit)
        .saturating_add(1);
    let last = first.saturating_add(limit).saturating_sub(1).min(count);
    let mut entries = Vec::new();
    for number in first..=last {
        let contact = state
            .system()
            .contact(caller.account, ContactId(number))
            .await?;
        entries.extend(contact.map(|contact| view(&state, caller.account, &contact)));
    }
    let window = Window {
        page,
        limit,
        more: last < count && first <= count,
    };
    Ok(hal::page(
        state.public_url(),
        "/api/v4/contacts",
        "contacts",
        &query,
        window,
        entries,
    ))
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
        "created_at": contact.created_at.secs(),
        "updated_at": contact.updated_at.secs(),
        "is_deleted": false,
        "account_id": account,
        "custom_fields_values": if fields.is_empty() { Value::Null } else { Value::Array(fields) },
        "_links": { "self": { "href": format!("{}/api/v4/contacts/{}", state.public_url(), contact.id) } },
    })
}
