//! The stored form of passwords.

use std::collections::BTreeSet;
use std::path::Path;

use super::team::{self, create_user, user};

/// The bytes of all files under this directory.
fn contents(directory: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap().flatten();
    entries
        .flat_map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                contents(&path)
            } else {
                vec![std::fs::read(&path).unwrap_or_default()]
            }
        })
        .collect()
}

fn holds(directory: &Path, needle: &str) -> bool {
    let occurs = |bytes: &Vec<u8>| {
        bytes
            .windows(needle.len())
            .any(|window| window == needle.as_bytes())
    };
    contents(directory).iter().any(occurs)
}

/// The hashes in these files, each once.
fn hashes(directory: &Path) -> BTreeSet<String> {
    let text: Vec<String> = contents(directory)
        .iter()
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    let behind = text
        .iter()
        .flat_map(|text| text.split("$argon2id$").skip(1));
    behind
        .filter_map(|rest| rest.split('"').next())
        .map(str::to_owned)
        .collect()
}

#[tokio::test]
async fn a_password_is_stored_as_an_argon2id_hash_and_never_shown() {
    let server = team::start().await;
    let client = server.client();
    let mut bo = user("Bo");
    bo["password"] = serde_json::json!("Canary-Passw0rd-7391");
    let id = create_user(client, &bo).await;
    assert!(id.get("password").is_none());
    let data = server.data();
    assert!(!holds(&data, "Canary-Passw0rd-7391"));
    assert!(holds(&data, "$argon2id$v=19$m=19456,t=2,p=1$"));
    // The same of those that the configuration declares.
    assert!(!holds(&data, "Secr3tive"));
    let log = server.log();
    assert!(
        !log.contains("Canary") && !log.contains("argon2id"),
        "{log}"
    );
    let page = client.get_as(team::CLEO, "/api/v4/users").await.is(200);
    assert!(!page.body.contains("argon2id"));
}

#[tokio::test]
async fn a_start_with_the_same_configuration_writes_no_new_hashes() {
    let mut server = team::setup().start().await;
    let before = hashes(&server.data());
    assert_eq!(before.len(), 5, "one for each user of the configuration");
    server.kill_9();
    server.restart().await;
    assert_eq!(hashes(&server.data()), before);
}
