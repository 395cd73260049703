//! The contacts of `/api/v4/contacts` that the caller may see, by number. Those that are added wrote in no chat.

use std::collections::BTreeSet;

use actix_web::HttpRequest;
use serde::Serialize;
use serde_json::json;
pub(crate) use switchboard_actors::domain::crm::Contact;
use switchboard_actors::domain::crm::custom_fields::value::FieldValues;
use switchboard_actors::domain::id::{AccountNumber, ContactId, GroupId, LeadId};
use switchboard_actors::error::UnavailableError;
use switchboard_actors::system::user_access::{
    EntityFilter, ListOrder, Listed, OrderKey, PageStart, UserAccess,
};
use switchboard_actors::wire::account_body::crm::ContactChangeBody;
use switchboard_actors::wire::account_body::entries::NewContactBody;
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;

use crate::account::batch::EntryMade;
use crate::account::entries::EntryResource;
use crate::account::field_values::{ValuesView, contact_values};
use crate::account::filters::Filter;
use crate::account::place::{Place, responsible};
use crate::account::tags::TagView;
use crate::account::{Linked, Outcome, unkept};
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::hal::Links;
use crate::reply::problem::Problem;

/// The most leads of a contact that `with=leads` shows: the newest.
const LEADS_MAX: usize = 100;

impl EntryResource for Contact {
    const FILTERS: &'static [Filter] = &[
        Filter::Query,
        Filter::Id,
        Filter::Name,
        Filter::Responsible,
        Filter::Values,
        Filter::Created,
        Filter::Updated,
        Filter::Order,
        Filter::OrderByChange,
    ];

    async fn find(user: &UserAccess, id: ContactId) -> Result<Option<Self>, UnavailableError> {
        user.contact(id).await
    }

    async fn find_page(
        user: &UserAccess,
        filter: &EntityFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Self>, UnavailableError> {
        user.contacts(filter, start, limit).await
    }

    fn field_values(&self) -> &FieldValues {
        &self.values
    }

    async fn add(user: &UserAccess, contacts: Vec<Self::New>) -> Outcome<Vec<Self>> {
        user.create_contacts(contacts).await
    }

    async fn change(user: &UserAccess, id: ContactId, change: Self::Change) -> Outcome<Self> {
        user.update_contact(id, change).await
    }

    async fn change_several(
        user: &UserAccess,
        changes: Vec<(ContactId, Self::Change)>,
    ) -> Outcome<Vec<Self>> {
        user.update_contacts(changes).await
    }

    fn shows_leads(request: &HttpRequest) -> Result<bool, Problem> {
        let query = Query::from_request(request)?;
        Ok(query.words("with").any(|word| word == "leads"))
    }

    async fn view<'v>(
        &'v self,
        user: &'v UserAccess,
        place: &'v Place<'v>,
        shows_leads: bool,
    ) -> Result<impl Serialize, Problem> {
        let leads = if shows_leads {
            Some(leads(user, self.id).await?)
        } else {
            None
        };
        Ok(ContactView::new(place, self, leads.as_deref()))
    }

    fn view_added(&self, base: &str, request_id: &str) -> impl Serialize {
        EntryMade::new(base, "contacts", self.id.0, request_id)
    }

    fn view_changed(&self, base: &str, request_id: &str) -> impl Serialize {
        Changed::new(base, self, request_id)
    }

    fn describe_list() -> Operation {
        Operation::leads("listContacts", "List the contacts that the caller may see.")
            .query("with", with())
            .filtered(Self::FILTERS)
            .answers_page::<ContactView<'_>>("contacts")
            .or_nothing()
    }

    fn describe_get() -> Operation {
        Operation::leads("getContact", "Get a contact.")
            .path("id", Schema::number())
            .query("with", with())
            .gives_entry::<ContactView<'_>>(
                "The contact.",
                "There is no such contact that the caller may see.",
            )
    }

    fn describe_patch_several() -> Operation {
        let example = json!([{ "id": 1, "name": "Grace Hopper" }]);
        Operation::leads("updateContacts", "Update contacts.")
            .says("The body may also be a single contact, or an object of contacts by number. Nothing changes unless all of them may be changed; a crash may leave only the first ones changed, and repeating the request is safe.")
            .takes_changes::<ContactChangeBody>(ENTRIES_MAX, example)
            .answers_several::<Changed<'_>>(200, &unkept::CONTACTS.answer("On disk."), "contacts")
            .refuses(403, "The caller may not edit one of them, or there would be too many tags.")
            .refuses(404, "A contact no longer exists.")
    }

    fn describe_patch() -> Operation {
        Operation::leads("updateContact", "Update a contact.")
            .says("Fields that the body does not name keep their values.")
            .path("id", Schema::number())
            .takes::<ContactChangeBody>(json!({ "name": "Grace Hopper", "responsible_user_id": 1 }))
            .gives_hal::<ContactView<'_>>(
                200,
                &unkept::CONTACTS.answer("The contact as it is now."),
            )
            .refuses(
                403,
                "The caller may not edit it, or there would be too many tags.",
            )
            .refuses(404, "There is no such contact that the caller may see.")
    }

    fn describe_post() -> Operation {
        let example = json!([{
            "name": "Grace Hopper",
            "custom_fields_values": [{ "field_code": "PHONE", "values": [{ "value": "+49 30 901820" }] }],
        }]);
        Operation::leads("createContacts", "Create contacts (atomic).")
            .says("The body may also be a single contact, or an object of contacts by number. A contact without a name is called by the phone number or the e-mail address. Without a responsible user, it is the caller's.")
            .takes_items::<NewContactBody>(ENTRIES_MAX, example)
            .answers_several::<EntryMade<'_>>(200, &unkept::CONTACTS.answer("On disk."), "contacts")
            .refuses(403, "The caller may not add contacts, or the account has too many tags.")
    }
}

/// The numbers of the leads of a contact that the caller may see; the newest first.
async fn leads(user: &UserAccess, contact: ContactId) -> Result<Vec<LeadId>, Problem> {
    let filter = EntityFilter {
        contacts: BTreeSet::from([contact]),
        order: Some(ListOrder {
            key: OrderKey::Number,
            descending: true,
        }),
        ..EntityFilter::default()
    };
    let start = PageStart::default();
    let leads = user.leads(&filter, start, LEADS_MAX).await?;
    Ok(leads.entries.iter().map(|lead| lead.id).collect())
}

/// The parameter `with`.
fn with() -> Schema {
    Schema::text().says("Words with commas: `leads`. Others are ignored.")
}

view! {
    #[schemars(rename = "Contact")]
    struct ContactView<'c>(place: &'c Place<'_>, contact: &'c Contact, leads: Option<&[LeadId]>) {
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
        /// Null when all are empty.
        custom_fields_values: Option<Vec<ValuesView<'c>>> = contact_values(contact, place),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/contacts/{}", place.base, contact.id)),
        _embedded: ContactEmbedded<'c> = ContactEmbedded::new(place.base, contact, leads),
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
    struct ContactEmbedded<'c>(base: &str, contact: &'c Contact, leads: Option<&[LeadId]>) [
        let linked = |leads: &[LeadId]| leads.iter().map(|lead| Linked::new(base, "leads", lead.0)).collect();
    ] {
        tags: Vec<TagView<'c>> = contact.tags.iter().map(TagView::new).collect(),
        companies: [(); 0] = [],
        /// With `with=leads`: at most 100, the newest first.
        leads ?: Vec<Linked> = leads.map(linked),
    }
}
