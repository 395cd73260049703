//! The place of the configuration is the same for all commands.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::limit::Limited as _;
use crate::support::server::Setup;

/// Runs a command in an empty directory, with the variable that names the configuration.
fn run(words: &[&str], config: &Path) -> Output {
    let place = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(words)
        .env("SWITCHBOARD_CONFIG", config)
        .current_dir(place.path())
        .limited_output()
        .unwrap()
}

#[tokio::test]
async fn every_command_reads_the_configuration_of_the_variable() {
    let place = tempfile::tempdir().unwrap();
    let (archive, data) = (place.path().join("archive"), place.path().join("data"));
    let setup = Setup::default().archive(&archive).data(&data);
    let mut server = setup.start().await;
    assert_eq!(server.terminate().await, Some(0));
    let config = server.directory().join("switchboard.toml");
    let restored = place.path().join("restored").display().to_string();
    for words in [
        &["config", "show"][..],
        &["config", "check"],
        &["verify"],
        &["backup", "verify"],
        &["restore", "--to", &restored],
    ] {
        let output = run(words, &config);
        assert!(output.status.success(), "{words:?}: {output:?}");
    }
    let status = run(&["shared-log", "status"], &config);
    let stderr = String::from_utf8_lossy(&status.stderr).into_owned();
    assert!(stderr.contains("the service has no shared log"), "{stderr}");
    let missing = run(&["verify"], &place.path().join("missing.toml"));
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
}

/// A flag that is not understood is not repeated: a password may be in it.
#[test]
fn a_wrong_archive_address_is_refused_without_its_password() {
    for words in [&["backup", "verify"][..], &["restore", "--check"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .args(words)
            .args(["--from", "s3://key:hunter2@bucket/path"])
            .limited_output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains("without a password"), "{stderr}");
        assert!(!stderr.contains("hunter2"), "{stderr}");
    }
}
