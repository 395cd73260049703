//! The service with an integration, as `compose.yaml` starts them: the same configuration and variables, without containers.

use std::process::Command;

use super::{of_project, python};
use crate::support::limit::Limited as _;
use crate::support::server::Setup;
use crate::support::skip::skipped;

/// The secrets that `init` writes, as variables of the service.
fn secrets() -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("init");
    std::fs::copy(of_project("packaging/compose/init"), &script).unwrap();
    let run = || Command::new("sh").arg(&script).limited_output().unwrap();
    let text = String::from_utf8(run().stdout).unwrap();
    assert!(text.starts_with("Sign in as ada@example.com with the password "));
    assert!(!run().status.success(), "it must not replace secrets");
    let file = std::fs::read_to_string(folder.path().join(".env")).unwrap();
    let compose = std::fs::read_to_string(of_project("packaging/compose/compose.yaml")).unwrap();
    let (service, _) = compose.split_once("\n  echo:").unwrap();
    let lines = service.lines().map(str::trim);
    let variables: Vec<_> = lines
        .filter(|line| line.starts_with("SWITCHBOARD_"))
        .map(|line| {
            let (name, value) = line.split_once(": \"${").unwrap();
            let (from, _) = value.split_once(":?").unwrap();
            let secret = file
                .lines()
                .find_map(|line| line.strip_prefix(from)?.strip_prefix('='));
            (name.to_owned(), secret.unwrap().to_owned())
        })
        .collect();
    assert_eq!(variables.len(), 3);
    variables
}

#[tokio::test]
async fn the_service_of_the_compose_file_starts() {
    let config = std::fs::read_to_string(of_project("packaging/compose/switchboard.toml")).unwrap();
    let bare_setup = Setup::default().config(&config);
    let setup = secrets()
        .into_iter()
        .fold(bare_setup, |setup, (name, value)| {
            setup.variable(&name, &value)
        });
    let server = setup
        .variable("SWITCHBOARD_SERVER__LISTEN", "127.0.0.1:0")
        .start()
        .await;
    let ready = server.ready().to_string();
    assert!(
        ready.contains("f90ba33d-c9d9-44da-b76c-c349b0ecbe41"),
        "{ready}"
    );
}

#[test]
fn the_compose_file_passes_its_linter() {
    let file = of_project("packaging/compose/compose.yaml");
    match python(|python| python.args(["-m", "compose_lint", "check"]).arg(file)) {
        Ok(linted) => assert!(linted.is_ok(), "{linted:?}"),
        Err(why) => skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    }
}

/// Images that podman builds in its own form have no health command, and the integration waits for a healthy service.
#[test]
fn the_compose_file_has_the_health_command_of_the_image() {
    let image = std::fs::read_to_string(of_project("packaging/Containerfile")).unwrap();
    let compose = std::fs::read_to_string(of_project("packaging/compose/compose.yaml")).unwrap();
    let (_, command) = image.split_once("--start-period=60s CMD [").unwrap();
    let (command, _) = command.split_once(']').unwrap();
    let test = format!("test: [\"CMD\", {command}]");
    assert!(compose.contains(&test), "{test}");
    assert!(compose.contains("condition: service_healthy"));
}

#[test]
fn the_integration_of_the_compose_file_is_the_bot_of_the_guide() {
    let bot = std::fs::read_to_string(of_project("examples/echo.py")).unwrap();
    assert_eq!(bot.trim_end(), crate::guide::block("python bot"));
}
