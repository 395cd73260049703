//! `switchboard webhook`: the webhooks of an account of a running service.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use switchboard_actors::domain::id::{AccountId, SubscriptionId, UserId};
use switchboard_actors::domain::webhooks::code::WebhookCode;

use super::fields::named;
use super::output::CliError;
use super::resource::{Call, Verbs};
use super::table::{lines, table};

const EXAMPLES: &str = "Examples:
  switchboard webhook create af9945ff-1490-4cad-807d-945c15d88bec \\
    http://127.0.0.1:9000/in --event add_message
  switchboard webhook hooks af9945ff-1490-4cad-807d-945c15d88bec 3";

/// Manage the webhooks of an account of a running service, and what they were sent
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(super) enum WebhookCommand {
    /// List the webhooks of an account
    List {
        /// The account
        account: AccountId,
    },
    /// Create a webhook, or replace the events of the one with this address
    Create(CreateArgs),
    /// Enable a disabled webhook
    Enable(WebhookArg),
    /// Disable a webhook until you or its program enables it
    Disable(WebhookArg),
    /// Delete a webhook
    Delete(WebhookArg),
    /// List what a webhook was sent, newest first
    Hooks(WebhookArg),
    /// Get a hook with its form and its attempts
    Hook(HookArg),
    /// Send a hook again, with the same id and the same form
    Replay(HookArg),
}

#[derive(Debug, Args)]
pub(super) struct CreateArgs {
    /// The account
    account: AccountId,
    /// The address that gets the hooks
    destination: String,
    /// An event by its code; several times for several
    #[arg(
        long = "event",
        value_name = "CODE",
        required = true,
        hide_possible_values = true
    )]
    #[arg(value_parser = PossibleValuesParser::new(WebhookCode::WORDS))]
    events: Vec<String>,
    /// The administrator in whose name it is subscribed [default: the first active one]
    #[arg(long, value_name = "USER")]
    user: Option<UserId>,
}

#[derive(Debug, Args)]
pub(super) struct HookArg {
    #[command(flatten)]
    webhook: WebhookArg,
    /// The hook's number
    hook: u64,
}

impl HookArg {
    fn path(&self) -> String {
        format!("{}/{}", self.webhook.at("hooks"), self.hook)
    }
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
            Self::Create(args) => Call::post(all(&args.account), args.body(), webhook),
            Self::Enable(which) => Call::act(which.at("enable"), webhook),
            Self::Disable(which) => Call::act(which.at("disable"), webhook),
            Self::Delete(which) => {
                Call::delete(which.path(), |_| "done: the webhook was deleted".to_owned())
            }
            Self::Hooks(which) => Call::list(which.at("hooks"), hooks),
            Self::Hook(which) => Call::get(which.path(), hook),
            Self::Replay(which) => Call::act(format!("{}/replay", which.path()), hook),
        })
    }
}

impl CreateArgs {
    fn body(&self) -> Value {
        let body = named([
            ("destination", json!(self.destination)),
            ("settings", json!(self.events)),
            ("user_id", json!(self.user)),
        ]);
        body.into()
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

fn hooks(answer: &Value) -> String {
    let columns = [
        ("ID", "id"),
        ("EVENT", "event"),
        ("STATE", "state"),
        ("ATTEMPTS", "attempts"),
        ("STATUS", "last_attempt/status"),
        ("CREATED", "created_at"),
        ("NEXT ATTEMPT", "next_attempt_at"),
    ];
    table(answer, "hooks", columns, "the webhook was sent nothing")
}

fn hook(answer: &Value) -> String {
    lines(
        answer,
        [
            ("id", "id"),
            ("event", "event"),
            ("state", "state"),
            ("attempts", "attempts"),
            ("status", "last_attempt/status"),
            ("next attempt", "next_attempt_at"),
            ("created", "created_at"),
            ("form", "form"),
        ],
    )
}
