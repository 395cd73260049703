//! Waits of tests: each has a limit, and each ends with a state.

use super::{none, sources};

/// The texts that may follow the call that waits for a child process without a limit, without blanks. Programs of worlds have a
/// function of the same name, which does not wait.
const FOLLOWERS: [&str; 6] = [".unwrap()", ".is_", ".map", "?", ";", "{"];

/// The waits in a text that have no limit, or guess how long something takes.
fn bad_waits(text: &str) -> Vec<&'static str> {
    let dense: String = text.split_whitespace().collect();
    let mut calls = dense.split(".output()").skip(1);
    let is_unlimited =
        calls.any(|rest| FOLLOWERS.iter().any(|follower| rest.starts_with(follower)));
    let sleeps = dense.contains("sleep(Duration::from_secs(");
    let unlimited = is_unlimited.then_some("`output` of a child process has no time limit");
    let guess = sleeps.then_some("a sleep of seconds guesses how long something takes");
    unlimited.into_iter().chain(guess).collect()
}

#[test]
fn waits_of_tests_have_a_limit_and_end_with_a_state() {
    let mut wrong = Vec::new();
    let parts = ["tests/service", "tests/support", "tests/embedded"];
    // The checker of interleavings bounds the steps of the process that it starts, and is built without this support.
    let bounded = "tests/support/explore.rs";
    for source in sources() {
        if parts.iter().any(|part| source.path.starts_with(part)) && source.path != bounded {
            let problems = bad_waits(&source.text).into_iter();
            wrong.extend(problems.map(|problem| format!("{}: {problem}", source.path)));
        }
    }
    none(
        &wrong,
        "call `limited_output` or `test_output` of tests/support/limit.rs; wait for a state with `eventually`",
    );
}

#[test]
fn a_wait_without_a_limit_and_a_sleep_of_seconds_are_found() {
    assert_eq!(
        bad_waits("let it = command\n    .output()\n    .unwrap();").len(),
        1
    );
    assert_eq!(bad_waits("match git.output() {").len(), 1);
    assert_eq!(bad_waits("sleep(Duration::from_secs(6)).await;").len(), 1);
    assert!(bad_waits("program.output().trim(); git.limited_output()?").is_empty());
}
