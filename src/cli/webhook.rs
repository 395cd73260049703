//! `switchboard webhook`: the webhooks of an account of a running service.

use clap::{Args, Subcommand};
use serde_json::Value;
use switchboard_actors::domain::id::{AccountId, SubscriptionId};

use super::output::CliError;
use super::resource::{Call, Verbs};
use super::table::{lines, table};

const EXAMPLES: &str = "Examples:
  switchboard webhook list af9945ff-1490-4cad-807d-945c15d88bec
  switchboard webhook enable af9945ff-1490-4cad-807d-945c15d88bec 3";

/// Manage the webhooks that programs subscribed in an account of a running service
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(super) enum WebhookCommand {
    /// List the webhooks of an account
    List {
        /// The account
        account: AccountId,
    },
    /// Enable a disabled webhook
    Enable(WebhookArg),
    /// Disable a webhook until you or its program enables it
    Disable(WebhookArg),
    /// Delete a webhook
    Delete(WebhookArg),
}

#[derive(Debug, Args)]
pub(super) struct WebhookArg {
    /// The account
    account: AccountId,
    /// The webhook's number
    webhook: SubscriptionId,
}

impl WebhookArg {
    fn path(&self) -> String {
        format!("{}/{}", all(&self.account), self.webhook)
    }

    fn at(&self, verb: &str) -> String {
        format!("{}/{verb}", self.path())
    }
}

fn all(account: &AccountId) -> String {
    format!("admin/v1/accounts/{account}/webhooks")
}

impl Verbs for WebhookCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        Ok(match self {
            Self::List { account } => Call::list(all(account), list),
            Self::Enable(which) => Call::act(which.at("enable"), webhook),
            Self::Disable(which) => Call::act(which.at("disable"), webhook),
            Self::Delete(which) => {
                Call::delete(which.path(), |_| "done: the webhook was deleted".to_owned())
            }
        })
    }
}

fn list(answer: &Value) -> String {
    let columns = [
        ("ID", "id"),
        ("DESTINATION", "destination"),
        ("DISABLED", "disabled_at"),
        ("BY", "disabled_by"),
        ("USER", "created_by"),
        ("CLIENT", "client_id"),
        ("EVENTS", "settings"),
    ];
    table(answer, "webhooks", columns, "the account has no webhooks")
}

fn webhook(answer: &Value) -> String {
    lines(
        answer,
        [
            ("id", "id"),
            ("destination", "destination"),
            ("events", "settings"),
            ("never sent", "never_sent"),
            ("disabled", "disabled_at"),
            ("disabled by", "disabled_by"),
            ("user", "created_by"),
            ("client", "client_id"),
        ],
    )
}
