//! `GET /api/v4/leads`, `GET` and `PATCH /api/v4/leads/{id}`: the deals that the caller may see.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::crm::{Deal, DealChat};
use switchboard_actors::domain::id::{
    AccountNumber, ContactId, ConversationId, DealId, GroupId, PipelineId, ScopeId, StageId,
};
use switchboard_actors::wire::account_body::crm::{self, LeadChangeBody};
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;

use crate::account::batch::{self, Lookup};
use crate::account::filters::{Filter, entity_filter};
use crate::account::place::{Place, responsible};
use crate::account::tags::TagView;
use crate::account::{Linked, refused, unkept};
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

/// The filters of the list.
const FILTERS: [Filter; 10] = [
    Filter::Query,
    Filter::Id,
    Filter::Name,
    Filter::Responsible,
    Filter::Pipeline,
    Filter::Statuses,
    Filter::Created,
    Filter::Updated,
    Filter::Order,
    Filter::OrderByChange,
];

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let asked = access.page(&FILTERS)?;
    let filter = entity_filter(&asked.query, &FILTERS)?;
    let user = access.open().await?;
    let listed = user.leads(&filter, asked.start, asked.limit()).await?;
    let place = access.place(&user)?;
    let entries = listed.entries.iter().map(|deal| Lead::of(&place, deal));
    let address = access.address("/api/v4/leads");
    Ok(asked.page_or_nothing(&address, "leads", entries, listed.next))
}

pub(crate) async fn get(
    access: Access,
    Numbered(id): Numbered<DealId>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let deal = user.lead(id).await?;
    let place = access.place(&user)?;
    Ok(hal::entry(deal.as_ref().map(|deal| Lead::of(&place, deal))))
}

pub(crate) async fn patch(
    access: Access,
    Numbered(id): Numbered<DealId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let seen = user.lead(id).await?.ok_or_else(unknown)?;
    let bytes = access.entities(payload).await?;
    let lookup = Lookup::load(&user, EntityKind::Leads, &bytes).await?;
    let change = crm::parse_lead(&bytes, lookup.known(&user), &seen)?;
    let changed = user.change_lead(id, change).await;
    let deal = changed.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&Lead::of(&access.place(&user)?, &deal)))
}

/// Changes several leads. Nothing is changed unless every item is right and may be changed.
pub(crate) async fn patch_several(
    access: Access,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let seen = batch::changed(&bytes, DealId, async |id| Ok(user.lead(id).await?)).await?;
    let lookup = Lookup::load(&user, EntityKind::Leads, &bytes).await?;
    let items = crm::parse_lead_changes(&bytes, lookup.known(&user), |id| seen.get(&id))?;
    let changed = user.change_leads(batch::values(&items)).await;
    let deals = changed.map_err(|why| refused(why, unknown))?;
    Ok(batch::answer("leads", &deals, &items, |deal, name| {
        Changed::of(&access.base, deal, name)
    }))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such lead".to_owned())
}

view! {
    struct Lead<'d>(place: &Place<'_>, deal: &'d Deal) {
        id: DealId = deal.id,
        name: &'d str = deal.name.as_ref(),
        /// 0 while there is none.
        price: u64 = deal.price.0,
        /// 0 while there is none.
        responsible_user_id: u64 = responsible(deal.responsible),
        /// The group of the responsible user.
        group_id: GroupId = place.group(deal.responsible),
        status_id: StageId = deal.stage,
        pipeline_id: PipelineId = deal.pipeline,
        loss_reason_id: () = (),
        #[schemars(extend("const" = 0))]
        created_by: u64 = 0,
        #[schemars(extend("const" = 0))]
        updated_by: u64 = 0,
        created_at: Seconds = deal.created_at.into(),
        updated_at: Seconds = deal.updated_at.into(),
        /// When the lead was won or lost.
        closed_at: Option<Seconds> = (!deal.is_active()).then(|| deal.updated_at.into()),
        closest_task_at: () = (),
        #[schemars(extend("const" = false))]
        is_deleted: bool = false,
        custom_fields_values: () = (),
        score: () = (),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/leads/{}", place.base, deal.id)),
        _embedded: LeadEmbedded<'d> = LeadEmbedded::of(place.base, deal),
    }

    #[schemars(rename = "LeadChanged")]
    struct Changed<'r>(base: &str, deal: &Deal, request_id: &'r str) {
        id: DealId = deal.id,
        updated_at: Seconds = deal.updated_at.into(),
        request_id: &'r str = request_id,
        _links: Links = Links::to(format!("{base}/api/v4/leads/{}", deal.id)),
    }

    #[schemars(inline)]
    struct LeadEmbedded<'d>(base: &str, deal: &'d Deal) {
        tags: Vec<TagView<'d>> = deal.tags.iter().map(TagView::of).collect(),
        contacts: Vec<LeadContact> = deal.contact.iter().map(|it| LeadContact::of(base, *it)).collect(),
        companies: [(); 0] = [],
        chats: Vec<LeadChat<'d>> = deal.chat.iter().map(LeadChat::of).collect(),
    }

    #[schemars(inline)]
    struct LeadContact(base: &str, contact: ContactId) {
        #[serde(flatten)]
        linked: Linked = Linked::of(base, "contacts", contact.0),
        #[schemars(extend("const" = true))]
        is_main: bool = true,
    }

    #[schemars(inline)]
    struct LeadChat<'d>(chat: &'d DealChat) {
        chat_id: ConversationId = chat.conversation,
        scope_id: &'d ScopeId = &chat.scope,
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::deals("listLeads", "List the leads that the caller may see.")
        .says("By number; the newest first when only the leads of one stage are wanted.")
        .filtered(&FILTERS)
        .answers_page::<Lead<'_>>("leads")
        .or_nothing()
}

pub(crate) fn describe_get() -> Operation {
    Operation::deals("getLead", "Get a lead.")
        .path("id", Schema::number())
        .gives_entry::<Lead<'_>>(
            "The deal.",
            "There is no such lead that the caller may see.",
        )
}

pub(crate) fn describe_patch_several() -> Operation {
    let example = json!([{ "id": 1, "name": "Tulips", "status_id": 2 }]);
    Operation::deals("changeLeads", "Update leads.")
        .says("The body may also be a single lead, or an object of leads by number. Nothing changes unless all of them may be changed; a crash may leave only the first ones changed, and repeating the request is safe.")
        .takes_changes::<LeadChangeBody>(ENTRIES_MAX, example)
        .answers_several::<Changed<'_>>(200, &unkept::LEADS.answer("On disk."), "leads")
        .refuses(403, "The caller may not edit one of them, or there would be too many tags.")
        .refuses(404, "A lead no longer exists.")
        .refuses(409, "A lead's present stage does not allow this.")
}

pub(crate) fn describe_patch() -> Operation {
    Operation::deals("changeLead", "Update a lead.")
        .says("Fields that the body does not name keep their values.")
        .path("id", Schema::number())
        .takes::<LeadChangeBody>(
            json!({ "name": "Tulips", "responsible_user_id": 1, "pipeline_id": 1, "status_id": 2 }),
        )
        .gives_hal::<Lead<'_>>(200, &unkept::LEADS.answer("The deal as it is now."))
        .refuses(
            403,
            "The caller may not edit it, or there would be too many tags.",
        )
        .refuses(404, "There is no such lead that the caller may see.")
        .refuses(409, "The lead's present stage does not allow this.")
}
