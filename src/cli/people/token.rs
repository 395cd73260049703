//! `switchboard token`: the bearer tokens of a user of a running service.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use switchboard_actors::domain::id::TokenId;

use super::user::UserArg;
use crate::cli::channel::values::Seconds;
use crate::cli::fields::named;
use crate::cli::output::CliError;
use crate::cli::resource::{Call, Verbs};
use crate::cli::table::{lines, table};

const EXAMPLES: &str = "Examples:
  switchboard token create af9945ff-1490-4cad-807d-945c15d88bec 1 \"nightly report\" --expires-in 90d
  switchboard token revoke af9945ff-1490-4cad-807d-945c15d88bec 1 1";

/// Manage the bearer tokens of a user of a running service
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) enum TokenCommand {
    /// List the tokens of a user
    List(UserArg),
    /// Create a token; printed only once
    Create(CreateArgs),
    /// Revoke a token from now on
    Revoke(RevokeArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CreateArgs {
    #[command(flatten)]
    which: UserArg,
    /// Purpose of the token
    name: String,
    /// Time until the token expires, as in 12h or 90d [default: until it is revoked]
    #[arg(long, value_name = "TIME")]
    expires_in: Option<Seconds>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RevokeArgs {
    #[command(flatten)]
    which: UserArg,
    /// The token's number
    id: TokenId,
}

impl Verbs for TokenCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        let all = |which: &UserArg| format!("{}/tokens", which.path());
        Ok(match self {
            Self::List(which) => Call::list(all(which), list).with_note(
                "Tokens in the configuration of the service are not listed; they are valid as long as they are configured.",
            ),
            Self::Create(args) => Call::post(all(&args.which), args.body(), token),
            Self::Revoke(args) => {
                let path = format!("{}/{}", all(&args.which), args.id);
                Call::delete(path, |_| {
                    "done: the token is refused from now on".to_owned()
                })
            }
        })
    }
}

impl CreateArgs {
    fn body(&self) -> Value {
        let seconds = self.expires_in.map(|time| time.0);
        let fields = [
            ("name", json!(self.name)),
            ("expires_in_seconds", json!(seconds)),
        ];
        Value::Object(named(fields))
    }
}

fn list(answer: &Value) -> String {
    let columns = [
        ("ID", "id"),
        ("NAME", "name"),
        ("CREATED", "created_at"),
        ("EXPIRES", "expires_at"),
        ("EXPIRED", "expired"),
    ];
    table(answer, "tokens", columns, "the user has no tokens")
}

fn token(answer: &Value) -> String {
    lines(
        answer,
        [
            ("id", "id"),
            ("name", "name"),
            ("expires", "expires_at"),
            ("token", "token"),
        ],
    )
}
