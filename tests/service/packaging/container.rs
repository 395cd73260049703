//! The container file and the scripts of the packages, by their linters.

use std::path::PathBuf;
use std::process::Command;

use super::of_project;
use crate::clients::{python_packages, run};
use crate::support::skip::skipped;

const SCRIPTS: [&str; 6] = [
    "bridges/telegram/packaging/init",
    "packaging/build",
    "packaging/compose/init",
    "packaging/debian/postinst",
    "packaging/debian/postrm",
    "packaging/debian/preinst",
];

/// Runs a linter of the lock over these files.
fn lint(tool: &str, files: &[&str]) {
    let tools = match python_packages("packaging") {
        Ok(tools) => tools,
        Err(why) => return skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    };
    let files: Vec<PathBuf> = files.iter().map(|file| of_project(file)).collect();
    let linted = run(Command::new(tools.join("bin").join(tool)).args(files));
    assert!(linted.is_ok(), "{linted:?}");
}

#[test]
fn the_container_files_pass_their_linter() {
    let files = ["packaging", "bridges/telegram/packaging"];
    let files = files.map(|folder| format!("{folder}/Containerfile"));
    lint("hadolint", &files.each_ref().map(String::as_str));
}

/// What is not copied into an image is the same for both: podman and docker look beside the container file.
#[test]
fn images_are_built_from_the_same_files() {
    let [service, bridge] = ["packaging", "bridges/telegram/packaging"].map(|folder| {
        let path = format!("{folder}/Containerfile.dockerignore");
        std::fs::read_to_string(of_project(&path)).unwrap()
    });
    assert_eq!(service, bridge);
}

#[test]
fn the_scripts_of_the_packages_pass_their_linter() {
    lint("shellcheck", &SCRIPTS);
}

#[test]
fn what_the_debian_package_names_exists() {
    let manifest = std::fs::read_to_string(of_project("Cargo.toml")).unwrap();
    let (_, package) = manifest.split_once("[package.metadata.deb]").unwrap();
    let (package, _) = package.split_once("\n]\n").unwrap();
    let arguments: Vec<_> = package
        .lines()
        .filter_map(|line| line.trim().strip_prefix("[\""))
        .map(|line| line.split('"').next().unwrap())
        .collect();
    assert!(arguments.len() > 10, "{arguments:?}");
    let in_project = arguments.iter().filter(|path| !path.starts_with("target/"));
    for path in in_project.chain(&["packaging/debian/postinst", "packaging/switchboard.service"]) {
        let (directory, _) = path.split_once('*').unwrap_or((path, ""));
        assert!(of_project(directory).exists(), "{path}");
    }
}
