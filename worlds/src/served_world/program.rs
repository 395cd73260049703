//! The program that a test starts beside a world.

use std::fmt;
use std::marker::PhantomData;

use crate::served_world::ServedWorld;
use crate::served_world::process::Process;

/// A tested program that accepts connections. It ends when this is dropped: SIGTERM to its group of processes, and SIGKILL
/// after 5 seconds. When a test fails while it has one, the output of the program is printed.
pub struct Program<'w> {
    process: Process,
    world: PhantomData<&'w ServedWorld>,
}

impl Program<'_> {
    pub(super) fn new(process: Process) -> Self {
        Self {
            process,
            world: PhantomData,
        }
    }

    /// Returns the address where the program receives callbacks.
    #[must_use]
    pub fn url(&self) -> &str {
        self.process.url()
    }

    /// The port on which it accepts connections.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.process.port()
    }

    /// The end of what it has written to its standard output and error.
    #[must_use]
    pub fn output(&self) -> String {
        self.process.output()
    }

    /// Ends it now, to see what a world does without it.
    pub fn stop(mut self) {
        self.process.end();
    }
}

impl Drop for Program<'_> {
    /// Prints the output when the test fails.
    #[expect(
        clippy::print_stderr,
        reason = "the output of a failing test shows what happened"
    )]
    fn drop(&mut self) {
        self.process.end();
        if std::thread::panicking() {
            eprintln!("{}", self.process.shown_output());
        }
    }
}

impl fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.process.fmt(f)
    }
}
