//! `switchboard group`: the groups of an account of a running service.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use switchboard_actors::domain::id::{AccountId, GroupId};

use crate::cli::output::CliError;
use crate::cli::resource::{Call, Verbs};
use crate::cli::table::{lines, table};

const EXAMPLES: &str = "Examples:
  switchboard group create af9945ff-1490-4cad-807d-945c15d88bec \"Support\"
  switchboard user update af9945ff-1490-4cad-807d-945c15d88bec 2 --group 2";

/// Manage the groups of users of a running service
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) enum GroupCommand {
    /// List the groups of an account with their number of users
    List {
        /// The account
        account: AccountId,
    },
    /// Create a group
    Create {
        /// The account
        account: AccountId,
        /// Its name
        name: String,
    },
    /// Update a group: its name
    Update {
        #[command(flatten)]
        which: GroupArg,
        /// Its name from now on
        name: String,
    },
    /// Delete an empty group
    Delete(GroupArg),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct GroupArg {
    /// The account
    account: AccountId,
    /// The group's number
    group: GroupId,
}

impl Verbs for GroupCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        let all = |account: &AccountId| format!("admin/v1/accounts/{account}/groups");
        let of = |which: &GroupArg| format!("{}/{}", all(&which.account), which.group);
        Ok(match self {
            Self::List { account } => Call::list(all(account), list),
            Self::Create { account, name } => {
                Call::post(all(account), json!({ "name": name }), group)
            }
            Self::Update { which, name } => Call::patch(of(which), json!({ "name": name }), group),
            Self::Delete(which) => {
                Call::delete(of(which), |_| "done: the group was deleted".to_owned())
            }
        })
    }
}

fn list(answer: &Value) -> String {
    let columns = [("ID", "id"), ("NAME", "name"), ("USERS", "users")];
    table(answer, "groups", columns, "no groups")
}

fn group(answer: &Value) -> String {
    lines(answer, [("id", "id"), ("name", "name")])
}
