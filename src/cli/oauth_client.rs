//! `switchboard oauth-client`: what the operator does to the OAuth clients of a running service.

mod print;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Map, Value};
use switchboard_actors::domain::id::{AccountId, OauthClientId};
use switchboard_actors::domain::oauth::clients::settings::OauthClientSettings;
use switchboard_actors::domain::signature::SharedSecret;

use super::fields::Options;
use super::output::{CommandFailure, print, say};
use super::people::{put, require_any_field};
use super::service::{OperatorArgs, Service};

const EXAMPLES: &str = "Examples:
  switchboard oauth-client create \"My bridge\" https://example.com/oauth/callback
  switchboard oauth-client grants c0ffee00-1111-4222-8333-444455556666
  switchboard oauth-client token-requests c0ffee00-1111-4222-8333-444455556666";

/// Manage the OAuth clients of a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct OauthClientArgs {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List OAuth clients
    List,
    /// Show an OAuth client
    Show(Which),
    /// Create an OAuth client; generates the id and the secret if you do not give them
    Create(CreateArgs),
    /// Update an OAuth client; other settings stay
    Set(SetArgs),
    /// Replace the secret of an OAuth client; the service refuses the old one at once
    RotateSecret(RotateArgs),
    /// List the accounts that installed an OAuth client
    Grants(Which),
    /// Uninstall an OAuth client from an account
    Revoke(RevokeArgs),
    /// List the newest token requests of an OAuth client, with the reason of each refusal
    TokenRequests(Which),
}

#[derive(Debug, Args)]
struct Which {
    /// The OAuth client
    #[arg(value_name = "CLIENT")]
    id: OauthClientId,
}

#[derive(Debug, Args)]
struct CreateArgs {
    #[command(flatten)]
    settings: Options<OauthClientSettings, true>,
    /// Its id [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<OauthClientId>,
    /// Its secret [default: 40 random hex digits, shown once]
    #[arg(long, value_name = "SECRET")]
    secret: Option<SharedSecret>,
}

#[derive(Debug, Args)]
struct SetArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    settings: Options<OauthClientSettings, false>,
}

#[derive(Debug, Args)]
struct RotateArgs {
    #[command(flatten)]
    which: Which,
    /// The new secret [default: 40 random hex digits, shown once]
    #[arg(long, value_name = "SECRET")]
    secret: Option<SharedSecret>,
}

#[derive(Debug, Args)]
struct RevokeArgs {
    #[command(flatten)]
    which: Which,
    /// The account
    #[arg(value_name = "ACCOUNT")]
    account: AccountId,
}

pub(super) fn run(args: &OauthClientArgs) -> Result<(), CommandFailure> {
    let service = args.operator.service()?;
    actix_web::rt::System::new().block_on(args.action.act(&service, args.operator.json))
}

impl Action {
    async fn act(&self, service: &Service, json: bool) -> Result<(), CommandFailure> {
        let answer = self.ask(service).await?;
        if json {
            print(&answer.to_string())?;
        } else {
            print(&self.confirmation(&answer))?;
        }
        if answer.get("secret").is_some() {
            say("keep the secret: it is not shown again");
        }
        Ok(())
    }

    async fn ask(&self, service: &Service) -> Result<Value, CommandFailure> {
        let all = "admin/v1/oauth-clients";
        let of = |which: &Which| format!("{all}/{}", which.id);
        let (method, path, body) = match self {
            Self::List => return service.list(all).await,
            Self::Show(which) => (Method::GET, of(which), None),
            Self::Create(args) => (Method::POST, all.to_owned(), Some(args.body())),
            Self::Set(args) => {
                let body = require_any_field(args.settings.body(), "oauth-client set")?;
                (Method::PATCH, of(&args.which), Some(body))
            }
            Self::RotateSecret(args) => {
                let path = format!("{}/rotate-secret", of(&args.which));
                (Method::POST, path, Some(args.body()))
            }
            Self::Grants(which) => return service.list(&format!("{}/grants", of(which))).await,
            Self::Revoke(args) => {
                let path = format!("{}/grants/{}", of(&args.which), args.account);
                (Method::DELETE, path, None)
            }
            Self::TokenRequests(which) => {
                let path = format!("{}/token-requests", of(which));
                return service.list(&path).await;
            }
        };
        service.ask(method, &path, body.as_ref()).await
    }

    fn confirmation(&self, answer: &Value) -> String {
        match self {
            Self::List => print::table(answer),
            Self::Show(_) | Self::Create(_) | Self::Set(_) | Self::RotateSecret(_) => {
                print::client(answer)
            }
            Self::Grants(_) => print::grants(answer),
            Self::Revoke(args) => {
                let left = print::admitted(answer);
                format!("uninstalled from account {}{left}", args.account)
            }
            Self::TokenRequests(_) => print::token_requests(answer),
        }
    }
}

impl CreateArgs {
    fn body(&self) -> Value {
        let mut body = self.settings.body();
        put(&mut body, "id", self.id.as_ref());
        put(&mut body, "secret", self.secret.as_ref());
        Value::Object(body)
    }
}

impl RotateArgs {
    fn body(&self) -> Value {
        let mut body = Map::new();
        put(&mut body, "secret", self.secret.as_ref());
        Value::Object(body)
    }
}
