//! The archive of a running service, and what is restored from it: in a directory and on a real server with the interface of
//! S3.
//!
//! `RESTORES=200` for more restores than the usual ones, `SEED=…` for the same choices again.

mod commands;
mod damage;
mod erased;
mod kills;
pub(crate) mod object_store;
mod stores;
mod takeover;

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use serde_json::Value;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::recovery::{RecoveryBounds, recover};
use switchboard_engine::store::{ReadJournal as _, Record};

use crate::support::limit::Limited as _;
use crate::support::server::{Server, Setup};

/// An archive: its address, and the variables that its client needs.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) url: String,
    pub(crate) variables: Vec<(String, String)>,
}

impl Place {
    pub(crate) fn directory(path: &Path) -> Self {
        Self {
            url: format!("file://{}", path.display()),
            variables: Vec::new(),
        }
    }

    /// The service archives here.
    pub(crate) fn setup(&self, setup: Setup) -> Setup {
        let setup = setup.setting("archive", &format!("to = \"{}\"", self.url));
        let variables = self.variables.iter();
        variables.fold(setup, |setup, (name, value)| setup.variable(name, value))
    }

    /// Runs a command that reads the archive.
    fn run(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .args(words)
            .args(["--from", &self.url])
            .envs(self.variables.iter().cloned())
            .limited_output()
            .unwrap()
    }

    /// Restores everything into a new directory and checks it; gives what the command says.
    pub(crate) fn restored(&self, to: &Path) -> Value {
        let to = to.display().to_string();
        json(&self.run(&["restore", "--to", &to, "--check", "--json"]))
    }

    /// Runs `backup verify`, and returns its report.
    fn verified(&self) -> Value {
        json(&self.run(&["backup", "verify", "--json"]))
    }
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Archives everything that the service has, and gives the state of the archive.
pub(crate) async fn archived(server: &Server) -> Value {
    let answer = server
        .client()
        .operate("POST", "/admin/v1/archive/complete")
        .send()
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json
}

/// All records of the journal in a data directory that no service uses.
fn records(directory: &Path) -> Vec<Record> {
    let disk = Arc::new(FileDisk::open(directory).unwrap());
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let reader = JournalReader::new(disk, Frontier::at(tail.position));
    reader.scan(None).map(|found| found.unwrap().1).collect()
}
