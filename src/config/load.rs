//! From the three sources to the settings: the defaults and ranges of every key are here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use ipnet::IpNet;
use switchboard_actors::domain::dispatch::quota::Quotas;
use url::Url;

use super::declared::{Seen, accounts, channels, token};
use super::exposure::Published;
use super::kinds::{Wrong, parsed, switch, text, whole, words};
use super::problem::{ConfigErrors, Problem};
use super::reader::{Reader, Section};
use super::tree::{self, Node, Origin, PREFIX};
use super::values::{Durability, Listen, MediaPolicy, PublicUrl};
use super::{
    Actors, Dispatch, Limits, Media, Operator, Overrides, Requests, SHIPPED, Server, Settings,
    Store,
};

const MIB: u64 = 1 << 20;

/// No configuration file is larger; a device or a log given by mistake is not read to its end.
const FILE_BYTES_MAX: u64 = 1 << 20;

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
        let Some(path) = path else {
            return Self::parse("", "config.toml", env, flags);
        };
        let file = path.display().to_string();
        let text = read_file(path, &file)?;
        Self::parse(&text, &file, env, flags)
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
        let (settings, reader) = interpret(text, file, env, flags)?;
        match (settings, reader.finish()) {
            (Some(settings), problems) if problems.is_empty() => Ok(settings),
            (_, problems) => Err(ConfigErrors::new(problems)),
        }
    }
}

/// The variables that may be ours, from the process's environment.
#[must_use]
pub fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            let ours = name.starts_with(PREFIX);
            ours.then(|| (name, value.to_string_lossy().into_owned()))
        })
        .collect()
}

/// Every key there is, as in `channels.secret`.
#[must_use]
pub fn keys() -> BTreeSet<String> {
    let read = interpret(
        SHIPPED,
        "config.toml",
        &BTreeMap::new(),
        Overrides::default(),
    );
    read.map(|(_, reader)| &reader.known - &reader.tables)
        .unwrap_or_default()
}

fn read_file(path: &Path, file: &str) -> Result<String, ConfigErrors> {
    let unreadable = |why: String| {
        ConfigErrors::new(vec![Problem {
            code: "unreadable",
            headline: format!("cannot read {file}: {why}"),
            place: None,
            help: "name a TOML file with  --config FILE".into(),
        }])
    };
    let opened = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut text = String::new();
    match opened.take(FILE_BYTES_MAX + 1).read_to_string(&mut text) {
        Ok(bytes) if u64::try_from(bytes).is_ok_and(|bytes| bytes <= FILE_BYTES_MAX) => Ok(text),
        Ok(_) => Err(unreadable("it is larger than 1 MiB".into())),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

/// The settings, unless a value they cannot do without is wrong, and the reader that knows why.
fn interpret(
    text: &str,
    file: &str,
    env: &BTreeMap<String, String>,
    flags: Overrides,
) -> Result<(Option<Settings>, Reader), ConfigErrors> {
    let mut table = tree::from_toml(text, file).map_err(ConfigErrors::new)?;
    let mut problems = Vec::new();
    tree::put_environment(&mut table, env, &mut problems);
    if let Some(listen) = flags.listen {
        tree::put_flag(&mut table, "server", "listen", "--listen", listen);
    }
    if let Some(data_dir) = flags.data_dir {
        tree::put_flag(&mut table, "store", "path", "--data-dir", data_dir);
    }
    // What the file alone says, to tell a public URL that merely repeats `listen`.
    let repeats = repeats_listen(text);

    let mut reader = Reader::new(file.to_owned(), problems);
    let mut root = Section::root(table);
    let mut published = Published::default();
    let mut seen = Seen::default();
    let server = server(&mut reader, &mut root, repeats);
    let limits = limits(&mut reader, &mut root);
    let store = store(&mut reader, &mut root);
    let operator = operator(&mut reader, &mut root, &mut seen, &mut published);
    let actors = actors(&mut reader, &mut root);
    let requests = requests(&mut reader, &mut root);
    let media = media(&mut reader, &mut root);
    let dispatch = dispatch(&mut reader, &mut root);
    let accounts = accounts(&mut reader, &mut root, &mut seen, &mut published);
    let channels = channels(&mut reader, &mut root, &mut seen, &mut published);
    reader.close(root);
    let settings = server.map(|server| {
        published.guard(&mut reader, &server.listen);
        Settings {
            server,
            limits,
            store,
            operator,
            actors,
            requests,
            media,
            dispatch,
            accounts,
            channels,
        }
    });
    Ok((settings, reader))
}

/// Whether the file's `public_url` says no more than its `listen`. Then it moves along when a
/// variable or a flag chooses another address, rather than send clients to the old one.
fn repeats_listen(text: &str) -> bool {
    let Ok(table) = tree::from_toml(text, "") else {
        return false;
    };
    let mut reader = Reader::new(String::new(), Vec::new());
    let mut server = reader.section(&mut Section::root(table), "server");
    let listen = reader.optional(&mut server, "listen", parsed::<Listen>);
    let public_url = reader.optional(&mut server, "public_url", parsed::<PublicUrl>);
    match (listen, public_url) {
        (Some(listen), Some(PublicUrl(url))) => listen.url(listen.port) == Some(url),
        (None, _) | (_, None) => false,
    }
}

fn server(reader: &mut Reader, root: &mut Section, repeats: bool) -> Option<Server> {
    let mut section = reader.section(root, "server");
    let moved = matches!(
        (section.node("listen"), section.node("public_url")),
        (Some(listen), Some(url)) if !in_file(listen) && in_file(url)
    );
    let listen = match section.node("listen") {
        Some(_) => reader.optional(&mut section, "listen", parsed::<Listen>),
        None => {
            let listen = reader.optional(&mut section, "listen", parsed::<Listen>);
            listen.or_else(|| "127.0.0.1:8080".parse().ok())
        }
    };
    let public_url = reader.optional(&mut section, "public_url", parsed::<PublicUrl>);
    let public_url: Option<Url> = public_url.map(|PublicUrl(url)| url);
    let workers = reader.optional(&mut section, "workers", whole(0..=64));
    let body_limit_bytes =
        reader.optional(&mut section, "body_limit_bytes", whole(1_024..=16_777_216));
    let signature_hints = reader.optional(&mut section, "signature_hints", switch);
    let proxies = reader.optional(&mut section, "trusted_proxies", networks);
    let drain = reader.optional(&mut section, "drain_seconds", whole(0..=300));
    reader.close(section);
    Some(Server {
        listen: listen?,
        public_url: public_url.filter(|_| !(moved && repeats)),
        workers: workers.filter(|workers| *workers > 0).unwrap_or_else(cores),
        body_limit_bytes: body_limit_bytes.unwrap_or(262_144),
        signature_hints: signature_hints.unwrap_or(true),
        trusted_proxies: proxies.unwrap_or_default(),
        drain: Duration::from_secs(drain.unwrap_or(11)),
    })
}

fn in_file(node: &Node) -> bool {
    matches!(node.origin, Origin::Line(_))
}

/// One worker per core, at most 8: more of them share the cores with the journal for no gain.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().min(8))
}

fn store(reader: &mut Reader, root: &mut Section) -> Store {
    let mut section = reader.section(root, "store");
    let path = reader.optional(&mut section, "path", directory);
    let segment = reader.optional(&mut section, "segment_mib", whole::<u64>(1..=1_024));
    let records = reader.optional(&mut section, "checkpoint_records", whole(100..=10_000_000));
    let low_water = reader.optional(&mut section, "low_water_mib", whole::<u64>(0..=1_048_576));
    let durability = reader.optional(&mut section, "durability", parsed);
    reader.close(section);
    Store {
        path: path.unwrap_or_else(|| PathBuf::from("data")),
        segment_bytes: segment.unwrap_or(64) * MIB,
        checkpoint_records: records.unwrap_or(100_000),
        low_water_bytes: low_water.unwrap_or(256) * MIB,
        durability: durability.unwrap_or(Durability::Always),
    }
}

fn limits(reader: &mut Reader, root: &mut Section) -> Limits {
    let mut section = reader.section(root, "limits");
    let mut rate = |key| reader.optional(&mut section, key, whole(0..=1_000_000));
    let channel = rate("channel_requests_per_second");
    let user = rate("user_requests_per_second");
    let mut count = |key, least| reader.optional(&mut section, key, whole(least..=1_000_000));
    let under_way = count("requests_under_way_max", 0);
    let connections = count("connections_max", 1);
    let per_address = count("connections_per_address_max", 0);
    let bodies = count("bodies_awaited_max", 0);
    let bodies_per_address = count("bodies_awaited_per_address_max", 0);
    let unread = reader.optional(&mut section, "unread_answer_seconds", whole(0..=3_600));
    reader.close(section);
    Limits {
        channel_requests_per_second: channel.unwrap_or(10_000),
        user_requests_per_second: user.unwrap_or(2_000),
        requests_under_way_max: under_way.unwrap_or(1_024),
        connections_max: connections.unwrap_or(20_000),
        connections_per_address_max: per_address.unwrap_or(4_096),
        bodies_awaited_max: bodies.unwrap_or(1_024),
        bodies_awaited_per_address_max: bodies_per_address.unwrap_or(256),
        unread_answer: Duration::from_secs(unread.unwrap_or(15)),
    }
}

fn operator(
    reader: &mut Reader,
    root: &mut Section,
    seen: &mut Seen,
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
    let idle = reader.optional(&mut section, "idle_after_seconds", whole(1..=86_400));
    let hot = reader.optional(&mut section, "conversations_max_hot", whole(1..=10_000_000));
    reader.close(section);
    Actors {
        idle_after: Duration::from_secs(idle.unwrap_or(300)),
        conversations_max_hot: hot.unwrap_or(100_000),
    }
}

fn requests(reader: &mut Reader, root: &mut Section) -> Requests {
    let mut section = reader.section(root, "requests");
    let keep = reader.optional(&mut section, "keep_per_channel", whole(0..=10_000));
    let deliveries = "keep_deliveries_per_channel";
    let deliveries = reader.optional(&mut section, deliveries, whole(0..=10_000));
    let body = reader.optional(&mut section, "body_kib", whole::<usize>(1..=1_024));
    reader.close(section);
    Requests {
        keep_per_channel: keep.unwrap_or(200),
        keep_deliveries_per_channel: deliveries.unwrap_or(200),
        body_bytes: body.unwrap_or(16) << 10,
    }
}

fn media(reader: &mut Reader, root: &mut Section) -> Media {
    let mut section = reader.section(root, "media");
    let file = reader.optional(&mut section, "file_mib", whole::<u64>(1..=1_024));
    let uploads = reader.optional(&mut section, "uploads_max", whole(1..=256));
    let unsent = reader.optional(&mut section, "unsent_max", whole(1..=100_000));
    let age = reader.optional(&mut section, "unsent_hours", whole::<u64>(1..=720));
    let policy = reader.optional(&mut section, "policy", parsed);
    let fetches = reader.optional(&mut section, "fetches_max", whole(1..=64));
    let timeout = reader.optional(&mut section, "fetch_timeout_seconds", whole::<u64>(1..=600));
    reader.close(section);
    Media {
        policy: policy.unwrap_or(MediaPolicy::Check),
        fetches_max: fetches.unwrap_or(8),
        fetch_timeout: Duration::from_secs(timeout.unwrap_or(30)),
        file_bytes: file.unwrap_or(20) << 20,
        uploads_max: uploads.unwrap_or(8),
        unsent_max: unsent.unwrap_or(1_000),
        unsent_age: Duration::from_secs(age.unwrap_or(24) * 3_600),
    }
}

fn dispatch(reader: &mut Reader, root: &mut Section) -> Dispatch {
    let mut section = reader.section(root, "dispatch");
    let private = reader.optional(&mut section, "allow_private_networks", switch);
    let cidrs = reader.optional(&mut section, "allow_cidrs", networks);
    let timeout = reader.optional(&mut section, "timeout_seconds", whole(1..=30));
    let attempts = reader.optional(&mut section, "attempts_max", whole(1..=100));
    let age = reader.optional(&mut section, "age_max_hours", whole::<u64>(1..=720));
    let in_flight = reader.optional(&mut section, "in_flight_max", whole(1..=4_096));
    let mut quota = |key, most, usual: u64| {
        let given = reader.optional(&mut section, key, whole(1..=most));
        given.unwrap_or(usual)
    };
    let usual = Quotas::default();
    let quotas = Quotas {
        lane: quota("queued_per_conversation_max", 100_000, usual.lane),
        scope: quota("queued_per_scope_max", 100_000_000, usual.scope),
        endpoint: quota("queued_per_endpoint_max", 100_000_000, usual.endpoint),
        node: quota("queued_max", 1_000_000_000, usual.node),
    };
    let reserve = reader.optional(
        &mut section,
        "disk_reserve_mib",
        whole::<u64>(0..=1_048_576),
    );
    reader.close(section);
    Dispatch {
        allow_private_networks: private.unwrap_or(false),
        allow_cidrs: cidrs.unwrap_or_default(),
        timeout: Duration::from_secs(timeout.unwrap_or(10)),
        attempts_max: attempts.unwrap_or(8),
        age_max: Duration::from_secs(age.unwrap_or(24) * 3_600),
        in_flight_max: in_flight.unwrap_or(256),
        quotas,
        disk_reserve_bytes: reserve.unwrap_or(512) * MIB,
    }
}

fn directory(node: &Node) -> Result<PathBuf, Wrong> {
    match text(node)? {
        "" => Err(Wrong::new("is empty", "name a directory")),
        path => Ok(PathBuf::from(path)),
    }
}

fn networks(node: &Node) -> Result<Vec<IpNet>, Wrong> {
    let networks: Result<Vec<IpNet>, _> = words(node)?.iter().map(|word| word.parse()).collect();
    networks.map_err(|error| {
        Wrong::new(
            "is not a list of networks",
            format!("write them as in [\"10.1.0.0/16\", \"fd00::/8\"] ({error})"),
        )
    })
}
