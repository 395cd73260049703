//! The model checker that plays a case of a few threads in every interleaving.

use std::any::type_name;
use std::env;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So often a thread that could go on may be interrupted in one interleaving; `LOOM_MAX_PREEMPTIONS` replaces the number.
const PREEMPTIONS_MAX: usize = 2;

/// The bound of the steps of one interleaving: more of them are taken for a loop without an end.
const STEPS_MAX: usize = 10_000;

/// Set in the process that plays a case with a planted fault.
const IN_CHILD: &str = "PLAYS_A_PLANTED_FAULT";

/// Plays the case in every interleaving of its threads, and prints how many there were. Fails with the first one in which
/// the case panics, or in which no thread can go on.
pub(crate) fn explore<C: Fn() + Send + Sync + 'static>(case: C) {
    explore_less(0, case);
}

/// As [`explore`], with so many preemptions less: for a case that takes minutes otherwise.
#[allow(
    dead_code,
    clippy::allow_attributes,
    reason = "not each program has such a case"
)]
pub(crate) fn explore_less<C: Fn() + Send + Sync + 'static>(less: usize, case: C) {
    let mut model = loom::model::Builder::new();
    let preemptions = model.preemption_bound.unwrap_or(PREEMPTIONS_MAX);
    model.preemption_bound = Some(preemptions.saturating_sub(less));
    model.max_branches = STEPS_MAX;
    let count = Arc::new(AtomicUsize::new(0));
    let plays = Arc::clone(&count);
    model.check(move || {
        plays.fetch_add(1, Ordering::Relaxed);
        case();
    });
    let count = count.load(Ordering::Relaxed);
    println!("{count} interleavings: {}", test::<C>());
    assert!(count > 1, "there was nothing to interleave");
}

/// Plays a case with a planted fault, and fails unless the checker finds it and says so. In a process of its own: one that
/// is stuck does not survive the drop of what its threads wait for.
pub(crate) fn finds<C: Fn() + Send + Sync + 'static>(words: &str, case: C) {
    if env::var_os(IN_CHILD).is_some() {
        return explore(case);
    }
    let program = env::current_exe().unwrap();
    let output = Command::new(program)
        .args(["--exact", test::<C>(), "--nocapture"])
        .envs([(IN_CHILD, "1"), ("RUST_BACKTRACE", "0")])
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && log.contains(words), "{log}");
}

/// The path of the test that a closure is in, without its crate.
fn test<C>() -> &'static str {
    let name = type_name::<C>();
    let path = name.split_once("::").map_or(name, |(_, path)| path);
    path.trim_end_matches("::{{closure}}")
}
