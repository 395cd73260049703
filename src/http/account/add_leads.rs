//! `POST /api/v4/leads`: adds leads that no chat opened, all of them or none. They have no talk.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Deal;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::DealId;
use switchboard_actors::wire::account_body::entries::{self, Known, NewLeadBody, Numbers};
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;

use crate::http::account::{refused, unkept};
use crate::http::base::Base;
use crate::http::extract::body;
use crate::http::extract::caller::AnyUser;
use crate::http::openapi::Operation;
use crate::http::reply::hal::{self, Links};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn post(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let bytes = body::read_entities(&request, payload, state.body_limit()).await?;
    let access = state.system().user_access(&caller).await?;
    let numbers = Numbers::of(&bytes);
    let mentioned = access.mentioned(EntityKind::Leads, &numbers).await?;
    let crm = access.crm().await?;
    let known = Known {
        crm: &crm,
        users: access.users(),
        fields: access.field_ids(),
        mentioned: &mentioned,
    };
    let items = entries::parse_leads(&bytes, known, caller.user)?;
    let leads = items.iter().map(|item| item.value.clone()).collect();
    let added = access.add_leads(leads).await;
    let unknown = || Problem::NotFound("there is no such lead".to_owned());
    let added = added.map_err(|why| refused(why, unknown))?;
    let pairs = added.iter().zip(&items);
    let views: Vec<LeadMade<'_>> = pairs
        .map(|(deal, item)| LeadMade::of(&base, deal, &item.request_id))
        .collect();
    Ok(hal::ok(&hal::made("leads", &views)))
}

view! {
    struct LeadMade<'r>(base: &str, deal: &Deal, request_id: &'r str) {
        id: DealId = deal.id,
        request_id: &'r str = request_id,
        _links: Links = Links::to(format!("{base}/api/v4/leads/{}", deal.id)),
    }
}

pub(crate) fn describe() -> Operation {
    let example = json!([{ "name": "Tulips", "_embedded": { "tags": [{ "name": "Flowers" }] } }]);
    Operation::deals("addLeads", "Create leads that no chat opened (atomic).")
        .says("The body may also be a single lead, or an object of leads by number. Without a stage, a lead is in the first one that leads are worked on in; without a name, it is called by its number; without a responsible user, it is the caller's.")
        .takes_items::<NewLeadBody>(ENTRIES_MAX, example)
        .answers_made::<LeadMade<'_>>(200, &unkept::LEADS.answer("On disk."), "leads")
        .refuses(403, "The caller may not add leads, or the account has too many tags.")
}
