//! `switchboard reply`: an account user answers, and the answer leaves as a signed callback.

use clap::Args;
use reqwest::Method;
use serde_json::{Value, json};
use switchboard_actors::domain::id::ConversationId;

use super::key::ConfigArgs;
use super::output::{CommandFailure, print};
use super::service::Service;
use super::url::{UrlArgs, no_default};
use crate::config::program::command;
use crate::config::values::Secret;

const EXAMPLES: &str = "Examples:
  switchboard reply \"Yes, it is in stock\"
  switchboard reply --conversation 30c362b9-9201-4864-8c24-1f637b1733ed \"On its way\"";

/// Send a reply as an account user of a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReplyArgs {
    /// The text of the reply
    #[arg(value_name = "TEXT", required = true)]
    text: Vec<String>,
    /// The conversation, by the service's id [default: the one with the newest activity]
    #[arg(long, value_name = "ID")]
    conversation: Option<ConversationId>,
    #[command(flatten)]
    url: UrlArgs,
    /// The user's bearer token [default: that of the first configured user who has one]
    #[arg(
        long,
        value_name = "TOKEN",
        env = "SWITCHBOARD_TOKEN",
        hide_env_values = true
    )]
    token: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
    /// Print the service's answer, one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ReplyArgs) -> Result<(), CommandFailure> {
    let service = service(args)?;
    actix_web::rt::System::new().block_on(reply(args, &service))
}

async fn reply(args: &ReplyArgs, service: &Service) -> Result<(), CommandFailure> {
    let conversation = match args.conversation {
        Some(conversation) => conversation.to_string(),
        None => newest(service).await?,
    };
    let path = format!("inbox/v1/conversations/{conversation}/messages");
    let body = json!({ "type": "text", "text": args.text.join(" ") });
    let answer = service.ask(Method::POST, &path, Some(&body)).await?;
    if args.json {
        return print(&answer.to_string());
    }
    let id = answer.get("id").and_then(Value::as_str).unwrap_or("?");
    print(&format!(
        "queued: message {id} in conversation {conversation}"
    ))
}

/// The conversation with the newest activity.
async fn newest(service: &Service) -> Result<String, CommandFailure> {
    let path = "inbox/v1/conversations?limit=1";
    let answer = service.ask(Method::GET, path, None).await?;
    let id = answer
        .pointer("/conversations/0/id")
        .and_then(Value::as_str);
    id.map(str::to_owned).ok_or_else(|| {
        CommandFailure::Failed(format!(
            "there is no conversation to answer in\n  help: let a customer write first:  {}",
            command("send \"Hello\"")
        ))
    })
}

fn service(args: &ReplyArgs) -> Result<Service, CommandFailure> {
    let given = args.url.given().is_some() && args.token.is_some();
    let settings = if given { None } else { args.config.settings()? };
    let settings = settings.as_ref();
    let users = settings
        .into_iter()
        .flat_map(|settings| &settings.accounts)
        .flat_map(|account| &account.users);
    let token = args
        .token
        .as_ref()
        .map(Secret::new)
        .or_else(|| users.clone().find_map(|user| user.token.clone()));
    let url = args.url.or_configured(settings)?;
    let token = token.ok_or_else(|| no_default("no user to answer as", "--token"))?;
    Service::new(url, token)
}
