//! `GET /api/v4/leads`, `GET` and `PATCH /api/v4/leads/{id}`: the deals that the caller may see.
//!
//! The list may be narrowed to one stage, as the counterpart writes it:
//! `filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]=1`; newest first then, otherwise by number.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::Deal;
use switchboard_actors::domain::id::{PipelineId, StageId};
use switchboard_actors::wire::account_body::book;

use crate::http::account::refused;
use crate::http::account::{responsible_user, stage_fields};
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
use crate::http::openapi::{Asker, Operation, Schema, Tag, may, must};
use crate::http::reply::hal::{self, Asked};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let asked = Asked::by(&request)?;
    let stage = stage(&asked.query)?;
    let desk = state.system().desk(&caller).await?;
    let listed = desk.leads(stage, asked.start, asked.limit()).await?;
    let entries = listed
        .entries
        .iter()
        .map(|deal| view(&state, caller.account, deal))
        .collect();
    let address = format!("{}/api/v4/leads", state.public_url());
    Ok(asked.page(&address, "leads", entries, listed.next))
}

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let desk = state.system().desk(&caller).await?;
    let deal = desk.lead(id).await?.ok_or_else(unknown)?;
    Ok(hal::ok(&view(&state, caller.account, &deal)))
}

pub(crate) async fn patch(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let desk = state.system().desk(&caller).await?;
    let seen = desk.lead(id).await?.ok_or_else(unknown)?;
    let bytes = body::read_json(&request, payload, state.body_limit()).await?;
    let known = (&desk.book().await?, desk.users());
    let change = book::parse_lead(&bytes, known, seen.pipeline)?;
    let changed = desk.change_lead(id, change).await;
    let deal = changed.map_err(|why| refused(why, unknown))?;
    Ok(hal::ok(&view(&state, caller.account, &deal)))
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

pub(super) fn view(
    state: &AppState,
    account: switchboard_actors::domain::id::AccountId,
    deal: &Deal,
) -> Value {
    let base = state.public_url();
    json!({
        "id": deal.id,
        "name": deal.name,
        "price": 0,
        "responsible_user_id": deal.responsible,
        "status_id": deal.stage,
        "pipeline_id": deal.pipeline,
        "created_at": deal.created_at.secs(),
        "updated_at": deal.updated_at.secs(),
        "is_deleted": false,
        "account_id": account,
        "_links": { "self": { "href": format!("{base}/api/v4/leads/{}", deal.id) } },
        "_embedded": {
            "contacts": [{
                "id": deal.contact,
                "is_main": true,
                "_links": { "self": { "href": format!("{base}/api/v4/contacts/{}", deal.contact) } },
            }],
            "chats": [{ "chat_id": deal.conversation, "scope_id": deal.scope }],
        },
    })
}

pub(crate) fn describe_list() -> Operation {
    let needs = "Only this stage, newest first; goes with the other of the two.";
    Operation::new(
        Tag::Deals,
        Asker::User,
        "listLeads",
        "Lists the deals that the caller may see.",
    )
    .query(
        "filter[statuses][0][pipeline_id]",
        Schema::number().says(needs),
    )
    .query(
        "filter[statuses][0][status_id]",
        Schema::number().says(needs),
    )
    .answers_page("leads", schema())
}

pub(crate) fn describe_get() -> Operation {
    Operation::new(Tag::Deals, Asker::User, "getLead", "Tells one deal.")
        .path("id", Schema::number())
        .answers_hal(200, "The deal.", schema())
        .refuses(404, "There is no such deal that the caller may see.")
}

pub(crate) fn describe_patch() -> Operation {
    let [pipeline, stage] = stage_fields();
    let body = Schema::object([
        may("name", Schema::line(255)),
        may("responsible_user_id", responsible_user()),
        pipeline,
        stage,
    ])
    .open();
    Operation::new(
        Tag::Deals,
        Asker::User,
        "changeLead",
        "Changes what is named and leaves the rest.",
    )
    .path("id", Schema::number())
    .body(
        body,
        json!({ "name": "Tulips", "responsible_user_id": 1, "pipeline_id": 1, "status_id": 2 }),
    )
    .answers_hal(200, "The deal as it is now.", schema())
    .refuses(403, "The caller may not edit it.")
    .refuses(404, "There is no such deal that the caller may see.")
    .refuses(409, "It stands where this cannot be done.")
}

fn schema() -> Schema {
    let contact = Schema::object([
        must("id", Schema::number()),
        must("is_main", Schema::only(true)),
        hal::links(),
    ]);
    let chat = Schema::object([
        must("chat_id", Schema::uuid()),
        must("scope_id", Schema::text()),
    ]);
    let embedded = Schema::object([
        must("contacts", Schema::list(contact)),
        must("chats", Schema::list(chat)),
    ]);
    let lead = Schema::object([
        must("id", Schema::number()),
        must("name", Schema::text()),
        must("price", Schema::count()),
        must("responsible_user_id", Schema::number().or_null()),
        must("status_id", Schema::number()),
        must("pipeline_id", Schema::number()),
        must("created_at", Schema::seconds()),
        must("updated_at", Schema::seconds()),
        must("is_deleted", Schema::only(false)),
        must("account_id", Schema::uuid()),
        hal::links(),
        must("_embedded", embedded),
    ]);
    Schema::named("Lead", lead)
}
