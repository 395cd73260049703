//! `GET /admin/v1/accounts/{id}/customer`: everything that is known of one customer, as lines of JSON.

use actix_web::{HttpResponse, web};
use futures_util::stream;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::{AccountId, ContactId, PersonId};
use switchboard_actors::domain::operator::note::Note;
use switchboard_actors::erasures::{CustomerTarget, Target};

use crate::admin::accounts::known;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

/// The media type of lines of JSON.
const LINES: &str = "application/jsonl";

pub(crate) async fn export(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let account: AccountId = known(&access.state, &path).await?.id;
    let query = Query::of_known(&access.request, &["contact_id", "person_id"])?;
    let customer = CustomerTarget {
        account,
        contact: query.parsed::<ContactId>("contact_id")?,
        person: query.parsed::<PersonId>("person_id")?,
    };
    if customer.contact.is_none() && customer.person.is_none() {
        return Err(Problem::BadRequest(
            "a customer is named by contact_id, by person_id, or by both".to_owned(),
        ));
    }
    if !access
        .system()
        .is_there(&Target::Customer(customer))
        .await?
    {
        return Err(Problem::NotFound(
            "the account has no such customer".to_owned(),
        ));
    }
    // What leaves has been noted before.
    access.system().note(exported(&customer)).await?;
    let pieces = access.system().export_customer(customer);
    let body = stream::unfold(pieces, async |mut pieces| {
        let piece = pieces.recv().await?;
        Some((piece, pieces))
    });
    Ok(HttpResponse::Ok().content_type(LINES).streaming(body))
}

/// The entry of the audit log.
fn exported(customer: &CustomerTarget) -> Note {
    let contact = customer.contact.map(|contact| contact.to_string());
    let person = customer.person.map(|person| person.to_string());
    Note {
        by: By::Operator,
        action: "customer.export",
        object: contact.or(person).unwrap_or_default(),
        account: Some(customer.account),
        changes: Vec::new(),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::operator("exportCustomer", "Export everything that is known of a customer.")
        .says(
            "Lines of JSON: who the customer is, then the records of the journal that an erasure would erase. Reads the whole \
             journal. The audit log has an entry `customer.export`.",
        )
        .path("id", Schema::uuid())
        .query("contact_id", Schema::number().says("By the number of the contact."))
        .query("person_id", Schema::uuid().says("By the id of the person in the chat."))
        .answers_as(200, "The lines.", LINES, Schema::text())
        .refuses(404, "There is no such account, or no such customer of it.")
}
