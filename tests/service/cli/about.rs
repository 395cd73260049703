//! What the program says of itself and of its configuration.

use std::collections::BTreeSet;
use std::process::Stdio;

use serde_json::{Value, json};
use switchboard_engine::store::identity::FORMAT;

use crate::cli::{run, switchboard, text};

#[test]
fn config_check_shows_each_value_with_its_source() {
    let directory = tempfile::tempdir().unwrap();
    let missing = run(directory.path(), &["config", "check"]);
    assert_eq!(missing.status.code(), Some(2));
    let shipped = switchboard::config::SHIPPED;
    std::fs::write(directory.path().join("config.toml"), shipped).unwrap();
    let right = run(directory.path(), &["config", "check"]);
    assert_eq!(right.status.code(), Some(0), "{right:?}");
    let told = "config.toml: valid, declares 1 account and 1 channel\n";
    assert_eq!(text(&right.stdout), told);

    let shown = switchboard(directory.path(), &["config", "show"])
        .env("SWITCHBOARD_SERVER__WORKERS", "3")
        .output()
        .unwrap();
    let shown = text(&shown.stdout);
    let table: toml::Table = shown.parse().expect(&shown);
    assert_eq!(table["server"]["workers"].as_integer(), Some(3));
    let line = |key: &str| {
        let mut lines = shown.lines().filter(|line| line.starts_with(key));
        lines.next().expect(key).split_once(" # ").unwrap().1
    };
    assert_eq!(line("workers"), "SWITCHBOARD_SERVER__WORKERS");
    assert_eq!(line("drain_seconds"), "default");
    let number = shipped
        .lines()
        .position(|line| line.starts_with("webhook_v2"));
    assert_eq!(
        line("webhook_v2"),
        format!("config.toml:{}", number.unwrap() + 1)
    );
    for secret in ["change-me", "demo-admin-token", "5a44c5d", "Passw0rd"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    for (key, value) in [("# generation", None), ("generation", Some("\"any\""))] {
        let found = shown.lines().find(|line| line.starts_with(key));
        let found = found.and_then(|line| line.split_whitespace().nth(2));
        assert_eq!(found, value, "{shown}");
    }
    let moved = ["config", "show", "--config", "none.toml"];
    std::fs::write(
        directory.path().join("none.toml"),
        "[server]\nlisten = \"127.0.0.1:4711\"\n",
    )
    .unwrap();
    let moved = text(&run(directory.path(), &moved).stdout);
    let moved: toml::Table = moved.parse().expect(&moved);
    let url = moved["server"]["public_url"].as_str();
    assert_eq!(url, Some("none"));
    let told = run(directory.path(), &["config", "show", "--json"]);
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let settings = told["settings"].as_array().unwrap();
    let keys: BTreeSet<String> = settings
        .iter()
        .map(|it| it["key"].as_str().unwrap().replace("[0]", ""))
        .collect();
    let mut known = switchboard::config::load::keys();
    // The shipped configuration has no pipelines.
    known.retain(|key| !key.starts_with("accounts.pipelines."));
    assert_eq!(keys, known, "every key once");
}

#[test]
fn config_check_takes_the_file_either_way_and_names_problems() {
    let directory = tempfile::tempdir().unwrap();
    let shipped = switchboard::config::SHIPPED;
    std::fs::write(directory.path().join("config.toml"), shipped).unwrap();
    std::fs::write(directory.path().join("bad.toml"), "[server]\nlisen = 1\n").unwrap();
    let wrong = run(directory.path(), &["config", "check", "bad.toml"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("did you mean `listen`?"));
    for named in [
        &["config", "check", "--config", "bad.toml"][..],
        &["config", "--json", "check", "--config=bad.toml"],
        &["config", "check", "bad.toml", "--config", "bad.toml"],
    ] {
        let wrong = run(directory.path(), named);
        assert_eq!(wrong.status.code(), Some(2), "{named:?}");
        let told = [text(&wrong.stdout), text(&wrong.stderr)].concat();
        assert!(told.contains("lisen"), "{named:?}: {told}");
    }
    let two = ["config", "check", "bad.toml", "--config", "config.toml"];
    let two = run(directory.path(), &two);
    assert_eq!(two.status.code(), Some(2));
    assert!(text(&two.stderr).contains("two configurations are named"));
    let wrong = run(directory.path(), &["config", "check", "bad.toml", "--json"]);
    assert_eq!(wrong.status.code(), Some(2));
    let told: Value = serde_json::from_slice(&wrong.stdout).unwrap();
    let problem = &told["problems"][0];
    assert_eq!(
        (&problem["code"], &problem["line"]),
        (&json!("unknown-key"), &json!(2))
    );
}

/// Shells complete commands, and programs read the version and the interface.
#[test]
fn completions_version_and_interface_are_printed() {
    let directory = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = run(directory.path(), &["completions", shell]);
        let script = text(&script.stdout);
        assert!(script.contains("rotate-secret"), "{shell}");
    }
    let version = run(directory.path(), &["version", "--json"]);
    let version: Value = serde_json::from_slice(&version.stdout).unwrap();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["data_format"], FORMAT);
    assert_eq!(version["chat_generations"], json!(["2019", "current"]));
    let document = run(directory.path(), &["openapi"]);
    let document: Value = serde_json::from_slice(&document.stdout).unwrap();
    assert!(document["paths"]["/api/v4/leads"]["get"].is_object());
}

#[test]
fn a_closed_output_pipe_is_no_error() {
    let directory = tempfile::tempdir().unwrap();
    let (shipped, file) = (
        switchboard::config::SHIPPED,
        directory.path().join("config.toml"),
    );
    std::fs::write(file, shipped).unwrap();
    for args in [
        &["openapi"][..],
        &["completions", "bash"],
        &["config", "show"],
        &["version"],
    ] {
        let mut command = switchboard(directory.path(), args);
        let mut running = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(running.stdout.take());
        let ended = running.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{args:?}: {ended:?}");
        assert_eq!(text(&ended.stderr), "", "{args:?}");
    }
}

#[test]
fn a_missing_file_ends_every_command_alike() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(
        directory.path().join("config.toml"),
        switchboard::config::SHIPPED,
    )
    .unwrap();
    for args in [&["import", "missing.ndjson"][..], &["sign", "missing.json"]] {
        let ended = run(directory.path(), args);
        assert_eq!(ended.status.code(), Some(1), "{args:?}: {ended:?}");
        let said = text(&ended.stderr);
        assert!(
            said.contains(args[1]) && said.contains("No such file"),
            "{said}"
        );
    }
}
