//! A damaged archive or data directory: the state of the service, and the output of the commands. Each remedy that they
//! print is carried out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::tempdir;

use super::kills::send_file;
use super::{Place, archived};
use crate::support::client::message;
use crate::support::directory::{copy, files_in};
use crate::support::eventually;
use crate::support::limit::Limited as _;
use crate::support::server::{OPERATOR_TOKEN, Server, Setup};

/// A service that has sent a file and has archived in two epochs; it is stopped.
async fn stopped(archive: &Place) -> Server {
    let mut server = archive.setup(Setup::default()).start().await;
    server.client().connect("v2").await;
    send_file(server.client()).await;
    archived(&server).await;
    assert_eq!(server.terminate().await, Some(0));
    server.restart().await;
    server.client().sent(&message("m1", "c1")).await;
    archived(&server).await;
    assert_eq!(server.terminate().await, Some(0));
    server
}

fn switchboard(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(words)
        .limited_output()
        .unwrap()
}

fn backup(server: &Server, word: &str) -> Output {
    let operator = ["--url", server.url(), "--token", OPERATOR_TOKEN];
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(["backup", word])
        .args(operator)
        .current_dir(server.directory())
        .limited_output()
        .unwrap()
}

/// Both streams, for a person.
fn said(output: &Output) -> String {
    let text = [output.stdout.clone(), output.stderr.clone()].concat();
    String::from_utf8(text).unwrap()
}

/// The words between back quotes that begin with these.
fn printed_command<'s>(said: &'s str, begins: &str) -> Vec<&'s str> {
    let quoted = said.split('`').skip(1).step_by(2);
    let mut commands = quoted.filter(|it| it.starts_with(begins));
    let command = commands
        .next()
        .unwrap_or_else(|| panic!("no {begins}: {said}"));
    command.split(' ').skip(1).collect()
}

#[tokio::test]
async fn a_service_with_a_damaged_archive_stays_ready_and_repairs_it() {
    let place = tempdir().unwrap();
    let root = place.path().join("archive");
    let archive = Place::directory(&root);
    let mut server = stopped(&archive).await;
    let objects = files_in(&root);
    assert!(objects.len() >= 8, "{objects:?}");
    for object in &objects {
        let state = serves_without(&mut server, &root.join(object)).await;
        if object == Path::new("identity") {
            assert_eq!(state["state"], "failing", "{state}");
        }
        is_repaired(&mut server, &archive, object).await;
    }
    // What was archived last: the data directory knows of it.
    let newest = newest_entry(&files_in(&root));
    let state = serves_without(&mut server, &root.join(&newest)).await;
    let trouble = state["trouble"].as_str().unwrap();
    assert!(trouble.contains("this data directory up to "), "{trouble}");
    let words = printed_command(trouble, "switchboard backup repair");
    assert_eq!(words, ["backup", "repair"]);
    is_repaired(&mut server, &archive, &newest).await;
    let to = place.path().join("restored");
    let restored = archive.restored(&to);
    let of_server = super::records(&server.data());
    assert_eq!(restored["records"], of_server.len());
    assert_eq!(super::records(&to), of_server);
}

/// Removes an object and starts the service: it serves, and the archive says what is wrong or does not need the object.
async fn serves_without(server: &mut Server, object: &Path) -> Value {
    fs::remove_file(object).unwrap();
    server.restart().await;
    let state = eventually("the archive has looked", async || {
        let state = server
            .client()
            .operate("GET", "/admin/v1/archive")
            .send()
            .await;
        (state.json["state"] != "starting").then_some(state.json)
    })
    .await;
    let msgid = object.file_name().unwrap().to_str().unwrap();
    server.client().sent(&message(msgid, "c1")).await;
    let ready = server.client().request("GET", "/readyz").send().await;
    assert_eq!(ready.status, 200, "{object:?}: {state}");
    state
}

/// Repairs the archive of the running service, checks it, and stops the service.
async fn is_repaired(server: &mut Server, archive: &Place, object: &Path) {
    let repaired = backup(server, "repair");
    assert!(repaired.status.success(), "{object:?}: {}", said(&repaired));
    let output = archive.run(&["backup", "verify"]);
    assert!(output.status.success(), "{object:?}: {}", said(&output));
    assert_eq!(server.terminate().await, Some(0), "{object:?}");
}

fn newest_entry(objects: &[PathBuf]) -> PathBuf {
    let entries = objects.iter().filter(|it| it.starts_with("entries"));
    entries.max().unwrap().clone()
}

#[tokio::test]
async fn damage_of_an_archive_is_named_with_a_remedy_that_works() {
    let place = tempdir().unwrap();
    let root = place.path().join("archive");
    let archive = Place::directory(&root);
    let server = stopped(&archive).await;
    let sound = place.path().join("sound");
    copy(&root, &sound);
    let again = || {
        fs::remove_dir_all(&root).unwrap();
        copy(&sound, &root);
    };
    let verify = || archive.run(&["backup", "verify"]);

    // An entry: what is before it can be restored, as both commands say.
    let newest = newest_entry(&files_in(&sound));
    fs::write(root.join(&newest), "rubbish").unwrap();
    let drill = archive.run(&["restore", "--check"]);
    for output in [verify(), drill] {
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
        let output_text = said(&output);
        assert!(
            output_text.contains(newest.to_str().unwrap()),
            "{output_text}"
        );
        let mut words = printed_command(&output_text, "switchboard restore --record");
        let to = tempdir().unwrap().path().join("data").display().to_string();
        words.extend(["--to", &to, "--check", "--json"]);
        let restored = archive.run(&words);
        assert!(restored.status.success(), "{}", said(&restored));
        let restored: Value = serde_json::from_slice(&restored.stdout).unwrap();
        let record = printed_command(&output_text, "switchboard restore --record")[2];
        assert_eq!(restored["records"].to_string(), record);
    }
    let output = archive.run(&["backup", "verify", "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(json["restorable_record"].as_u64() > Some(0), "{json}");

    // All entries, as a rule of a bucket does that removes old objects.
    again();
    fs::remove_dir_all(root.join("entries")).unwrap();
    for output in [verify(), archive.run(&["restore", "--check"])] {
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    }

    // Files that records name.
    again();
    fs::remove_dir_all(root.join("media")).unwrap();
    for output in [verify(), archive.run(&["restore", "--check"])] {
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
        assert!(said(&output).contains("media/"), "{}", said(&output));
    }

    // The identity of another installation, whole.
    again();
    let other = Server::start().await;
    fs::copy(other.data().join("identity"), root.join("identity")).unwrap();
    for output in [verify(), archive.run(&["restore", "--check"])] {
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
        assert!(
            said(&output).contains("of another installation"),
            "{}",
            said(&output)
        );
    }

    again();
    a_changed_identity_is_named(&archive, &root, &server, &other);
}

/// A bit, another one and none: the checks of the archive and of the data directory name the file.
fn a_changed_identity_is_named(archive: &Place, root: &Path, server: &Server, other: &Server) {
    let verify = || archive.run(&["backup", "verify"]);
    let data = server.data();
    let mut bytes = fs::read(data.join("identity")).unwrap();
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    fs::write(root.join("identity"), &bytes).unwrap();
    assert_eq!(verify().status.code(), Some(4));
    let directory = data.display().to_string();
    let check = || switchboard(&["verify", "--data-dir", &directory]);
    let whole = fs::read(data.join("identity")).unwrap();
    let foreign = fs::read(other.data().join("identity")).unwrap();
    for identity in [bytes, foreign, Vec::new()] {
        fs::write(data.join("identity"), identity).unwrap();
        let output = check();
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
        assert!(said(&output).contains("identity"), "{}", said(&output));
    }
    fs::write(data.join("identity"), whole).unwrap();
    let output = check();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        said(&output).contains("archived up to record"),
        "{}",
        said(&output)
    );
}

#[tokio::test]
async fn small_files_of_a_data_directory_are_checked() {
    let place = tempdir().unwrap();
    let archive = Place::directory(&place.path().join("archive"));
    let server = stopped(&archive).await;
    let data = server.data();
    let directory = data.display().to_string();
    let check = || {
        let output = switchboard(&["verify", "--data-dir", &directory]);
        (output.status.code().unwrap(), said(&output))
    };
    assert_eq!(check().0, 0, "{}", check().1);
    for (file, code) in [
        ("erasure-commit", 4),
        ("log-position", 3),
        ("archive-position", 3),
    ] {
        let before = fs::read(data.join(file)).ok();
        fs::write(data.join(file), "rubbish").unwrap();
        let (found, told) = check();
        assert_eq!(found, code, "{file}: {told}");
        assert!(
            told.contains(file) && told.contains("what to do: "),
            "{told}"
        );
        match before {
            Some(bytes) => fs::write(data.join(file), bytes).unwrap(),
            None => fs::remove_file(data.join(file)).unwrap(),
        }
    }
    fs::remove_dir_all(data.join("media")).unwrap();
    let (code, told) = check();
    assert_eq!(code, 4, "{told}");
    assert!(told.contains("a message refers to its file"), "{told}");

    let empty = tempdir().unwrap();
    let output = switchboard(&["verify", "--data-dir", &empty.path().display().to_string()]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).contains("is its disk mounted?"),
        "{}",
        said(&output)
    );
    assert!(
        files_in(empty.path()).is_empty(),
        "nothing is written there"
    );
}
