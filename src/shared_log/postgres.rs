//! PostgreSQL as the log: an entry is a row, and the primary key gives a place to one entry.
//!
//! ```text
//! switchboard_log        partition  place  claim  body        primary key (partition, place)
//! switchboard_log_nodes  partition  node  body                primary key (partition, node)
//! ```
//!
//! `claim` marks the rows that a trim leaves: orders to begin, and claims. The order to begin makes the tables; without them a
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
//! and when it has proven nothing for [`FRESH`]. So an idle follower asks and does not write, and one that follows an old
//! primary finds out.
//!
//! **An old primary never answers an append.** It waits for a standby that is gone. The call ends after a time as unknown, and
//! the next one begins with another host. A server with a lower timeline than one that this process has used is an old
//! primary, and is not asked at all. Nor is a server in recovery.
//!
//! The server's own time limits are off in these sessions, so that none cancels a wait for the standby. A limit on waiting for
//! locks ends an INSERT that waits for another one at its place: it is certain not to be stored.

mod failed;
mod link;
mod servers;
mod session;
mod tls;

#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use switchboard_engine::store::shared_log::{
    Extent, LogError, NodeReport, NotAppended, Place, SharedLog, Span, Stored,
};

use link::Link;
use servers::Servers;

use crate::io_runtime::IoRuntime;
use crate::shared_log::LogStanding;

/// How many bytes an entry has at most. PostgreSQL would take 1 GB.
const ENTRY_BYTES_MAX: usize = 8 << 20;
/// How long an answer may take.
const ANSWER_PATIENCE: Duration = Duration::from_secs(10);
/// An end of the log that was proven so long ago is proven anew.
const FRESH: Duration = Duration::from_secs(10);

/// How a log is used.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Which of the logs in the table it is.
    pub(crate) partition: i32,
    /// Whether a server without a synchronous standby will do: the log is lost with its disk.
    pub(crate) alone: bool,
    /// How long an answer of the server may take. Behind it the outcome of an append is unknown.
    pub(crate) answer_within: Duration,
    /// The place for the note whether a standby is waited for.
    pub(crate) standing: LogStanding,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            partition: 0,
            alone: false,
            answer_within: ANSWER_PATIENCE,
            standing: LogStanding::default(),
        }
    }
}

/// Why a server cannot hold the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CannotUse {
    /// A setting has to change first, here or at the server.
    #[error("{0}")]
    Settings(String),
    /// It cannot now; it may be tried again.
    #[error("{0}")]
    Now(String),
}

/// A log in a table of PostgreSQL.
pub(crate) struct PostgresLog {
    runtime: IoRuntime,
    link: Link,
}

impl PostgresLog {
    /// The log at this URL, `postgres://user:password@host,host/database`. The servers are asked nothing yet.
    ///
    /// # Errors
    /// When it is not such a URL, or no thread can be started.
    pub(crate) fn open(url: &str, settings: Settings) -> Result<Self, CannotUse> {
        Self::open_trusting(url, settings, &[])
    }

    /// As [`Self::open`], where the roots of this machine and these certificates are trusted.
    fn open_trusting(
        url: &str,
        settings: Settings,
        extra: &[CertificateDer<'static>],
    ) -> Result<Self, CannotUse> {
        let servers = Servers::parse(url, extra)?;
        let runtime = IoRuntime::start("log-io")
            .map_err(|error| CannotUse::Now(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            runtime,
            link: Link::new(servers, settings),
        })
    }

    /// Checks that what the server answers survives what it has to survive.
    ///
    /// # Errors
    /// When it would not, or the server cannot be used.
    pub(crate) fn check(&mut self) -> Result<(), CannotUse> {
        self.runtime.block_on(self.link.check())
    }

    /// Makes the tables if they are not there, and checks that what the server answers survives what it has to survive.
    ///
    /// # Errors
    /// When it would not, or the server cannot be used.
    pub(crate) fn prepare(&mut self) -> Result<(), CannotUse> {
        self.runtime.block_on(self.link.prepare())
    }
}

impl SharedLog for PostgresLog {
    fn append(&mut self, after: Place, entry: &[u8]) -> Result<(), NotAppended> {
        if entry.len() > ENTRY_BYTES_MAX {
            let bytes = entry.len();
            let reason = format!("{bytes} bytes are more than the {ENTRY_BYTES_MAX} of an entry");
            return Err(NotAppended::Refused(reason));
        }
        self.runtime.block_on(self.link.append(after, entry))
    }

    fn read(&mut self, after: Place, patience: Duration) -> Result<Vec<Stored>, LogError> {
        let found = self.runtime.block_on(self.link.read(after, patience));
        found.map_err(|failed| LogError(failed.to_string()))
    }

    fn extent(&mut self) -> Result<Option<Extent>, LogError> {
        let extent = self.runtime.block_on(self.link.extent());
        extent.map_err(|failed| LogError(failed.to_string()))
    }

    fn span(&mut self, from: Place) -> Result<Option<Span>, LogError> {
        let span = self.runtime.block_on(self.link.span(from));
        span.map_err(|failed| LogError(failed.to_string()))
    }

    fn report(&mut self, report: &NodeReport) -> Result<(), LogError> {
        let reported = self.runtime.block_on(self.link.report(report));
        reported.map_err(|failed| LogError(failed.to_string()))
    }

    fn reports(&mut self) -> Result<Vec<NodeReport>, LogError> {
        let reports = self.runtime.block_on(self.link.reports());
        reports.map_err(|failed| LogError(failed.to_string()))
    }

    fn trim(&mut self, upto: Place) -> Result<(), LogError> {
        let trimmed = self.runtime.block_on(self.link.trim(upto));
        trimmed.map_err(|failed| LogError(failed.to_string()))
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
