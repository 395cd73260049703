//! `switchboard exam`: it finds what is wrong with a bridge, and nothing in bridges that are right.

mod reports;
mod wrong_programs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::clients::run;
use crate::support::limit::Limited as _;
use crate::support::skip::skipped;
use crate::support::turn::turn;

/// The planted bridges that are examined at once.
const PLANTED_AT_ONCE: usize = 4;

/// The exam of a command; the document of the report, and the output of the command.
fn exam(command: &str, flags: &[&str]) -> (Value, Output) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("exam.json");
    let output = exam_command(command)
        .args(flags)
        .arg("--json")
        .arg(&file)
        .test_output()
        .unwrap();
    let text = std::fs::read_to_string(file);
    let document = text.map(|text| serde_json::from_str(&text).unwrap());
    (document.unwrap_or_default(), output)
}

fn exam_command(command: &str) -> Command {
    let mut exam = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    // Other tests run beside it.
    exam.args(["exam", "--jobs", "4", "--command", command]);
    exam.current_dir(env!("CARGO_MANIFEST_DIR"));
    exam
}

/// The rules with this verdict.
fn rules_with(document: &Value, verdict: &str) -> Vec<u64> {
    let rules = document["rules"].as_array().into_iter().flatten();
    let rules = rules.filter(|rule| rule["verdict"] == verdict);
    rules.map(|rule| rule["number"].as_u64().unwrap()).collect()
}

/// The reference bridge in this language holds all rules.
async fn a_bridge_holds_all(command: &'static str) {
    let _turn = turn().await;
    let report = tokio::task::spawn_blocking(move || exam(command, &["--strict"]));
    let (document, output) = report.await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert_eq!(rules_with(&document, "holds").len(), 40, "{text}");
}

#[tokio::test]
async fn the_bridge_in_python_holds_all_rules() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    a_bridge_holds_all("python3 examples/python/bridge.py").await;
}

#[tokio::test]
async fn the_bridge_in_node_holds_all_rules() {
    if let Err(why) = run(Command::new("node").arg("--version")) {
        return skipped(&why, "install Node 20 or newer");
    }
    a_bridge_holds_all("node examples/node/bridge.mjs").await;
}

#[tokio::test]
async fn the_bridge_in_php_holds_all_rules() {
    if let Err(why) = run(Command::new("php").arg("--version")) {
        return skipped(&why, "apt-get install php-cli");
    }
    a_bridge_holds_all("php examples/php/bridge.php").await;
}

/// The planted bridges, by the number of the rule that each breaks.
fn planted() -> Vec<(u64, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("exam/planted");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let scripts = files.filter(|path| path.extension().is_some_and(|it| it == "py"));
    let number = |path: &Path| path.file_stem()?.to_str()?.strip_prefix('b')?.parse().ok();
    // The one without a number is what the others break.
    let mut planted: Vec<_> = scripts
        .filter_map(|path| Some((number(&path)?, path)))
        .collect();
    planted.sort();
    planted
}

/// A rule that holds was able to fail: for each of them, there is a bridge with one mistake that breaks it.
#[tokio::test]
async fn each_planted_bridge_breaks_its_rule() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let _turn = turn().await;
    let planted = planted();
    // Number 5 has no wrong answer.
    let rules: Vec<u64> = planted.iter().map(|(number, _)| *number).collect();
    let (document, _) = exam("python3 -c pass", &["--waive", "5=it has no wrong answer"]);
    assert_eq!(rules_with(&document, "not_tried"), rules);
    for some in planted.chunks(PLANTED_AT_ONCE) {
        let exams = some.iter().cloned().map(|(number, path)| {
            tokio::task::spawn_blocking(move || {
                let command = format!("python3 {}", path.display());
                let (document, output) = exam(&command, &["--only", &number.to_string()]);
                (number, document, output)
            })
        });
        for exam in exams.collect::<Vec<_>>() {
            let (number, document, output) = exam.await.unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(rules_with(&document, "breaks"), [number], "{text}");
            assert_eq!(output.status.code(), Some(1), "{text}");
        }
    }
}
