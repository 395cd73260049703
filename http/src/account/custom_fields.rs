//! `GET /api/v4/contacts/custom_fields` and `…/{id}`: the two fields that contacts have beside the name. Leads have none.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::crm::Contact;
use switchboard_actors::domain::crm::custom_field::{CustomField, FieldIds};
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::{AccountNumber, FieldId};

use crate::account::entity::Entity;
use crate::account::filters;
use crate::account::place::Place;
use crate::extract::access::Access;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::hal::{self, Collection, Links};
use crate::reply::problem::Problem;

/// The one kind of value that the fields have, in the counterpart's words.
const WORK: &str = "WORK";

pub(crate) async fn list(access: Access, Entity(kind): Entity) -> Result<HttpResponse, Problem> {
    let query = Query::from_request(&access.request)?;
    filters::check(&query, &[])?;
    let user = access.open().await?;
    let place = access.place(&user)?;
    let fields = fields_of(kind);
    let page = Collection::new(&query, fields.len())?;
    let page_fields = fields.iter().skip(page.skip()).take(page.limit());
    let views: Vec<FieldView> = page_fields
        .map(|field| FieldView::new(&place, *field))
        .collect();
    let path = format!("/api/v4/{}/custom_fields", kind.word());
    let links = page.links(&access.base, &path, access.request.query_string());
    Ok(hal::collection_page(&page, &links, "custom_fields", &views))
}

pub(crate) async fn get(
    access: Access,
    Entity(kind): Entity,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let place = access.place(&user)?;
    let fields = fields_of(kind).iter();
    let field = fields
        .copied()
        .find(|field| place.fields.id(*field).to_string() == *id);
    let unknown = || Problem::NotFound("there is no such custom field".to_owned());
    let field = field.ok_or_else(unknown)?;
    Ok(hal::ok(&FieldView::new(&place, field)))
}

fn fields_of(kind: EntityKind) -> &'static [CustomField] {
    match kind {
        EntityKind::Leads => &[],
        EntityKind::Contacts => &CustomField::ALL,
    }
}

/// The values of a contact's fields; `None` when all are empty.
pub(super) fn values<'c>(contact: &'c Contact, ids: &FieldIds) -> Option<Vec<FieldValues<'c>>> {
    let values = CustomField::ALL.into_iter().filter_map(|field| {
        let value = match field {
            CustomField::Phone => contact.phone.as_ref()?.as_str(),
            CustomField::Email => contact.email.as_ref()?.as_str(),
        };
        Some(FieldValues::new(ids.id(field), field, value))
    });
    let fields: Vec<_> = values.collect();
    (!fields.is_empty()).then_some(fields)
}

/// The name of the field for people.
fn name(field: CustomField) -> &'static str {
    match field {
        CustomField::Phone => "Phone",
        CustomField::Email => "Email",
    }
}

view! {
    #[schemars(inline)]
    pub(super) struct FieldValues<'c>(id: FieldId, field: CustomField, value: &'c str) {
        field_id: FieldId = id,
        field_name: &'static str = name(field),
        #[schemars(extend("enum" = ["PHONE", "EMAIL"]))]
        field_code: &'static str = field.code(),
        #[schemars(extend("const" = "multitext"))]
        field_type: &'static str = "multitext",
        #[schemars(extend("const" = false))]
        is_computed: bool = false,
        values: [FieldValue<'c>; 1] = [FieldValue::new(id, value)],
    }

    #[schemars(inline)]
    struct FieldValue<'c>(id: FieldId, value: &'c str) {
        value: &'c str = value,
        /// The number of the kind of value within the account's fields.
        enum_id: FieldId = id,
        #[schemars(extend("const" = "WORK"))]
        enum_code: &'static str = WORK,
    }

    #[schemars(rename = "CustomField")]
    struct FieldView(place: &Place<'_>, field: CustomField) {
        id: FieldId = place.fields.id(field),
        name: &'static str = name(field),
        #[schemars(extend("enum" = ["PHONE", "EMAIL"]))]
        code: &'static str = field.code(),
        #[schemars(extend("const" = "multitext"))]
        r#type: &'static str = "multitext",
        sort: u64 = field.sort(),
        account_id: AccountNumber = place.account,
        #[schemars(extend("const" = "contacts"))]
        entity_type: &'static str = "contacts",
        #[schemars(extend("const" = true))]
        is_predefined: bool = true,
        #[schemars(extend("const" = false))]
        is_deletable: bool = false,
        #[schemars(extend("const" = false))]
        is_api_only: bool = false,
        remind: () = (),
        group_id: () = (),
        required_statuses: [(); 0] = [],
        enums: [Enum; 1] = [Enum::new(place.fields.id(field))],
        _links: Links = Links::to(format!("{}/api/v4/contacts/custom_fields/{}", place.base, place.fields.id(field))),
    }

    #[schemars(inline)]
    struct Enum(id: FieldId) {
        id: FieldId = id,
        #[schemars(extend("const" = "WORK"))]
        value: &'static str = WORK,
        sort: u64 = 1,
    }
}

pub(crate) fn describe_list_of_leads() -> Operation {
    Operation::leads("listLeadFields", "List the custom fields of leads.")
        .says("Leads have none.")
        .pages()
        .answers_collection::<FieldView>("custom_fields")
}

pub(crate) fn describe_list_of_contacts() -> Operation {
    Operation::leads("listContactFields", "List the custom fields of contacts.")
        .says("Every account has the same two: the phone number and the e-mail address.")
        .pages()
        .answers_collection::<FieldView>("custom_fields")
}

fn describe_get(id: &'static str, summary: &'static str) -> Operation {
    Operation::leads(id, summary)
        .path("id", Schema::number())
        .gives_hal::<FieldView>(200, "The custom field.")
        .refuses(404, "There is no such custom field.")
}

pub(crate) fn describe_get_of_lead() -> Operation {
    describe_get("getLeadField", "Get a custom field of leads.")
}

pub(crate) fn describe_get_of_contact() -> Operation {
    describe_get("getContactField", "Get a custom field of contacts.")
}
