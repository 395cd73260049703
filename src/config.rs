//! The settings of the service: one file, over it the environment, over that the flags.
//!
//! Every value is parsed here, once, into the type that the rest of the program works with. All
//! that is wrong is reported together, with the file and line and what to write instead. This is
//! the only place that reads the environment.

pub mod all_sections;
pub mod archive;
pub mod archive_url;
pub mod declaration;
mod declared;
pub mod effective;
pub mod exposure;
mod fields;
mod file;
mod kinds;
pub mod load;
mod pipelines;
pub mod problem;
pub mod program;
mod reader;
pub mod relays;
pub mod retention;
mod section;
mod sections;
pub mod shared_log;
mod shown;
mod tree;
pub mod values;
mod variable;

use switchboard_actors::domain::account::password::Password;
use switchboard_actors::domain::crm::Pipeline;
use switchboard_actors::domain::id::{AccountId, UserId};
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::oauth::clients::OauthClient;
use switchboard_actors::domain::text::UserName;
use switchboard_actors::domain::text::email::Email;
use url::Url;

use self::archive::Archive;
use self::relays::Relay;
use self::retention::Retention;
pub use self::sections::{
    AccountQuotaSettings, Actors, Dispatch, Limits, Log, Media, Operator, Requests, Server, Store,
};
use self::shared_log::SharedLog;
use self::values::Secret;

/// The configuration that comes with the project: a working demo.
pub const SHIPPED: &str = include_str!("../config.toml");

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The HTTP side.
    pub server: Server,
    /// The limits for clients.
    pub limits: Limits,
    /// The place of the data, and its care.
    pub store: Store,
    /// The archive: a copy of the data elsewhere.
    pub archive: Archive,
    /// This node of a shared log.
    pub shared_log: SharedLog,
    /// The operator, and the token of the operator's interface.
    pub operator: Operator,
    /// The bounds of the memory of actors.
    pub actors: Actors,
    /// The journal of the requests of integrations, for people.
    pub requests: Requests,
    /// Files of account users.
    pub media: Media,
    /// The retention of messages.
    pub retention: Retention,
    /// The dispatch of callbacks.
    pub dispatch: Dispatch,
    /// The quotas of accounts that have none of their own.
    pub account_quotas: AccountQuotaSettings,
    /// The log of the running service.
    pub log: Log,
    /// Accounts to exist after start-up.
    pub accounts: Vec<Account>,
    /// Channels to exist after start-up.
    pub channels: Vec<Channel>,
    /// OAuth clients to exist after start-up.
    pub oauth_clients: Vec<OauthClient>,
    /// Relays between the counterpart and bridges.
    pub relays: Vec<Relay>,
}

impl Settings {
    /// The address of the configured service; `None` when it takes any free port.
    #[must_use]
    pub fn service_url(&self) -> Option<Url> {
        match (&self.server.public_url, self.server.listen.port) {
            (Some(url), _) => Some(url.clone()),
            (None, 0) => None,
            (None, port) => self.server.listen.url(port),
        }
    }
}

/// `[[accounts]]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The `account_id` of the chat interface.
    pub id: AccountId,
    /// The settings of the account that an operator may change.
    pub settings: AccountSettings,
    /// Its pipelines; empty: those that an account has by itself.
    pub pipelines: Vec<Pipeline>,
    /// Its users.
    pub users: Vec<User>,
}

/// `[[accounts.users]]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The number; `None`: the next one.
    pub id: Option<UserId>,
    /// The full name.
    pub name: UserName,
    /// The e-mail, unique in the account whatever its case.
    pub email: Email,
    /// The password for the inbox.
    pub password: Password,
    /// The user administers the account.
    pub is_admin: bool,
    /// A fixed bearer token.
    pub token: Option<Secret>,
}

/// The flags of the command line; they outrank everything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--listen`, for `server.listen`.
    pub listen: Option<String>,
    /// `--data-dir`, for `store.path`.
    pub data_dir: Option<String>,
}
