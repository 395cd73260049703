//! `GET /api/v4/contacts`, `GET` and `PATCH /api/v4/contacts/{id}`: the contacts that the caller may see, by number.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Contact;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::crm::fields::EntryFields;
use switchboard_actors::domain::id::{AccountId, ContactId, UserId};
use switchboard_actors::wire::account_body::crm;
use switchboard_actors::wire::account_body::entries::{Known, Numbers};

use crate::http::account::add_contacts::custom_fields;
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

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let asked = PageRequest::by(&request)?;
    let access = state.system().user_access(&caller).await?;
    let listed = access.contacts(asked.start, asked.limit()).await?;
    let entries = listed.entries.iter();
    let entries = entries.map(|contact| ContactView::of(&base, caller.account, contact));
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
    Ok(hal::ok(&ContactView::of(&base, caller.account, &contact)))
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
    Ok(hal::ok(&ContactView::of(&base, caller.account, &contact)))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such contact".to_owned())
}

view! {
    #[schemars(rename = "Contact")]
    struct ContactView<'c>(base: &str, account: AccountId, contact: &'c Contact) {
        id: ContactId = contact.id,
        name: &'c str = contact.name.as_str(),
        responsible_user_id: Option<UserId> = contact.responsible,
        created_at: Seconds = contact.created_at.into(),
        updated_at: Seconds = contact.updated_at.into(),
        #[schemars(extend("const" = false))]
        is_deleted: bool = false,
        account_id: AccountId = account,
        custom_fields_values: Option<Vec<CustomField<'c>>> = fields(contact),
        _links: Links = Links::to(format!("{base}/api/v4/contacts/{}", contact.id)),
        _embedded: ContactEmbedded<'c> = ContactEmbedded::of(contact),
    }

    #[schemars(inline)]
    struct ContactEmbedded<'c>(contact: &'c Contact) {
        tags: Vec<TagView<'c>> = contact.tags.iter().map(TagView::of).collect(),
    }

    #[schemars(inline)]
    struct CustomField<'c>(code: &'static str, name: &'static str, value: &'c str) {
        #[schemars(extend("enum" = ["PHONE", "EMAIL"]))]
        field_code: &'static str = code,
        field_name: &'static str = name,
        values: [CustomValue<'c>; 1] = [CustomValue::of(value)],
    }

    #[schemars(inline)]
    struct CustomValue<'c>(value: &'c str) {
        value: &'c str = value,
        #[schemars(extend("const" = "WORK"))]
        enum_code: &'static str = "WORK",
    }
}

fn fields(contact: &Contact) -> Option<Vec<CustomField<'_>>> {
    let phone = contact.phone.as_ref();
    let phone = phone.map(|phone| CustomField::of("PHONE", "Phone", phone.as_str()));
    let email = contact.email.as_ref();
    let email = email.map(|email| CustomField::of("EMAIL", "Email", email.as_str()));
    let fields: Vec<_> = phone.into_iter().chain(email).collect();
    (!fields.is_empty()).then_some(fields)
}

pub(crate) fn describe_list() -> Operation {
    Operation::deals("listContacts", "List the contacts that the caller may see.")
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
