//! `switchboard delivery`: what became of callbacks of a running service, and what the operator does about it.

mod print;

use clap::{Args, Subcommand};
use serde_json::{Map, Value};
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{ChannelId, ConversationId, MessageId, ScopeId};

use super::fields::one_of;
use super::output::CliError;
use super::page::PageArgs;
use super::resource::{Call, Verbs};
use crate::config::program::command;

const DELIVERIES: &str = "admin/v1/deliveries";
const REPLAYS: &str = "admin/v1/replays";
const ENDPOINTS: &str = "admin/v1/endpoints";
/// The states of a callback.
const STATES: [&str; 7] = [
    "queued",
    "sending",
    "waiting",
    "held",
    "delivered",
    "dead",
    "cancelled",
];
/// The groups of states.
const GROUPS: [&str; 4] = ["all", "waiting", "failed", "delivered"];

const EXAMPLES: &str = "Examples:
  switchboard delivery list
  switchboard delivery list --group failed
  switchboard delivery replay 30c362b9-9201-4864-8c24-1f637b1733ed
  switchboard delivery replay --state dead --channel f90ba33d-c9d9-44da-b76c-c349b0ecbe41";

/// Manage the callbacks of a running service
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(super) enum DeliveryCommand {
    /// List recent and undelivered callbacks, newest first
    List(ListArgs),
    /// Get a callback with its attempts
    Get(DeliveryArg),
    /// Replay a callback, or all dead or cancelled callbacks that match a filter
    Replay(ReplayArgs),
    /// List replay jobs with their progress
    Replays,
    /// Cancel a replay job; callbacks that it queued stay queued
    CancelReplay(WhichReplay),
    /// Discard a callback
    Discard(DeliveryArg),
    /// List endpoints with their health
    Endpoints,
    /// Enable a disabled endpoint
    Enable(EnableArgs),
}

#[derive(Debug, Args)]
pub(super) struct DeliveryArg {
    /// The callback: the id of its message, as `webhook-id` has it
    #[arg(value_name = "MESSAGE")]
    id: MessageId,
}

#[derive(Debug, Args)]
pub(super) struct WhichReplay {
    /// The number of the replay
    #[arg(value_name = "REPLAY")]
    number: u64,
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Only those in this state
    #[arg(long, value_parser = STATES)]
    state: Option<String>,
    /// Only those in one of several states: waiting is queued, sending, waiting or held; failed is dead or cancelled
    #[arg(long, value_parser = GROUPS)]
    group: Option<String>,
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    page: PageArgs,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// The callback: the id of its message, as `webhook-id` has it
    #[arg(value_name = "MESSAGE", conflicts_with_all = ["state", "channel", "scope", "conversation"])]
    id: Option<MessageId>,
    /// All in this state
    #[arg(long, value_parser = ["dead", "cancelled"])]
    state: Option<String>,
    #[command(flatten)]
    of: Of,
}

#[derive(Debug, Args)]
pub(super) struct Of {
    /// Of this channel
    #[arg(long, value_name = "ID")]
    channel: Option<ChannelId>,
    /// Of this scope
    #[arg(long, value_name = "ID")]
    scope: Option<ScopeId>,
    /// Of this conversation, by the service's id
    #[arg(long, value_name = "ID")]
    conversation: Option<ConversationId>,
}

#[derive(Debug, Args)]
pub(super) struct EnableArgs {
    /// The channel
    #[arg(value_name = "CHANNEL")]
    channel: ChannelId,
    /// The version of the callbacks
    #[arg(value_parser = one_of::<HookVersion>(&HookVersion::WORDS))]
    version: HookVersion,
}

impl Verbs for DeliveryCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        let one = print::delivery;
        Ok(match self {
            Self::List(args) => Call::get(args.path(), print::table),
            Self::Get(which) => Call::get(path(which.id), one),
            Self::Replay(args) => match args.id {
                Some(id) => Call::act(format!("{}/replay", path(id)), one),
                None => Call::post(REPLAYS, args.body()?, print::replay),
            },
            Self::Replays => Call::list(REPLAYS, print::replays),
            Self::CancelReplay(which) => {
                Call::act(format!("{REPLAYS}/{}/cancel", which.number), print::replay)
            }
            Self::Discard(which) => Call::act(format!("{}/discard", path(which.id)), one),
            Self::Endpoints => Call::list(ENDPOINTS, print::endpoints),
            Self::Enable(args) => {
                let version = args.version.as_str();
                let path = format!("{ENDPOINTS}/{}/{version}/enable", args.channel);
                Call::act(path, |_| "enabled: it is tried again now".to_owned())
            }
        })
    }
}

/// The path of a callback.
fn path(id: MessageId) -> String {
    format!("{DELIVERIES}/{id}")
}

impl ListArgs {
    fn path(&self) -> String {
        let state = self.state.clone().map(|it| ("state", it));
        let group = self.group.clone().map(|it| ("group", it));
        let parameters = state.into_iter().chain(group).chain(self.of.named());
        self.page.path(DELIVERIES, parameters)
    }
}

impl ReplayArgs {
    fn body(&self) -> Result<Value, CliError> {
        let state = self.state.clone().map(|it| ("state", it));
        let filter = self.of.named().into_iter().chain(state);
        let body: Map<String, Value> = filter
            .map(|(key, value)| (key.to_owned(), value.into()))
            .collect();
        if body.is_empty() {
            return Err(CliError::Usage(format!(
                "nothing to replay\n  help: name a message, or give a filter, as in  {}",
                command("delivery replay --state dead")
            )));
        }
        Ok(Value::Object(body))
    }
}

impl Of {
    fn named(&self) -> Vec<(&'static str, String)> {
        let channel = self
            .channel
            .as_ref()
            .map(|id| ("channel_id", id.to_string()));
        let scope = self.scope.as_ref().map(|id| ("scope_id", id.to_string()));
        let conversation = self
            .conversation
            .map(|id| ("conversation_id", id.to_string()));
        [channel, scope, conversation]
            .into_iter()
            .flatten()
            .collect()
    }
}
