//! `switchboard channel`: what the operator does to the channels of a running service.

mod print;
pub(super) mod values;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Map, Value, json};
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::domain::id::{AccountId, ChannelId};
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::domain::signature::SharedSecret;

use self::values::Seconds;
use super::fields::{Options, one_of};
use super::output::{CommandFailure, print, say};
use super::people::{put, require_any_field};
use super::service::{OperatorArgs, Service};

const EXAMPLES: &str = "Examples:
  switchboard channel create \"My messenger\" --webhook-v2 https://example.com/in/:scope_id
  switchboard channel rotate-secret f90ba33d-c9d9-44da-b76c-c349b0ecbe41 --grace 2h
  switchboard channel test f90ba33d-c9d9-44da-b76c-c349b0ecbe41";

/// Manage the channels of a running service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ChannelArgs {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List channels
    List,
    /// Show a channel
    Show(Which),
    /// Create a channel; generates the id and the secret if you do not give them
    Create(CreateArgs),
    /// Update a channel; other settings stay
    Set(SetArgs),
    /// Rotate the secret of a channel; the old one stays valid during the grace period
    RotateSecret(RotateArgs),
    /// End the rotation: refuse the old secret from now on
    EndRotation(Which),
    /// Pause callbacks; they queue
    Pause(Which),
    /// Resume callbacks, queued ones first
    Resume(Which),
    /// Send a test callback now and print the outcome
    Test(TestArgs),
}

#[derive(Debug, Args)]
struct Which {
    /// The channel
    #[arg(value_name = "CHANNEL")]
    id: ChannelId,
}

#[derive(Debug, Args)]
struct CreateArgs {
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
struct SetArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    settings: Options<ChannelSettings, false>,
}

#[derive(Debug, Args)]
struct RotateArgs {
    #[command(flatten)]
    which: Which,
    /// The new secret [default: 40 random hex digits, shown once]
    #[arg(long, value_name = "SECRET")]
    secret: Option<SharedSecret>,
    /// How long the old one goes on, as in 90s, 30m, 2h, 7d; 0s refuses it at once
    #[arg(long, default_value = "24h")]
    grace: Seconds,
}

#[derive(Debug, Args)]
struct TestArgs {
    #[command(flatten)]
    which: Which,
    /// The version of the callback [default: that of the account, else v2]
    #[arg(long, value_parser = one_of::<HookVersion>(&HookVersion::WORDS))]
    version: Option<HookVersion>,
    /// The account to send for [default: one that is connected]
    #[arg(long, value_name = "ID")]
    account: Option<AccountId>,
}

pub(super) fn run(args: &ChannelArgs) -> Result<(), CommandFailure> {
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
        // Only a test has this field: that the address failed is what the command was asked to find out.
        if answer.get("delivered") == Some(&Value::Bool(false)) {
            return Err(CommandFailure::Told);
        }
        Ok(())
    }

    async fn ask(&self, service: &Service) -> Result<Value, CommandFailure> {
        let all = "admin/v1/channels";
        let of = |which: &Which| format!("{all}/{}", which.id);
        let act = |which: &Which, what: &str, body: Value| {
            let path = format!("{}/{what}", of(which));
            (Method::POST, path, Some(body))
        };
        let (method, path, body) = match self {
            Self::List => return service.list(all).await,
            Self::Show(which) => (Method::GET, of(which), None),
            Self::Create(args) => (Method::POST, all.to_owned(), Some(args.body())),
            Self::Set(args) => (Method::PATCH, of(&args.which), Some(args.body()?)),
            Self::RotateSecret(args) => act(&args.which, "rotate-secret", args.body()),
            Self::EndRotation(which) => act(which, "end-rotation", json!({})),
            Self::Pause(which) => act(which, "pause", json!({})),
            Self::Resume(which) => act(which, "resume", json!({})),
            Self::Test(args) => act(&args.which, "test-send", args.body()),
        };
        service.ask(method, &path, body.as_ref()).await
    }

    fn confirmation(&self, answer: &Value) -> String {
        match self {
            Self::List => print::table(answer),
            Self::Test(_) => print::test(answer),
            Self::Show(_) | Self::Create(_) | Self::Set(_) => print::channel(answer),
            Self::RotateSecret(_) | Self::EndRotation(_) => print::channel(answer),
            Self::Pause(_) | Self::Resume(_) => print::channel(answer),
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

impl SetArgs {
    fn body(&self) -> Result<Value, CommandFailure> {
        require_any_field(self.settings.body(), "channel set")
    }
}

impl RotateArgs {
    fn body(&self) -> Value {
        let mut body = Map::new();
        put(&mut body, "secret", self.secret.as_ref());
        put(&mut body, "grace_seconds", Some(self.grace.0));
        Value::Object(body)
    }
}

impl TestArgs {
    fn body(&self) -> Value {
        let mut body = Map::new();
        put(&mut body, "version", self.version);
        put(&mut body, "account_id", self.account);
        Value::Object(body)
    }
}
