//! `switchboard send`: a customer writes, through the public interface and signed as it must be.

mod event;

use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use jiff::Timestamp;
use reqwest::StatusCode;
use serde_json::Value;
use switchboard_actors::domain::hook_version::HookVersion;

use self::event::{MessageArgs, new_message};
use super::chat::{As, Chat, ChatArgs};
use super::fields::one_of;
use super::output::{CliError, print, say};
use super::web::unreachable;

const EXAMPLES: &str = "Examples:
  switchboard send --from Clara \"Is it in stock?\"
  switchboard send --type picture --media https://example.com/cat.png --silent";

/// The time limit of one request.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Send a customer's message to a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SendArgs {
    #[command(flatten)]
    message: MessageArgs,
    /// Connect the account again with this callback version and the channel's name as its title [default: connect
    /// with v2, only if the account is not connected]
    #[arg(long, value_parser = one_of::<HookVersion>(&HookVersion::WORDS), conflicts_with = "no_connect")]
    hook: Option<HookVersion>,
    /// Do not connect the account
    #[arg(long)]
    no_connect: bool,
    #[command(flatten)]
    to: ChatArgs,
    /// Print the service's answer, one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &SendArgs) -> Result<(), CliError> {
    let chat = args.to.chat(None, TIMEOUT)?;
    let event = new_message(&args.message, Timestamp::now())?;
    actix_web::rt::System::new().block_on(send(args, &chat, &event))
}

async fn send(args: &SendArgs, chat: &Chat, event: &Value) -> Result<(), CliError> {
    // What is signed is what is sent: the bytes are made once.
    let body = Bytes::from(event.to_string());
    let post = async || {
        let answer = chat.send(&body, As::Either).await;
        answer.map_err(|error| unreachable(chat.url(), &error))
    };
    if let Some(hook) = args.hook {
        connect(chat, hook, args.json).await?;
    }
    let mut answer = post().await?;
    if answer.status == StatusCode::NOT_FOUND && args.hook.is_none() && !args.no_connect {
        connect(chat, HookVersion::V2, args.json).await?;
        answer = post().await?;
    }
    chat.accepted("send", &answer, args.json).await?;
    if args.json {
        return print(&answer.body.to_string());
    }
    let id = |key| {
        let id = answer.body.pointer(&format!("/new_message/{key}"));
        id.and_then(Value::as_str).unwrap_or("?").to_owned()
    };
    let client_id = event
        .pointer("/payload/conversation_id")
        .and_then(Value::as_str)
        .unwrap_or("?");
    print(&format!(
        "accepted: message {} in conversation {} ({client_id})",
        id("msgid"),
        id("conversation_id")
    ))
}

async fn connect(chat: &Chat, hook: HookVersion, json: bool) -> Result<(), CliError> {
    let answer = chat.connect(hook, None).await?;
    chat.accepted("connect", &answer, json).await?;
    say(&chat.connected(hook));
    Ok(())
}
