//! `POST /api/v4/contacts`: adds contacts who wrote in no chat, all of them or none.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Contact;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::ContactId;
use switchboard_actors::wire::account_body::entries::{self, NewContactBody};
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;

use crate::account::batch::{self, Lookup};
use crate::account::{refused, unkept};
use crate::extract::access::Access;
use crate::openapi::Operation;
use crate::reply::hal::Links;
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let lookup = Lookup::load(&user, EntityKind::Contacts, &bytes).await?;
    let caller = access.caller.0.user;
    let items = entries::parse_contacts(&bytes, lookup.known(&user), caller)?;
    let added = user.add_contacts(batch::values(&items)).await;
    let unknown = || Problem::NotFound("there is no such contact".to_owned());
    let added = added.map_err(|why| refused(why, unknown))?;
    Ok(batch::answer(
        "contacts",
        &added,
        &items,
        |contact, name| ContactMade::of(&access.base, contact, name),
    ))
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
        .answers_several::<ContactMade<'_>>(200, &unkept::CONTACTS.answer("On disk."), "contacts")
        .refuses(403, "The caller may not add contacts, or the account has too many tags.")
}
