//! `POST /api/v4/leads/complex`: leads, each with its contact, in one request.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::Lead;
use switchboard_actors::domain::crm::create_complex_leads::ComplexLead;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::{ContactId, LeadId};
use switchboard_actors::wire::account_body::complex_leads::{
    self, COMPLEX_LEADS_MAX, ComplexLeadBody, ComplexReferences,
};
use switchboard_actors::wire::account_body::entries::Numbers;
use switchboard_actors::wire::account_body::items::Item;

use crate::account::batch::{self, Lookup};
use crate::account::entity::unknown;
use crate::account::{refused, unkept};
use crate::extract::access::Access;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let of_leads = Lookup::load(&user, EntityKind::Leads, &bytes).await?;
    let embedded = Numbers::parse_embedded(&bytes);
    let of_contacts = Lookup::load_numbers(&user, EntityKind::Contacts, &embedded).await?;
    let known = ComplexReferences {
        leads: of_leads.known(&user),
        contacts: of_contacts.known(&user),
    };
    let items = complex_leads::parse(&bytes, known, access.caller.0.user)?;
    let result = user.create_complex_leads(batch::values(&items)).await;
    let leads = result.map_err(|why| refused(why, || unknown(EntityKind::Leads)))?;
    let pairs = leads.iter().zip(&items);
    let views: Vec<_> = pairs
        .map(|(lead, item)| ComplexLeadCreated::new(lead, item))
        .collect();
    Ok(HttpResponse::Ok().json(views))
}

view! {
    struct ComplexLeadCreated<'i>(lead: &Lead, item: &'i Item<ComplexLead>) {
        id: LeadId = lead.id,
        contact_id: Option<ContactId> = lead.contact,
        company_id: () = (),
        /// One name: that of the item.
        request_id: [&'i str; 1] = [item.request_id.as_str()],
        /// True when the lead is about a contact that existed before.
        merged: bool = item.value.lead.contact.is_some(),
    }
}

pub(crate) fn describe() -> Operation {
    let example = json!([{
        "name": "Tulips",
        "_embedded": {
            "contacts": [{
                "name": "Grace Hopper",
                "custom_fields_values": [{ "field_code": "PHONE", "values": [{ "value": "+49 30 901820" }] }],
            }],
        },
    }]);
    Operation::leads(
        "createComplexLeads",
        "Create leads with their contacts (atomic).",
    )
    .says("The body may also be a single lead, or an object of leads by number. A contact with an id is an existing one. With `metadata` of a form or a call the lead is an unsorted one of its pipeline, without a responsible user; `source.external_id` and the name of the form or the code of the service are its source. The request refuses companies.")
    .takes_items::<ComplexLeadBody>(COMPLEX_LEADS_MAX, example)
    .answers(
        200,
        &unkept::LEADS.answer("On disk."),
        Schema::list(Schema::for_type::<ComplexLeadCreated<'_>>()),
    )
    .refuses(
        403,
        "The caller may not add leads or contacts, or the account has too many tags.",
    )
}
