//! `switchboard send`: a customer writes, through the public interface and signed as it must be.

mod event;

use std::time::Duration;

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use switchboard_actors::domain::id::{AccountId, ChannelId, ScopeId};
use switchboard_actors::domain::signature::{ChannelSecret, HEADER, sign_body};
use url::Url;

use self::event::{MessageArgs, new_message};
use super::key::KeyArgs;
use super::output::{Failure, print, say};
use super::web::{causes, client};

const EXAMPLES: &str = "Examples:
  switchboard send --from Ada \"Is it in stock?\"
  switchboard send --type picture --media https://example.com/cat.png --silent";

/// An answer of the chat interface is small; anything longer is not one.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Send a customer's message to a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SendArgs {
    #[command(flatten)]
    message: MessageArgs,
    /// Which callback version to connect the account with
    #[arg(long, value_enum, default_value_t = Hook::V2)]
    hook: Hook,
    /// Do not connect the account first
    #[arg(long)]
    no_connect: bool,
    /// The service [default: the configured one]
    #[arg(long, value_name = "URL")]
    url: Option<Url>,
    /// The account that receives the message [default: the first of the configuration]
    #[arg(long, value_name = "ID")]
    account: Option<AccountId>,
    #[command(flatten)]
    key: KeyArgs,
    /// Print the service's answer, one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Hook {
    V1,
    V2,
}

/// Where the message goes, and who signs it.
struct Target {
    url: Url,
    channel: ChannelId,
    account: AccountId,
    secret: ChannelSecret,
}

pub(super) fn run(args: &SendArgs) -> Result<(), Failure> {
    let target = target(args)?;
    let now = Timestamp::now();
    let event = new_message(&args.message, now)?;
    actix_web::rt::System::new().block_on(send(args, &target, &event))
}

async fn send(args: &SendArgs, target: &Target, event: &Value) -> Result<(), Failure> {
    let client = client(Duration::from_secs(15))?;
    let base = format!("v2/origin/custom/{}", target.channel);
    if !args.no_connect {
        let version = match args.hook {
            Hook::V1 => "v1",
            Hook::V2 => "v2",
        };
        let body = json!({ "account_id": target.account, "hook_api_version": version });
        let answer = post(&client, target, &format!("{base}/connect"), &body).await?;
        answer.accepted("connect", args.json)?;
    }
    let scope = ScopeId::new(target.channel.clone(), target.account);
    let answer = post(&client, target, &format!("v2/origin/custom/{scope}"), event).await?;
    answer.accepted("send", args.json)?;
    if args.json {
        return print(&answer.body.to_string());
    }
    let id = |key| {
        let id = answer.body.pointer(&format!("/new_message/{key}"));
        id.and_then(Value::as_str).unwrap_or("?").to_owned()
    };
    let said = event
        .pointer("/payload/conversation_id")
        .and_then(Value::as_str)
        .unwrap_or("?");
    print(&format!(
        "accepted: message {} in conversation {} ({said})",
        id("msgid"),
        id("conversation_id")
    ))
}

/// What the service answered.
struct Answer {
    status: reqwest::StatusCode,
    body: Value,
}

impl Answer {
    /// Whether it is a yes; a no is told in the service's own words.
    fn accepted(&self, step: &str, json: bool) -> Result<(), Failure> {
        if self.status.is_success() {
            return Ok(());
        }
        if json {
            print(&self.body.to_string())?;
        }
        let word = |key| self.body.get(key).and_then(Value::as_str);
        let mut told = format!("error: {step} was answered {}", self.status.as_u16());
        for part in [word("error_type"), word("error_description")]
            .into_iter()
            .flatten()
        {
            told.push_str(": ");
            told.push_str(part);
        }
        for wrong in self
            .body
            .get("errors")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let part = |key| wrong.get(key).and_then(Value::as_str).unwrap_or_default();
            told.push_str(&format!(
                "\n  {} ({}): {}",
                part("path"),
                part("code"),
                part("detail")
            ));
        }
        if let Some(hint) = word("hint") {
            told.push_str("\n  hint: ");
            told.push_str(hint);
        }
        if let Value::String(text) = &self.body {
            told.push_str(": ");
            told.push_str(text);
        }
        say(&told);
        Err(Failure::Told)
    }
}

async fn post(
    client: &Client,
    target: &Target,
    path: &str,
    body: &Value,
) -> Result<Answer, Failure> {
    let url = target
        .url
        .join(path)
        .map_err(|error| Failure::Usage(format!("--url cannot be joined with a path: {error}")))?;
    // What is signed is what is sent: the bytes are made once.
    let body = body.to_string();
    let unreachable = |error: reqwest::Error| {
        Failure::failed(&format!("cannot reach {}", target.url), causes(&error))
    };
    let mut response = client
        .request(Method::POST, url)
        .header("Content-Type", "application/json")
        .header(
            HEADER,
            sign_body(&target.secret, body.as_bytes()).to_string(),
        )
        .body(body)
        .send()
        .await
        .map_err(unreachable)?;
    let status = response.status();
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(Failure::Failed(format!(
                "{} answered with more than 1 MiB",
                target.url
            )));
        }
        bytes.extend_from_slice(&chunk);
    }
    let body = serde_json::from_slice(&bytes)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
    Ok(Answer { status, body })
}

/// Takes from the flags what they give, and the rest from the configuration.
fn target(args: &SendArgs) -> Result<Target, Failure> {
    let key = &args.key;
    let given = args.url.is_some()
        && args.account.is_some()
        && key.secret.is_some()
        && key.channel.is_some();
    let settings = if given { None } else { key.settings()? };
    let settings = settings.as_ref();
    let channel = key.channel(settings)?;
    let missing = |what: &str, flag: &str| {
        Failure::Usage(format!(
            "{what}\n  help: give {flag}, or run it beside a config.toml"
        ))
    };
    let url = args.url.clone().or_else(|| settings?.service_url());
    let account = args
        .account
        .or_else(|| Some(settings?.accounts.first()?.id));
    let id = key.channel.clone().or_else(|| Some(channel?.id.clone()));
    Ok(Target {
        url: url.ok_or_else(|| missing("no service to send to", "--url"))?,
        channel: id.ok_or_else(|| missing("no channel to send through", "--channel"))?,
        account: account.ok_or_else(|| missing("no account to send to", "--account"))?,
        secret: key.secret(channel)?,
    })
}
