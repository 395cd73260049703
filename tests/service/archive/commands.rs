//! The output of the commands of the archive, and their refusals.

use std::process::Command;

use tempfile::tempdir;

use super::{Place, archived};
use crate::support::client::message;
use crate::support::limit::Limited as _;
use crate::support::server::{OPERATOR_TOKEN, Server, Setup};

#[tokio::test]
async fn backup_and_restore_say_what_they_did() {
    let place = tempdir().unwrap();
    let archive = Place::directory(&place.path().join("archive"));
    let server = archive.setup(Setup::default()).start().await;
    server.client().connect("v2").await;
    server.client().sent(&message("m1", "c1")).await;

    let text = backup(&server, "now");
    assert!(text.contains("state         current\n"), "{text}");
    let (records, _) = text
        .split_once("records")
        .unwrap()
        .1
        .trim_start()
        .split_once(" of ")
        .unwrap();
    let text = backup(&server, "status");
    assert!(
        text.contains(&format!("{records} of {records}\n")),
        "{text}"
    );
    let output = archive.run(&["backup", "verify"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        stdout.starts_with(&format!("right: {records} records in ")),
        "{stdout}"
    );

    let output = archive.run(&["restore", "--check"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        stdout.starts_with(&format!("restored: {records} records, up to 20")),
        "{stdout}"
    );
    assert!(
        stdout.ends_with("into a temporary directory, which is removed; checked, and right\n"),
        "{stdout}"
    );

    // An archive cannot be restored over data.
    let to = place.path().join("archive").display().to_string();
    let output = archive.run(&["restore", "--to", &to]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("is not empty; name a directory that does not exist"),
        "{stderr}"
    );
    assert_eq!(archived(&server).await["state"], "current");
}

fn backup(server: &Server, word: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args([
            "backup",
            word,
            "--url",
            server.url(),
            "--token",
            OPERATOR_TOKEN,
        ])
        .current_dir(server.directory())
        .limited_output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn wrong_archives_are_refused_with_what_to_do() {
    let refusal = Setup::default()
        .setting("archive", "to = \"s3://key:secret@bucket/x\"")
        .start_and_fail()
        .await;
    assert!(
        refusal
            .said
            .contains("write a URL without a password, as in \"file:///"),
        "{}",
        refusal.said
    );
    let refusal = Setup::default()
        .setting("archive", "to = \"file:///nowhere/archive\"")
        .argument("--ephemeral")
        .start_and_fail()
        .await;
    assert!(
        refusal
            .said
            .contains("remove --ephemeral, or the setting archive.to"),
        "{}",
        refusal.said
    );

    let place = tempdir().unwrap();
    let none = Place::directory(&place.path().join("none"));
    for words in [&["restore", "--check"][..], &["backup", "verify"]] {
        let output = none.run(words);
        assert!(!output.status.success());
        let bytes = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("there is no archive at file://"), "{text}");
    }
    let server = Server::start().await;
    let answer = server
        .client()
        .operate("GET", "/admin/v1/archive")
        .send()
        .await;
    assert_eq!(answer.status, 404);
    let detail = answer.json["detail"].as_str().unwrap();
    assert_eq!(
        detail,
        "the service has no archive: set archive.to in the configuration"
    );
}

/// The first start after a restore is an ordinary one: it replays nothing.
#[tokio::test]
async fn a_restored_directory_has_its_index() {
    let place = tempdir().unwrap();
    let archive = Place::directory(&place.path().join("archive"));
    let mut server = archive.setup(Setup::default()).start().await;
    server.client().connect("v2").await;
    for number in 0..20 {
        let event = message(&format!("m{number}"), "c1");
        server.client().sent(&event).await;
    }
    assert_eq!(archived(&server).await["state"], "current");
    assert_eq!(server.terminate().await, Some(0));
    let to = place.path().join("restored");
    let output = archive.run(&["restore", "--to", &to.display().to_string()]);
    assert!(output.status.success(), "{output:?}");
    assert!(to.join("manifest").exists(), "there is no index");
    let server = Setup::default().data(&to).start().await;
    assert_eq!(server.client().conversations().await.len(), 1);
    assert!(
        !server.log().contains("replaying the journal"),
        "{}",
        server.log()
    );
}
