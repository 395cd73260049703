//! `[shared_log]`: a log that outlives the machine, and which node of it this is.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rustix::system::uname;
use url::Url;

use super::declaration::{Declared as _, settings};
use super::kinds::{ValueError, or_none, parsed, public_url, switch, text, whole};
use super::reader::Reader;
use super::section::Section;
use super::sections::minutes;
use super::shown::Address;
use super::tree::ConfigNode;
use super::values::Secret;

settings! {
    pub(super) struct SharedLogKeys in "shared_log" {
        /// A log that outlives the machine. A write is acknowledged when the log has it; the nodes that share it take over from each other
        /// (docs/standby.md). "archive": in the store of archive.to, which must have conditional writes; or the URL of PostgreSQL with a
        /// synchronous standby, as in "postgres://user:password@db-1,db-2/switchboard"; keep that in a file that the variable
        /// SWITCHBOARD_SHARED_LOG__TO_FILE names. The log has all secrets of the data directory. `switchboard shared-log begin` begins it.
        /// "none": this machine is alone.
        to: Option<LogAddress>, or_none(parsed);
        /// The name of this node: another one for each node. The nodes have everything else in common. "none": the name of the machine.
        node: Option<String>, or_none(name);
        /// URL of this node for load balancers and people, as in "https://a.internal:8080". "none": server.public_url or the
        /// listener.
        url: Option<Url>, or_none(public_url);
        /// Silence of the owner of the log after which another node takes over. Equal on all nodes.
        takeover_after ("takeover_after_seconds"): Duration = 10, whole(2..=600) => Duration::from_secs;
        /// Time for which the log keeps entries that the archive has. A node that was away for longer starts from the archive.
        /// An erasure removes earlier entries as soon as every node has them. Without an archive the log keeps everything.
        keep ("keep_minutes"): Duration = 60, whole(0..=10_080) => minutes;
        /// Accept a PostgreSQL server without a synchronous standby: if that server is lost, so is the log.
        single_server: bool = false, switch;
    }
}

/// `[shared_log]`, with the keys of the node together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedLog {
    /// The log and this node; `None` when this machine is alone.
    pub node: Option<Node>,
    /// The silence of the owner after which another node takes over.
    pub takeover_after: Duration,
    /// The time for which the log keeps entries that the archive has.
    pub keep: Duration,
    /// A PostgreSQL server without a synchronous standby is accepted.
    pub single_server: bool,
}

/// A node of a shared log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The address of the log.
    pub to: LogAddress,
    /// The name of this node.
    pub name: String,
    /// The URL of this node for people and load balancers; `None` when it follows from the listener.
    pub url: Option<Url>,
}

/// The address of a shared log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogAddress {
    /// In the store of the archive.
    Archive,
    /// In a table of PostgreSQL. The address may have a password.
    Postgres(Secret),
}

/// The word for the store of the archive.
const ARCHIVE: &str = "archive";

/// The error for a text that is not the address of a shared log.
#[derive(Debug, thiserror::Error)]
#[error(
    "write \"archive\" for the store of archive.to, or the URL of PostgreSQL, as in \"postgres://user@db-1,db-2/switchboard\". Keep one with a password \
     in a file, and let SWITCHBOARD_SHARED_LOG__TO_FILE name that"
)]
pub struct LogAddressError;

impl FromStr for LogAddress {
    type Err = LogAddressError;

    fn from_str(text: &str) -> Result<Self, LogAddressError> {
        let is_postgres = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| text.starts_with(scheme));
        match text {
            ARCHIVE => Ok(Self::Archive),
            url if is_postgres && url.parse::<tokio_postgres::Config>().is_ok() => {
                Ok(Self::Postgres(Secret::new(url)))
            }
            _ => Err(LogAddressError),
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
    let place = Address::split(rest).map_or("…", |address| address.place);
    format!("{scheme}://{place}")
}

/// The name of a node.
fn name(node: &ConfigNode) -> Result<String, ValueError> {
    let name = text(node)?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if !name.is_empty() && name.len() <= 64 && name.bytes().all(fits) {
        return Ok(name.to_owned());
    }
    Err(ValueError::new(
        "is not the name of a node",
        "write 1 to 64 letters, digits, hyphens, dots or underscores, another name for each node",
    ))
}

/// The name of this machine.
fn machine() -> String {
    uname().nodename().to_string_lossy().into_owned()
}

/// Reads the section.
pub(super) fn shared_log(reader: &mut Reader, root: &mut Section, has_archive: bool) -> SharedLog {
    let mut section = reader.section(root, SharedLogKeys::DECLARATION.name);
    let origin = section.node("to").map(|node| node.origin.clone());
    let keys = SharedLogKeys::read(reader, &mut section);
    reader.close(section);
    if keys.to == Some(LogAddress::Archive)
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
    let node = keys.to.map(|to| Node {
        to,
        name: keys.node.unwrap_or_else(machine),
        url: keys.url,
    });
    SharedLog {
        node,
        takeover_after: keys.takeover_after,
        keep: keys.keep,
        single_server: keys.single_server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_a_log_shows_no_password() {
        let printed = |text: &str| text.parse::<LogAddress>().unwrap().to_string();
        assert_eq!(printed("archive"), "archive");
        let url = "postgres://user:pass@word@db-1:5432,db-2/name?sslmode=require&password=x";
        assert_eq!(hosts_and_database(url), "postgres://db-1:5432,db-2/name");
        assert_eq!(printed("postgresql://u:p@h/d"), "postgresql://h/d");
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
