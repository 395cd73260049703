//! `switchboard request`: the requests of programs that a running service has recorded, with its answers.

use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::Value;
use switchboard_actors::domain::id::ChannelId;

use super::output::CliError;
use super::page::{PageArgs, with_next};
use super::resource::{Call, Verbs};
use super::table::{NOTHING, aligned, cell, entries, listed};

const EXAMPLES: &str = "Examples:
  switchboard request list --outcome refused
  switchboard request list --surface account
  switchboard request get REQUEST";

const REQUESTS: &str = "admin/v1/requests";

/// List the recorded requests of programs to a running service
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(super) enum RequestCommand {
    /// List recorded requests, newest first
    List(ListArgs),
    /// Get a recorded request with its answer
    Get(RequestArg),
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// To this interface: chat is /v2/origin/custom, account is /api/v4, oauth is /oauth2
    #[arg(long, value_parser = ["chat", "account", "oauth"])]
    surface: Option<String>,
    /// Of this channel
    #[arg(long, value_name = "ID")]
    channel: Option<ChannelId>,
    /// Only those with this outcome
    #[arg(long, value_parser = ["refused", "answered"])]
    outcome: Option<String>,
    #[command(flatten)]
    page: PageArgs,
}

#[derive(Debug, Args)]
pub(super) struct RequestArg {
    /// The request: its X-Request-Id
    #[arg(value_name = "REQUEST")]
    id: String,
}

impl Verbs for RequestCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        Ok(match self {
            Self::List(args) => Call::get(args.path(), table),
            Self::Get(which) => {
                let id: String =
                    url::form_urlencoded::byte_serialize(which.id.as_bytes()).collect();
                Call::get(format!("{REQUESTS}/{id}"), request)
            }
        })
    }
}

impl ListArgs {
    fn path(&self) -> String {
        let channel = self
            .channel
            .as_ref()
            .map(|id| ("channel_id", id.to_string()));
        let outcome = self.outcome.clone().map(|it| ("outcome", it));
        let surface = self.surface.clone().map(|it| ("surface", it));
        let parameters = channel.into_iter().chain(outcome).chain(surface);
        self.page.path(REQUESTS, parameters)
    }
}

fn table(answer: &Value) -> String {
    let head = ["ID", "AT", "METHOD", "PATH", "STATUS", "ERROR"];
    let rows = entries(answer, "requests").map(|it| {
        [
            cell(it, "id"),
            moment(it),
            cell(it, "method"),
            cell(it, "path"),
            cell(it, "status"),
            cell(it, "error_description"),
        ]
    });
    let none = if answer.get("is_on") == Some(&Value::Bool(false)) {
        "the service records no requests: requests.keep_per_sender is 0"
    } else {
        "no such requests are recorded"
    };
    with_next(listed(head, rows, none), answer)
}

/// One request, one line for each thing that there is to say, then the bodies.
fn request(it: &Value) -> String {
    let row = |name: &str, text: String| [name.to_owned(), text];
    let fact = |name: &str, field: &str| row(name, cell(it, field));
    let line = format!("{} {}", cell(it, "method"), cell(it, "path"));
    let mut facts = vec![
        fact("id", "id"),
        row("at", moment(it)),
        fact("operation", "operation"),
        fact("channel", "channel_id"),
        fact("account", "account_id"),
        fact("user", "user_id"),
        fact("client", "client_id"),
        row("request", line),
        fact("status", "status"),
        row("took", format!("{} ms", cell(it, "took_ms"))),
        fact("error", "error_description"),
        fact("hint", "hint"),
    ];
    facts.extend(entries(it, "headers").map(|header| {
        let line = format!("{}: {}", cell(header, "name"), cell(header, "value"));
        row("header", line)
    }));
    facts.retain(|[_, text]| text != NOTHING);
    let body = |name: &str| it.get(name).unwrap_or(&Value::Null);
    let excerpt = |body: &Value| {
        let field = |name: &str| body.get(name).and_then(Value::as_str);
        match (field("text").or_else(|| field("hex")), field("withheld")) {
            (_, Some(why)) => format!("not recorded: {why}"),
            (shown, None) => shown.unwrap_or_default().to_owned(),
        }
    };
    format!(
        "{}\n\nbody:\n{}\n\nanswer:\n{}",
        aligned(&facts),
        excerpt(body("body")),
        excerpt(body("answer"))
    )
}

fn moment(it: &Value) -> String {
    it.get("at_ms")
        .and_then(Value::as_i64)
        .and_then(|at| Timestamp::from_millisecond(at).ok())
        .map_or_else(|| NOTHING.to_owned(), |at| at.to_string())
}
