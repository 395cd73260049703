//! Failures of a test in a world: at the line of the caller, with the journal.

use std::fmt::Display;

use crate::world::World;

impl World {
    /// Fails the test.
    #[track_caller]
    #[expect(clippy::panic, reason = "a test fails by panicking")]
    pub(super) fn fail(&self, what: &str) -> ! {
        self.printed.set(true);
        panic!("{what}\n{}", self.report())
    }

    /// The value, or a failed test.
    #[track_caller]
    pub(super) fn expect<T, E: Display>(&self, what: &str, result: Result<T, E>) -> T {
        match result {
            Ok(value) => value,
            Err(error) => self.fail(&format!("expected that {what}: {error}")),
        }
    }

    fn report(&self) -> String {
        let (seed, journal) = (self.config.seed, &self.journal);
        format!("journal of the world with seed {seed}:\n{journal}")
    }
}

impl Drop for World {
    /// Prints the journal when the test fails by an assertion of its own.
    #[expect(
        clippy::print_stderr,
        reason = "the output of a failing test shows what happened"
    )]
    fn drop(&mut self) {
        if std::thread::panicking() && !self.printed.get() {
            eprintln!("{}", self.report());
        }
    }
}
