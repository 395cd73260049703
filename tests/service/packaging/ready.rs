//! The health command.

use std::process::{Command, Output};

use crate::support::limit::Limited as _;
use crate::support::port::HeldPort;
use crate::support::server::Server;

fn ready(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .arg("ready")
        .args(args)
        .current_dir(std::env::temp_dir())
        .limited_output()
        .unwrap()
}

#[tokio::test]
async fn the_health_command_ends_by_the_state_of_the_service() {
    let server = Server::start().await;
    let output = ready(&["--url", server.url()]);
    assert_eq!(output.status.code(), Some(0));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(stdout, format!("ready: {}/\n", server.url()));
    let port = HeldPort::take();
    let nothing = format!("http://127.0.0.1:{}", port.number());
    let output = ready(&["--url", &nothing, "--wait", "1"]);
    assert_eq!(output.status.code(), Some(3));
    let elsewhere = format!("{}/metrics", server.url());
    let output = ready(&["--url", &elsewhere]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("it is not a Switchboard service"),
        "{stderr}"
    );
}

#[test]
fn manual_pages_of_all_commands_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let pages = directory.path().join("man1");
    let status = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .arg("man")
        .arg(&pages)
        .status();
    assert!(status.unwrap().success());
    for page in [
        "switchboard.1",
        "switchboard-serve.1",
        "switchboard-channel-create.1",
    ] {
        let text = std::fs::read_to_string(pages.join(page)).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
        assert!(!text.contains(".SH EXTRA"), "{page}");
    }
    let serve = std::fs::read_to_string(pages.join("switchboard-serve.1")).unwrap();
    assert!(serve.contains(".SH EXAMPLES\n.nf"), "{serve}");
    let verify = std::fs::read_to_string(pages.join("switchboard-verify.1")).unwrap();
    assert!(verify.contains(".SH \"EXIT STATUS\"\n.nf"));
}
