//! The settings of the service: one file, over it the environment, over that the flags.
//!
//! Every value is parsed here, once, into the type that the rest of the program works with. All
//! that is wrong is reported together, with the file and line and what to write instead. This is
//! the only place that reads the environment.

mod account_quotas;
pub mod archive;
pub mod archive_url;
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
pub mod retention;
pub mod shared_log;
mod shown;
mod tree;
pub mod values;
mod variable;

use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use switchboard_actors::domain::account::password::Password;
use switchboard_actors::domain::account_quota::AccountQuotas;
use switchboard_actors::domain::crm::Pipeline;
use switchboard_actors::domain::dispatch::quota::Quotas;
use switchboard_actors::domain::id::{AccountId, UserId};
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::oauth::clients::OauthClient;
use switchboard_actors::domain::text::UserName;
use switchboard_actors::domain::text::email::Email;
use switchboard_network::host::Host;
use url::Url;

use self::archive::Archive;
use self::retention::Retention;
use self::shared_log::SharedLog;
use self::values::{Durability, Listen, LogFormat, MediaPolicy, Secret};

/// The configuration that comes with the project: a working demo.
pub const SHIPPED: &str = include_str!("../config.toml");

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The HTTP side.
    pub server: Server,
    /// How much clients may ask for.
    pub limits: Limits,
    /// Where and how data is kept.
    pub store: Store,
    /// Where a copy of the data is kept.
    pub archive: Archive,
    /// Which node of a shared log this is.
    pub shared_log: SharedLog,
    /// Who runs the service.
    pub operator: Operator,
    /// How much stays in memory.
    pub actors: Actors,
    /// What integrations ask, kept for people to look at.
    pub requests: Requests,
    /// Files of account users.
    pub media: Media,
    /// How long messages are kept.
    pub retention: Retention,
    /// How callbacks leave.
    pub dispatch: Dispatch,
    /// The quotas of accounts that have none of their own.
    pub account_quotas: AccountQuotas,
    /// What is written down of a running service.
    pub log: Log,
    /// Accounts to exist after start-up.
    pub accounts: Vec<Account>,
    /// Channels to exist after start-up.
    pub channels: Vec<Channel>,
    /// OAuth clients to exist after start-up.
    pub oauth_clients: Vec<OauthClient>,
}

impl Settings {
    /// Where the configured service is found; nowhere when it takes any free port.
    #[must_use]
    pub fn service_url(&self) -> Option<Url> {
        match (&self.server.public_url, self.server.listen.port) {
            (Some(url), _) => Some(url.clone()),
            (None, 0) => None,
            (None, port) => self.server.listen.url(port),
        }
    }
}

/// `[server]`
#[derive(Clone, Debug, PartialEq)]
pub struct Server {
    /// Where to listen.
    pub listen: Listen,
    /// The URL that links begin with; none when they follow the host that a request names.
    pub public_url: Option<Url>,
    /// The URL that the addresses of files in callbacks begin with; none when it is that of the service.
    pub callback_url: Option<Url>,
    /// Hosts that requests may name, besides those that no stranger can re-point.
    pub hosts: Vec<Host>,
    /// HTTP workers, at least 1.
    pub workers: usize,
    /// The largest request body of the chat interface.
    pub body_limit_bytes: usize,
    /// Whether a refused signature is answered with the signer's likely mistake.
    pub signature_hints: bool,
    /// Reverse proxies: what they say of where a request comes from is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// How long requests in progress may take to end when the service stops.
    pub drain: Duration,
}

impl Server {
    /// Where clients find the service once `port` is bound; none only for a host that no URL can hold.
    #[must_use]
    pub fn public_url_at(&self, port: u16) -> Option<Url> {
        self.public_url.clone().or_else(|| self.listen.url(port))
    }

    /// Hosts that requests may name whether or not they could be re-pointed: what the settings themselves name.
    #[must_use]
    pub fn named_hosts(&self) -> Vec<Host> {
        let urls = [&self.public_url, &self.callback_url].into_iter().flatten();
        let of_urls = urls.filter_map(|url| url.host_str()?.parse().ok());
        let listener = std::iter::once(self.listen.host.clone());
        let listener = listener.filter(|host| matches!(host, Host::Name(_)));
        let hosts = of_urls.chain(listener);
        hosts.chain(self.hosts.iter().cloned()).collect()
    }
}

/// `[limits]`; 0 means that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests of one channel in a second.
    pub channel_requests_per_second: u32,
    /// Requests of one account user in a second.
    pub user_requests_per_second: u32,
    /// Requests that are worked on at once.
    pub requests_in_flight_max: usize,
    /// Connections at once, at least 1.
    pub connections_max: usize,
    /// Connections from one address at once.
    pub connections_per_address_max: usize,
    /// Requests whose bodies are awaited at once.
    pub bodies_awaited_max: usize,
    /// Requests from one address whose bodies are awaited at once.
    pub bodies_awaited_per_address_max: usize,
    /// How long an answer may wait for the client to take more of it.
    pub unread_answer: Duration,
    /// Streams of events of one account user at once.
    pub streams_per_user_max: usize,
}

/// `[store]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// The directory of the journal and its indexes.
    pub path: PathBuf,
    /// The size at which a journal file is closed.
    pub segment_bytes: u64,
    /// How many records may await a checkpoint.
    pub checkpoint_records: u64,
    /// Writes are refused below this much free space.
    pub low_water_bytes: u64,
    /// What an acknowledgement promises.
    pub durability: Durability,
}

/// `[operator]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// The bearer token of the operator's interface; none to have one made.
    pub token: Option<Secret>,
}

/// `[actors]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actors {
    /// An actor without work leaves memory after this time.
    pub idle_after: Duration,
    /// At most this many conversations stay in memory.
    pub conversations_max_hot: usize,
}

/// `[requests]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requests {
    /// The newest requests of each channel, refused and answered ones each; 0 keeps none.
    pub keep_per_channel: usize,
    /// The newest deliveries of each channel; 0 keeps none.
    pub keep_deliveries_per_channel: usize,
    /// Of longer bodies only the beginning is kept.
    pub body_bytes: usize,
}

/// `[media]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// The largest file that account users may send.
    pub file_bytes: u64,
    /// Uploads at once; more are asked to try again.
    pub uploads_max: usize,
    /// Uploads of one account at once.
    pub uploads_per_account_max: usize,
    /// Uploads of one user at once.
    pub uploads_per_user_max: usize,
    /// Files of one account that are uploaded and not sent.
    pub unsent_max: usize,
    /// Files of one user that are uploaded and not sent.
    pub unsent_per_user_max: usize,
    /// The age at which unsent files are removed.
    pub unsent_age: Duration,
    /// How the service treats files that integrations name.
    pub policy: MediaPolicy,
    /// How many of them are checked at the same time.
    pub fetches_max: usize,
    /// How long one check may take.
    pub fetch_timeout: Duration,
    /// How long a file waits for its second attempt.
    pub fetch_retry: Duration,
}

/// `[dispatch]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Whether requests may go to private and loopback addresses.
    pub allow_private_networks: bool,
    /// Networks that are allowed even when `allow_private_networks` is false.
    pub allow_cidrs: Vec<IpNet>,
    /// How long one attempt may take.
    pub timeout: Duration,
    /// Attempts that count against a callback before it is given up.
    pub attempts_max: u32,
    /// Attempts that the integration refused in a way that cannot change, before a callback is given up.
    pub refused_attempts_max: u32,
    /// The age at which a callback is given up.
    pub age_max: Duration,
    /// Callbacks in progress at once.
    pub in_flight_max: usize,
    /// How many callbacks may be queued.
    pub quotas: Quotas,
    /// Nothing new is accepted below this much free space.
    pub disk_reserve_bytes: u64,
}

/// `[log]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Log {
    /// How a line looks.
    pub format: LogFormat,
    /// Whether each request has a line.
    pub requests: bool,
}

/// `[[accounts]]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The `account_id` of the chat interface.
    pub id: AccountId,
    /// What can be set of it.
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
    /// Whether the user administers the account.
    pub is_admin: bool,
    /// A fixed bearer token.
    pub token: Option<Secret>,
}

/// What the command line sets; it outranks everything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--listen`, for `server.listen`.
    pub listen: Option<String>,
    /// `--data-dir`, for `store.path`.
    pub data_dir: Option<String>,
}
