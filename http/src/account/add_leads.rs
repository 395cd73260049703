//! `POST /api/v4/leads`: adds leads that no chat opened, all of them or none. They have no talk.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Deal;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::DealId;
use switchboard_actors::wire::account_body::entries::{self, NewLeadBody};
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;

use crate::account::batch::{self, Lookup};
use crate::account::{refused, unkept};
use crate::extract::access::Access;
use crate::openapi::Operation;
use crate::reply::hal::Links;
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let lookup = Lookup::load(&user, EntityKind::Leads, &bytes).await?;
    let caller = access.caller.0.user;
    let items = entries::parse_leads(&bytes, lookup.known(&user), caller)?;
    let added = user.add_leads(batch::values(&items)).await;
    let unknown = || Problem::NotFound("there is no such lead".to_owned());
    let added = added.map_err(|why| refused(why, unknown))?;
    Ok(batch::answer("leads", &added, &items, |deal, name| {
        LeadMade::of(&access.base, deal, name)
    }))
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
        .answers_several::<LeadMade<'_>>(200, &unkept::LEADS.answer("On disk."), "leads")
        .refuses(403, "The caller may not add leads, or the account has too many tags.")
}
