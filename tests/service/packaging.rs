//! How the service is installed and supervised: what the files in `packaging` say, against the real binary and linters.

mod alerts;
mod compose;
mod configuration;
mod container;
mod dashboard;
mod ready;
mod secrets;
mod supervisor;
mod upgrade;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::clients::{python_packages, run};

/// A file of the project.
fn of_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What became of a run of Python with the packages of the lock. An error says why there are none.
fn python(
    with: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Result<Output, String>, String> {
    let packages = python_packages("packaging")?;
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", packages);
    Ok(run(with(&mut python)))
}
