//! The scripts of the Debian package at an upgrade, with stand-ins for the program and for systemd.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::of_project;

use crate::support::limit::Limited as _;

/// A root directory of a machine with systemd, and a directory of programs.
fn machine() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for directory in ["bin", "run/systemd/system", "etc/switchboard"] {
        std::fs::create_dir_all(root.path().join(directory)).unwrap();
    }
    let record = format!("echo \"$@\" >>{}/systemd", root.path().display());
    program(root.path(), "deb-systemd-invoke", &record);
    root
}

fn program(root: &Path, name: &str, script: &str) {
    let path = root.join("bin").join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Installs a version of the program.
fn install(root: &Path, format: u32) {
    let document = format!("{{\"version\":\"9.9.9\",\"data_format\":{format},\"os\":\"linux\"}}");
    program(root, "switchboard", &format!("echo '{document}'"));
}

/// Runs a script of the package and returns its output.
fn run(root: &Path, script: &str, arguments: &[&str]) -> String {
    let output = Command::new("sh")
        .args(["-c", "PATH=\"$0:$PATH\" exec sh \"$@\""])
        .arg(root.join("bin"))
        .arg(of_project(&format!("packaging/debian/{script}")))
        .args(arguments)
        .env("DPKG_ROOT", root)
        .limited_output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Upgrades from a format to another; returns the orders for systemd and the note.
fn upgrade(before: u32, after: u32) -> (String, String) {
    let root = machine();
    install(root.path(), before);
    run(root.path(), "preinst", &["upgrade", "0.1.0-1"]);
    install(root.path(), after);
    let note = run(root.path(), "postinst", &["configure", "0.1.0-1"]);
    let orders = std::fs::read_to_string(root.path().join("systemd"));
    assert!(!root.path().join("run/switchboard-data-format").exists());
    (orders.unwrap_or_default(), note)
}

#[test]
fn an_upgrade_restarts_the_service_unless_the_format_changes() {
    let (orders, note) = upgrade(1, 1);
    assert_eq!(
        (orders.trim(), note.as_str()),
        ("restart switchboard.service", "")
    );
    let (orders, note) = upgrade(1, 2);
    assert_eq!(orders, "");
    for part in ["data format 2", "systemctl stop switchboard", "cp -a"] {
        assert!(note.contains(part), "{part}: {note}");
    }
}

#[test]
fn an_installation_makes_a_token_of_its_own_once() {
    let root = machine();
    install(root.path(), 1);
    run(root.path(), "postinst", &["configure", ""]);
    let file = root.path().join("etc/switchboard/operator-token");
    let token = std::fs::read_to_string(&file).unwrap();
    assert_eq!(token.len(), 64);
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "only root reads it");
    run(root.path(), "postinst", &["configure", ""]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), token);
}

/// lintian and `apt` read the version from there.
#[test]
fn the_changelog_of_the_package_has_the_version_of_the_program() {
    let text = std::fs::read_to_string(of_project("packaging/debian/changelog")).unwrap();
    let heading = format!("switchboard ({}-1) ", env!("CARGO_PKG_VERSION"));
    assert!(text.starts_with(&heading), "{text}");
}
