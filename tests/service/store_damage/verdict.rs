//! The verdict of `switchboard verify` on a data directory.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Damage, Reaction};
use crate::support::limit::Limited as _;

/// The report of `switchboard verify`.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) code: i32,
    /// The files that something is wrong with.
    pub(super) bad: Vec<String>,
}

impl Verdict {
    pub(super) fn read(data: &Path) -> Self {
        Self::with(data, &[])
    }

    pub(super) fn with(data: &Path, arguments: &[&str]) -> Self {
        let output = Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .args(["verify", "--json", "--data-dir"])
            .arg(data)
            .args(arguments)
            .limited_output()
            .unwrap();
        let complaints = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        assert!(report.is_object(), "{complaints}");
        let files = report["files"].as_array().unwrap().iter();
        let bad = files.filter(|file| !matches!(file["state"].as_str(), Some("right" | "other")));
        Self {
            code: output.status.code().unwrap(),
            bad: bad
                .map(|file| file["file"].as_str().unwrap().to_owned())
                .collect(),
        }
    }

    /// Checks that files which are called right are right, and that damage which the service refused is named.
    pub(super) fn check(&self, damage: &Damage, reaction: Reaction) {
        let top = damage.file.iter().next().unwrap().to_str().unwrap();
        let is_named = self.bad.iter().any(|file| file.starts_with(top));
        let fits = match (self.code, reaction) {
            (0, Reaction::SameAnswers) => true,
            // What was built on what is damaged may be called damaged as well.
            (3, Reaction::RefusedToStart) => false,
            (3, _) => !self.bad.is_empty(),
            (4, _) => is_named,
            _ => false,
        };
        assert!(fits, "{damage:?}: {reaction:?}, but verify says {self:?}");
    }
}
