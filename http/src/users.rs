//! Users of an account, `/api/v4/users`: for its administrators.

pub(crate) mod activate;
pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod update;
pub(crate) mod view;

use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::installation::accounts::Plan;

use crate::state::AppState;

/// The address of the users.
const PATH: &str = "/api/v4/users";

fn plan(state: &AppState, account: AccountId) -> Plan {
    state
        .system()
        .account(account)
        .map_or(Plan::Base, |account| account.settings.plan)
}
