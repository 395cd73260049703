//! `switchboard group`: the groups of an account of a running service.

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Map, Value};
use switchboard_actors::domain::id::{AccountId, GroupId};

use super::{lines, put, show, table};
use crate::cli::output::CommandFailure;
use crate::cli::service::{OperatorArgs, Service};

const EXAMPLES: &str = "Examples:
  switchboard group create af9945ff-1490-4cad-807d-945c15d88bec \"Support\"
  switchboard user set af9945ff-1490-4cad-807d-945c15d88bec 2 --group 2";

/// Manage the groups of users of a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct GroupArgs {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum Action {
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
    /// Rename a group
    Rename {
        #[command(flatten)]
        which: Which,
        /// Its name from now on
        name: String,
    },
    /// Delete an empty group
    Delete(Which),
}

#[derive(Debug, Args)]
struct Which {
    /// The account
    account: AccountId,
    /// The group's number
    group: GroupId,
}

pub(in crate::cli) fn run(args: &GroupArgs) -> Result<(), CommandFailure> {
    let service = args.operator.service()?;
    let asked = args.action.ask(&service);
    let answer = actix_web::rt::System::new().block_on(asked)?;
    show(&answer, args.operator.json, |answer| match args.action {
        Action::List { .. } => {
            let columns = [("ID", "id"), ("NAME", "name"), ("USERS", "users")];
            table(answer, "groups", columns, "no groups")
        }
        Action::Delete(_) => "done: the group was deleted".to_owned(),
        Action::Create { .. } | Action::Rename { .. } => {
            lines(answer, [("id", "id"), ("name", "name")])
        }
    })
}

impl Action {
    async fn ask(&self, service: &Service) -> Result<Value, CommandFailure> {
        let all = |account: &AccountId| format!("admin/v1/accounts/{account}/groups");
        let of = |which: &Which| format!("{}/{}", all(&which.account), which.group);
        let (method, path, body) = match self {
            Self::List { account } => return service.list(&all(account)).await,
            Self::Create { account, name } => (Method::POST, all(account), Some(called(name))),
            Self::Rename { which, name } => (Method::PATCH, of(which), Some(called(name))),
            Self::Delete(which) => (Method::DELETE, of(which), None),
        };
        service.ask(method, &path, body.as_ref()).await
    }
}

fn called(name: &str) -> Value {
    let mut body = Map::new();
    put(&mut body, "name", Some(name));
    Value::Object(body)
}
