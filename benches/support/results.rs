//! Figures as a file, for whoever compares runs.

use std::fs;
use std::path::Path;

use serde::Serialize;

/// Writes the figures as JSON, if a file was named.
pub(crate) fn write(path: Option<&Path>, figures: &impl Serialize) {
    let Some(path) = path else { return };
    let text = serde_json::to_string_pretty(figures).expect("figures become JSON");
    fs::write(path, text + "\n").expect("the file can be written");
}
