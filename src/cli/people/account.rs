//! `switchboard account`: the accounts of a running service.

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::Value;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;

use super::{lines, put, require_any_field, show, table};
use crate::cli::fields::Options;
use crate::cli::output::CommandFailure;
use crate::cli::service::{OperatorArgs, Service};
use crate::config::program::command;

const EXAMPLES: &str = "Examples:
  switchboard account create \"Flower shop\" --plan enterprise
  switchboard account set af9945ff-1490-4cad-807d-945c15d88bec --plan base";

/// Manage the accounts of a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct AccountArgs {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List accounts
    List,
    /// Show an account
    Show(Which),
    /// Create an account; generates the id if you do not give it
    Create(CreateArgs),
    /// Update an account; other settings stay
    Set(SetArgs),
}

#[derive(Debug, Args)]
struct Which {
    /// The account
    #[arg(value_name = "ACCOUNT")]
    id: AccountId,
}

#[derive(Debug, Args)]
struct CreateArgs {
    #[command(flatten)]
    settings: Options<AccountSettings, true>,
    /// Its id [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<AccountId>,
}

#[derive(Debug, Args)]
struct SetArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    settings: Options<AccountSettings, false>,
}

pub(in crate::cli) fn run(args: &AccountArgs) -> Result<(), CommandFailure> {
    let service = args.operator.service()?;
    let asked = args.action.ask(&service);
    let answer = actix_web::rt::System::new().block_on(asked)?;
    show(&answer, args.operator.json, |answer| match args.action {
        Action::List => table(
            answer,
            "accounts",
            [
                ("ID", "id"),
                ("NAME", "name"),
                ("LANG", "lang"),
                ("PLAN", "plan"),
            ],
            &format!(
                "no accounts; this makes one:  {}",
                command("account create NAME")
            ),
        ),
        Action::Show(_) | Action::Create(_) | Action::Set(_) => lines(
            answer,
            [
                ("id", "id"),
                ("name", "name"),
                ("lang", "lang"),
                ("plan", "plan"),
                ("messages today", "usage/messages_per_day/used"),
                ("of at most", "usage/messages_per_day/quota"),
                ("messages this month", "usage/messages_per_month/used"),
                ("of at most", "usage/messages_per_month/quota"),
                ("bytes stored", "usage/storage_bytes/used"),
                ("of at most", "usage/storage_bytes/quota"),
            ],
        ),
    })
}

impl Action {
    async fn ask(&self, service: &Service) -> Result<Value, CommandFailure> {
        let all = "admin/v1/accounts";
        let of = |which: &Which| format!("{all}/{}", which.id);
        let (method, path, body) = match self {
            Self::List => return service.list(all).await,
            Self::Show(which) => (Method::GET, of(which), None),
            Self::Create(args) => (Method::POST, all.to_owned(), Some(args.body())),
            Self::Set(args) => (Method::PATCH, of(&args.which), Some(args.body()?)),
        };
        service.ask(method, &path, body.as_ref()).await
    }
}

impl CreateArgs {
    fn body(&self) -> Value {
        let mut body = self.settings.body();
        put(&mut body, "id", self.id);
        Value::Object(body)
    }
}

impl SetArgs {
    fn body(&self) -> Result<Value, CommandFailure> {
        require_any_field(self.settings.body(), "account set")
    }
}
