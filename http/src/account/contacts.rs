//! `GET /api/v4/contacts`, `GET` and `PATCH /api/v4/contacts/{id}`: the contacts that the caller may see, by number.

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Contact;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::{AccountNumber, ContactId, DealId, GroupId};
use switchboard_actors::system::user_access::{
    EntityFilter, ListOrder, OrderKey, PageStart, UserAccess,
};
use switchboard_actors::wire::account_body::crm::{self, ContactChangeBody};
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;

use crate::account::batch::{self, Lookup};
use crate::account::custom_fields::{FieldValues, values};
use crate::account::filters::{Filter, entity_filter};
use crate::account::place::{Place, responsible};
use crate::account::tags::TagView;
use crate::account::{Linked, refused, unkept};
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

/// How many leads `with=leads` shows of a contact: the newest.
const LEADS_MAX: usize = 100;
/// The filters of the list.
const FILTERS: [Filter; 8] = [
    Filter::Query,
    Filter::Id,
    Filter::Name,
    Filter::Responsible,
    Filter::Created,
    Filter::Updated,
    Filter::Order,
    Filter::OrderByChange,
];

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let asked = access.page(&FILTERS)?;
    let filter = entity_filter(&asked.query, &FILTERS)?;
    let user = access.open().await?;
    let listed = user.contacts(&filter, asked.start, asked.limit()).await?;
    let place = access.place(&user)?;
    let mut views = Vec::with_capacity(listed.entries.len());
    for contact in &listed.entries {
        let leads = leads(&user, &asked.query, contact).await?;
        views.push(ContactView::of(&place, contact, leads.as_deref()));
    }
    let address = access.address("/api/v4/contacts");
    Ok(asked.page_or_nothing(&address, "contacts", views.into_iter(), listed.next))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<ContactId>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&access.request)?;
    let user = access.open().await?;
    let Some(contact) = user.contact(id).await? else {
        return Ok(hal::nothing());
    };
    let leads = leads(&user, &query, &contact).await?;
    let place = access.place(&user)?;
    Ok(hal::ok(&ContactView::of(
        &place,
        &contact,
        leads.as_deref(),
    )))
}

/// The numbers of the leads of a contact that the caller may see, if the query wants them; the newest first.
async fn leads(
    access: &UserAccess,
    query: &Query,
    contact: &Contact,
) -> Result<Option<Vec<DealId>>, Problem> {
    if query.words("with").all(|word| word != "leads") {
        return Ok(None);
    }
    let filter = EntityFilter {
        contacts: BTreeSet::from([contact.id]),
        order: Some(ListOrder {
            key: OrderKey::Number,
            descending: true,
        }),
        ..EntityFilter::default()
    };
    let start = PageStart::default();
    let listed = access.leads(&filter, start, LEADS_MAX).await?;
    Ok(Some(listed.entries.iter().map(|deal| deal.id).collect()))
}

pub(crate) async fn patch(
    access: Access,
    Numbered(id): Numbered<ContactId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let seen = user.contact(id).await?.ok_or_else(unknown)?;
    let bytes = access.entities(payload).await?;
    let lookup = Lookup::load(&user, EntityKind::Contacts, &bytes).await?;
    let change = crm::parse_contact(&bytes, lookup.known(&user), &seen)?;
    let changed = user.change_contact(id, change).await;
    let contact = changed.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&ContactView::of(
        &access.place(&user)?,
        &contact,
        None,
    )))
}

/// Changes several contacts. Nothing is changed unless every item is right and may be changed.
pub(crate) async fn patch_several(
    access: Access,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let seen = batch::changed(&bytes, ContactId, async |id| Ok(user.contact(id).await?)).await?;
    let lookup = Lookup::load(&user, EntityKind::Contacts, &bytes).await?;
    let items = crm::parse_contact_changes(&bytes, lookup.known(&user), |id| seen.get(&id))?;
    let changed = user.change_contacts(batch::values(&items)).await;
    let contacts = changed.map_err(|why| refused(why, unknown))?;
    Ok(batch::answer(
        "contacts",
        &contacts,
        &items,
        |contact, name| Changed::of(&access.base, contact, name),
    ))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such contact".to_owned())
}

view! {
    #[schemars(rename = "Contact")]
    struct ContactView<'c>(place: &Place<'_>, contact: &'c Contact, leads: Option<&[DealId]>) {
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
        custom_fields_values: Option<Vec<FieldValues<'c>>> = values(contact, &place.fields),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/contacts/{}", place.base, contact.id)),
        _embedded: ContactEmbedded<'c> = ContactEmbedded::of(place.base, contact, leads),
    }

    #[schemars(rename = "ContactChanged")]
    struct Changed<'r>(base: &str, contact: &Contact, request_id: &'r str) {
        id: ContactId = contact.id,
        name: String = contact.name.as_str().to_owned(),
        updated_at: Seconds = contact.updated_at.into(),
        request_id: &'r str = request_id,
        _links: Links = Links::to(format!("{base}/api/v4/contacts/{}", contact.id)),
    }

    #[schemars(inline)]
    struct ContactEmbedded<'c>(base: &str, contact: &'c Contact, leads: Option<&[DealId]>) [
        let linked = |deals: &[DealId]| deals.iter().map(|deal| Linked::of(base, "leads", deal.0)).collect();
    ] {
        tags: Vec<TagView<'c>> = contact.tags.iter().map(TagView::of).collect(),
        companies: [(); 0] = [],
        /// With `with=leads`: at most 100, the newest first.
        leads ?: Vec<Linked> = leads.map(linked),
    }
}

/// What `with` takes.
fn with() -> Schema {
    Schema::text().says("Words with commas: `leads`. Others are ignored.")
}

pub(crate) fn describe_list() -> Operation {
    Operation::deals("listContacts", "List the contacts that the caller may see.")
        .query("with", with())
        .filtered(&FILTERS)
        .answers_page::<ContactView<'_>>("contacts")
        .or_nothing()
}

pub(crate) fn describe_get() -> Operation {
    Operation::deals("getContact", "Get a contact.")
        .path("id", Schema::number())
        .query("with", with())
        .gives_entry::<ContactView<'_>>(
            "The contact.",
            "There is no such contact that the caller may see.",
        )
}

pub(crate) fn describe_patch_several() -> Operation {
    let example = json!([{ "id": 1, "name": "Grace Hopper" }]);
    Operation::deals("changeContacts", "Update contacts.")
        .says("The body may also be a single contact, or an object of contacts by number. Nothing changes unless all of them may be changed; a crash may leave only the first ones changed, and repeating the request is safe.")
        .takes_changes::<ContactChangeBody>(ENTRIES_MAX, example)
        .answers_several::<Changed<'_>>(200, &unkept::CONTACTS.answer("On disk."), "contacts")
        .refuses(403, "The caller may not edit one of them, or there would be too many tags.")
        .refuses(404, "A contact no longer exists.")
}

pub(crate) fn describe_patch() -> Operation {
    Operation::deals("changeContact", "Update a contact.")
        .says("Fields that the body does not name keep their values.")
        .path("id", Schema::number())
        .takes::<ContactChangeBody>(json!({ "name": "Grace Hopper", "responsible_user_id": 1 }))
        .gives_hal::<ContactView<'_>>(200, &unkept::CONTACTS.answer("The contact as it is now."))
        .refuses(
            403,
            "The caller may not edit it, or there would be too many tags.",
        )
        .refuses(404, "There is no such contact that the caller may see.")
}
