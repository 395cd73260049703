//! `GET /api/v4/leads` and `GET /api/v4/leads/{id}`: the deals of the caller's account.
//!
//! The list may be narrowed to one stage, as the counterpart writes it:
//! `filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]=1`; newest first then, otherwise by number.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::Deal;
use switchboard_actors::domain::id::{DealId, PipelineId, StageId};

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
    let (page, limit) = query.page()?;
    let skip = page.saturating_sub(1).saturating_mul(limit);
    let stage = stage(&query)?;
    // One more than is shown tells whether there is a next page.
    let wanted = limit.saturating_add(1);
    let mut deals = Vec::new();
    if let Some(stage) = stage {
        let (skip, wanted) = (
            usize::try_from(skip).unwrap_or(usize::MAX),
            usize::try_from(wanted).unwrap_or(1),
        );
        deals = state
            .system()
            .deals_in(caller.account, stage, skip, wanted)
            .await?;
    } else {
        let count = state.system().book(caller.account).await?.deals;
        let first = skip.saturating_add(1);
        for number in first..=count.min(skip.saturating_add(wanted)) {
            deals.extend(state.system().deal(caller.account, DealId(number)).await?);
        }
    }
    let shown = usize::try_from(limit).unwrap_or(1);
    let window = Window {
        page,
        limit,
        more: deals.len() > shown,
    };
    let entries = deals
        .iter()
        .take(shown)
        .map(|deal| view(&state, caller.account, deal))
        .collect();
    Ok(hal::page(
        state.public_url(),
        "/api/v4/leads",
        "leads",
        &query,
        window,
        entries,
    ))
}

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such lead".to_owned());
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let deal = state
        .system()
        .deal(caller.account, id)
        .await?
        .ok_or_else(unknown)?;
    Ok(hal::ok(&view(&state, caller.account, &deal)))
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

fn view(
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
