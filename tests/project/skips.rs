//! The list of skipped tests at the end of a run.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    unreachable_pub,
    reason = "a test binary, which skips nothing itself"
)]

#[path = "../support/skip.rs"]
mod skip;

/// Skipped tests of a run are listed once, by reason; other runs are forgotten once they ended.
#[test]
fn skipped_tests_are_listed_by_reason_and_old_runs_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("new");
    let here = format!("{}-now", std::process::id());
    assert_eq!(skip::taken(&at, &here), "No test was skipped.");
    skip::note(&at, &here, ["console", "b", "npm ci", "there is\nno node"]);
    skip::note(&at, &here, ["readme", "c", "install curl", "no\tcurl"]);
    skip::note(&at, &here, ["console", "a", "npm ci", "there is"]);
    skip::note(&at, "1-ended-long-ago", ["old", "old", "old", "old"]);
    let list = "\
Skipped tests: 3
  console: there is
    to run them: npm ci
    - a
    - b
  readme: no curl
    to run them: install curl
    - c";
    assert_eq!(skip::taken(&at, &here), list);
    assert_eq!(std::fs::read_dir(&at).unwrap().count(), 0);
    assert_eq!(skip::taken(&at, &here), "No test was skipped.");
}
