//! From the three sources to the settings: the defaults and ranges of every key are here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use ipnet::IpNet;
use switchboard_actors::domain::dispatch::quota::Quotas;
use switchboard_actors::domain::installation::channels::settings::CallbackTimeout;
use switchboard_network::host::Host;

use super::account_quotas::account_quotas;
use super::archive::{archive, is_store_variable};
use super::declared::{Declarations, accounts, channels, oauth_clients, token};
use super::effective::Setting;
use super::exposure::Published;
use super::file::read_file;
use super::kinds::{InvalidValue, NONE, or_none, parsed, switch, text, whole, words};
use super::problem::ConfigErrors;
use super::reader::{Reader, Section};
use super::retention::retention;
use super::shared_log::shared_log;
use super::tree::{self, ConfigNode};
use super::values::{Durability, Listen, LogFormat, MediaPolicy, PublicUrl};
use super::variable::PREFIX;
use super::{
    Actors, Dispatch, Limits, Log, Media, Operator, Overrides, Requests, SHIPPED, Server, Settings,
    Store,
};

const MIB: u64 = 1 << 20;

/// The sources that the settings of a service are read from, besides the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsSource {
    /// The configuration; none if the service runs with defaults.
    pub config: Option<PathBuf>,
    /// The flags of the command line.
    pub flags: Overrides,
}

impl SettingsSource {
    /// Reads the settings as they are now.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn load(&self) -> Result<Settings, ConfigErrors> {
        Settings::load(self.config.as_deref(), &environment(), self.flags.clone())
    }
}

impl Settings {
    /// Reads the settings from a file (none: built-in defaults), the environment and flags.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn load(
        path: Option<&Path>,
        env: &BTreeMap<String, String>,
        flags: Overrides,
    ) -> Result<Self, ConfigErrors> {
        Self::load_told(path, env, flags).map(|(settings, _)| settings)
    }

    /// As [`Self::load`], with where each value comes from.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn load_told(
        path: Option<&Path>,
        env: &BTreeMap<String, String>,
        flags: Overrides,
    ) -> Result<(Self, Vec<Setting>), ConfigErrors> {
        let Some(path) = path else {
            return Self::parse_told("", "config.toml", env, flags);
        };
        let file = path.display().to_string();
        let text = read_file(path, &file)?;
        Self::parse_told(&text, &file, env, flags)
    }

    /// As [`Self::load`], of a text; `file` is its name in what is reported.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn parse(
        text: &str,
        file: &str,
        env: &BTreeMap<String, String>,
        flags: Overrides,
    ) -> Result<Self, ConfigErrors> {
        Self::parse_told(text, file, env, flags).map(|(settings, _)| settings)
    }

    /// As [`Self::load_told`], of a text.
    ///
    /// # Errors
    /// Everything that is wrong, all at once.
    pub fn parse_told(
        text: &str,
        file: &str,
        env: &BTreeMap<String, String>,
        flags: Overrides,
    ) -> Result<(Self, Vec<Setting>), ConfigErrors> {
        let (settings, mut reader) = interpret(text, file, env, flags)?;
        let told = std::mem::take(&mut reader.settings);
        let problems = reader.finish();
        if problems.is_empty() {
            Ok((settings, told))
        } else {
            Err(ConfigErrors::new(problems))
        }
    }
}

/// The variables that may be ours, from the process's environment.
#[must_use]
pub fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            let ours = name.starts_with(PREFIX) || is_store_variable(&name);
            ours.then(|| (name, value.to_string_lossy().into_owned()))
        })
        .collect()
}

/// Every key there is, as in `channels.secret`.
#[must_use]
pub fn keys() -> BTreeSet<String> {
    let (env, flags) = (BTreeMap::new(), Overrides::default());
    let read = interpret(SHIPPED, "config.toml", &env, flags);
    read.map(|(_, reader)| &reader.known - &reader.tables)
        .unwrap_or_default()
}

/// The settings, with defaults for values that are wrong, and the reader that knows of those.
fn interpret(
    text: &str,
    file: &str,
    env: &BTreeMap<String, String>,
    flags: Overrides,
) -> Result<(Settings, Reader), ConfigErrors> {
    let mut table = tree::from_toml(text, file).map_err(ConfigErrors::new)?;
    let mut problems = Vec::new();
    tree::put_environment(&mut table, env, &mut problems);
    if let Some(listen) = flags.listen {
        tree::put_flag(&mut table, "server", "listen", "--listen", listen);
    }
    if let Some(data_dir) = flags.data_dir {
        tree::put_flag(&mut table, "store", "path", "--data-dir", data_dir);
    }
    let mut reader = Reader::new(file.to_owned(), problems);
    let mut root = Section::root(table);
    let mut published = Published::default();
    let mut seen = Declarations::default();
    let server = server(&mut reader, &mut root);
    let limits = limits(&mut reader, &mut root);
    let store = store(&mut reader, &mut root);
    let archive = archive(&mut reader, &mut root, env);
    let shared_log = shared_log(&mut reader, &mut root, archive.to.is_some());
    let operator = operator(&mut reader, &mut root, &mut seen, &mut published);
    let actors = actors(&mut reader, &mut root);
    let requests = requests(&mut reader, &mut root);
    let media = media(&mut reader, &mut root);
    let retention = retention(&mut reader, &mut root);
    let dispatch = dispatch(&mut reader, &mut root);
    let account_quotas = account_quotas(&mut reader, &mut root);
    let log = log(&mut reader, &mut root);
    let accounts = accounts(&mut reader, &mut root, &mut seen, &mut published);
    let channels = channels(&mut reader, &mut root, &mut seen, &mut published);
    let oauth_clients = oauth_clients(&mut reader, &mut root, &channels, &mut seen, &mut published);
    reader.close(root);
    published.guard(&mut reader, &server.listen);
    let settings = Settings {
        server,
        limits,
        store,
        archive,
        shared_log,
        operator,
        actors,
        requests,
        media,
        retention,
        dispatch,
        account_quotas,
        log,
        accounts,
        channels,
        oauth_clients,
    };
    Ok((settings, reader))
}

fn server(reader: &mut Reader, root: &mut Section) -> Server {
    let mut section = reader.section(root, "server");
    let listen = reader.or(&mut section, "listen", Listen::usual(), parsed);
    let mut url = |key| {
        let url = reader.usually(&mut section, key, NONE.into(), or_none(parsed::<PublicUrl>));
        url.flatten().map(|PublicUrl(url)| url)
    };
    let (public_url, callback_url) = (url("public_url"), url("callback_url"));
    let hosts = reader.or(&mut section, "hosts", Vec::new(), hosts);
    let workers = reader.or(&mut section, "workers", 0, whole(0..=64));
    let body_limit = whole(1_024..=16_777_216);
    let server = Server {
        listen,
        public_url,
        callback_url,
        hosts,
        workers: if workers == 0 { cores() } else { workers },
        body_limit_bytes: reader.or(&mut section, "body_limit_bytes", 262_144, body_limit),
        signature_hints: reader.or(&mut section, "signature_hints", true, switch),
        trusted_proxies: reader.or(&mut section, "trusted_proxies", Vec::new(), networks),
        drain: Duration::from_secs(reader.or(&mut section, "drain_seconds", 11, whole(0..=300))),
    };
    reader.close(section);
    server
}

/// One worker per core, at most 8: more of them share the cores with the journal for no gain.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().min(8))
}

fn store(reader: &mut Reader, root: &mut Section) -> Store {
    let mut section = reader.section(root, "store");
    let path = reader.or(&mut section, "path", PathBuf::from("data"), directory);
    let mut number =
        |key, usual: u64, range| reader.or(&mut section, key, usual, whole::<u64>(range));
    let segment = number("segment_mib", 64, 1..=1_024);
    let checkpoint_records = number("checkpoint_records", 100_000, 100..=10_000_000);
    let low_water = number("low_water_mib", 256, 0..=1_048_576);
    let durability = reader.or(&mut section, "durability", Durability::Always, parsed);
    reader.close(section);
    Store {
        path,
        segment_bytes: segment * MIB,
        checkpoint_records,
        low_water_bytes: low_water * MIB,
        durability,
    }
}

fn limits(reader: &mut Reader, root: &mut Section) -> Limits {
    let mut section = reader.section(root, "limits");
    let mut rate = |key, usual| reader.or(&mut section, key, usual, whole(0..=1_000_000));
    let channel_requests_per_second = rate("channel_requests_per_second", 10_000);
    let user_requests_per_second = rate("user_requests_per_second", 2_000);
    let mut count =
        |key, usual, least| reader.or(&mut section, key, usual, whole(least..=1_000_000));
    let requests_in_flight_max = count("requests_in_flight_max", 1_024, 0);
    let connections_max = count("connections_max", 20_000, 1);
    let connections_per_address_max = count("connections_per_address_max", 4_096, 0);
    let bodies_awaited_max = count("bodies_awaited_max", 2_048, 0);
    let bodies_awaited_per_address_max = count("bodies_awaited_per_address_max", 256, 0);
    let streams_per_user_max = count("streams_per_user_max", 32, 0);
    let unread = reader.or(&mut section, "unread_answer_seconds", 15, whole(0..=3_600));
    reader.close(section);
    Limits {
        channel_requests_per_second,
        user_requests_per_second,
        requests_in_flight_max,
        connections_max,
        connections_per_address_max,
        bodies_awaited_max,
        bodies_awaited_per_address_max,
        unread_answer: Duration::from_secs(unread),
        streams_per_user_max,
    }
}

fn operator(
    reader: &mut Reader,
    root: &mut Section,
    seen: &mut Declarations,
    published: &mut Published,
) -> Operator {
    let mut section = reader.section(root, "operator");
    let origin = published.note(&section, "token");
    let token = reader.optional(&mut section, "token", token);
    if let (Some(token), Some(origin)) = (&token, origin) {
        seen.token(reader, token, "operator.token", &origin);
    }
    reader.close(section);
    Operator { token }
}

fn actors(reader: &mut Reader, root: &mut Section) -> Actors {
    let mut section = reader.section(root, "actors");
    let idle = reader.or(&mut section, "idle_after_seconds", 300, whole(1..=86_400));
    let hot = whole(1..=10_000_000);
    let conversations_max_hot = reader.or(&mut section, "conversations_max_hot", 100_000, hot);
    reader.close(section);
    Actors {
        idle_after: Duration::from_secs(idle),
        conversations_max_hot,
    }
}

fn requests(reader: &mut Reader, root: &mut Section) -> Requests {
    let mut section = reader.section(root, "requests");
    let per_channel = reader.or(&mut section, "keep_per_channel", 200, whole(0..=10_000));
    let deliveries = "keep_deliveries_per_channel";
    let deliveries = reader.or(&mut section, deliveries, 200, whole(0..=10_000));
    let body = reader.or(&mut section, "body_kib", 16, whole::<usize>(1..=1_024));
    reader.close(section);
    Requests {
        keep_per_channel: per_channel,
        keep_deliveries_per_channel: deliveries,
        body_bytes: body << 10,
    }
}

fn media(reader: &mut Reader, root: &mut Section) -> Media {
    let mut section = reader.section(root, "media");
    let mut number = |key, usual, most| reader.or(&mut section, key, usual, whole(1..=most));
    let file = number("file_mib", 20, 1_024);
    let age = number("unsent_hours", 24, 720);
    let timeout = number("fetch_timeout_seconds", 30, 600);
    let mut count = |key, usual, most| reader.or(&mut section, key, usual, whole(1..=most));
    let uploads_max = count("uploads_max", 32, 256);
    let uploads_per_account_max = count("uploads_per_account_max", 8, 256);
    let uploads_per_user_max = count("uploads_per_user_max", 4, 256);
    let unsent_max = count("unsent_max", 1_000, 100_000);
    let unsent_per_user_max = count("unsent_per_user_max", 200, 100_000);
    let fetches_max = count("fetches_max", 8, 64);
    let retry = reader.or(&mut section, "fetch_retry_seconds", 60, whole(0..=3_600));
    let policy = reader.or(&mut section, "policy", MediaPolicy::Check, parsed);
    reader.close(section);
    Media {
        file_bytes: file << 20,
        uploads_max,
        uploads_per_account_max,
        uploads_per_user_max,
        unsent_max,
        unsent_per_user_max,
        unsent_age: hours(age),
        policy,
        fetches_max,
        fetch_timeout: Duration::from_secs(timeout),
        fetch_retry: Duration::from_secs(retry),
    }
}

fn dispatch(reader: &mut Reader, root: &mut Section) -> Dispatch {
    let mut section = reader.section(root, "dispatch");
    let private = reader.or(&mut section, "allow_private_networks", false, switch);
    let allow_cidrs = reader.or(&mut section, "allow_cidrs", Vec::new(), networks);
    let seconds = whole(CallbackTimeout::RANGE);
    let timeout = reader.or(&mut section, "timeout_seconds", 10, seconds);
    let attempts_max = reader.or(&mut section, "attempts_max", 8, whole(1..=100));
    let refused_attempts_max = reader.or(&mut section, "refused_attempts_max", 4, whole(1..=100));
    let age = reader.or(&mut section, "age_max_hours", 24, whole(1..=720));
    let in_flight_max = reader.or(&mut section, "in_flight_max", 256, whole(1..=4_096));
    let mut quota = |key, most, usual: u64| reader.or(&mut section, key, usual, whole(1..=most));
    let usual = Quotas::default();
    let quotas = Quotas {
        queue: quota("queued_per_conversation_max", 100_000, usual.queue),
        scope: quota("queued_per_scope_max", 100_000_000, usual.scope),
        endpoint: quota("queued_per_endpoint_max", 100_000_000, usual.endpoint),
        node: quota("queued_max", 1_000_000_000, usual.node),
    };
    let space = whole::<u64>(0..=1_048_576);
    let reserve = reader.or(&mut section, "disk_reserve_mib", 512, space);
    reader.close(section);
    Dispatch {
        allow_private_networks: private,
        allow_cidrs,
        timeout: Duration::from_secs(timeout),
        attempts_max,
        refused_attempts_max,
        age_max: hours(age),
        in_flight_max,
        quotas,
        disk_reserve_bytes: reserve * MIB,
    }
}

fn log(reader: &mut Reader, root: &mut Section) -> Log {
    let mut section = reader.section(root, "log");
    let format = reader.or(&mut section, "format", LogFormat::Text, parsed);
    let requests = reader.or(&mut section, "requests", false, switch);
    reader.close(section);
    Log { format, requests }
}

fn hours(count: u64) -> Duration {
    Duration::from_secs(count * 3_600)
}

fn directory(node: &ConfigNode) -> Result<PathBuf, InvalidValue> {
    match text(node)? {
        "" => Err(InvalidValue::new("is empty", "name a directory")),
        path => Ok(PathBuf::from(path)),
    }
}

fn networks(node: &ConfigNode) -> Result<Vec<IpNet>, InvalidValue> {
    let networks: Result<Vec<IpNet>, _> = words(node)?.iter().map(|word| word.parse()).collect();
    networks.map_err(|error| {
        InvalidValue::new(
            "is not a list of networks",
            format!("write them as in [\"10.1.0.0/16\", \"fd00::/8\"] ({error})"),
        )
    })
}

fn hosts(node: &ConfigNode) -> Result<Vec<Host>, InvalidValue> {
    let hosts: Result<Vec<Host>, _> = words(node)?.iter().map(|word| word.parse()).collect();
    hosts.map_err(|error| {
        InvalidValue::new(
            "is not a list of hosts",
            format!("{error}; leave out scheme and port"),
        )
    })
}
