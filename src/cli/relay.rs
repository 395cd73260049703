//! `switchboard relay`: the relays of a running service, and a try of their way in.

mod check;
mod print;

use clap::{Args, Subcommand};
use serde_json::{Map, Value};
use switchboard_actors::domain::id::ChannelId;

use super::output::CliError;
use super::page::PageArgs;
use super::resource::{Call, Verbs};
use super::service::OperatorArgs;

const RELAYS: &str = "admin/v1/relays";

const EXAMPLES: &str = "Examples:
  switchboard relay check --url https://relay.example.com
  switchboard relay list
  switchboard relay hooks CHANNEL --message 30c362b9-9201-4864-8c24-1f637b1733ed
  switchboard relay replay CHANNEL --from 1764547200 --until 1764550800";

/// Manage the relays of a running service
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(super) enum RelayCommand {
    /// List relays with their targets
    List,
    /// Get a relay with its news: shapes that this version does not know
    Get(RelayArg),
    /// Pause a relay: it takes hooks and keeps them
    Pause(RelayArg),
    /// Resume a relay
    Resume(RelayArg),
    /// List the hooks that a relay took, newest first, and the messages of the bridge that it stored
    Hooks(HooksArgs),
    /// Send hooks of a relay again: one by its message, or all of a time
    Replay(ReplayArgs),
    /// Send each relay of the configuration a signed hook and a wrong one, from where this runs; the bridge gets neither
    Check,
}

#[derive(Debug, Args)]
pub(super) struct RelayArg {
    /// The channel of the relay
    #[arg(value_name = "CHANNEL")]
    channel: ChannelId,
}

#[derive(Debug, Args)]
pub(super) struct HooksArgs {
    #[command(flatten)]
    relay: RelayArg,
    /// Only the newest about this message, by the counterpart's id
    #[arg(long, value_name = "ID")]
    message: Option<String>,
    /// Those from this Unix time on
    #[arg(long, value_name = "SECONDS")]
    from: Option<u64>,
    /// Those before this Unix time
    #[arg(long, value_name = "SECONDS")]
    until: Option<u64>,
    #[command(flatten)]
    page: PageArgs,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    #[command(flatten)]
    relay: RelayArg,
    /// The newest about this message, by the counterpart's id
    #[arg(long, value_name = "ID", conflicts_with_all = ["from", "until"])]
    message: Option<String>,
    /// All from this Unix time on
    #[arg(long, value_name = "SECONDS", requires = "until")]
    from: Option<u64>,
    /// All before this Unix time
    #[arg(long, value_name = "SECONDS", requires = "from")]
    until: Option<u64>,
    /// To this target: 0 is the bridge, 1 the first of the copies, 65 the counterpart
    #[arg(long, value_name = "PLACE", default_value_t = 0)]
    target: u8,
}

impl RelayArg {
    fn path(&self) -> String {
        format!("{RELAYS}/{}", self.channel)
    }
}

impl Verbs for RelayCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        Ok(match self {
            Self::List | Self::Check => Call::list(RELAYS, print::relays),
            Self::Get(which) => Call::get(which.path(), print::detail),
            Self::Pause(which) => Call::act(format!("{}/pause", which.path()), print::relay),
            Self::Resume(which) => Call::act(format!("{}/resume", which.path()), print::relay),
            Self::Hooks(args) => Call::get(args.path(), print::hooks),
            Self::Replay(args) => {
                let path = format!("{}/replay", args.relay.path());
                Call::post(path, args.body(), print::replayed)
            }
        })
    }

    fn alone(&self, operator: &OperatorArgs) -> Option<Result<(), CliError>> {
        matches!(self, Self::Check).then(|| check::run(operator))
    }
}

impl HooksArgs {
    fn path(&self) -> String {
        let time = |at: Option<u64>| at.map(|at| at.to_string());
        let parameters = [
            ("message_id", self.message.clone()),
            ("from", time(self.from)),
            ("until", time(self.until)),
        ];
        let given = parameters
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        self.page
            .path(&format!("{}/hooks", self.relay.path()), given)
    }
}

impl ReplayArgs {
    fn body(&self) -> Value {
        let mut body = Map::new();
        if let Some(message) = &self.message {
            body.insert("message_id".to_owned(), message.as_str().into());
        }
        for (name, at) in [("from", self.from), ("until", self.until)] {
            if let Some(at) = at {
                body.insert(name.to_owned(), at.into());
            }
        }
        body.insert("target".to_owned(), self.target.into());
        Value::Object(body)
    }
}
