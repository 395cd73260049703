//! `switchboard reply`: an account user answers, and the answer leaves as a signed callback.

use clap::Args;
use reqwest::Method;
use serde_json::{Value, json};

use super::conversation::find;
use super::output::{CliError, print};
use super::service::{AccountUserArgs, Service};
use crate::config::program::command;

const EXAMPLES: &str = "Examples:
  switchboard reply \"Yes, it is in stock\"
  switchboard reply --conversation c-clara \"On its way\"
  switchboard reply --conversation 30c362b9-9201-4864-8c24-1f637b1733ed \"On its way\"";

/// Send a reply as an account user of a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReplyArgs {
    /// The text of the reply
    #[arg(value_name = "TEXT", required = true)]
    text: Vec<String>,
    /// The conversation, by the service's id or the integration's [default: the one with the newest activity]
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    #[command(flatten)]
    user: AccountUserArgs,
}

pub(super) fn run(args: &ReplyArgs) -> Result<(), CliError> {
    let service = args.user.service()?;
    actix_web::rt::System::new().block_on(reply(args, &service))
}

async fn reply(args: &ReplyArgs, service: &Service) -> Result<(), CliError> {
    let conversation = match &args.conversation {
        Some(named) => find(service, named).await?.to_string(),
        None => newest(args, service).await?,
    };
    let path = format!("inbox/v1/conversations/{conversation}/messages");
    let body = json!({ "type": "text", "text": args.text.join(" ") });
    let answer = service.ask(Method::POST, &path, Some(&body)).await?;
    if args.user.json {
        return print(&answer.to_string());
    }
    let id = answer.get("id").and_then(Value::as_str).unwrap_or("?");
    print(&format!(
        "queued: message {id} in conversation {conversation}"
    ))
}

/// The conversation with the newest activity.
async fn newest(args: &ReplyArgs, service: &Service) -> Result<String, CliError> {
    let path = "inbox/v1/conversations?limit=1";
    let answer = service.ask(Method::GET, path, None).await?;
    let id = answer
        .pointer("/conversations/0/id")
        .and_then(Value::as_str);
    id.map(str::to_owned)
        .ok_or_else(|| CliError::Failed(nothing_to_answer(args)))
}

/// There is no conversation: what to do about it. `send` needs a channel and an account in the configuration.
fn nothing_to_answer(args: &ReplyArgs) -> String {
    let settings = args.user.settings().ok().flatten();
    let can_send = settings.is_some_and(|it| !it.channels.is_empty() && !it.accounts.is_empty());
    let words = if can_send {
        "send \"Hello\""
    } else {
        "send --help"
    };
    format!(
        "there is no conversation to answer in\n  help: let a customer write first:  {}",
        command(words)
    )
}
