//! Prints what the tests of this run skipped. Cargo runs the programs of the workspace by the names of packages and
//! programs: this one is the last, and has no harness that would keep what it says to itself.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "a test program, which skips nothing itself"
)]

#[path = "../../tests/support/skip.rs"]
mod skip;

fn main() {
    // A caller that lists the names of tests gets none.
    if std::env::args().all(|argument| argument != "--list") {
        eprintln!("\n{}\n", skip::list());
    }
}
