//! `[shared_log]`: a log that outlives the machine, and which node of it this is.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rustix::system::uname;
use url::Url;

use super::kinds::{InvalidValue, NONE, or_none, parsed, switch, text, whole};
use super::reader::{Reader, Section};
use super::shown::Address;
use super::tree::ConfigNode;
use super::values::{PublicUrl, Secret};

/// `[shared_log]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedLog {
    /// Where the log is, and which node this is; none when this machine is alone.
    pub node: Option<Node>,
    /// How long the owner may be silent before another node takes over.
    pub takeover_after: Duration,
    /// How long the log keeps entries that the archive has.
    pub keep: Duration,
    /// Whether a PostgreSQL server without a synchronous standby is accepted.
    pub single_server: bool,
}

/// A node of a shared log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where the log is.
    pub to: LogAddress,
    /// The name of this node.
    pub name: String,
    /// Where people and load balancers reach this node; none when that follows from the listener.
    pub url: Option<Url>,
}

/// Where a shared log is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogAddress {
    /// In the store of the archive.
    Archive,
    /// In a table of PostgreSQL. The address may have a password.
    Postgres(Secret),
}

/// The word for the store of the archive.
const ARCHIVE: &str = "archive";

/// Why a text is not the address of a shared log.
#[derive(Debug, thiserror::Error)]
#[error(
    "write \"archive\" for the store of archive.to, or the URL of PostgreSQL, as in \"postgres://user@db-1,db-2/switchboard\". Keep one with a password \
     in a file, and let SWITCHBOARD_SHARED_LOG__TO_FILE name that"
)]
pub struct NotALogAddress;

impl FromStr for LogAddress {
    type Err = NotALogAddress;

    fn from_str(text: &str) -> Result<Self, NotALogAddress> {
        let is_postgres = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| text.starts_with(scheme));
        match text {
            ARCHIVE => Ok(Self::Archive),
            url if is_postgres && url.parse::<tokio_postgres::Config>().is_ok() => {
                Ok(Self::Postgres(Secret::new(url)))
            }
            _ => Err(NotALogAddress),
        }
    }
}

impl fmt::Display for LogAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Archive => f.write_str(ARCHIVE),
            Self::Postgres(url) => f.write_str(&hosts_and_database(url.expose())),
        }
    }
}

/// A URL of PostgreSQL without its user, its password and its options.
fn hosts_and_database(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
    let place = Address::of(rest).map_or("…", |address| address.place);
    format!("{scheme}://{place}")
}

/// The name of a node.
fn name(node: &ConfigNode) -> Result<String, InvalidValue> {
    let name = text(node)?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if !name.is_empty() && name.len() <= 64 && name.bytes().all(fits) {
        return Ok(name.to_owned());
    }
    Err(InvalidValue::new(
        "is not the name of a node",
        "write 1 to 64 letters, digits, hyphens, dots or underscores, another name for each node",
    ))
}

/// The name of this machine.
fn machine() -> String {
    uname().nodename().to_string_lossy().into_owned()
}

pub(super) fn shared_log(reader: &mut Reader, root: &mut Section, has_archive: bool) -> SharedLog {
    let mut section = reader.section(root, "shared_log");
    let origin = section.node("to").map(|node| node.origin.clone());
    let to = reader.usually(
        &mut section,
        "to",
        NONE.into(),
        or_none(parsed::<LogAddress>),
    );
    let to = to.flatten();
    let node = reader.usually(&mut section, "node", NONE.into(), or_none(name));
    let url = reader.usually(
        &mut section,
        "url",
        NONE.into(),
        or_none(parsed::<PublicUrl>),
    );
    let takeover = reader.or(&mut section, "takeover_after_seconds", 10, whole(2..=600));
    let keep = reader.or(&mut section, "keep_minutes", 60, whole(0..=10_080));
    let single_server = reader.or(&mut section, "single_server", false, switch);
    if to == Some(LogAddress::Archive)
        && !has_archive
        && let Some(origin) = origin
    {
        reader.problem(
            "missing-key",
            "`shared_log.to` is \"archive\", and there is no archive",
            &origin,
            "set archive.to, or name a server of PostgreSQL in shared_log.to".to_owned(),
        );
    }
    reader.close(section);
    let url = url.flatten().map(|PublicUrl(url)| url);
    let node = to.map(|to| Node {
        to,
        name: node.flatten().unwrap_or_else(machine),
        url,
    });
    SharedLog {
        node,
        takeover_after: Duration::from_secs(takeover),
        keep: Duration::from_secs(60_u64.saturating_mul(keep)),
        single_server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_a_log_shows_no_password() {
        let shown = |text: &str| text.parse::<LogAddress>().unwrap().to_string();
        assert_eq!(shown("archive"), "archive");
        let url = "postgres://user:pass@word@db-1:5432,db-2/name?sslmode=require&password=x";
        assert_eq!(hosts_and_database(url), "postgres://db-1:5432,db-2/name");
        assert_eq!(shown("postgresql://u:p@h/d"), "postgresql://h/d");
        let url = "postgres://user:pa?ss@word@db/x";
        assert_eq!(hosts_and_database(url), "postgres://…");
        let url = "postgres://db/x?password=pass@word";
        assert_eq!(hosts_and_database(url), "postgres://…");
        let debug = format!("{:?}", "postgres://u:hidden@h/d".parse::<LogAddress>());
        assert!(!debug.contains("hidden"), "{debug}");
        for wrong in ["", "none", "mysql://x", "postgres://h:port/d", "Archive"] {
            assert!(wrong.parse::<LogAddress>().is_err(), "{wrong}");
        }
    }
}
