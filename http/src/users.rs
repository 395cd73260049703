//! Users of an account, `/api/v4/users`: for its administrators.

pub(crate) mod add;
pub(crate) mod edit;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod switch;
pub(crate) mod view;

use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::installation::accounts::Plan;

use crate::openapi::{Field, Schema, may};
use crate::roles::rights_fields;
use crate::state::AppState;

/// Where the users are.
const PATH: &str = "/api/v4/users";

fn plan(state: &AppState, account: AccountId) -> Plan {
    state
        .system()
        .account(account)
        .map_or(Plan::Base, |account| account.settings.plan)
}

/// A password in bodies.
pub(crate) fn password_schema() -> Schema {
    Schema::text().says("At least 6 characters and at most 1,024 bytes, with a digit, a lower-case and an upper-case letter.")
}

/// The rights of a user in bodies: their own, or where they come from.
fn access_fields() -> Vec<Field> {
    let mut rights = rights_fields();
    rights.extend([
        may(
            "is_admin",
            Schema::boolean().says("The operator makes and unmakes administrators."),
        ),
        may(
            "is_free",
            Schema::boolean()
                .or_null()
                .says("Everything is denied; the other rights are ignored."),
        ),
        may(
            "role_id",
            Schema::number()
                .or_null()
                .says("A role of the account; the other rights are ignored."),
        ),
        may(
            "group_id",
            Schema::number().or_null().says("A group of the account."),
        ),
    ]);
    rights
}
