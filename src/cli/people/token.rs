//! `switchboard token`: the bearer tokens of a user of a running service.

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Map, Value};
use switchboard_actors::domain::id::TokenId;

use super::user::Which;
use super::{lines, put, show, table};
use crate::cli::channel::values::Seconds;
use crate::cli::output::{CommandFailure, say};
use crate::cli::service::{OperatorArgs, Service};

const EXAMPLES: &str = "Examples:
  switchboard token create af9945ff-1490-4cad-807d-945c15d88bec 1 \"nightly report\" --expires-in 90d
  switchboard token revoke af9945ff-1490-4cad-807d-945c15d88bec 1 1";

/// Manage the bearer tokens of a user of a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct TokenArgs {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the tokens of a user
    List(Which),
    /// Create a token; printed only once
    Create(CreateArgs),
    /// Revoke a token from now on
    Revoke(RevokeArgs),
}

#[derive(Debug, Args)]
struct CreateArgs {
    #[command(flatten)]
    which: Which,
    /// What it is for
    name: String,
    /// How long it is good, as in 12h or 90d [default: until it is revoked]
    #[arg(long, value_name = "TIME")]
    expires_in: Option<Seconds>,
}

#[derive(Debug, Args)]
struct RevokeArgs {
    #[command(flatten)]
    which: Which,
    /// The token's number
    id: TokenId,
}

pub(in crate::cli) fn run(args: &TokenArgs) -> Result<(), CommandFailure> {
    let service = args.operator.service()?;
    let asked = args.action.ask(&service);
    let answer = actix_web::rt::System::new().block_on(asked)?;
    if matches!(args.action, Action::List(_)) {
        say(
            "Tokens in the configuration of the service are not listed; they are valid as long as they are configured.",
        );
    }
    show(&answer, args.operator.json, |answer| match args.action {
        Action::List(_) => table(
            answer,
            "tokens",
            [
                ("ID", "id"),
                ("NAME", "name"),
                ("CREATED", "created_at"),
                ("EXPIRES", "expires_at"),
                ("EXPIRED", "expired"),
            ],
            "the user has no tokens",
        ),
        Action::Create(_) => lines(
            answer,
            [
                ("id", "id"),
                ("name", "name"),
                ("expires", "expires_at"),
                ("token", "token"),
            ],
        ),
        Action::Revoke(_) => "done: the token is refused from now on".to_owned(),
    })
}

impl Action {
    async fn ask(&self, service: &Service) -> Result<Value, CommandFailure> {
        let all = |which: &Which| format!("{}/tokens", which.path());
        let (method, path, body) = match self {
            Self::List(which) => return service.list(&all(which)).await,
            Self::Create(args) => (Method::POST, all(&args.which), Some(args.body())),
            Self::Revoke(args) => {
                let path = format!("{}/{}", all(&args.which), args.id);
                (Method::DELETE, path, None)
            }
        };
        service.ask(method, &path, body.as_ref()).await
    }
}

impl CreateArgs {
    fn body(&self) -> Value {
        let mut body = Map::new();
        put(&mut body, "name", Some(&self.name));
        let seconds = self.expires_in.map(|time| time.0);
        put(&mut body, "expires_in_seconds", seconds);
        Value::Object(body)
    }
}
