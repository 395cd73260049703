//! Two versions of the program as nodes of one log, as they are while an installation is upgraded.
//!
//! `OTHER_VERSION=/path/to/switchboard` names the other one; `tests/long versions` builds it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::tempdir;

use super::Log;
use super::pair::Pair;
use super::standby::{erased_by_the_owner, erased_by_the_standby};
use super::takeovers::{End, take_over_each};
use crate::archive::Place;
use crate::erasure::filled;
use crate::support::directory::files_in;
use crate::support::limit::Limited as _;
use crate::support::random::times;
use crate::support::server::{PROGRAM, Setup};
use crate::support::skip::left_to_long;

/// A version of the program.
#[derive(Clone, Debug)]
struct Version {
    program: PathBuf,
    /// The format of the data that it writes.
    format: u64,
}

impl Version {
    fn at(program: &Path) -> Self {
        let output = run(program, &["version", "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        Self {
            program: program.to_owned(),
            format: report["data_format"].as_u64().unwrap(),
        }
    }

    /// The view that its nodes and commands have of a log.
    fn log(&self, log: &Log) -> Log {
        log.run_by(&self.program)
    }
}

/// Runs a command of a version; its arguments name everything that it uses.
fn run(program: &Path, words: &[&str]) -> Output {
    let place = tempdir().unwrap();
    let output = Command::new(program)
        .args(words)
        .current_dir(place.path())
        .limited_output()
        .unwrap();
    assert!(output.status.success(), "{words:?}: {output:?}");
    output
}

/// Returns the other version and this one.
fn versions() -> Option<[Version; 2]> {
    let Some(other) = std::env::var_os("OTHER_VERSION") else {
        left_to_long("OTHER_VERSION names no program", "versions");
        return None;
    };
    Some([Path::new(&other), Path::new(PROGRAM)].map(Version::at))
}

/// Returns the two versions in both orders: which one begins the log makes a difference. Versions of different formats cannot
/// follow each other both ways.
fn orders_of_one_format() -> Vec<[Version; 2]> {
    let Some([other, this]) = versions() else {
        return Vec::new();
    };
    if other.format != this.format {
        println!("formats {} and {} differ", other.format, this.format);
        return Vec::new();
    }
    vec![[other.clone(), this.clone()], [this, other]]
}

/// Returns the older version and the newer one, when their formats differ.
fn older_and_newer() -> Option<[Version; 2]> {
    let mut pair = versions()?;
    pair.sort_by_key(|version| version.format);
    let [older, newer] = &pair;
    if older.format == newer.format {
        println!("both versions have format {}", newer.format);
        return None;
    }
    Some(pair)
}

/// Starts a node of each version, whose log and archive are in this directory. The first one owns the log, and both have messages.
async fn pair_of(versions: &[Version; 2], place: &Path) -> (Pair, [Log; 2]) {
    let archive = Place::directory(&place.join("archive"));
    let log = Log::in_archive(archive).patient();
    let logs = versions.each_ref().map(|version| version.log(&log));
    let pair = Pair::start_each(logs.each_ref(), &Setup::default()).await;
    filled(&pair.client(), 5).await;
    pair.is_current().await;
    (pair, logs)
}

/// A message that a node of one version acknowledged is there after the other has taken over, and after the first has again;
/// callbacks are neither lost nor reordered.
#[tokio::test]
async fn two_versions_take_over_from_each_other() {
    let count = times("TAKEOVERS", 2);
    for versions in orders_of_one_format() {
        for end in [End::Killed, End::Frozen, End::Stopped] {
            let place = tempdir().unwrap();
            let log = Log::in_archive(Place::directory(&place.path().join("archive")));
            let [first, second] = versions.each_ref().map(|version| version.log(&log));
            take_over_each([&first, &second], end, count).await;
        }
    }
}

/// An erasure passes. When the entries of the log go that it concerns is left to each version.
#[tokio::test]
async fn an_erasure_reaches_a_node_of_another_version() {
    for versions in orders_of_one_format() {
        let place = tempdir().unwrap();
        let (mut pair, _logs) = pair_of(&versions, place.path()).await;
        let erased_records = erased_by_the_owner(&pair).await;
        assert!(erased_records.as_u64() > Some(0), "{erased_records}");
        erased_by_the_standby(&mut pair, &erased_records).await;
    }
}

/// Each version reads the log, both data directories and the archive after both have written.
#[tokio::test]
async fn two_versions_read_what_both_have_written() {
    for versions in orders_of_one_format() {
        let place = tempdir().unwrap();
        let (mut pair, logs) = pair_of(&versions, place.path()).await;
        pair.stop_owner().await;
        filled(&pair.client(), 8).await;
        pair.is_current().await;
        let ([mut owner, mut standby], _ports) = pair.into_nodes();
        assert_eq!(standby.terminate().await, Some(0));
        assert_eq!(owner.terminate().await, Some(0));

        let entries = logs
            .each_ref()
            .map(|log| log.status()["newest_entry"].clone());
        assert_eq!(entries[0], entries[1]);
        assert!(entries[0].as_u64() > Some(0), "{entries:?}");
        for version in &versions {
            for data in [owner.data(), standby.data()] {
                let data = data.display().to_string();
                run(&version.program, &["verify", "--data-dir", &data]);
            }
            let restored = tempdir().unwrap();
            let to = restored.path().join("data").display().to_string();
            let from = &logs[0].archive.url;
            let words = ["restore", "--from", from, "--to", &to, "--check"];
            run(&version.program, &words);
        }
    }
}

/// The newer version takes over from the older one, which is then refused: it says so, and writes nothing.
#[tokio::test]
async fn a_node_of_an_older_format_is_refused() {
    let Some(versions) = older_and_newer() else {
        return;
    };
    let place = tempdir().unwrap();
    let (pair, [_older_log, newer_log]) = pair_of(&versions, place.path()).await;
    let talks = pair.client().conversations().await.len();
    let ([mut old, mut new], _ports) = pair.into_nodes();
    assert_eq!(old.terminate().await, Some(0));
    new.takes_over().await;
    assert_eq!(new.client().conversations().await.len(), talks);

    let files = files_in(&old.data());
    let length_before = old.log().len();
    old.stand_by_again();
    assert_eq!(old.ended().await, Some(1), "{}", old.log());
    let text = old.log().split_off(length_before);
    assert!(text.contains("upgrade this node"), "{text}");
    assert_eq!(files_in(&old.data()), files);
    assert_eq!(newer_log.status()["owner"], "b");
}
