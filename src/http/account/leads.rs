//! `GET /api/v4/leads`, `GET` and `PATCH /api/v4/leads/{id}`: the deals that the caller may see.
//!
//! The list may be narrowed to one stage, as the counterpart writes it:
//! `filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]=1`; newest first then, otherwise by number.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::Deal;
use switchboard_actors::domain::id::{PipelineId, StageId};
use switchboard_actors::wire::account_body::book;

use crate::http::account::{body_problem, refused};
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
use crate::http::reply::hal::{self, Window};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let (page, limit, start) = query.start()?;
    let stage = stage(&query)?;
    let desk = state.system().desk(&caller).await?;
    let shown = usize::try_from(limit).unwrap_or(1);
    let listed = desk.leads(stage, start, shown).await?;
    let entries = listed
        .entries
        .iter()
        .map(|deal| view(&state, caller.account, deal))
        .collect();
    let next = listed.next;
    let window = Window { page, limit, next };
    let base = state.public_url();
    let path = "/api/v4/leads";
    Ok(hal::page(base, path, "leads", &query, window, entries))
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
    let change = book::parse_lead(&bytes, known, seen.pipeline).map_err(body_problem)?;
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
