//! The ready file, which programs wait for: it is there while the service is ready, and at no other time.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::eventually;
use crate::support::server::{Server, Setup};

/// Runs a command beside the ready file of an earlier process, and returns its status and whether it leaves one.
async fn fails(directory: &Path, arguments: &[&str]) -> (Option<i32>, bool) {
    let file = directory.join("ready.json");
    std::fs::write(&file, "{\"url\":\"http://127.0.0.1:9\"}").unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(arguments)
        .args(["--ready-file", "ready.json"])
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = eventually("the start fails", async || child.try_wait().unwrap()).await;
    (status.code(), file.exists())
}

#[tokio::test]
async fn a_failed_start_leaves_no_ready_file() {
    let server = Server::start().await;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(path.join("wrong.toml"), "[server]\nlistne = \"x\"\n").unwrap();
    let data_path = server.data();
    let data = data_path.to_str().unwrap();
    for subcommand in ["serve", "dev"] {
        for (arguments, code) in [
            (vec!["--config", "absent.toml"], 2),
            (vec!["--config", "wrong.toml"], 2),
            (vec!["--ephemeral", "--listen", server.client().host()], 1),
            (vec!["--listen", "127.0.0.1:0", "--data-dir", data], 1),
            (
                vec![
                    "--ephemeral",
                    "--listen",
                    "127.0.0.1:0",
                    "--ui-dir",
                    "absent",
                ],
                1,
            ),
        ] {
            let arguments = [vec![subcommand], arguments].concat();
            let output = fails(path, &arguments).await;
            assert_eq!(output, (Some(code), false), "{arguments:?}");
        }
    }
    let key = ["dev", "--ephemeral", "--worlds-key", "absent"];
    assert_eq!(fails(path, &key).await, (Some(2), false));
}

#[tokio::test]
async fn a_stopped_service_leaves_no_ready_file() {
    for setup in [Setup::default(), Setup::default().with_worlds()] {
        let mut server = setup.start().await;
        let file = server.directory().join("ready.json");
        assert!(file.exists());
        assert_eq!(server.terminate().await, Some(0));
        assert!(!file.exists());
    }
    // One that another process has written since then is not its own.
    let mut server = Server::start().await;
    let file = server.directory().join("ready.json");
    std::fs::write(&file, "of another").unwrap();
    assert_eq!(server.terminate().await, Some(0));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "of another");
}
