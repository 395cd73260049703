//! `POST /api/v4/contacts`: adds contacts who wrote in no chat, all of them or none.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Contact;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::ContactId;
use switchboard_actors::wire::account_body::entries::{self, Known, NewContactBody, Numbers};
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;

use crate::http::account::{refused, unkept};
use crate::http::base::Base;
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::openapi::Operation;
use crate::http::reply::hal::{self, Links};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn post(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let bytes = body::read_entities(&request, payload, state.body_limit()).await?;
    let access = state.system().user_access(&caller).await?;
    let numbers = Numbers::of(&bytes);
    let mentioned = access.mentioned(EntityKind::Contacts, &numbers).await?;
    let crm = access.crm().await?;
    let known = Known {
        crm: &crm,
        users: access.users(),
        fields: access.field_ids(),
        mentioned: &mentioned,
    };
    let items = entries::parse_contacts(&bytes, known, caller.user)?;
    let contacts = items.iter().map(|item| item.value.clone()).collect();
    let added = access.add_contacts(contacts).await;
    let unknown = || Problem::NotFound("there is no such contact".to_owned());
    let added = added.map_err(|why| refused(why, unknown))?;
    let pairs = added.iter().zip(&items);
    let views: Vec<ContactMade<'_>> = pairs
        .map(|(contact, item)| ContactMade::of(&base, contact, &item.request_id))
        .collect();
    Ok(hal::ok(&hal::made("contacts", &views)))
}

view! {
    struct ContactMade<'r>(base: &str, contact: &Contact, request_id: &'r str) {
        id: ContactId = contact.id,
        request_id: &'r str = request_id,
        _links: Links = Links::to(format!("{base}/api/v4/contacts/{}", contact.id)),
    }
}

pub(crate) fn describe() -> Operation {
    let example = json!([{
        "name": "Grace Hopper",
        "custom_fields_values": [{ "field_code": "PHONE", "values": [{ "value": "+49 30 901820" }] }],
    }]);
    Operation::deals("addContacts", "Create contacts (atomic).")
        .says("The body may also be a single contact, or an object of contacts by number. A contact without a name is called by the phone number or the e-mail address. Without a responsible user, it is the caller's.")
        .takes_items::<NewContactBody>(ENTRIES_MAX, example)
        .answers_made::<ContactMade<'_>>(200, &unkept::CONTACTS.answer("On disk."), "contacts")
        .refuses(403, "The caller may not add contacts, or the account has too many tags.")
}
