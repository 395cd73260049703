//! `switchboard channel`: what the operator does to the channels of a running service.

mod print;
pub(super) mod values;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{AccountId, ChannelId};
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::domain::signature::SharedSecret;

use self::values::Seconds;
use super::fields::{Options, named, one_of};
use super::output::CliError;
use super::resource::{Call, Verbs};

const CHANNELS: &str = "admin/v1/channels";

const EXAMPLES: &str = "Examples:
  switchboard channel create \"My messenger\" --webhook-v2 https://example.com/in/:scope_id
  switchboard channel rotate-secret f90ba33d-c9d9-44da-b76c-c349b0ecbe41 --grace 2h
  switchboard channel test f90ba33d-c9d9-44da-b76c-c349b0ecbe41";

/// Manage the channels of a running service
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(super) enum ChannelCommand {
    /// List channels
    List,
    /// Get a channel
    Get(ChannelArg),
    /// Create a channel; generates the id and the secret if you do not give them
    Create(CreateArgs),
    /// Update a channel; other settings stay
    Update(UpdateArgs),
    /// Rotate the secret of a channel; the old one stays valid during the grace period
    RotateSecret(RotateArgs),
    /// End the rotation: refuse the old secret from now on
    EndRotation(ChannelArg),
    /// Pause callbacks; they queue
    Pause(ChannelArg),
    /// Resume callbacks, queued ones first
    Resume(ChannelArg),
    /// Send a test callback now and print the outcome
    Test(TestArgs),
}

#[derive(Debug, Args)]
pub(super) struct ChannelArg {
    /// The channel
    #[arg(value_name = "CHANNEL")]
    id: ChannelId,
}

#[derive(Debug, Args)]
pub(super) struct CreateArgs {
    #[command(flatten)]
    settings: Options<ChannelSettings, true>,
    /// Its id [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<ChannelId>,
    /// Its secret [default: 40 random hex digits, shown once]
    #[arg(long, value_name = "SECRET")]
    secret: Option<SharedSecret>,
}

#[derive(Debug, Args)]
pub(super) struct UpdateArgs {
    #[command(flatten)]
    which: ChannelArg,
    #[command(flatten)]
    settings: Options<ChannelSettings, false>,
}

#[derive(Debug, Args)]
pub(super) struct RotateArgs {
    #[command(flatten)]
    which: ChannelArg,
    /// The new secret [default: 40 random hex digits, shown once]
    #[arg(long, value_name = "SECRET")]
    secret: Option<SharedSecret>,
    /// Grace period of the old secret, as in 90s, 30m, 2h, 7d; 0s ends it at once
    #[arg(long, default_value = "24h")]
    grace: Seconds,
}

#[derive(Debug, Args)]
pub(super) struct TestArgs {
    #[command(flatten)]
    which: ChannelArg,
    /// The version of the callback [default: that of the account, else v2]
    #[arg(long, value_parser = one_of::<HookVersion>(&HookVersion::WORDS))]
    version: Option<HookVersion>,
    /// The account to send for [default: one that is connected]
    #[arg(long, value_name = "ID")]
    account: Option<AccountId>,
}

impl Verbs for ChannelCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        let one = print::channel;
        Ok(match self {
            Self::List => Call::list(CHANNELS, print::table),
            Self::Get(which) => Call::get(which.path(), one),
            Self::Create(args) => Call::post(CHANNELS, args.body(), one),
            Self::Update(args) => Call::patch(
                args.which.path(),
                args.settings.change("channel update")?,
                one,
            ),
            Self::RotateSecret(args) => {
                Call::post(args.which.at("rotate-secret"), args.body(), one)
            }
            Self::EndRotation(which) => Call::act(which.at("end-rotation"), one),
            Self::Pause(which) => Call::act(which.at("pause"), one),
            Self::Resume(which) => Call::act(which.at("resume"), one),
            // That the address failed is what the command was asked to find out.
            Self::Test(args) => Call::post(args.which.at("test-send"), args.body(), print::test)
                .with_outcome("delivered"),
        })
    }
}

impl ChannelArg {
    fn path(&self) -> String {
        format!("{CHANNELS}/{}", self.id)
    }

    fn at(&self, action: &str) -> String {
        format!("{}/{action}", self.path())
    }
}

impl CreateArgs {
    fn body(&self) -> Value {
        let (id, secret) = (json!(self.id), json!(self.secret));
        self.settings.body([("id", id), ("secret", secret)])
    }
}

impl RotateArgs {
    fn body(&self) -> Value {
        let (secret, grace) = (json!(self.secret), json!(self.grace.0));
        Value::Object(named([("secret", secret), ("grace_seconds", grace)]))
    }
}

impl TestArgs {
    fn body(&self) -> Value {
        let (version, account) = (json!(self.version), json!(self.account));
        Value::Object(named([("version", version), ("account_id", account)]))
    }
}
