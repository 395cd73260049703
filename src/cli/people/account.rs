//! `switchboard account`: the accounts of a running service.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;

use crate::cli::fields::Options;
use crate::cli::output::CliError;
use crate::cli::resource::{Call, Verbs};
use crate::cli::table::{lines, table};
use crate::config::program::command;

const ACCOUNTS: &str = "admin/v1/accounts";

const EXAMPLES: &str = "Examples:
  switchboard account create \"Flower shop\" --plan enterprise
  switchboard account update af9945ff-1490-4cad-807d-945c15d88bec --plan base";

/// Manage the accounts of a running service
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) enum AccountCommand {
    /// List accounts
    List,
    /// Get an account
    Get(AccountArg),
    /// Create an account; generates the id if you do not give it
    Create(CreateArgs),
    /// Update an account; other settings stay
    Update(UpdateArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct AccountArg {
    /// The account
    #[arg(value_name = "ACCOUNT")]
    id: AccountId,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CreateArgs {
    #[command(flatten)]
    settings: Options<AccountSettings, true>,
    /// Its id [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<AccountId>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct UpdateArgs {
    #[command(flatten)]
    which: AccountArg,
    #[command(flatten)]
    settings: Options<AccountSettings, false>,
}

impl Verbs for AccountCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        Ok(match self {
            Self::List => Call::list(ACCOUNTS, list),
            Self::Get(which) => Call::get(which.path(), account),
            Self::Create(args) => {
                let body = args.settings.body([("id", json!(args.id))]);
                Call::post(ACCOUNTS, body, account)
            }
            Self::Update(args) => {
                let body = args.settings.change("account update")?;
                Call::patch(args.which.path(), body, account)
            }
        })
    }
}

impl AccountArg {
    fn path(&self) -> String {
        format!("{ACCOUNTS}/{}", self.id)
    }
}

/// All accounts, one line each.
fn list(answer: &Value) -> String {
    let columns = [
        ("ID", "id"),
        ("NAME", "name"),
        ("LANG", "lang"),
        ("PLAN", "plan"),
    ];
    let make = command("account create NAME");
    let none = format!("no accounts; this makes one:  {make}");
    table(answer, "accounts", columns, &none)
}

/// One account with what it uses.
fn account(answer: &Value) -> String {
    lines(
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
            ("of bots this month", "usage/bot_messages_per_month/used"),
            ("of at most", "usage/bot_messages_per_month/quota"),
            ("bytes stored", "usage/storage_bytes/used"),
            ("of at most", "usage/storage_bytes/quota"),
        ],
    )
}
