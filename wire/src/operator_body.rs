//! Bodies of the operator's interface: the subject of an erasure; of channels below.

pub mod channels;

use crate::domain::id::{AccountId, ContactId, PersonId};
use crate::domain::violation::ViolationCode;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};
use switchboard_erasures::{CustomerTarget, Target};

body!(
    /// A customer is named by one field at least, an account by none of them.
    #[body(check(check_names(what)))]
    pub struct NamedTarget {
        what: What,
        account_id: AccountId,
        /// A customer, by the number of the contact.
        contact_id: Option<ContactId>,
        /// A customer, by the id of the person in the chat.
        person_id: Option<PersonId>,
    }
);

const WHAT: [(&str, What); 2] = [("customer", What::Customer), ("account", What::Account)];

body_values! {
    What: Schema::choice(&WHAT), |found| found.choice(&WHAT);
}

/// A kind of subject that can be erased on order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A customer.
    Customer,
    /// An account.
    Account,
}

fn check_names(body: &ObjectReader<'_, '_>, what: &Option<What>) {
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

impl From<NamedTarget> for Target {
    fn from(named: NamedTarget) -> Self {
        let account = named.account_id;
        match named.what {
            What::Account => Self::Account { account },
            What::Customer => Self::Customer(CustomerTarget {
                account,
                contact: named.contact_id,
                person: named.person_id,
            }),
        }
    }
}
