//! `POST /api/v4/leads/unsorted/forms` and `…/sip`: programs create unsorted leads of forms and calls, all of them or none.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::crm::Lead;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::AccountNumber;
use switchboard_actors::wire::account_body::entries::Numbers;
use switchboard_actors::wire::account_body::unsorted::{
    self, NewCallBody, NewFormBody, NewUnsorted, UNSORTED_MAX, UnsortedReferences,
};

use super::unknown;
use super::view::UnsortedEmbedded;
use crate::account::batch::{self, Lookup};
use crate::account::{refused, unkept};
use crate::extract::access::Access;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn forms(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    create::<NewFormBody>(access, payload).await
}

pub(crate) async fn calls(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    create::<NewCallBody>(access, payload).await
}

async fn create<T: NewUnsorted>(
    access: Access,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let user = access.open().await?;
    let of_leads = Numbers::parse_unsorted(&bytes);
    let of_contacts = Numbers::parse_embedded(&bytes);
    let leads = Lookup::load_numbers(&user, EntityKind::Leads, &of_leads).await?;
    let contacts = Lookup::load_numbers(&user, EntityKind::Contacts, &of_contacts).await?;
    let references = UnsortedReferences {
        leads: leads.known(&user),
        contacts: contacts.known(&user),
    };
    let items = unsorted::parse_new::<T>(&bytes, references, access.caller.0.user)?;
    let result = user.create_unsorted(batch::values(&items)).await;
    let leads = result.map_err(|why| refused(why, unknown))?;
    let place = access.place(&user)?;
    let view = |lead, name| UnsortedMade::new(&access.base, place.account, lead, name);
    Ok(batch::answer("unsorted", &leads, &items, view))
}

view! {
    struct UnsortedMade<'r>(base: &str, account: AccountNumber, lead: &Lead, request_id: &'r str) {
        /// The number of the lead.
        uid: String = lead.id.to_string(),
        account_id: AccountNumber = account,
        request_id: &'r str = request_id,
        _embedded: UnsortedEmbedded = UnsortedEmbedded::new(base, lead),
    }
}

/// The example of a body with these details.
fn example(metadata: &Value) -> Value {
    json!([{
        "source_name": "Flower shop",
        "source_uid": "a1fee7c0fc436088e64ba2e8822ba2b3",
        "pipeline_id": 1,
        "metadata": metadata,
        "_embedded": {
            "leads": [{ "name": "Tulips", "price": 40 }],
            "contacts": [{
                "name": "Grace Hopper",
                "custom_fields_values": [
                    { "field_code": "PHONE", "values": [{ "value": "+49 30 901820" }] },
                ],
            }],
        },
    }])
}

fn described(operation: Operation) -> Operation {
    operation
        .says("The body may also be a single lead, or an object of leads by number. A lead is in the unsorted stage of its pipeline, with at most one contact, who is created with it; no user is responsible for the two until one accepts the lead. A number in place of a name or a text becomes text.")
        .answers_several::<UnsortedMade<'_>>(200, &unkept::UNSORTED.answer("On disk."), "unsorted")
        .refuses(403, "The caller may not add leads or contacts, or the account has too many tags.")
        .refuses(409, "The pipeline was deleted at the same time.")
}

pub(crate) fn describe_forms() -> Operation {
    let form = json!({
        "form_id": "318",
        "form_name": "Order",
        "form_page": "https://shop.example/order",
        "ip": "203.0.113.7",
        "form_sent_at": 1_764_000_000,
        "referer": "https://search.example/",
    });
    let operation = Operation::leads(
        "createUnsortedForms",
        "Create unsorted leads of forms (atomic).",
    );
    described(operation.takes_items::<NewFormBody>(UNSORTED_MAX, example(&form)))
}

pub(crate) fn describe_calls() -> Operation {
    let call = json!({
        "phone": "+49 30 901820",
        "called_at": 1_764_000_000,
        "duration": 54,
        "link": "https://calls.example/recordings/7",
        "service_code": "calls",
        "uniq": "call-7",
        "call_responsible": "Ada",
        "is_call_event_needed": true,
    });
    let operation = Operation::leads(
        "createUnsortedCalls",
        "Create unsorted leads of calls (atomic).",
    );
    described(operation.takes_items::<NewCallBody>(UNSORTED_MAX, example(&call)))
}
