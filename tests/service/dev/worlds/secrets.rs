//! The secrets of worlds: strangers cannot know them, and who needs the same ones in two processes names a key.

use serde_json::{Value, json};

use super::world::World;
use crate::support::server::{Server, Setup};

/// The secrets of a world, which a stranger must not know.
fn secrets(made: &Value) -> Vec<String> {
    let paths = [
        "/account/id",
        "/channel/secret",
        "/users/0/token",
        "/oauth_client/id",
        "/oauth_client/secret",
        "/oauth_client/code",
    ];
    let texts = paths.map(|path| made.pointer(path).and_then(Value::as_str).unwrap());
    texts.map(str::to_owned).to_vec()
}

async fn made(server: &Server, seed: u64) -> Vec<String> {
    secrets(&World::make(server, json!({ "seed": seed })).await.made)
}

fn have_nothing_in_common(one: &[String], other: &[String]) {
    for secret in one {
        assert!(!other.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn secrets_follow_from_the_seed_and_differ_between_processes() {
    let (one, other) = tokio::join!(super::started(), super::started());
    let first = made(&one, 7).await;
    have_nothing_in_common(&first, &made(&one, 8).await);
    have_nothing_in_common(&first, &made(&other, 7).await);
    // The code lasts from a moment on, and is drawn like the others.
    assert_eq!(first, made(&one, 7).await);
}

#[tokio::test]
async fn processes_with_the_same_key_have_the_same_secrets() {
    let directory = tempfile::tempdir().unwrap();
    let key = directory.path().join("key");
    std::fs::write(&key, "0123456789abcdef").unwrap();
    let setup = || {
        let setup = Setup::default().with_worlds();
        setup
            .argument("--worlds-key")
            .argument(key.to_str().unwrap())
    };
    let (one, other) = (setup(), setup());
    let (one, other) = tokio::join!(one.start(), other.start());
    let secrets = made(&one, 7).await;
    assert_eq!(secrets, made(&other, 7).await);
    have_nothing_in_common(&secrets, &made(&one, 8).await);
}
