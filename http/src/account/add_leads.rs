//! `POST /api/v4/leads`: adds leads that no chat opened, all of them or none. They have no talk.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Deal;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::crm::fields::{DealFields, EntryFields, StageFields};
use switchboard_actors::domain::id::DealId;
use switchboard_actors::wire::account_body::entries::{self, Known, Numbers};
use switchboard_actors::wire::account_body::items::ENTRIES_MAX;

use crate::account::{items, refused, tags, unkept};
use crate::base::Base;
use crate::extract::body;
use crate::extract::caller::AnyUser;
use crate::fields;
use crate::openapi::{Operation, Schema, may, must};
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;
use crate::state::AppState;

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
    let contact = Schema::object([must("id", Schema::number())]).open();
    let contacts = Schema::few(contact, 0, 1).says("A contact that the caller may see.");
    let embedded = Schema::object([may("contacts", contacts), tags::embedded()]).open();
    let fields = fields::of_change::<EntryFields>().chain(fields::of_change::<DealFields>());
    let fields = fields.chain(fields::of_change::<StageFields>());
    let lead = Schema::object(fields.chain([
        tags::to_add(),
        may("_embedded", embedded),
        items::request_id(),
    ]));
    let example = json!([{ "name": "Tulips", "_embedded": { "tags": [{ "name": "Flowers" }] } }]);
    Operation::deals("addLeads", "Create leads that no chat opened (atomic).")
        .says("The body may also be a single lead, or an object of leads by number. Without a stage, a lead is in the first one that leads are worked on in; without a name, it is called by its number; without a responsible user, it is the caller's.")
        .body(Schema::few(lead.open(), 1, ENTRIES_MAX), example)
        .answers_made::<LeadMade<'_>>(200, &unkept::LEADS.answer("On disk."), "leads")
        .refuses(403, "The caller may not add leads, or the account has too many tags.")
}
