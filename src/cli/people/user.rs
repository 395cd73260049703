//! `switchboard user`: the users of an account of a running service.

use std::io::Read;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use switchboard_actors::domain::account::users::fields::UserFields;
use switchboard_actors::domain::id::{AccountId, UserId};

use crate::cli::fields::Options;
use crate::cli::output::CliError;
use crate::cli::resource::{Call, Verbs};
use crate::cli::table::{lines, table};

const EXAMPLES: &str = "Examples:
  switchboard user create af9945ff-1490-4cad-807d-945c15d88bec \"Bo Peep\" bo@example.com --admin
  printf %s \"$PASSWORD\" | switchboard user update-password af9945ff-1490-4cad-807d-945c15d88bec 2 -";

/// Manage the users of a running service, administrators included
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) enum UserCommand {
    /// List the users of an account
    List {
        /// The account
        account: AccountId,
    },
    /// Get a user
    Get(UserArg),
    /// Create a user, without rights unless a role or a flag grants them
    Create(CreateArgs),
    /// Update a user; other settings stay
    Update(UpdateArgs),
    /// Update the password of a user; ends all their sessions
    UpdatePassword(PasswordArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct UserArg {
    /// The account
    account: AccountId,
    /// The user's number
    user: UserId,
}

impl UserArg {
    pub(super) fn path(&self) -> String {
        format!("admin/v1/accounts/{}/users/{}", self.account, self.user)
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CreateArgs {
    /// The account
    account: AccountId,
    #[command(flatten)]
    fields: Options<UserFields, true>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct UpdateArgs {
    #[command(flatten)]
    which: UserArg,
    #[command(flatten)]
    fields: Options<UserFields, false>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct PasswordArgs {
    #[command(flatten)]
    which: UserArg,
    /// The password; «-» reads it from standard input, where no list of processes shows it
    password: String,
}

impl Verbs for UserCommand {
    fn call(&self) -> Result<Call<'_>, CliError> {
        let all = |account: &AccountId| format!("admin/v1/accounts/{account}/users");
        Ok(match self {
            Self::List { account } => Call::list(all(account), list),
            Self::Get(which) => Call::get(which.path(), user),
            Self::Create(args) => Call::post(all(&args.account), args.fields.body([]), user),
            Self::Update(args) => {
                Call::patch(args.which.path(), args.fields.change("user update")?, user)
            }
            Self::UpdatePassword(args) => {
                let path = format!("{}/password", args.which.path());
                Call::post(path, args.body()?, |_| {
                    "done: all sessions of the user have ended".to_owned()
                })
            }
        })
    }
}

impl PasswordArgs {
    fn body(&self) -> Result<Value, CliError> {
        let mut password = self.password.clone();
        if password == "-" {
            password.clear();
            // The longest that is taken has 1,024 bytes.
            let mut input = std::io::stdin().lock().take(4_096);
            input
                .read_to_string(&mut password)
                .map_err(|error| CliError::failed("cannot read the password", error))?;
        }
        Ok(json!({ "password": password.trim_end_matches(['\r', '\n']) }))
    }
}

fn list(answer: &Value) -> String {
    let columns = [
        ("ID", "id"),
        ("NAME", "name"),
        ("E-MAIL", "email"),
        ("ACTIVE", "rights/is_active"),
        ("ADMIN", "rights/is_admin"),
        ("ROLE", "rights/role_id"),
        ("GROUP", "rights/group_id"),
    ];
    table(answer, "users", columns, "no users on this page")
}

fn user(answer: &Value) -> String {
    lines(
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
    )
}
