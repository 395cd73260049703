//! PostgreSQL as the log: an entry is a row, and the primary key gives a position to one entry.
//!
//! ```text
//! switchboard_log        partition  position  permanent  body     primary key (partition, position)
//! switchboard_log_nodes  partition  node  body                    primary key (partition, node)
//! ```
//!
//! `permanent` marks the rows that a trim leaves: orders to begin, and claims. The order to begin makes the tables; without them a
//! log is empty.
//!
//! An append is one INSERT. With a synchronous standby, its answer means that both machines have the row on disk.
//!
//! **A visible row need not be on the standby.** A commit is on the primary's disk before it waits for the standby. When that
//! wait is cancelled, or the primary restarts during it, the row is visible, and a failover loses it. The server reports a
//! cancelled wait as a *warning* beside a normal answer. So a warning makes the outcome of an append unknown, and rows are
//! *proven* before they are returned: behind the query that found them, this connection commits a message that has no table
//! (`pg_logical_emit_message`) and waits for it as for an append. The standby gets one sequence, so what it has of the
//! message, it has of all commits that were visible before. This holds for owners and followers alike: a follower that took
//! in a row which vanishes would have another history than the log.
//!
//! A proof is one small commit. It is made for rows, and for an end of the log, that this connection has not proven before,
//! and when it has proven nothing for some time. So an idle follower asks and does not write, and one that follows an old
//! primary finds out.
//!
//! **An old primary never answers an append.** It waits for a standby that is gone. The call ends after a time as unknown, and
//! the next one begins with another host. A server with a lower timeline than one that this process has used is an old
//! primary, and is not asked at all. Nor is a server in recovery.
//!
//! The server's own time limits are off in these sessions, so that none cancels a wait for the standby. A limit on waiting for
//! locks ends an INSERT that waits for another one at its position: it is certain not to be stored.

mod link;
mod servers;
mod session;
mod settings;
mod statement_error;
mod tls;

#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use self::link::Link;
use self::servers::Servers;
pub use self::settings::{PostgresSettingsError, Settings, Trust};
use super::log::{AppendError, LogError, LogRange, SharedLog, Span, Stored};
use super::report::NodeReport;
use crate::io_runtime::IoRuntime;
use crate::position::Position;

/// The largest number of bytes of an entry. PostgreSQL would take 1 GB.
const ENTRY_BYTES_MAX: usize = 8 << 20;

/// A log in a table of PostgreSQL.
pub struct PostgresLog {
    runtime: IoRuntime,
    link: Link,
}

impl PostgresLog {
    /// The log at this URL, `postgres://user:password@host,host/database`. The servers are asked nothing yet.
    ///
    /// # Errors
    /// When it is not such a URL, or no thread can be started.
    pub fn open(url: &str, settings: Settings) -> Result<Self, PostgresSettingsError> {
        let servers = Servers::parse(url, &settings.trust)?;
        let runtime = IoRuntime::start("log-io").map_err(|error| {
            PostgresSettingsError::Now(format!("cannot start a thread: {error}"))
        })?;
        Ok(Self {
            runtime,
            link: Link::new(servers, settings),
        })
    }

    /// Checks that what the server answers survives what it has to survive.
    ///
    /// # Errors
    /// When it would not, or the server cannot be used.
    pub fn check(&mut self) -> Result<(), PostgresSettingsError> {
        self.runtime.block_on(self.link.check())
    }

    /// Makes the tables if they are not there, and checks that what the server answers survives what it has to survive.
    ///
    /// # Errors
    /// When it would not, or the server cannot be used.
    pub fn prepare(&mut self) -> Result<(), PostgresSettingsError> {
        self.runtime.block_on(self.link.prepare())
    }
}

impl SharedLog for PostgresLog {
    fn append(&mut self, after: Position, entry: &[u8]) -> Result<(), AppendError> {
        if entry.len() > ENTRY_BYTES_MAX {
            let bytes = entry.len();
            let reason = format!("{bytes} bytes are more than the {ENTRY_BYTES_MAX} of an entry");
            return Err(AppendError::Refused(reason));
        }
        self.runtime.block_on(self.link.append(after, entry))
    }

    fn read(&mut self, after: Position, patience: Duration) -> Result<Vec<Stored>, LogError> {
        Ok(self.runtime.block_on(self.link.read(after, patience))?)
    }

    fn range(&mut self) -> Result<Option<LogRange>, LogError> {
        Ok(self.runtime.block_on(self.link.range())?)
    }

    fn span(&mut self, from: Position) -> Result<Option<Span>, LogError> {
        Ok(self.runtime.block_on(self.link.span(from))?)
    }

    fn report(&mut self, report: &NodeReport) -> Result<(), LogError> {
        Ok(self.runtime.block_on(self.link.report(report))?)
    }

    fn reports(&mut self) -> Result<Vec<NodeReport>, LogError> {
        Ok(self.runtime.block_on(self.link.reports())?)
    }

    fn trim(&mut self, upto: Position) -> Result<(), LogError> {
        Ok(self.runtime.block_on(self.link.trim(upto))?)
    }

    fn entry_bytes_max(&self) -> usize {
        ENTRY_BYTES_MAX
    }
}

impl fmt::Debug for PostgresLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresLog")
            .field("link", &self.link)
            .finish_non_exhaustive()
    }
}
