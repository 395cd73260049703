//! `switchboard connect`: the first step of an integration, which connects an account to a channel.

use std::time::Duration;

use clap::Args;
use switchboard_actors::domain::hook_version::HookVersion;

use super::chat::ChatArgs;
use super::fields::one_of;
use super::output::{CliError, print};

const EXAMPLES: &str = "Examples:
  switchboard connect
  switchboard connect --channel $CHANNEL --account $ACCOUNT --title Telegram";

/// The time limit of the request.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Connect an account to a channel, as the integration does
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConnectArgs {
    /// The version of the callbacks
    #[arg(long, value_parser = one_of::<HookVersion>(&HookVersion::WORDS), default_value = "v2")]
    hook: HookVersion,
    /// The title of the channel in the account [default: the channel's name]
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    to: ChatArgs,
    /// Print the service's answer, one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ConnectArgs) -> Result<(), CliError> {
    let chat = args.to.chat(None, TIMEOUT)?;
    actix_web::rt::System::new().block_on(async {
        let answer = chat.connect(args.hook, args.title.as_deref()).await?;
        chat.accepted("connect", &answer, args.json).await?;
        if args.json {
            print(&answer.body.to_string())
        } else {
            print(&chat.connected(args.hook))
        }
    })
}
