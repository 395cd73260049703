//! `[[relay]]`: what stands between the counterpart and a bridge.

use std::collections::BTreeMap;
use std::time::Duration;

use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::installation::channels::settings::CallbackTimeout;
use switchboard_actors::domain::relays::COPIES_MAX;
use switchboard_actors::domain::webhook::WebhookAddress;
use switchboard_actors::relay::settings::{AccountHooks, RelayBounds, RelayPath, RelaySettings};
use switchboard_relay_server::upward::channel::{HOST_PREFIX, UpwardChannel};
use switchboard_relay_server::upward::hosts::{HostRule, upstream};
use url::Url;

use super::exposure::Published;
use super::kinds::{ValueError, or_unset, parsed, text, whole, words};
use super::reader::Reader;
use super::section::Section;
use super::tree::{ConfigNode, Origin};
use super::values::Acceptance;

/// The most bytes of a hook.
const BODY_MAX: i64 = 16 << 20;
/// The shortest secret of a path.
const SECRET_MIN: usize = 16;
/// A hundred tebibytes.
const KEEP_MIB_MAX: i64 = 100 << 20;
/// The highest pace of requests upward.
const PER_SECOND_MAX: i64 = 1_000;
/// A hundred years.
const DAYS_MAX: i64 = 36_500;
const MEBI: usize = 1 << 20;
const KIBI: usize = 1 << 10;

/// The keys of a relay.
const KEYS: [&str; 20] = [
    "channel",
    "secret",
    "previous_secret",
    "from",
    "to",
    "copies",
    "body_kib",
    "waiting_max",
    "copies_waiting_max",
    "in_flight_max",
    "timeout_seconds",
    "keep_days",
    "keep_mib",
    "upstream",
    "upstream_per_second",
    "upstream_hosts",
    "accept",
    "account_hooks_from",
    "account_hooks_to",
    "accounts",
];

/// The names that no two relays may have in common, each with its first holder.
#[derive(Default)]
struct Names {
    channels: BTreeMap<ChannelId, String>,
    paths: BTreeMap<RelayPath, String>,
}

/// A relay as the configuration has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    /// The way down.
    pub down: RelaySettings,
    /// The way up, if it has one.
    pub up: Option<UpwardChannel>,
}

/// Reads the relays.
pub(super) fn relays(
    reader: &mut Reader,
    root: &mut Section,
    channels: &[Channel],
    published: &mut Published,
) -> Vec<Relay> {
    let sections = reader.list(root, "relay");
    reader.know("relay", KEYS.into_iter());
    let own = channels.iter().map(|channel| channel.id.clone());
    let mut names = Names {
        channels: own.map(|id| (id, "[[channels]]".to_owned())).collect(),
        ..Names::default()
    };
    let mut relays = Vec::new();
    for mut section in sections {
        let relay = relay(reader, &mut section, &mut names, published);
        reader.close(section);
        relays.extend(relay);
    }
    relays
}

fn relay(
    reader: &mut Reader,
    section: &mut Section,
    names: &mut Names,
    published: &mut Published,
) -> Option<Relay> {
    let channel_origin = section.node("channel").map(|node| node.origin.clone());
    let channel = reader.required(section, "channel", "\"<channel id>\"", parsed::<ChannelId>);
    published.note(section, "secret");
    let secret = reader.required(section, "secret", "\"<secret of the channel>\"", parsed);
    published.note(section, "previous_secret");
    let previous_secret = reader.choice(section, "previous_secret", or_unset(parsed));
    let from_origin = section.node("from").map(|node| node.origin.clone());
    let from = reader.required(section, "from", "\"/relay/shop\"", parsed::<RelayPath>);
    let to = reader.required(
        section,
        "to",
        "\"https://bridge.example.com/in/:scope_id\"",
        parsed,
    );
    let copies = reader.usually(section, "copies", serde_json::json!([]), addresses);
    let bounds = bounds(reader, section);
    let up = up(reader, section);
    let posts_to = posts_to(reader, section, up.as_ref().map(|(upstream, _)| upstream));
    let account_hooks = account_hooks(reader, section, names);
    let path = section.path().to_owned();
    names.claim_channel(reader, &path, channel.as_ref(), channel_origin);
    names.claim_path(reader, &path, "from", from.as_ref(), from_origin);
    let channel = channel?;
    let up = up.map(|(upstream, hosts)| UpwardChannel {
        channel: channel.clone(),
        upstream,
        hosts,
    });
    let down = RelaySettings {
        channel,
        secret: secret?,
        previous_secret,
        from: from?,
        to: to?,
        copies: copies.unwrap_or_default(),
        account_hooks,
        posts_to,
        bounds,
    };
    Some(Relay { down, up })
}

/// The account side: the path with a secret, the address of the program, and the accounts.
fn account_hooks(
    reader: &mut Reader,
    section: &mut Section,
    names: &mut Names,
) -> Option<AccountHooks> {
    let path = section.path().to_owned();
    let (place, origin) = (section.origin(), section.node("account_hooks_from"));
    let from_origin = origin.map(|node| node.origin.clone());
    let from = reader.choice(section, "account_hooks_from", or_unset(secret_path));
    let to = reader.choice(section, "account_hooks_to", or_unset(parsed));
    let texts = reader.usually(section, "accounts", serde_json::json!([]), |node| {
        Ok(words(node)?
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>())
    });
    let accounts: Vec<String> = texts.unwrap_or_default();
    let key = "account_hooks_from";
    names.claim_path(reader, &path, key, from.as_ref(), from_origin);
    let count = [from.is_some(), to.is_some(), !accounts.is_empty()];
    if count.contains(&true) && count.contains(&false) {
        let headline = format!("`{path}` has one part of the account side without the others");
        let help = "give account_hooks_from, account_hooks_to and accounts together".to_owned();
        reader.problem("missing-key", &headline, &place, help);
    }
    Some(AccountHooks {
        from: from?,
        to: to?,
        accounts,
    })
}

/// A path whose last part is a secret.
fn secret_path(node: &ConfigNode) -> Result<RelayPath, ValueError> {
    let path: RelayPath = parsed(node)?;
    let last = path.as_str().rsplit('/').next().unwrap_or_default();
    if last.len() < SECRET_MIN {
        let help = format!(
            "end the path with at least {SECRET_MIN} random characters: «openssl rand -hex 16» makes some"
        );
        return Err(ValueError::new("has no secret at its end", help));
    }
    Ok(path)
}

impl Names {
    /// Reports a channel that another relay has, or the service itself.
    fn claim_channel(
        &mut self,
        reader: &mut Reader,
        path: &str,
        channel: Option<&ChannelId>,
        origin: Option<Origin>,
    ) {
        if let (Some(channel), Some(origin)) = (channel, origin) {
            let other = self.channels.insert(channel.clone(), path.to_owned());
            duplicate(reader, path, "channel", other, &origin);
        }
    }

    /// Reports a path that another relay has, or that the way up has.
    fn claim_path(
        &mut self,
        reader: &mut Reader,
        path: &str,
        key: &str,
        from: Option<&RelayPath>,
        origin: Option<Origin>,
    ) {
        let (Some(from), Some(origin)) = (from, origin) else {
            return;
        };
        if format!("{from}/").starts_with(HOST_PREFIX) {
            let headline = format!("`{path}.{key}` begins as the paths of the way up do");
            let help = format!("write another path than one below {HOST_PREFIX}");
            reader.problem("bad-value", &headline, &origin, help);
        }
        let other = self.taken(from);
        self.paths.insert(from.clone(), path.to_owned());
        duplicate(reader, path, key, other, &origin);
    }

    /// The holder of this path, or of one that it is a part of or that is a part of it.
    fn taken(&self, path: &RelayPath) -> Option<String> {
        let is_within = |known: &&RelayPath| {
            known.rest(path.as_str()).is_some() || path.rest(known.as_str()).is_some()
        };
        let known = self.paths.keys().find(is_within)?;
        self.paths.get(known).cloned()
    }
}

/// The way up: the origin of the chat interface, and the hosts of the account side.
fn up(reader: &mut Reader, section: &mut Section) -> Option<(Url, Vec<HostRule>)> {
    let origin = section.origin();
    let upstream = reader.choice(section, "upstream", or_unset(origin_of_counterpart));
    let rules = reader.usually(section, "upstream_hosts", serde_json::json!([]), host_rules);
    let hosts = rules.unwrap_or_default();
    if upstream.is_none() && !hosts.is_empty() {
        let headline = format!("`{}.upstream_hosts` needs `upstream`", section.path());
        let help = "add a line  upstream = \"https://amojo.amocrm.ru\"".to_owned();
        reader.problem("missing-key", &headline, &origin, help);
    }
    Some((upstream?, hosts))
}

/// The origin of the counterpart, when messages of the bridge are stored first.
fn posts_to(
    reader: &mut Reader,
    section: &mut Section,
    upstream: Option<&Url>,
) -> Option<WebhookAddress> {
    let origin = section.node("accept").map(|node| node.origin.clone());
    let is_later = reader.or(section, "accept", Acceptance::Now, parsed) == Acceptance::Later;
    match (is_later, upstream) {
        (true, Some(upstream)) => upstream.as_str().parse().ok(),
        (true, None) => {
            let headline = format!("`{}.accept` needs `upstream`", section.path());
            let help =
                "add a line  upstream = \"https://amojo.amocrm.ru\": what is stored goes up to it"
                    .to_owned();
            let place = origin.unwrap_or_else(|| section.origin());
            reader.problem("missing-key", &headline, &place, help);
            None
        }
        (false, _) => None,
    }
}

fn origin_of_counterpart(node: &ConfigNode) -> Result<Url, ValueError> {
    upstream(text(node)?).map_err(|help| ValueError::new("is not valid", help))
}

fn host_rules(node: &ConfigNode) -> Result<Vec<HostRule>, ValueError> {
    let parse = |text: &str| {
        text.parse::<HostRule>()
            .map_err(|error| ValueError::new("has a host that is not valid", error.to_string()))
    };
    words(node)?.into_iter().map(parse).collect()
}

fn bounds(reader: &mut Reader, section: &mut Section) -> RelayBounds {
    let usual = RelayBounds::default();
    let kib = reader.or(
        section,
        "body_kib",
        usual.body_bytes_max / KIBI,
        whole(1..=BODY_MAX / 1_024),
    );
    RelayBounds {
        body_bytes_max: kib.saturating_mul(KIBI).min(16 * MEBI),
        waiting_max: reader.or(
            section,
            "waiting_max",
            usual.waiting_max,
            whole(1..=100_000_000),
        ),
        copies_waiting_max: reader.or(
            section,
            "copies_waiting_max",
            usual.copies_waiting_max,
            whole(1..=100_000_000),
        ),
        in_flight_max: reader
            .or(
                section,
                "in_flight_max",
                u32::from(usual.in_flight_max),
                whole(1..=256),
            )
            .try_into()
            .unwrap_or(usual.in_flight_max),
        timeout: Duration::from_secs(reader.or(
            section,
            "timeout_seconds",
            usual.timeout.as_secs(),
            whole(CallbackTimeout::RANGE),
        )),
        keep_days: reader.or(section, "keep_days", usual.keep_days, whole(0..=DAYS_MAX)),
        keep_bytes: reader
            .or(section, "keep_mib", 0_u64, whole(0..=KEEP_MIB_MAX))
            .saturating_mul(1 << 20),
        upward_per_second: reader.or(
            section,
            "upstream_per_second",
            usual.upward_per_second,
            whole(0..=PER_SECOND_MAX),
        ),
    }
}

fn duplicate(reader: &mut Reader, path: &str, key: &str, other: Option<String>, origin: &Origin) {
    let Some(other) = other else {
        return;
    };
    let headline = format!("`{path}.{key}` is that of `{other}`, or a part of it");
    let help = "give each relay a channel and a path of its own".to_owned();
    reader.problem("duplicate", &headline, origin, help);
}

/// The addresses that get copies.
fn addresses(node: &ConfigNode) -> Result<Vec<WebhookAddress>, ValueError> {
    let texts = words(node)?;
    if texts.len() > usize::from(COPIES_MAX) {
        let help = format!("write at most {COPIES_MAX} addresses");
        return Err(ValueError::new("has too many addresses", help));
    }
    let parse = |text: &str| {
        text.parse::<WebhookAddress>()
            .map_err(|error| ValueError::new("has an address that is not valid", error.to_string()))
    };
    texts.into_iter().map(parse).collect()
}
