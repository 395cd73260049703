//! The leads of `/api/v4/leads`: those that the caller may see. Leads that no chat opened have no talk.

use serde::Serialize;
use serde_json::json;
pub(crate) use switchboard_actors::domain::crm::Lead;
use switchboard_actors::domain::crm::LeadChat;
use switchboard_actors::domain::crm::custom_fields::value::FieldValues;
use switchboard_actors::domain::id::{
    AccountNumber, ContactId, ConversationId, GroupId, LeadId, PipelineId, ScopeId, StageId,
};
use switchboard_actors::error::UnavailableError;
use switchboard_actors::system::user_access::{EntityFilter, Listed, PageStart, UserAccess};
use switchboard_actors::wire::account_body::crm::LeadChangeBody;
use switchboard_actors::wire::account_body::entries::NewLeadBody;
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;

use crate::account::batch::{EntryChanged, EntryMade};
use crate::account::entries::EntryResource;
use crate::account::field_values::{ValuesView, lead_values};
use crate::account::filters::Filter;
use crate::account::place::{Place, responsible};
use crate::account::tags::TagView;
use crate::account::{Linked, Outcome, unkept};
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::hal::Links;
use crate::reply::problem::Problem;

impl EntryResource for Lead {
    const FILTERS: &'static [Filter] = &[
        Filter::Query,
        Filter::Id,
        Filter::Name,
        Filter::Responsible,
        Filter::Pipeline,
        Filter::Statuses,
        Filter::Values,
        Filter::Created,
        Filter::Updated,
        Filter::Order,
        Filter::OrderByChange,
    ];

    async fn find(user: &UserAccess, id: LeadId) -> Result<Option<Self>, UnavailableError> {
        user.lead(id).await
    }

    async fn find_page(
        user: &UserAccess,
        filter: &EntityFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Self>, UnavailableError> {
        user.leads(filter, start, limit).await
    }

    fn field_values(&self) -> &FieldValues {
        &self.values
    }

    async fn add(user: &UserAccess, leads: Vec<Self::New>) -> Outcome<Vec<Self>> {
        user.create_leads(leads).await
    }

    async fn change(user: &UserAccess, id: LeadId, change: Self::Change) -> Outcome<Self> {
        user.update_lead(id, change).await
    }

    async fn change_several(
        user: &UserAccess,
        changes: Vec<(LeadId, Self::Change)>,
    ) -> Outcome<Vec<Self>> {
        user.update_leads(changes).await
    }

    async fn view<'v>(
        &'v self,
        _user: &'v UserAccess,
        place: &'v Place<'v>,
        _shows_leads: bool,
    ) -> Result<impl Serialize, Problem> {
        Ok(LeadView::new(place, self))
    }

    fn view_added(&self, base: &str, request_id: &str) -> impl Serialize {
        EntryMade::new(base, "leads", self.id.0, request_id)
    }

    fn view_changed(&self, base: &str, request_id: &str) -> impl Serialize {
        EntryChanged::new(base, "leads", self.id.0, self.updated_at, request_id)
    }

    fn describe_list() -> Operation {
        Operation::leads("listLeads", "List the leads that the caller may see.")
            .says("By number; the newest first when only the leads of one stage are wanted.")
            .filtered(Self::FILTERS)
            .answers_page::<LeadView<'_>>("leads")
            .or_nothing()
    }

    fn describe_get() -> Operation {
        Operation::leads("getLead", "Get a lead.")
            .path("id", Schema::number())
            .gives_entry::<LeadView<'_>>(
                "The lead.",
                "There is no such lead that the caller may see.",
            )
    }

    fn describe_patch_several() -> Operation {
        let example = json!([{ "id": 1, "name": "Tulips", "status_id": 2 }]);
        Operation::leads("updateLeads", "Update leads.")
            .says("The body may also be a single lead, or an object of leads by number. Nothing changes unless all of them may be changed; a crash may leave only the first ones changed, and repeating the request is safe.")
            .takes_changes::<LeadChangeBody>(ENTRIES_MAX, example)
            .answers_several::<EntryChanged<'_>>(200, &unkept::LEADS.answer("On disk."), "leads")
            .refuses(403, "The caller may not edit one of them, or there would be too many tags.")
            .refuses(404, "A lead no longer exists.")
            .refuses(409, "A lead's present stage does not allow this, or the new one was deleted at the same time.")
    }

    fn describe_patch() -> Operation {
        Operation::leads("updateLead", "Update a lead.")
            .says("Fields that the body does not name keep their values.")
            .path("id", Schema::number())
            .takes::<LeadChangeBody>(
                json!({ "name": "Tulips", "responsible_user_id": 1, "pipeline_id": 1, "status_id": 2 }),
            )
            .gives_hal::<LeadView<'_>>(200, &unkept::LEADS.answer("The lead as it is now."))
            .refuses(
                403,
                "The caller may not edit it, or there would be too many tags.",
            )
            .refuses(404, "There is no such lead that the caller may see.")
            .refuses(409, "The lead's present stage does not allow this, or the new one was deleted at the same time.")
    }

    fn describe_post() -> Operation {
        let example =
            json!([{ "name": "Tulips", "_embedded": { "tags": [{ "name": "Flowers" }] } }]);
        Operation::leads("createLeads", "Create leads that no chat opened (atomic).")
            .says("The body may also be a single lead, or an object of leads by number. Without a stage, a lead is in the first one that leads are worked on in; without a name, it is called by its number; without a responsible user, it is the caller's.")
            .takes_items::<NewLeadBody>(ENTRIES_MAX, example)
            .answers_several::<EntryMade<'_>>(200, &unkept::LEADS.answer("On disk."), "leads")
            .refuses(403, "The caller may not add leads, or the account has too many tags.")
            .refuses(409, "A stage was deleted at the same time.")
    }
}

view! {
    struct LeadView<'d>(place: &'d Place<'_>, lead: &'d Lead) {
        id: LeadId = lead.id,
        name: &'d str = lead.name.as_ref(),
        /// 0 while there is none.
        price: u64 = lead.price.0,
        /// 0 while there is none.
        responsible_user_id: u64 = responsible(lead.responsible),
        /// The group of the responsible user.
        group_id: GroupId = place.group(lead.responsible),
        status_id: StageId = lead.stage,
        pipeline_id: PipelineId = lead.pipeline,
        loss_reason_id: () = (),
        #[schemars(extend("const" = 0))]
        created_by: u64 = 0,
        #[schemars(extend("const" = 0))]
        updated_by: u64 = 0,
        created_at: Seconds = lead.created_at.into(),
        updated_at: Seconds = lead.updated_at.into(),
        /// The time at which the lead was won or lost.
        closed_at: Option<Seconds> = (!lead.is_active()).then(|| lead.updated_at.into()),
        closest_task_at: () = (),
        #[schemars(extend("const" = false))]
        is_deleted: bool = false,
        /// Null when all are empty.
        custom_fields_values: Option<Vec<ValuesView<'d>>> = lead_values(lead, place),
        score: () = (),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/leads/{}", place.base, lead.id)),
        _embedded: LeadEmbedded<'d> = LeadEmbedded::new(place.base, lead),
    }

    #[schemars(inline)]
    struct LeadEmbedded<'d>(base: &str, lead: &'d Lead) {
        tags: Vec<TagView<'d>> = lead.tags.iter().map(TagView::new).collect(),
        contacts: Vec<LeadContact> = lead.contact.iter().map(|it| LeadContact::new(base, *it)).collect(),
        companies: [(); 0] = [],
        chats: Vec<LinkedChat<'d>> = lead.chat.iter().map(LinkedChat::new).collect(),
    }

    #[schemars(inline)]
    struct LeadContact(base: &str, contact: ContactId) {
        #[serde(flatten)]
        linked: Linked = Linked::new(base, "contacts", contact.0),
        #[schemars(extend("const" = true))]
        is_main: bool = true,
    }

    #[schemars(inline)]
    struct LinkedChat<'d>(chat: &'d LeadChat) {
        chat_id: ConversationId = chat.conversation,
        scope_id: &'d ScopeId = &chat.scope,
    }
}
