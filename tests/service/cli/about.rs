//! The commands about the program and its configuration.

use std::collections::BTreeSet;
use std::process::Stdio;

use serde_json::{Value, json};
use switchboard_engine::store::identity::FORMAT;

use crate::cli::{run, switchboard, text};
use crate::support::limit::{Limit, Limited as _};

#[test]
fn config_check_shows_each_value_with_its_source() {
    let directory = tempfile::tempdir().unwrap();
    let missing = run(directory.path(), &["config", "check"]);
    assert_eq!(missing.status.code(), Some(2));
    let shipped = switchboard::config::SHIPPED;
    std::fs::write(directory.path().join("config.toml"), shipped).unwrap();
    let right = run(directory.path(), &["config", "check"]);
    assert_eq!(right.status.code(), Some(0), "{right:?}");
    let verdict = "config.toml: valid, declares 1 account and 1 channel\n";
    assert_eq!(text(&right.stdout), verdict);

    let output = switchboard(directory.path(), &["config", "show"])
        .env("SWITCHBOARD_SERVER__WORKERS", "3")
        .limited_output()
        .unwrap();
    let stdout = text(&output.stdout);
    let table: toml::Table = stdout.parse().expect(&stdout);
    assert_eq!(table["server"]["workers"].as_integer(), Some(3));
    let line = |key: &str| {
        let mut lines = stdout.lines().filter(|line| line.starts_with(key));
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
        assert!(!stdout.contains(secret), "{stdout}");
    }
    for (key, value) in [("# generation", None), ("generation", Some("\"any\""))] {
        let cell = stdout
            .lines()
            .find(|line| line.starts_with(key))
            .and_then(|line| line.split_whitespace().nth(2));
        assert_eq!(cell, value, "{stdout}");
    }
    let arguments = ["config", "show", "--config", "none.toml"];
    std::fs::write(
        directory.path().join("none.toml"),
        "[server]\nlisten = \"127.0.0.1:4711\"\n",
    )
    .unwrap();
    let toml_text = text(&run(directory.path(), &arguments).stdout);
    let configuration: toml::Table = toml_text.parse().expect(&toml_text);
    let url = configuration["server"]["public_url"].as_str();
    assert_eq!(url, Some("none"));
    let command_output = run(directory.path(), &["config", "show", "--json"]);
    let document: Value = serde_json::from_slice(&command_output.stdout).unwrap();
    let settings = document["settings"].as_array().unwrap();
    let keys: BTreeSet<String> = settings
        .iter()
        .map(|it| it["key"].as_str().unwrap().replace("[0]", ""))
        .collect();
    let mut all_keys = switchboard::config::load::keys();
    // The shipped configuration has neither pipelines nor relays.
    all_keys.retain(|key| !key.starts_with("accounts.pipelines.") && !key.starts_with("relay."));
    assert_eq!(keys, all_keys, "every key once");
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
        let output_text = [text(&wrong.stdout), text(&wrong.stderr)].concat();
        assert!(output_text.contains("lisen"), "{named:?}: {output_text}");
    }
    let two_files = ["config", "check", "bad.toml", "--config", "config.toml"];
    let two = run(directory.path(), &two_files);
    assert_eq!(two.status.code(), Some(2));
    assert!(text(&two.stderr).contains("two configurations are named"));
    let wrong = run(directory.path(), &["config", "check", "bad.toml", "--json"]);
    assert_eq!(wrong.status.code(), Some(2));
    let document: Value = serde_json::from_slice(&wrong.stdout).unwrap();
    let problem = &document["problems"][0];
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
        let output = run(directory.path(), &["completions", shell]);
        let script = text(&output.stdout);
        assert!(script.contains("rotate-secret"), "{shell}");
    }
    let version_output = run(directory.path(), &["version", "--json"]);
    let version: Value = serde_json::from_slice(&version_output.stdout).unwrap();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["data_format"], FORMAT);
    assert_eq!(version["chat_generations"], json!(["2019", "current"]));
    let openapi_output = run(directory.path(), &["openapi"]);
    let document: Value = serde_json::from_slice(&openapi_output.stdout).unwrap();
    assert!(document["paths"]["/api/v4/leads"]["get"].is_object());
}

/// The pages are printed one by one, and written as the service serves them.
#[test]
fn the_documentation_is_printed_and_written() {
    let directory = tempfile::tempdir().unwrap();
    let list = text(&run(directory.path(), &["docs"]).stdout);
    assert!(list.starts_with("# Switchboard\n\n> "), "{list}");
    let page = text(&run(directory.path(), &["docs", "exam/09"]).stdout);
    assert!(page.starts_with("# 9. It does a callback once"), "{page}");
    let unknown = run(directory.path(), &["docs", "exam/99"]);
    assert_eq!(unknown.status.code(), Some(2));
    let complaint = text(&unknown.stderr);
    let expected =
        "error: there is no page «exam/99»\n  help: «switchboard docs» lists the pages\n";
    assert_eq!(complaint, expected);

    let output = run(directory.path(), &["docs", "--write", "out/here"]);
    assert!(output.status.success(), "{output:?}");
    let read = |name: &str| {
        let file = directory.path().join("out/here").join(name);
        std::fs::read_to_string(file).unwrap()
    };
    assert_eq!(read("llms.txt"), list);
    assert_eq!(read("docs/exam/09.md"), page);
    let worlds = read("docs/worlds.md");
    assert!(
        worlds.contains("](kits/README.md#the-contract-in-short)"),
        "{worlds}"
    );
    assert!(read("docs/kits/README.md").starts_with("# Test kits\n"));
    std::fs::write(directory.path().join("file"), "").unwrap();
    let refusal = run(directory.path(), &["docs", "--write", "file"]);
    assert_eq!(refusal.status.code(), Some(1));
    assert!(text(&refusal.stderr).starts_with("error: cannot write to file: "));
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
        &["docs", "operating"],
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
        let _limit = Limit::on(&running);
        drop(running.stdout.take());
        let output = running.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        assert_eq!(text(&output.stderr), "", "{args:?}");
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
        let output = run(directory.path(), args);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {output:?}");
        let stderr = text(&output.stderr);
        assert!(
            stderr.contains(args[1]) && stderr.contains("No such file"),
            "{stderr}"
        );
    }
}
