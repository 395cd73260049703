//! `switchboard user`: the users of an account of a running service.

use std::io::Read;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};
use switchboard_actors::domain::account::users::fields::UserFields;
use switchboard_actors::domain::id::{AccountId, UserId};

use super::{lines, require_any_field, show, table};
use crate::cli::fields::Options;
use crate::cli::output::CommandFailure;
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
    List {
        /// The account
        account: AccountId,
    },
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
    #[command(flatten)]
    fields: Options<UserFields, true>,
}

#[derive(Debug, Args)]
struct SetArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    fields: Options<UserFields, false>,
}

#[derive(Debug, Args)]
struct PasswordArgs {
    #[command(flatten)]
    which: Which,
    /// The password; «-» reads it from standard input, where no list of processes shows it
    password: String,
}

pub(in crate::cli) fn run(args: &UserArgs) -> Result<(), CommandFailure> {
    let service = args.operator.service()?;
    let asked = args.action.ask(&service);
    let answer = actix_web::rt::System::new().block_on(asked)?;
    show(&answer, args.operator.json, |answer| match args.action {
        Action::List { .. } => table(
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
    async fn ask(&self, service: &Service) -> Result<Value, CommandFailure> {
        let all = |account: &AccountId| format!("admin/v1/accounts/{account}/users");
        let (method, path, body) = match self {
            Self::List { account } => return service.list(&all(account)).await,
            Self::Show(which) => (Method::GET, which.path(), None),
            Self::Create(args) => {
                let body = Value::Object(args.fields.body());
                (Method::POST, all(&args.account), Some(body))
            }
            Self::Set(args) => {
                let body = require_any_field(args.fields.body(), "user set")?;
                (Method::PATCH, args.which.path(), Some(body))
            }
            Self::Password(args) => {
                let path = format!("{}/password", args.which.path());
                (Method::POST, path, Some(args.body()?))
            }
        };
        service.ask(method, &path, body.as_ref()).await
    }
}

impl PasswordArgs {
    fn body(&self) -> Result<Value, CommandFailure> {
        let mut password = self.password.clone();
        if password == "-" {
            password.clear();
            // The longest that is taken has 1,024 bytes.
            let mut input = std::io::stdin().lock().take(4_096);
            input
                .read_to_string(&mut password)
                .map_err(|error| CommandFailure::failed("cannot read the password", error))?;
        }
        Ok(json!({ "password": password.trim_end_matches(['\r', '\n']) }))
    }
}
