//! Programs that others published, unchanged: their marks in the exam are those of the page.

use std::collections::BTreeMap;
use std::path::Path;

use super::{exam_command, report};
use crate::clients::python_packages;
use crate::support::skip::skipped;
use crate::support::turn::turn;

/// The page with the marks.
const PAGE: &str = "docs/exam-marks.md";
/// The verdicts in the order of its columns.
const VERDICTS: [&str; 4] = ["holds", "breaks", "warns", "not_tried"];

/// A program, and the rules that a run tries.
struct PublicProgram {
    /// Its name and version, as the page has them.
    name: &'static str,
    command: &'static str,
    flags: &'static [&'static str],
    rules: &'static [u64],
}

/// The verdict of each rule on the page.
fn marks_of_the_page(name: &str) -> BTreeMap<u64, &'static str> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(path).unwrap();
    let begin = format!("| {name} | ");
    let row = page.lines().find_map(|line| line.strip_prefix(&begin));
    let cells = row.unwrap_or_else(|| panic!("{PAGE} has no marks of {name}"));
    let mut marks = BTreeMap::new();
    for (verdict, cell) in VERDICTS.into_iter().zip(cells.split('|')) {
        for number in cell.trim().split(", ").filter(|number| !number.is_empty()) {
            marks.insert(number.parse().unwrap(), verdict);
        }
    }
    marks
}

async fn has_the_marks_of_the_page(program: PublicProgram) {
    let packages = match python_packages("exam") {
        Ok(packages) => packages,
        Err(why) => return skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    };
    let _turn = turn().await;
    let numbers: Vec<String> = program.rules.iter().map(u64::to_string).collect();
    let only = numbers.join(",");
    let mut exam = exam_command(program.command);
    exam.env("PYTHONPATH", packages)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let examined = tokio::task::spawn_blocking(move || {
        let flags = [program.flags, &["--only", &only]].concat();
        report(exam, &flags)
    });
    let (document, output) = examined.await.unwrap();
    let rules = document["rules"].as_array().into_iter().flatten();
    let verdicts: BTreeMap<u64, &str> = rules
        .map(|rule| {
            let verdict = rule["verdict"].as_str().unwrap();
            (rule["number"].as_u64().unwrap(), verdict)
        })
        .collect();
    let mut marks = marks_of_the_page(program.name);
    marks.retain(|number, _| program.rules.contains(number));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(verdicts, marks, "{text}");
}

#[tokio::test]
async fn a_bridge_of_the_calls_of_amojowrapper_has_its_marks() {
    has_the_marks_of_the_page(PublicProgram {
        name: "amojowrapper 0.1.1",
        command: "python3 tests/clients/exam/vendor_hosts.py bridge_amojowrapper",
        flags: &["--profile", "bridge"],
        rules: &[1, 2, 9, 28, 35, 37],
    })
    .await;
}

#[tokio::test]
async fn the_bot_middleware_sendmessage_holos_has_its_marks() {
    has_the_marks_of_the_page(PublicProgram {
        name: "middleware-sendmessage-holos 0.2.2",
        command: "python3 tests/clients/exam/holos.py",
        flags: &["--profile", "bot", "--hooks-path", "/add_message"],
        rules: &[43, 44, 45],
    })
    .await;
}
