//! A log that is damaged is replaced by a new one, with what the node has that followed it furthest.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::tempdir;

use super::Log;
use super::pair::Pair;
use crate::archive::Place;
use crate::support::client::message;
use crate::support::limit::Limited as _;
use crate::support::server::{Server, Setup};

/// `shared-log begin` on the machine of a node: with its configuration, and in its directory.
fn begin(node: &Server, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(["shared-log", "begin", "--config", "switchboard.toml"])
        .args(words)
        .current_dir(node.directory())
        .limited_output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Another digit in the time of the entry before the newest one of a log in a directory.
fn damage(log: &Path) {
    let mut entries: Vec<_> = std::fs::read_dir(log)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    let entry = &entries[entries.len() - 2];
    let bytes = std::fs::read(entry).unwrap();
    let text = b"\"time\":";
    let at = bytes.windows(text.len()).position(|window| window == text);
    let mut bytes = bytes;
    bytes[at.unwrap() + text.len()] ^= 3;
    std::fs::write(entry, bytes).unwrap();
}

/// Starts a node again, which has been ready before.
async fn started_again(node: &mut Server) {
    node.stand_by_again();
    node.takes_over().await;
}

/// The steps of docs/standby.md, «A new log».
#[tokio::test]
async fn a_damaged_log_is_replaced_by_a_new_one_without_loss() {
    let place = tempdir().unwrap();
    let archive = place.path().join("archive");
    let log = Log::in_archive(Place::directory(&archive)).patient();
    let mut pair = Pair::start(&log, &Setup::default()).await;
    pair.client().connect("v2").await;
    pair.is_current().await;
    let output = begin(pair.owner(), &["--new"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains("in use"), "{}", said(&output));
    pair.standby_mut().kill_9();
    // The node with the most records is the owner.
    for number in 0..5 {
        let id = format!("m{number}");
        pair.client().sent(&message(&id, "c1")).await;
    }
    let ([mut owner, mut standby], _ports) = pair.into_nodes();
    owner.kill_9();
    damage(&archive.join("log"));
    standby.stand_by_again();
    assert_eq!(standby.ended().await, Some(1));
    let standby_log = standby.log();
    assert!(
        standby_log.contains("switchboard shared-log begin --new"),
        "{standby_log}"
    );

    // While the old log is there, no new one begins beside it.
    let output = begin(&owner, &["--new"]);
    assert!(said(&output).contains("has begun"), "{output:?}");
    std::fs::rename(archive.join("log"), archive.join("log-damaged")).unwrap();
    let output = begin(&owner, &[]);
    assert!(said(&output).contains("--new"), "{output:?}");
    let start = begin(&owner, &["--new"]);
    assert!(start.status.success(), "{start:?}");
    started_again(&mut owner).await;
    for number in 0..5 {
        let again = owner
            .client()
            .send(&message(&format!("m{number}"), "c1"))
            .await;
        assert_eq!(again.status, 200);
    }
    let talks = owner.client().conversations().await;
    assert_eq!(talks.len(), 1);
    let talk = talks[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(owner.client().messages(&talk).await.len(), 5);

    // Another node begins with an empty data directory.
    std::fs::rename(standby.data(), standby.directory().join("data-old")).unwrap();
    standby.stand_by_again();
    assert_eq!(owner.terminate().await, Some(0), "{}", owner.log());
    standby.takes_over().await;
    assert_eq!(standby.client().messages(&talk).await.len(), 5);
}

#[tokio::test]
async fn a_new_log_needs_a_node_with_data() {
    let place = tempdir().unwrap();
    let log = Log::in_archive(Place::directory(&place.path().join("archive")));
    let output = log.command("a", &["begin", "--new"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("--data-dir"), "{output:?}");
    assert_eq!(log.status()["state"], "empty");
}
