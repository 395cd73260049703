//! `switchboard channel`: what the operator does to the channels of a running service.

mod print;
pub(super) mod values;

use clap::{Args, Subcommand, ValueEnum};
use reqwest::Method;
use serde_json::{Map, Value, json};
use switchboard_actors::domain::id::{AccountId, ChannelId};

use self::values::{Seconds, Unless};
use super::output::{Failure, print, say};
use super::people::something;
use super::service::{OperatorArgs, Service};

const EXAMPLES: &str = "Examples:
  switchboard channel create \"My messenger\" --webhook-v2 https://example.com/in/:scope_id
  switchboard channel rotate-secret f90ba33d-c9d9-44da-b76c-c349b0ecbe41 --grace 2h
  switchboard channel test f90ba33d-c9d9-44da-b76c-c349b0ecbe41";

/// List, make and change channels of a running service
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
    /// All channels
    List,
    /// One channel
    Show(Which),
    /// Make a channel; id and secret are made when they are not given
    Create(CreateArgs),
    /// Change a channel; what is not named stays
    Set(SetArgs),
    /// Give a channel another secret; the old one goes on for a while
    RotateSecret(RotateArgs),
    /// Refuse the old secret from now on
    EndRotation(Which),
    /// Send no callbacks; they wait
    Pause(Which),
    /// Send callbacks again, those that waited first
    Resume(Which),
    /// Send one test callback now and show what comes
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
    /// Its name
    name: String,
    /// Its id [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<ChannelId>,
    /// Its secret [default: 40 random hex digits, shown once]
    #[arg(long, value_name = "SECRET")]
    secret: Option<String>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Debug, Args)]
struct SetArgs {
    #[command(flatten)]
    which: Which,
    /// Its name
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Debug, Args)]
struct Settings {
    /// Where callbacks of version 1 go, or «none»
    #[arg(long, value_name = "URL")]
    webhook_v1: Option<Unless<String>>,
    /// Where callbacks of version 2 go, or «none»; `:scope_id` becomes the scope's id
    #[arg(long, value_name = "URL")]
    webhook_v2: Option<Unless<String>>,
    /// An account that may be connected; several are named one by one
    #[arg(long = "account", value_name = "ID", conflicts_with = "all_accounts")]
    accounts: Vec<AccountId>,
    /// All accounts may be connected
    #[arg(long)]
    all_accounts: bool,
    /// Which generation of the chat interface is taken
    #[arg(long)]
    generation: Option<Taken>,
    /// Whether callbacks tell that account users are typing
    #[arg(long, value_name = "true|false")]
    typing_callbacks: Option<bool>,
    /// Whether callbacks tell of the reactions of account users
    #[arg(long, value_name = "true|false")]
    reaction_callbacks: Option<bool>,
    /// How many seconds one callback may take, or «none» for as many as all others
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<Unless<u8>>,
}

/// A generation of the chat interface, or both.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Taken {
    /// The raw body is signed
    #[value(name = "2019")]
    V2019,
    /// Method, digest of the body, content type, date and path are signed
    Current,
    /// Each request tells by its signature which one its sender speaks
    Any,
}

#[derive(Debug, Args)]
struct RotateArgs {
    #[command(flatten)]
    which: Which,
    /// The new secret [default: 40 random hex digits, shown once]
    #[arg(long, value_name = "SECRET")]
    secret: Option<String>,
    /// How long the old one goes on, as in 90s, 30m, 2h, 7d; 0s refuses it at once
    #[arg(long, default_value = "24h")]
    grace: Seconds,
}

#[derive(Debug, Args)]
struct TestArgs {
    #[command(flatten)]
    which: Which,
    /// The version of the callback [default: that of the account, else v2]
    #[arg(long, value_enum)]
    version: Option<Version>,
    /// The account to send for [default: one that is connected]
    #[arg(long, value_name = "ID")]
    account: Option<AccountId>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Version {
    V1,
    V2,
}

pub(super) fn run(args: &ChannelArgs) -> Result<(), Failure> {
    let service = args.operator.service()?;
    actix_web::rt::System::new().block_on(args.action.act(&service, args.operator.json))
}

impl Action {
    async fn act(&self, service: &Service, json: bool) -> Result<(), Failure> {
        let answer = self.ask(service).await?;
        if json {
            print(&answer.to_string())?;
        } else {
            print(&self.told(&answer))?;
        }
        if answer.get("secret").is_some() {
            say("keep the secret: it is not shown again");
        }
        // Only a test has this field: that the address failed is what the command was asked to find out.
        if answer.get("delivered") == Some(&Value::Bool(false)) {
            return Err(Failure::Told);
        }
        Ok(())
    }

    async fn ask(&self, service: &Service) -> Result<Value, Failure> {
        let all = "admin/v1/channels";
        let of = |which: &Which| format!("{all}/{}", which.id);
        let act = |which: &Which, what: &str, body: Value| {
            let path = format!("{}/{what}", of(which));
            (Method::POST, path, Some(body))
        };
        let (method, path, body) = match self {
            Self::List => (Method::GET, all.to_owned(), None),
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

    fn told(&self, answer: &Value) -> String {
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
        put(&mut body, "name", Some(&self.name));
        put(&mut body, "id", self.id.as_ref());
        put(&mut body, "secret", self.secret.as_ref());
        Value::Object(body)
    }
}

impl SetArgs {
    fn body(&self) -> Result<Value, Failure> {
        let mut body = self.settings.body();
        put(&mut body, "name", self.name.as_ref());
        something(body, "channel set")
    }
}

impl Settings {
    fn body(&self) -> Map<String, Value> {
        let mut body = Map::new();
        put(&mut body, "webhook_v1", self.webhook_v1.as_ref());
        put(&mut body, "webhook_v2", self.webhook_v2.as_ref());
        let generation = self.generation.map(|taken| match taken {
            Taken::V2019 => json!("2019"),
            Taken::Current => json!("current"),
            Taken::Any => Value::Null,
        });
        put(&mut body, "generation", generation);
        put(&mut body, "typing_callbacks", self.typing_callbacks);
        put(&mut body, "reaction_callbacks", self.reaction_callbacks);
        put(&mut body, "timeout_seconds", self.timeout.as_ref());
        put(&mut body, "accounts", self.all_accounts.then_some(["*"]));
        let named = (!self.accounts.is_empty()).then_some(&self.accounts);
        put(&mut body, "accounts", named);
        body
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
        let version = self.version.map(|version| match version {
            Version::V1 => "v1",
            Version::V2 => "v2",
        });
        put(&mut body, "version", version);
        put(&mut body, "account_id", self.account);
        Value::Object(body)
    }
}

/// Puts a field into a body, if it was named.
fn put(body: &mut Map<String, Value>, key: &str, value: Option<impl serde::Serialize>) {
    if let Some(value) = value {
        body.insert(key.to_owned(), json!(value));
    }
}
