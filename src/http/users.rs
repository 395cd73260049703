//! Users of an account, `/api/v4/users`: for its administrators.

pub(crate) mod activate;
pub(crate) mod add;
pub(crate) mod deactivate;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod view;

use switchboard_actors::Caller;
use switchboard_actors::domain::account::users::switch::SwitchUsersRejection;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::installation::accounts::Plan;
use switchboard_actors::error::Refused;
use switchboard_actors::wire::account_body::user_ids;

use crate::http::openapi::{Schema, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// Where the users are.
const PATH: &str = "/api/v4/users";

fn plan(state: &AppState, account: AccountId) -> Plan {
    state
        .system()
        .account(account)
        .map_or(Plan::Base, |account| account.plan)
}

/// Interface B: «available only on the Enterprise plan».
fn switching_is_available(state: &AppState, account: AccountId) -> Result<(), Problem> {
    match plan(state, account) {
        Plan::Enterprise => Ok(()),
        Plan::Base => Err(Problem::Forbidden(
            "users are activated and deactivated on the Enterprise plan only".to_owned(),
        )),
    }
}

async fn switch(
    state: &AppState,
    caller: &Caller,
    body: &[u8],
    active: bool,
) -> Result<(), Problem> {
    let users = user_ids::parse(body)?;
    let switched = state
        .system()
        .switch_users(caller.account, caller.into(), users, active)
        .await;
    switched.map_err(|refused: Refused<SwitchUsersRejection>| match refused {
        Refused::Rejected(rejection) => Problem::BadRequest(rejection.to_string()),
        Refused::Unavailable(unavailable) => unavailable.into(),
    })
}

/// The body that names users.
fn ids() -> Schema {
    let id = Schema::object([must("id", Schema::number())]).open();
    Schema::few(id, 1, 10)
}
