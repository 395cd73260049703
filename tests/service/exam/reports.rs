//! The reports of an exam, and the end of the command.

use std::process::Stdio;

use jiff::Timestamp;
use serde_json::Value;

use super::{RULES_FOR_BRIDGES, exam, exam_command, rules_with};
use crate::clients::run;
use crate::support::limit::{Limit, Limited as _};
use crate::support::skip::skipped;

const DUPLICATES: &str = "python3 exam/planted/b09.py";

fn has_python() -> bool {
    let version = run(std::process::Command::new("python3").arg("--version"));
    if let Err(why) = &version {
        skipped(why, "install Python 3");
    }
    version.is_ok()
}

/// A broken rule comes first, with what happened and what to do, in each form.
#[test]
fn a_broken_rule_is_reported_with_what_to_do() {
    if !has_python() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (html, junit) = (
        directory.path().join("e.html"),
        directory.path().join("e.xml"),
    );
    let (document, output) = exam(
        DUPLICATES,
        &[
            "--only",
            "1,9",
            "--html",
            html.to_str().unwrap(),
            "--junit",
            junit.to_str().unwrap(),
        ],
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("1 hold, 1 break, 0 warn, 0 not tried"),
        "{text}"
    );
    assert!(
        lines.next().unwrap().starts_with("breaks     9  "),
        "{text}"
    );
    assert!(
        text.contains("was done more than once: arrived 2×"),
        "{text}"
    );
    assert!(text.contains("Do: Store the id of the message"), "{text}");
    assert!(text.contains("See docs/exam/09.md"), "{text}");
    assert_eq!(document["exam_version"], 1);
    assert_eq!(document["counts"]["breaks"], 1);
    let rule = document["rules"]
        .as_array()
        .unwrap()
        .iter()
        .find(|rule| rule["number"] == 9);
    let evidence = &rule.unwrap()["evidence"];
    let journal = evidence["journal"].as_array().unwrap();
    let attempts = journal
        .iter()
        .filter_map(Value::as_str)
        .filter(|line| line.contains("fault duplicate"));
    assert!(attempts.count() > 0, "{journal:#?}");
    let xml = std::fs::read_to_string(junit).unwrap();
    assert!(
        xml.contains("<testsuite name=\"exam\" tests=\"2\" failures=\"1\""),
        "{xml}"
    );
    assert!(
        xml.contains("name=\"01 It verifies the signature of the bytes that arrived\""),
        "{xml}"
    );
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.starts_with("<!doctype html>"), "{page}");
    assert!(page.contains("id=\"rule-9\""), "{page}");
    // Nothing is fetched from elsewhere, and nothing runs.
    for foreign in ["src=", "href=", "url(", "<script", "<link"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

/// A rule that was waived is not tried, and its reason is in the report.
#[test]
fn a_waived_rule_has_its_reason() {
    let (document, output) = exam(
        "python3 -c pass",
        &["--only", "25", "--waive", "25=no buttons yet"],
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert_eq!(rules_with(&document, "waived"), [25]);
    assert!(text.contains("no buttons yet"), "{text}");
}

fn today() -> String {
    Timestamp::now().strftime("%Y-%m-%d").to_string()
}

/// A badge has the date of the run, and counts no rule that was not tried.
#[test]
fn a_badge_states_what_was_tried() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("exam.svg");
    let begin = today();
    exam("false", &["--only", "9", "--badge", file.to_str().unwrap()]);
    let end = today();
    let image = std::fs::read_to_string(file).unwrap();
    let untried = RULES_FOR_BRIDGES;
    let title = |date: &str| {
        format!("<title>exam 1 · bridge · {date}: 0 of 0 hold, {untried} not tried</title>")
    };
    let is_dated = image.contains(&title(&begin)) || image.contains(&title(&end));
    assert!(is_dated, "{image}");
}

/// A rule that was not tried never counts as holding.
#[test]
fn a_strict_exam_takes_nothing_that_was_not_tried() {
    let (document, output) = exam("false", &["--only", "9"]);
    assert_eq!(rules_with(&document, "not_tried"), [9]);
    assert!(output.status.success());
    let (_, output) = exam("false", &["--only", "9", "--strict"]);
    assert_eq!(output.status.code(), Some(1));
}

/// A rule for bridges and bots is tried in both roles, and its report says which one is broken.
#[test]
fn a_program_in_both_roles_gets_the_worse_verdict() {
    if !has_python() {
        return;
    }
    let flags = ["--profile", "both", "--only", "9,38,45"];
    let (document, _) = exam("python3 examples/python/bot.py", &flags);
    let whys: Vec<&str> = document["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["why"].as_str().unwrap_or_default())
        .collect();
    // A bot handles no callbacks.
    assert_eq!(rules_with(&document, "not_tried"), [9, 38]);
    assert_eq!(rules_with(&document, "holds"), [45]);
    assert!(whys[1].starts_with("As a bridge: "), "{whys:?}");
}

/// A reader that stops, as `head` does, still gets the reports and the exit code.
#[test]
fn a_closed_output_takes_neither_reports_nor_the_exit_code() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("exam.json");
    let mut command = exam_command("false");
    command.args(["--only", "1", "--strict", "--json"]);
    let mut exam = command
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _limit = Limit::on(&exam);
    drop(exam.stdout.take());
    assert_eq!(exam.wait().unwrap().code(), Some(1));
    let document: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(rules_with(&document, "not_tried"), [1]);
}

#[test]
fn wrong_flags_are_refused_with_what_there_is() {
    for (flags, sentence) in [
        (["--only", "99"], "there is no rule 99"),
        (
            ["--only", "45"],
            "rule 45 is for bots: give the profile, too",
        ),
        (["--profile", "x"], "[possible values: bridge, bot, both]"),
        (
            ["--hooks-path", "hooks"],
            "expected a path that begins with a slash",
        ),
        (["--waive", "9"], "expected a number and a reason"),
        (["--waive", "9="], "expected a number and a reason"),
        (["--only", "x"], "invalid digit"),
    ] {
        let output = exam_command("false").args(flags).limited_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(sentence), "{text}");
    }
    let output = exam_command(" ").limited_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// With 1, the program breaks a rule.
#[test]
fn an_exam_that_cannot_do_its_work_has_a_code_of_its_own() {
    let mut exam = exam_command("false");
    exam.args(["--only", "1", "--json", "/nowhere/exam.json"]);
    let output = exam.limited_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("cannot write /nowhere/exam.json: "), "{text}");
}
