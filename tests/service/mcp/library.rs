//! The official client library for Python, in both generations of the protocol.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::TOOLS;
use crate::clients::python_packages;
use crate::support::limit::Limit;
use crate::support::skip::skipped;
use crate::support::turn::turn;

/// Runs the script with the library; gives its report.
fn drive(packages: &Path) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let command = [
        env!("CARGO_BIN_EXE_switchboard"),
        "mcp",
        "--command",
        "false",
    ];
    let mut child = Command::new("python3")
        .arg(root.join("tests/clients/mcp/drive.py"))
        .env("PYTHONPATH", packages)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let _limit = Limit::of_a_test(&child);
    let mut input = child.stdin.take().unwrap();
    write!(input, "{}", json!({ "command": command })).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the script says why, above");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
async fn the_official_library_uses_all_of_it_in_both_generations() {
    let packages = match python_packages("mcp") {
        Ok(packages) => packages,
        Err(why) => return skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    };
    let _turn = turn().await;
    let report = tokio::task::spawn_blocking(move || drive(&packages))
        .await
        .unwrap();
    for (mode, version) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let part = &report[mode];
        assert_eq!(part["version"], version, "{part:#}");
        assert_eq!(part["server"], "switchboard", "{part:#}");
        assert_eq!(part["tools"], json!(TOOLS), "{part:#}");
        let waited = part["waited"]["text"].as_str().unwrap();
        let outcome: Value = serde_json::from_str(waited).unwrap();
        assert_eq!(outcome["met"], true, "{part:#}");
        let journal = part["journal"]["text"].as_str().unwrap();
        assert!(journal.contains("replies \"Red ones.\""), "{journal}");
        assert_eq!(part["refused"]["is_error"], true, "{part:#}");
        let why = part["refused"]["text"].as_str().unwrap();
        assert!(why.contains("colour: ") && why.contains("text: "), "{why}");
        let exam: Value = serde_json::from_str(part["exam"]["text"].as_str().unwrap()).unwrap();
        assert_eq!(exam["counts"]["not_tried"], 2, "{exam:#}");
        let steps = part["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 2, "{part:#}");
        assert!(
            steps.iter().any(|step| step[0] == 2.0 && step[1] == 2.0),
            "{part:#}"
        );
    }
}
