//! The pages of the rules in `docs/exam`. `WRITE_PAGES=1` writes them anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use switchboard_exam::report::{page, rule_page};
use switchboard_exam::run::rules;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn each_rule_has_its_page() {
    let is_writing = std::env::var_os("WRITE_PAGES").is_some_and(|it| it == "1");
    for rule in rules() {
        let path = root().join(rule_page(rule.number));
        if is_writing {
            std::fs::write(&path, page(rule)).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            text,
            page(rule),
            "{}: WRITE_PAGES=1 writes it",
            path.display()
        );
    }
    let files = std::fs::read_dir(root().join("docs/exam")).unwrap();
    assert_eq!(files.count(), rules().count());
}

/// Reports, waivers and pages name rules by their numbers.
#[test]
fn the_numbers_of_rules_are_in_order_and_unique() {
    let numbers: Vec<u8> = rules().map(|rule| rule.number).collect();
    let set: BTreeSet<u8> = numbers.iter().copied().collect();
    assert_eq!(numbers, set.into_iter().collect::<Vec<u8>>());
}

/// The guide lists each rule with its page.
#[test]
fn the_guide_lists_each_rule() {
    let guide = std::fs::read_to_string(root().join("docs/exam.md")).unwrap();
    let rows: Vec<&str> = guide
        .lines()
        .filter(|line| line.starts_with("| ["))
        .collect();
    let rows_of_rules: Vec<String> = rules()
        .map(|rule| format!("| [{0}](exam/{0:02}.md) | {1} |", rule.number, rule.title))
        .collect();
    assert_eq!(rows, rows_of_rules);
}
