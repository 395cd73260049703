//! The shared log that the configuration names.

use std::io;
use std::path::Path;
use std::time::Duration;

use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::identity::Identity;
use switchboard_replication::archive::Contents;
use switchboard_replication::position::Position;
use switchboard_replication::shared_log::postgres::{
    self, PostgresLog, PostgresSettingsError, Trust,
};
use switchboard_replication::shared_log::{self, BucketLog, LogStanding, SharedLog};
use switchboard_replication::store::IDENTITY;
use switchboard_replication::store::location::{LocationError, RequestTimes};
use switchboard_replication::store::probe::{self, ProbeError};

use crate::archive;
use crate::config::Settings;
use crate::config::shared_log::{LogAddress, Node};
use crate::config::values::Secret;
use switchboard_network::outbound::roots;

/// The shortest and the longest time that an answer of a log may take.
const ANSWERS: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(10));

/// The time limit for an answer of the log. An owner that has lost one has time to ask again before another node takes
/// over.
fn answer_within(settings: &Settings) -> Duration {
    let third = settings.shared_log.takeover_after / 3;
    third.clamp(ANSWERS.0, ANSWERS.1)
}

/// The reason why a shared log cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SharedLogError {
    /// It may answer later.
    #[error("{0}")]
    Unreachable(String),
    /// It must not be used, however often it is tried.
    #[error("cannot use the shared log {log}: {reason}")]
    Unfit {
        /// The address of the log.
        log: String,
        /// The reason, in words.
        reason: String,
    },
}

impl SharedLogError {
    fn unfit(node: &Node, reason: impl ToString) -> Self {
        Self::Unfit {
            log: node.to.to_string(),
            reason: reason.to_string(),
        }
    }
}

/// Opens a handle of the log. Asks nothing of it yet. What it finds out about its engine is noted in `standing`.
///
/// # Errors
/// When the settings do not suffice.
pub(crate) fn open(
    settings: &Settings,
    node: &Node,
    standing: &LogStanding,
) -> Result<Box<dyn SharedLog>, SharedLogError> {
    match &node.to {
        LogAddress::Archive => {
            let log = bucket(settings, node)?;
            Ok(Box::new(log))
        }
        LogAddress::Postgres(url) => {
            let log = postgres(settings, node, url, standing)?;
            Ok(Box::new(log))
        }
    }
}

/// Returns the place of the log, for people.
pub(crate) fn place(settings: &Settings, node: &Node) -> String {
    match (&node.to, &settings.archive.to) {
        (LogAddress::Archive, Some(archive)) => format!("{archive}/log"),
        (to, _) => to.to_string(),
    }
}

/// The time limits of requests to the store.
fn times(settings: &Settings) -> RequestTimes {
    RequestTimes {
        connect: answer_within(settings),
        request: answer_within(settings),
        retried_for: Duration::ZERO,
    }
}

fn bucket(settings: &Settings, node: &Node) -> Result<BucketLog, SharedLogError> {
    let Some(to) = &settings.archive.to else {
        return Err(SharedLogError::unfit(
            node,
            "there is no archive (archive.to)",
        ));
    };
    let store = archive::open_for(to, &settings.archive.variables, times(settings))
        .map_err(|error: LocationError| SharedLogError::unfit(node, error))?;
    Ok(BucketLog::new(store))
}

fn postgres(
    settings: &Settings,
    node: &Node,
    url: &Secret,
    standing: &LogStanding,
) -> Result<PostgresLog, SharedLogError> {
    let of_server = postgres::Settings {
        alone: settings.shared_log.single_server,
        answer_within: answer_within(settings),
        standing: standing.clone(),
        trust: Trust::new(|| roots::tls_config(&[]).map_err(|error| error.to_string())),
        ..postgres::Settings::default()
    };
    PostgresLog::open(url.expose(), of_server).map_err(|error| problem(node, error))
}

fn problem(node: &Node, error: PostgresSettingsError) -> SharedLogError {
    match error {
        PostgresSettingsError::Settings(reason) => SharedLogError::unfit(node, reason),
        PostgresSettingsError::Now(reason) => SharedLogError::Unreachable(reason),
    }
}

/// Refuses a server of PostgreSQL that may lose what it has acknowledged.
///
/// # Errors
/// Why the log cannot be used, now or for ever.
pub(crate) fn check(settings: &Settings, node: &Node) -> Result<(), SharedLogError> {
    prepare(settings, node, PostgresLog::check)
}

/// As [`check`], and makes the tables of a log in PostgreSQL.
///
/// # Errors
/// As of [`check`].
pub(crate) fn make(settings: &Settings, node: &Node) -> Result<(), SharedLogError> {
    prepare(settings, node, PostgresLog::prepare)
}

fn prepare(
    settings: &Settings,
    node: &Node,
    how: impl FnOnce(&mut PostgresLog) -> Result<(), PostgresSettingsError>,
) -> Result<(), SharedLogError> {
    match &node.to {
        LogAddress::Archive => Ok(()),
        LogAddress::Postgres(url) => {
            let mut log = postgres(settings, node, url, &LogStanding::default())?;
            how(&mut log).map_err(|error| problem(node, error))
        }
    }
}

/// The position up to which this data directory has followed a log; `None`: it has followed none.
///
/// # Errors
/// When the directory cannot be read.
pub(crate) fn followed(directory: &Path) -> io::Result<Option<Position>> {
    if !directory.join(IDENTITY).exists() {
        return Ok(None);
    }
    let followed = shared_log::followed(&FileDisk::open(directory)?);
    followed.map_err(|error| {
        let file = directory.display();
        io::Error::new(
            error.kind(),
            format!("cannot read log-position in {file}: {error}"),
        )
    })
}

/// The installation in the archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Archived {
    /// The secret of its identity.
    pub(crate) secret: [u8; 16],
    /// The archive has records.
    pub(crate) has_records: bool,
}

/// Reads the installation in the archive; `None`: there is none yet.
///
/// # Errors
/// Why the archive cannot be read.
pub(crate) fn archived(settings: &Settings) -> Result<Option<Archived>, SharedLogError> {
    let Some(to) = &settings.archive.to else {
        return Ok(None);
    };
    let unreachable =
        |error: &dyn std::fmt::Display| SharedLogError::Unreachable(error.to_string());
    let store = archive::open_for(to, &settings.archive.variables, times(settings))
        .map_err(|error| unreachable(&error))?;
    let identity = store.get(IDENTITY).map_err(|error| unreachable(&error))?;
    let Some(identity) = identity else {
        return Ok(None);
    };
    let identity = Identity::decode(&identity).ok();
    let secret = identity.and_then(|it| it.secret()).ok_or_else(|| {
        let object = store.describe(IDENTITY);
        unreachable(&format_args!("{object} is damaged, or of a newer version"))
    })?;
    let contents = Contents::list(&*store).map_err(|error| unreachable(&error))?;
    Ok(Some(Archived {
        secret,
        has_records: contents.newest().is_some(),
    }))
}

/// Refuses the store of another installation's archive, and one that ignores conditions. `identity`: the bytes of this
/// installation's identity.
///
/// # Errors
/// Why the log cannot be used, now or for ever.
pub(crate) fn admit(
    settings: &Settings,
    node: &Node,
    identity: &[u8],
) -> Result<(), SharedLogError> {
    match &node.to {
        LogAddress::Postgres(_) => Ok(()),
        LogAddress::Archive => {
            let mut log = bucket(settings, node)?;
            probe::admit(log.store(), identity).map_err(|problem| match problem {
                ProbeError::Store(error) => SharedLogError::Unreachable(error.to_string()),
                ProbeError::Unfit(reason) => SharedLogError::unfit(node, reason),
            })
        }
    }
}
