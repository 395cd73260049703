//! Installation and supervision of the service: the files in `packaging`, against the real binary and linters.

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

/// Runs Python with the packages of the lock. An error gives the reason for which there are none.
fn python(
    with: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Result<Output, String>, String> {
    let packages = python_packages("packaging")?;
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", packages);
    Ok(run(with(&mut python)))
}
