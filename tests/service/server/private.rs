//! Other users of the machine cannot read the data.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::support::client::message;
use crate::support::server::{Server, Setup, TOKEN};

/// Lets others read what is made without a thought.
const GENEROUS: [&str; 3] = ["sh", "-c", "umask 022; exec \"$0\" \"$@\""];

/// A picture of one pixel, of which a thumbnail is made.
const PIXEL: &str = "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082";

async fn generous() -> Server {
    Setup::default()
        .setting("store", "checkpoint_records = 100")
        .under(&GENEROUS)
        .start()
        .await
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Everything in a directory and itself.
fn all(directory: PathBuf) -> Vec<PathBuf> {
    let mut paths = vec![directory];
    let mut next = 0;
    while let Some(path) = paths.get(next).cloned() {
        next += 1;
        if path.is_dir() {
            let entries = fs::read_dir(path).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        }
    }
    paths
}

async fn upload(server: &Server) {
    let mut body =
        b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"dot.png\"\r\n\r\n"
            .to_vec();
    body.extend(hex::decode(PIXEL).unwrap());
    body.extend(b"\r\n--edge--\r\n");
    let request = server
        .client()
        .request("POST", "/inbox/v1/media")
        .bearer(TOKEN)
        .header("Content-Type", "multipart/form-data; boundary=edge");
    let answer = request.body(body).send().await.is(201);
    assert!(answer.json["id"].is_string(), "{answer:?}");
}

#[tokio::test]
async fn files_in_the_data_directory_are_private_to_their_owner() {
    let mut server = generous().await;
    server.client().connect("v2").await;
    for number in 0..20 {
        let body = message(&format!("m-{number}"), "c");
        server.client().sent(&body).await;
    }
    upload(&server).await;
    assert_eq!(server.terminate().await, Some(0));
    // A second time: what is replaced and made later.
    server.restart().await;
    server.client().sent(&message("later", "c")).await;
    assert_eq!(server.terminate().await, Some(0));
    let paths = all(server.data());
    for name in [
        "journal-", "identity", "manifest", "keys-", "rows-", "tables", "media", "lock",
    ] {
        let is_called = |path: &PathBuf| path.to_string_lossy().contains(name);
        assert!(paths.iter().any(is_called), "{name} is not in {paths:?}");
    }
    for path in paths {
        let private_bits = if path.is_dir() { 0o700 } else { 0o600 };
        let bits = mode(&path);
        assert_eq!(bits, private_bits, "{}: {bits:o}", path.display());
    }
    assert!(!server.log().contains("other users"), "{}", server.log());
}

#[tokio::test]
async fn a_data_directory_open_to_others_causes_a_warning() {
    let mut server = generous().await;
    assert_eq!(server.terminate().await, Some(0));
    fs::set_permissions(server.data(), Permissions::from_mode(0o755)).unwrap();
    server.restart().await;
    let log = server.log();
    for word in ["WARN", "other users", "chmod -R go-rwx"] {
        assert!(log.contains(word), "{log}");
    }
    // It is the administrator's to change.
    assert_eq!(mode(&server.data()), 0o755);
}
