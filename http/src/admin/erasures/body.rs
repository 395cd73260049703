//! What is to be erased, as a body names it.

use switchboard_actors::domain::erasures::{CustomerTarget, Target};
use switchboard_actors::domain::id::ContactId;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::wire::json;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};

use crate::openapi::{Schema, may, must};
use crate::reply::problem::Problem;

/// What can be erased on order.
const WHAT: [(&str, What); 2] = [("customer", What::Customer), ("account", What::Account)];
const FIELDS: [&str; 4] = ["what", "account_id", "contact_id", "person_id"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Customer,
    Account,
}

/// The target that a body names.
pub(super) fn target(bytes: &[u8]) -> Result<Target, Problem> {
    json::read(bytes, Nulls::Refused, |body| {
        body.refuse_unknown(&FIELDS);
        let what = body.required_choice("what", &WHAT);
        let account = body.required_parsed("account_id");
        let contact = body.optional_integer("contact_id", 1..=i64::MAX);
        let contact = contact.and_then(|number| u64::try_from(number).ok());
        let person = body.optional_parsed("person_id");
        check(body, what);
        let account = account?;
        Some(match what? {
            What::Account => Target::Account { account },
            What::Customer => Target::Customer(CustomerTarget {
                account,
                contact: contact.map(ContactId),
                person,
            }),
        })
    })
    .map_err(Problem::from)
}

/// A customer is named by one field at least, an account by none of them.
fn check(body: &ObjectReader<'_, '_>, what: Option<What>) {
    let names = ["contact_id", "person_id"];
    match what {
        Some(What::Customer) if !names.iter().any(|name| body.has(name)) => body.reject(
            "contact_id",
            ViolationCode::FieldMissing,
            "a customer is named by contact_id, by person_id, or by both".to_owned(),
        ),
        Some(What::Account) => {
            for name in names.iter().filter(|name| body.has(name)) {
                let detail = "an account is erased as a whole: leave this field out".to_owned();
                body.reject(name, ViolationCode::NotSupportedChoice, detail);
            }
        }
        Some(What::Customer) | None => {}
    }
}

pub(super) fn schema() -> Schema {
    let contact = Schema::number().says("A customer, by the number of the contact.");
    let person = Schema::uuid().says("A customer, by the id of the person in the chat.");
    Schema::object([
        must("what", Schema::choice(&WHAT)),
        must("account_id", Schema::uuid()),
        may("contact_id", contact),
        may("person_id", person),
    ])
}
