//! Two nodes of a shared log as real processes: on a directory, on a real server with the interface of S3, and on PostgreSQL.
//!
//! `TAKEOVERS=200` for more than the usual ones, `SEED=…` for the same choices again.

mod engine_faults;
mod files;
mod pair;
mod refusals;
mod standby;
mod takeovers;

use std::fmt;
use std::path::Path;

use crate::archive::Place;
use crate::support::server::Setup;

/// How long an owner may be silent, in seconds, where a test does not say otherwise.
const TAKEOVER_SECONDS: u64 = 2;

/// Where a log is.
#[derive(Clone, Debug)]
struct Log {
    /// The archive.
    archive: Place,
    /// `shared_log.to`.
    to: String,
    /// `shared_log.takeover_after_seconds`.
    takeover_seconds: u64,
}

impl Log {
    /// In the store of this archive.
    fn in_archive(archive: Place) -> Self {
        Self {
            archive,
            to: "archive".to_owned(),
            takeover_seconds: TAKEOVER_SECONDS,
        }
    }

    /// In PostgreSQL, with an archive in this directory.
    fn postgres(url: &str, archive: &Path) -> Self {
        Self {
            archive: Place::directory(archive),
            to: url.to_owned(),
            takeover_seconds: TAKEOVER_SECONDS,
        }
    }

    /// Its owner may be silent for so long that a test does not make it lose the log.
    fn patient(self) -> Self {
        let takeover_seconds = 10;
        Self {
            takeover_seconds,
            ..self
        }
    }

    /// The node of this name.
    fn setup(&self, node: impl fmt::Display, setup: Setup) -> Setup {
        self.archive
            .setup(setup)
            .setting("shared_log", &format!("to = \"{}\"", self.to))
            .setting("shared_log", &format!("node = \"{node}\""))
            .setting(
                "shared_log",
                &format!("takeover_after_seconds = {}", self.takeover_seconds),
            )
            .variable("NO_PROXY", "127.0.0.1")
    }
}
