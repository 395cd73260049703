//! The log: a line on standard error for what a person has to know.

use std::fmt::Display;
use std::io::Write as _;

/// Writes a line. Without a reader it is lost.
pub fn log(line: impl Display) {
    drop(writeln!(std::io::stderr().lock(), "{line}"));
}
