//! How the service is installed and supervised: what the files in `packaging` say, against the real binary and linters.

mod compose;
mod container;
mod ready;
mod secrets;
mod supervisor;

use std::path::{Path, PathBuf};

/// A file of the project.
fn of_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
