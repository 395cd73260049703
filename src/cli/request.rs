//! `switchboard request`: the requests of programs that a running service has recorded, with its answers.

use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use reqwest::Method;
use serde_json::Value;
use switchboard_actors::domain::id::ChannelId;

use super::output::{CommandFailure, print};
use super::page::{PageArgs, with_next};
use super::service::{OperatorArgs, Service};
use super::table::{NOTHING, aligned, listed, text};

const EXAMPLES: &str = "Examples:
  switchboard request list --outcome refused
  switchboard request list --surface account
  switchboard request show REQUEST";

const REQUESTS: &str = "admin/v1/requests";

/// List the recorded requests of programs to a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RequestArgs {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List recorded requests, newest first
    List(ListArgs),
    /// Show a recorded request with its answer
    Show(Which),
}

#[derive(Debug, Args)]
struct ListArgs {
    /// To this interface: chat is /v2/origin/custom, account is /api/v4, oauth is /oauth2
    #[arg(long, value_enum)]
    surface: Option<Surface>,
    /// Of this channel
    #[arg(long, value_name = "ID")]
    channel: Option<ChannelId>,
    /// Only those with this outcome
    #[arg(long, value_enum)]
    outcome: Option<Outcome>,
    #[command(flatten)]
    page: PageArgs,
}

#[derive(Debug, Args)]
struct Which {
    /// The request: its X-Request-Id
    #[arg(value_name = "REQUEST")]
    id: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Surface {
    Chat,
    Account,
    Oauth,
}

impl Surface {
    const fn word(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Account => "account",
            Self::Oauth => "oauth",
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Outcome {
    Refused,
    Answered,
}

impl Outcome {
    const fn word(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Answered => "answered",
        }
    }
}

pub(super) fn run(args: &RequestArgs) -> Result<(), CommandFailure> {
    let service = args.operator.service()?;
    let answer = args.action.ask(&service);
    let answer = actix_web::rt::System::new().block_on(answer)?;
    if args.operator.json {
        return print(&answer.to_string());
    }
    print(&match args.action {
        Action::List(_) => table(&answer),
        Action::Show(_) => request(&answer),
    })
}

impl Action {
    async fn ask(&self, service: &Service) -> Result<Value, CommandFailure> {
        let path = match self {
            Self::List(args) => args.path(),
            Self::Show(which) => {
                let id = url::form_urlencoded::byte_serialize(which.id.as_bytes());
                format!("{REQUESTS}/{}", id.collect::<String>())
            }
        };
        service.ask(Method::GET, &path, None).await
    }
}

impl ListArgs {
    fn path(&self) -> String {
        let channel = self.channel.as_ref();
        let channel = channel.map(|id| ("channel_id", id.to_string()));
        let outcome = self.outcome.map(|it| ("outcome", it.word().to_owned()));
        let surface = self.surface.map(|it| ("surface", it.word().to_owned()));
        let parameters = channel.into_iter().chain(outcome).chain(surface);
        self.page.path(REQUESTS, parameters)
    }
}

fn table(answer: &Value) -> String {
    let requests = answer.get("requests").and_then(Value::as_array);
    let head = ["ID", "AT", "METHOD", "PATH", "STATUS", "ERROR"];
    let rows = requests.into_iter().flatten().map(|it| {
        [
            text(it, "id"),
            moment(it),
            text(it, "method"),
            text(it, "path"),
            number(it, "status"),
            text(it, "error_description"),
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
    let mut facts = vec![
        row("id", text(it, "id")),
        row("at", moment(it)),
        row("operation", text(it, "operation")),
        row("channel", text(it, "channel_id")),
        row("account", text(it, "account_id")),
        row("user", number(it, "user_id")),
        row("client", text(it, "client_id")),
        row(
            "request",
            format!("{} {}", text(it, "method"), text(it, "path")),
        ),
        row("status", number(it, "status")),
        row("took", format!("{} ms", number(it, "took_ms"))),
        row("error", text(it, "error_description")),
        row("hint", text(it, "hint")),
    ];
    for header in it
        .get("headers")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let line = format!("{}: {}", text(header, "name"), text(header, "value"));
        facts.push(row("header", line));
    }
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
    let at = it.get("at_ms").and_then(Value::as_i64);
    let at = at.and_then(|at| Timestamp::from_millisecond(at).ok());
    at.map_or_else(|| NOTHING.to_owned(), |at| at.to_string())
}

fn number(it: &Value, key: &str) -> String {
    let number = it.get(key).filter(|number| !number.is_null());
    number.map_or_else(|| NOTHING.to_owned(), Value::to_string)
}
