//! Two nodes of a shared log as real processes: on a directory, on a real server with the interface of S3, and on PostgreSQL.
//!
//! `TAKEOVERS=200` for more than the usual ones, `SEED=…` for the same choices again.

mod begin;
mod engine_faults;
mod files;
mod lag;
mod new_log;
mod page;
mod pair;
mod refusals;
mod relayed;
mod standby;
mod takeovers;
mod versions;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::archive::Place;
use crate::support::limit::Limited as _;
use crate::support::server::{PROGRAM, Setup};

/// The seconds that an owner may be silent, where a test does not say otherwise.
const TAKEOVER_SECONDS: u64 = 2;

/// Orders a node of this name to begin a log in this directory of an archive.
pub(crate) async fn begin(archive: &Path, node: &str) {
    Log::in_archive(Place::directory(archive)).begin(node).await;
}

/// The place of a log.
#[derive(Clone, Debug)]
struct Log {
    /// The archive.
    archive: Place,
    /// `shared_log.to`.
    to: String,
    /// `shared_log.takeover_after_seconds`.
    takeover_seconds: u64,
    /// The program of its nodes and commands.
    program: PathBuf,
}

impl Log {
    /// In the store of this archive.
    fn in_archive(archive: Place) -> Self {
        Self {
            archive,
            to: "archive".to_owned(),
            takeover_seconds: TAKEOVER_SECONDS,
            program: PathBuf::from(PROGRAM),
        }
    }

    /// In PostgreSQL, with an archive in this directory.
    fn postgres(url: &str, archive: &Path) -> Self {
        Self {
            archive: Place::directory(archive),
            to: url.to_owned(),
            takeover_seconds: TAKEOVER_SECONDS,
            program: PathBuf::from(PROGRAM),
        }
    }

    /// Its owner may be silent for so long that a test does not make it lose the log.
    fn patient(self) -> Self {
        let takeover_seconds = 20;
        Self {
            takeover_seconds,
            ..self
        }
    }

    /// This program is its nodes and commands.
    fn run_by(&self, program: &Path) -> Self {
        Self {
            program: program.to_owned(),
            ..self.clone()
        }
    }

    /// Orders this node to begin the log. The line to the log may be on the thread of the test.
    async fn begin(&self, node: &str) {
        let (log, node) = (self.clone(), node.to_owned());
        let output = spawn_blocking(move || log.command(&node, &["begin", "--json"]))
            .await
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    /// Runs `shared-log status`, and returns its report.
    fn status(&self) -> Value {
        let output = self.command("any", &["status", "--json"]);
        let status: Value = serde_json::from_slice(&output.stdout).unwrap();
        // Nothing at all is no log that is right.
        let is_empty = status["state"] == "empty";
        assert_eq!(output.status.success(), !is_empty, "{output:?}");
        status
    }

    /// Runs a command about the log, with the settings of this node.
    fn command(&self, node: &str, words: &[&str]) -> Output {
        self.command_with(node, words, &[])
    }

    /// As [`Self::command`], with more settings.
    fn command_with(&self, node: &str, words: &[&str], variables: &[(&str, &str)]) -> Output {
        let place = tempfile::tempdir().unwrap();
        Command::new(&self.program)
            .arg("shared-log")
            .args(words)
            .env("SWITCHBOARD_SHARED_LOG__TO", &self.to)
            .env("SWITCHBOARD_SHARED_LOG__NODE", node)
            .env("SWITCHBOARD_ARCHIVE__TO", &self.archive.url)
            .env("NO_PROXY", "127.0.0.1")
            .envs(self.archive.variables.iter().cloned())
            .envs(variables.iter().copied())
            .current_dir(place.path())
            .limited_output()
            .unwrap()
    }

    /// The node of this name.
    fn setup(&self, node: impl fmt::Display, setup: Setup) -> Setup {
        self.archive
            .setup(setup.program(&self.program))
            .setting("shared_log", &format!("to = \"{}\"", self.to))
            .setting("shared_log", &format!("node = \"{node}\""))
            .setting(
                "shared_log",
                &format!("takeover_after_seconds = {}", self.takeover_seconds),
            )
            // A node that was frozen reads late what has arrived in time.
            .setting("limits", "request_head_seconds = 60")
            .variable("NO_PROXY", "127.0.0.1")
    }
}
