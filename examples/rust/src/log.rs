//! The log: a line on standard error for what a person has to know.

use std::fmt::Display;

/// Writes a line.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the bridge reads its standard error"
)]
pub(crate) fn log(line: impl Display) {
    eprintln!("{line}");
}
