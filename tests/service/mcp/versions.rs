//! The versions of the protocol, in both generations.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::wire::{Client, Generation, inline};
use super::{GENERATIONS, TOOLS};
use crate::support::limit::Limited as _;

fn names(list: &Value) -> Vec<&str> {
    let tools = list["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[test]
fn each_version_with_a_handshake_is_agreed_on() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::start(Generation::Handshake(version), &[]);
        let list = client.request("tools/list", json!({}));
        assert_eq!(names(&list), TOOLS, "{version}");
        client.request("ping", json!({}));
        client.end();
    }
}

/// A client that asks for another version gets the newest one with a handshake.
#[test]
fn another_version_is_answered_with_one_that_is_spoken() {
    for version in ["1999-01-01", "2026-07-28", "2099-01-01"] {
        let nobody = Generation::Inline("none");
        let mut client = Client::start(nobody, &[]);
        let answer = client.initialize(version);
        assert_eq!(
            answer["protocolVersion"], "2025-11-25",
            "{version}: {answer:#}"
        );
        assert_eq!(answer["serverInfo"]["name"], "switchboard");
        assert!(
            answer["instructions"]
                .as_str()
                .unwrap()
                .contains("run_exam")
        );
        client.end();
    }
}

#[test]
fn requests_without_a_handshake_name_their_version() {
    let mut client = Client::start(Generation::Inline("2026-07-28"), &[]);
    let discovery = client.request("server/discover", json!({}));
    let versions = [
        "2024-11-05",
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28",
    ];
    assert_eq!(
        discovery["supportedVersions"],
        json!(versions),
        "{discovery:#}"
    );
    let list = client.request("tools/list", json!({}));
    assert_eq!(names(&list), TOOLS);
    let answer = client.ask("tools/list", json!({ "_meta": inline("2099-01-01", 1) }));
    assert_eq!(answer["error"]["code"], -32022, "{answer:#}");
    assert_eq!(answer["error"]["data"]["supported"], json!(versions));
    let answer = client.ask("tools/list", json!({}));
    assert_eq!(answer["error"]["code"], -32602, "{answer:#}");
    client.end();
}

/// Schemas are what agents fill in: each has descriptions, and names what it needs.
#[test]
fn each_tool_says_what_it_takes() {
    let mut client = Client::start(GENERATIONS[1], &[]);
    let list = client.request("tools/list", json!({}));
    for tool in list["tools"].as_array().unwrap() {
        let schema = &tool["inputSchema"];
        assert!(jsonschema::meta::is_valid(schema), "{schema:#}");
        assert_eq!(schema["additionalProperties"], false, "{tool:#}");
        assert!(tool["description"].as_str().unwrap().len() > 40, "{tool:#}");
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name}: {tool:#}");
        }
        let is_reader =
            ["read_journal", "explain_refusal"].contains(&tool["name"].as_str().unwrap());
        assert_eq!(tool["annotations"]["readOnlyHint"], is_reader, "{tool:#}");
    }
    // The program of the exam is named by the owner alone.
    assert!(!list.to_string().contains("\"command\""), "{list:#}");
    client.end();
}

#[test]
fn a_tool_that_is_not_there_is_named_with_those_that_are() {
    let mut client = Client::start(GENERATIONS[0], &[]);
    let answer = client.ask(
        "tools/call",
        json!({ "name": "delete_all", "arguments": {} }),
    );
    let why = answer["error"]["message"].as_str().unwrap();
    assert!(
        why.contains("delete_all") && why.contains("make_world"),
        "{why}"
    );
    client.end();
}

/// Lines that are no messages end nothing, and those that are too long are dropped.
#[test]
fn bad_lines_do_not_end_the_server() {
    let mut client = Client::start(GENERATIONS[0], &[]);
    let long = "x".repeat(2 << 20);
    for line in [
        json!(7),
        json!([]),
        json!({ "jsonrpc": "2.0" }),
        json!(long),
    ] {
        client.send(&line);
    }
    let list = client.request("tools/list", json!({}));
    assert_eq!(names(&list), TOOLS);
    client.end();
}

/// A client that speaks something else gets a reason on standard error, and the server ends while its input is open.
#[test]
fn a_program_that_does_not_speak_the_protocol_gets_a_reason() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    let mut child = command
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _limit = crate::support::limit::Limit::on(&child);
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } })).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("does not speak the protocol"), "{text}");
    drop(input);
}

#[test]
fn an_input_without_a_request_ends_without_a_fault() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    let output = command
        .arg("mcp")
        .stdin(Stdio::null())
        .limited_output()
        .unwrap();
    assert!(output.status.success());
    assert!(output.stdout.is_empty());
}
