//! `switchboard user`: the users of an account of a running service.

use std::io::Read;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Map, Value, json};
use switchboard_actors::domain::id::{AccountId, UserId};
use switchboard_actors::domain::installation::accounts::Lang;

use super::{lines, put, show, something, table};
use crate::cli::fields::one_of;
use crate::cli::output::Failure;
use crate::cli::service::{OperatorArgs, Service};

const EXAMPLES: &str = "Examples:
  switchboard user create af9945ff-1490-4cad-807d-945c15d88bec \"Bo Peep\" bo@example.com --admin
  printf %s \"$PASSWORD\" | switchboard user password af9945ff-1490-4cad-807d-945c15d88bec 2 -";

/// Manage the users of a running service, administrators included
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct UserArgs {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the users of an account
    List(ListArgs),
    /// Show a user
    Show(Which),
    /// Create a user, without rights unless a role or a flag grants them
    Create(CreateArgs),
    /// Update a user; other settings stay
    Set(SetArgs),
    /// Set the password of a user; ends all their sessions
    Password(PasswordArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    /// The account
    account: AccountId,
    /// The page, of 250 users each
    #[arg(long, default_value = "1")]
    page: u64,
}

#[derive(Debug, Args)]
pub(super) struct Which {
    /// The account
    account: AccountId,
    /// The user's number
    user: UserId,
}

impl Which {
    pub(super) fn path(&self) -> String {
        format!("admin/v1/accounts/{}/users/{}", self.account, self.user)
    }
}

#[derive(Debug, Args)]
struct CreateArgs {
    /// The account
    account: AccountId,
    /// The full name
    name: String,
    /// The e-mail address
    email: String,
    /// The user is an administrator
    #[arg(long, conflicts_with_all = ["free", "role"])]
    admin: bool,
    /// The user is a free user
    #[arg(long, conflicts_with = "role")]
    free: bool,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Debug, Args)]
struct SetArgs {
    #[command(flatten)]
    which: Which,
    /// The full name
    #[arg(long)]
    name: Option<String>,
    /// The e-mail address, with which the user signs in from then on
    #[arg(long)]
    email: Option<String>,
    /// Whether the user is an administrator
    #[arg(long)]
    admin: Option<bool>,
    /// Whether the user is a free user
    #[arg(long)]
    free: Option<bool>,
    /// Whether the user may come in
    #[arg(long)]
    active: Option<bool>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Debug, Args)]
struct Settings {
    /// The language
    #[arg(long, value_parser = one_of::<Lang>(&Lang::WORDS))]
    lang: Option<Lang>,
    /// The number of the role
    #[arg(long, value_name = "NUMBER")]
    role: Option<u64>,
    /// The number of the group
    #[arg(long, value_name = "NUMBER")]
    group: Option<u64>,
}

#[derive(Debug, Args)]
struct PasswordArgs {
    #[command(flatten)]
    which: Which,
    /// The password; «-» reads it from standard input, where no list of processes shows it
    password: String,
}

pub(in crate::cli) fn run(args: &UserArgs) -> Result<(), Failure> {
    let service = args.operator.service()?;
    let asked = args.action.ask(&service);
    let answer = actix_web::rt::System::new().block_on(asked)?;
    show(&answer, args.operator.json, |answer| match args.action {
        Action::List(_) => table(
            answer,
            "users",
            [
                ("ID", "id"),
                ("NAME", "name"),
                ("E-MAIL", "email"),
                ("ACTIVE", "rights/is_active"),
                ("ADMIN", "rights/is_admin"),
                ("ROLE", "rights/role_id"),
                ("GROUP", "rights/group_id"),
            ],
            "no users on this page",
        ),
        Action::Password(_) => "done: all sessions of the user have ended".to_owned(),
        Action::Show(_) | Action::Create(_) | Action::Set(_) => lines(
            answer,
            [
                ("id", "id"),
                ("name", "name"),
                ("e-mail", "email"),
                ("lang", "lang"),
                ("active", "rights/is_active"),
                ("admin", "rights/is_admin"),
                ("free", "rights/is_free"),
                ("role", "rights/role_id"),
                ("group", "rights/group_id"),
            ],
        ),
    })
}

impl Action {
    async fn ask(&self, service: &Service) -> Result<Value, Failure> {
        let all = |account: &AccountId| format!("admin/v1/accounts/{account}/users");
        let (method, path, body) = match self {
            Self::List(args) => {
                let path = format!("{}?limit=250&page={}", all(&args.account), args.page);
                (Method::GET, path, None)
            }
            Self::Show(which) => (Method::GET, which.path(), None),
            Self::Create(args) => (Method::POST, all(&args.account), Some(args.body())),
            Self::Set(args) => (Method::PATCH, args.which.path(), Some(args.body()?)),
            Self::Password(args) => {
                let path = format!("{}/password", args.which.path());
                (Method::POST, path, Some(args.body()?))
            }
        };
        service.ask(method, &path, body.as_ref()).await
    }
}

impl CreateArgs {
    fn body(&self) -> Value {
        let mut body = self.settings.body();
        put(&mut body, "name", Some(&self.name));
        put(&mut body, "email", Some(&self.email));
        put(&mut body, "is_admin", self.admin.then_some(true));
        put(&mut body, "is_free", self.free.then_some(true));
        Value::Object(body)
    }
}

impl SetArgs {
    fn body(&self) -> Result<Value, Failure> {
        let mut body = self.settings.body();
        put(&mut body, "name", self.name.as_ref());
        put(&mut body, "email", self.email.as_ref());
        put(&mut body, "is_admin", self.admin);
        put(&mut body, "is_free", self.free);
        put(&mut body, "is_active", self.active);
        something(body, "user set")
    }
}

impl Settings {
    fn body(&self) -> Map<String, Value> {
        let mut body = Map::new();
        put(&mut body, "lang", self.lang);
        put(&mut body, "role_id", self.role);
        put(&mut body, "group_id", self.group);
        body
    }
}

impl PasswordArgs {
    fn body(&self) -> Result<Value, Failure> {
        let mut password = self.password.clone();
        if password == "-" {
            password.clear();
            // The longest that is taken has 1,024 bytes.
            let mut input = std::io::stdin().lock().take(4_096);
            input
                .read_to_string(&mut password)
                .map_err(|error| Failure::failed("cannot read the password", error))?;
        }
        Ok(json!({ "password": password.trim_end_matches(['\r', '\n']) }))
    }
}
