//! `GET /api/v4/leads`, `GET` and `PATCH /api/v4/leads/{id}`: the deals that the caller may see.
//!
//! The list may be narrowed to one stage, as the counterpart writes it:
//! `filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]=1`; newest first then, otherwise by number.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::crm::fields::{EntryFields, StageFields};
use switchboard_actors::domain::crm::{Deal, DealChat};
use switchboard_actors::domain::id::{
    AccountId, ContactId, ConversationId, DealId, PipelineId, ScopeId, StageId, UserId,
};
use switchboard_actors::wire::account_body::crm;
use switchboard_actors::wire::account_body::entries::{Known, Numbers};

use crate::http::account::tags::{self, TagView};
use crate::http::account::{Linked, refused};
use crate::http::base::Base;
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
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
    let stage = stage(&asked.query)?;
    let access = state.system().user_access(&caller).await?;
    let listed = access.leads(stage, asked.start, asked.limit()).await?;
    let entries = listed.entries.iter();
    let entries = entries.map(|deal| Lead::of(&base, caller.account, deal));
    let address = format!("{base}/api/v4/leads");
    Ok(asked.page(&address, "leads", entries, listed.next))
}

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let access = state.system().user_access(&caller).await?;
    let deal = access.lead(id).await?.ok_or_else(unknown)?;
    Ok(hal::ok(&Lead::of(&base, caller.account, &deal)))
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
    let seen = access.lead(id).await?.ok_or_else(unknown)?;
    let bytes = body::read_json(&request, payload, state.body_limit()).await?;
    let numbers = Numbers::of(&bytes);
    let mentioned = access.mentioned(EntityKind::Leads, &numbers).await?;
    let known = Known {
        crm: &access.crm().await?,
        users: access.users(),
        mentioned: &mentioned,
    };
    let change = crm::parse_lead(&bytes, known, seen.pipeline)?;
    let changed = access.change_lead(id, change).await;
    let deal = changed.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&Lead::of(&base, caller.account, &deal)))
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such lead".to_owned())
}

fn stage(query: &Query) -> Result<Option<(PipelineId, StageId)>, Problem> {
    let pipeline = query.parsed("filter[statuses][0][pipeline_id]")?;
    let stage = query.parsed("filter[statuses][0][status_id]")?;
    match (pipeline, stage) {
        (Some(pipeline), Some(stage)) => Ok(Some((pipeline, stage))),
        (None, None) => Ok(None),
        (Some(_), None) | (None, Some(_)) => Err(Problem::BadRequest(
            "filter[statuses][0] needs both pipeline_id and status_id".to_owned(),
        )),
    }
}

view! {
    struct Lead<'d>(base: &str, account: AccountId, deal: &'d Deal) {
        id: DealId = deal.id,
        name: &'d str = deal.name.as_ref(),
        price: u32 = 0,
        responsible_user_id: Option<UserId> = deal.responsible,
        status_id: StageId = deal.stage,
        pipeline_id: PipelineId = deal.pipeline,
        created_at: Seconds = deal.created_at.into(),
        updated_at: Seconds = deal.updated_at.into(),
        #[schemars(extend("const" = false))]
        is_deleted: bool = false,
        account_id: AccountId = account,
        _links: Links = Links::to(format!("{base}/api/v4/leads/{}", deal.id)),
        _embedded: LeadEmbedded<'d> = LeadEmbedded::of(base, deal),
    }

    #[schemars(inline)]
    struct LeadEmbedded<'d>(base: &str, deal: &'d Deal) {
        contacts: Vec<LeadContact> = deal.contact.iter().map(|it| LeadContact::of(base, *it)).collect(),
        tags: Vec<TagView<'d>> = deal.tags.iter().map(TagView::of).collect(),
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
    let needs = "Only this stage, newest first; goes with the other of the two.";
    Operation::deals("listLeads", "List the leads that the caller may see.")
        .query(
            "filter[statuses][0][pipeline_id]",
            Schema::number().says(needs),
        )
        .query(
            "filter[statuses][0][status_id]",
            Schema::number().says(needs),
        )
        .answers_page::<Lead<'_>>("leads")
}

pub(crate) fn describe_get() -> Operation {
    Operation::deals("getLead", "Get a lead.")
        .path("id", Schema::number())
        .gives_hal::<Lead<'_>>(200, "The deal.")
        .refuses(404, "There is no such lead that the caller may see.")
}

pub(crate) fn describe_patch() -> Operation {
    let fields = fields::of_change::<EntryFields>().chain(fields::of_change::<StageFields>());
    let embedded = Schema::object([tags::embedded()]).open();
    let body = Schema::object(fields.chain([may("_embedded", embedded)])).open();
    Operation::deals("changeLead", "Update a lead.")
        .says("Fields that the body does not name keep their values.")
        .path("id", Schema::number())
        .body(
            body,
            json!({ "name": "Tulips", "responsible_user_id": 1, "pipeline_id": 1, "status_id": 2 }),
        )
        .gives_hal::<Lead<'_>>(200, "The deal as it is now.")
        .refuses(403, "The caller may not edit it.")
        .refuses(404, "There is no such lead that the caller may see.")
        .refuses(409, "The lead's present stage does not allow this.")
}
