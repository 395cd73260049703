//! The log: a line on standard error for what a person has to know, or wherever the program sends it.

use std::fmt::Display;
use std::io::Write as _;
use std::sync::OnceLock;

/// The receiver of lines.
static RECEIVER: OnceLock<fn(&str)> = OnceLock::new();

/// Sends the lines of this process to a log of the program's own. The first call counts.
pub fn redirect(receiver: fn(&str)) {
    RECEIVER.set(receiver).unwrap_or_default();
}

/// Writes a line. Without a reader it is lost.
pub fn log(line: impl Display) {
    match RECEIVER.get() {
        Some(receiver) => receiver(&line.to_string()),
        None => drop(writeln!(std::io::stderr().lock(), "{line}")),
    }
}
