//! `switchboard oauth-client`: what the operator does to the OAuth clients of a running service.

mod print;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use switchboard_actors::domain::id::{AccountId, OauthClientId};
use switchboard_actors::domain::oauth::clients::settings::OauthClientSettings;
use switchboard_actors::domain::signature::SharedSecret;

use super::fields::{Options, named};
use super::output::CliError;
use super::resource::{Call, Verbs};

const CLIENTS: &str = "admin/v1/oauth-clients";

const EXAMPLES: &str = "Examples:
  switchboard oauth-client create \"My bridge\" https://example.com/oauth/callback
  switchboard oauth-client grants c0ffee00-1111-4222-8333-444455556666
  switchboard oauth-client token-requests c0ffee00-1111-4222-8333-444455556666";

/// Manage the OAuth clients of a running service
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(super) enum OauthClientCommand {
    /// List OAuth clients
    List,
    /// Get an OAuth client
    Get(OauthClientArg),
    /// Create an OAuth client; generates the id and the secret if you do not give them
    Create(CreateArgs),
    /// Update an OAuth client; other settings stay
    Update(UpdateArgs),
    /// Replace the secret of an OAuth client; the service refuses the old one at once
    RotateSecret(RotateArgs),
    /// List the accounts that installed an OAuth client
    Grants(OauthClientArg),
    /// Uninstall an OAuth client from an account
    Revoke(RevokeArgs),
    /// List the newest token requests of an OAuth client, with the reason of each refusal
    TokenRequests(OauthClientArg),
}

#[derive(Debug, Args)]
pub(super) struct OauthClientArg {
    /// The OAuth client
    #[arg(value_name = "CLIENT")]
    id: OauthClientId,
}

#[derive(Debug, Args)]
pub(super) struct CreateArgs {
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
pub(super) struct UpdateArgs {
    #[command(flatten)]
    which: OauthClientArg,
    #[command(flatten)]
    settings: Options<OauthClientSettings, false>,
}

#[derive(Debug, Args)]
pub(super) struct RotateArgs {
    #[command(flatten)]
    which: OauthClientArg,
    /// The new secret [default: 40 random hex digits, shown once]
    #[arg(long, value_name = "SECRET")]
    secret: Option<SharedSecret>,
}

#[derive(Debug, Args)]
pub(super) struct RevokeArgs {
    #[command(flatten)]
    which: OauthClientArg,
    /// The account
    #[arg(value_name = "ACCOUNT")]
    account: AccountId,
}

impl Verbs for OauthClientCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        let one = print::client;
        Ok(match self {
            Self::List => Call::list(CLIENTS, print::table),
            Self::Get(which) => Call::get(which.path(), one),
            Self::Create(args) => Call::post(CLIENTS, args.body(), one),
            Self::Update(args) => {
                let body = args.settings.change("oauth-client update")?;
                Call::patch(args.which.path(), body, one)
            }
            Self::RotateSecret(args) => {
                let body = Value::Object(named([("secret", json!(args.secret))]));
                Call::post(args.which.at("rotate-secret"), body, one)
            }
            Self::Grants(which) => Call::list(which.at("grants"), print::grants),
            Self::Revoke(args) => {
                let path = format!("{}/{}", args.which.at("grants"), args.account);
                Call::delete(path, |answer| print::revoked(args.account, answer))
            }
            Self::TokenRequests(which) => {
                Call::list(which.at("token-requests"), print::token_requests)
            }
        })
    }
}

impl OauthClientArg {
    fn path(&self) -> String {
        format!("{CLIENTS}/{}", self.id)
    }

    fn at(&self, part: &str) -> String {
        format!("{}/{part}", self.path())
    }
}

impl CreateArgs {
    fn body(&self) -> Value {
        let (id, secret) = (json!(self.id), json!(self.secret));
        self.settings.body([("id", id), ("secret", secret)])
    }
}
