//! `switchboard delivery`: what became of callbacks of a running service, and what the operator does about it.

mod print;

use clap::{Args, Subcommand, ValueEnum};
use reqwest::Method;
use serde_json::{Map, Value, json};
use switchboard_actors::domain::id::{ChannelId, ConversationId, MessageId, ScopeId};

use super::output::{CommandFailure, print};
use super::page::PageArgs;
use super::service::{OperatorArgs, Service};
use crate::config::program::command;

const EXAMPLES: &str = "Examples:
  switchboard delivery list
  switchboard delivery list --group failed
  switchboard delivery replay 30c362b9-9201-4864-8c24-1f637b1733ed
  switchboard delivery replay --state dead --channel f90ba33d-c9d9-44da-b76c-c349b0ecbe41";

/// Manage the callbacks of a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DeliveryArgs {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List recent and undelivered callbacks, newest first
    List(ListArgs),
    /// Show a callback with its attempts
    Show(Which),
    /// Replay a callback, or all dead or cancelled callbacks that match a filter
    Replay(ReplayArgs),
    /// List replay jobs with their progress
    Replays,
    /// Cancel a replay job; callbacks that it queued stay queued
    CancelReplay(WhichReplay),
    /// Discard a callback
    Discard(Which),
    /// List endpoints with their health
    Endpoints,
    /// Enable a disabled endpoint
    Enable(EnableArgs),
}

#[derive(Debug, Args)]
struct Which {
    /// The callback: the id of its message, as `webhook-id` has it
    #[arg(value_name = "MESSAGE")]
    id: MessageId,
}

#[derive(Debug, Args)]
struct WhichReplay {
    /// The number of the replay
    #[arg(value_name = "REPLAY")]
    number: u64,
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Only those in this state
    #[arg(long, value_enum)]
    state: Option<State>,
    /// Only those in one of several states: waiting is queued, sending, waiting or held; failed is dead or cancelled
    #[arg(long, value_enum)]
    group: Option<Group>,
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    page: PageArgs,
}

#[derive(Debug, Args)]
struct ReplayArgs {
    /// The callback: the id of its message, as `webhook-id` has it
    #[arg(value_name = "MESSAGE", conflicts_with_all = ["state", "channel", "scope", "conversation"])]
    id: Option<MessageId>,
    /// All in this state
    #[arg(long, value_enum)]
    state: Option<Fate>,
    #[command(flatten)]
    of: Of,
}

#[derive(Debug, Args)]
struct Of {
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
struct EnableArgs {
    /// The channel
    #[arg(value_name = "CHANNEL")]
    channel: ChannelId,
    /// The version of the callbacks
    #[arg(value_enum)]
    version: Version,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum State {
    Queued,
    Sending,
    Waiting,
    Held,
    Delivered,
    Dead,
    Cancelled,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Group {
    All,
    Waiting,
    Failed,
    Delivered,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Fate {
    Dead,
    Cancelled,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Version {
    V1,
    V2,
}

const REPLAYS: &str = "admin/v1/replays";
const ENDPOINTS: &str = "admin/v1/endpoints";

pub(super) fn run(args: &DeliveryArgs) -> Result<(), CommandFailure> {
    let service = args.operator.service()?;
    actix_web::rt::System::new().block_on(args.action.act(&service, args.operator.json))
}

impl Action {
    async fn act(&self, service: &Service, json: bool) -> Result<(), CommandFailure> {
        let is_list = matches!(self, Self::Replays | Self::Endpoints);
        let (method, path, body) = self.request()?;
        let answer = if is_list {
            service.list(&path).await?
        } else {
            service.ask(method, &path, body.as_ref()).await?
        };
        if json {
            return print(&answer.to_string());
        }
        print(&self.confirmation(&answer))
    }

    fn request(&self) -> Result<(Method, String, Option<Value>), CommandFailure> {
        let all = "admin/v1/deliveries";
        let act = |path: String| (Method::POST, path, Some(json!({})));
        Ok(match self {
            Self::List(args) => (Method::GET, args.path(), None),
            Self::Show(which) => (Method::GET, format!("{all}/{}", which.id), None),
            Self::Replay(args) => match args.id {
                Some(id) => act(format!("{all}/{id}/replay")),
                None => (Method::POST, REPLAYS.to_owned(), Some(args.body()?)),
            },
            Self::Replays => (Method::GET, REPLAYS.to_owned(), None),
            Self::CancelReplay(which) => act(format!("{REPLAYS}/{}/cancel", which.number)),
            Self::Discard(which) => act(format!("{all}/{}/discard", which.id)),
            Self::Endpoints => (Method::GET, ENDPOINTS.to_owned(), None),
            Self::Enable(args) => {
                let version = name(args.version);
                act(format!("{ENDPOINTS}/{}/{version}/enable", args.channel))
            }
        })
    }

    fn confirmation(&self, answer: &Value) -> String {
        match self {
            Self::List(_) => print::table(answer),
            Self::Show(_) | Self::Discard(_) => print::delivery(answer),
            Self::Replay(args) if args.id.is_some() => print::delivery(answer),
            Self::Replay(_) | Self::CancelReplay(_) => print::replay(answer),
            Self::Replays => print::replays(answer),
            Self::Endpoints => print::endpoints(answer),
            Self::Enable(_) => "enabled: it is tried again now".to_owned(),
        }
    }
}

impl ListArgs {
    fn path(&self) -> String {
        let state = self.state.map(|it| ("state", name(it)));
        let group = self.group.map(|it| ("group", name(it)));
        let parameters = state.into_iter().chain(group).chain(self.of.named());
        self.page.path("admin/v1/deliveries", parameters)
    }
}

impl ReplayArgs {
    fn body(&self) -> Result<Value, CommandFailure> {
        let named = self.of.named().into_iter();
        let mut body: Map<String, Value> = named
            .map(|(key, value)| (key.to_owned(), json!(value)))
            .collect();
        if let Some(state) = self.state {
            body.insert("state".to_owned(), json!(name(state)));
        }
        if body.is_empty() {
            return Err(CommandFailure::Usage(format!(
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

/// The word that stands for a value.
fn name(value: impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}
