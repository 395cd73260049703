//! Whole files that are gone, or are those of another installation: found and named, or rebuilt, never served.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{CONTENT, Damage, Kind, Verdict, filled, reaction, upload};
use crate::erasure::done;
use crate::support::client::Client;
use crate::support::directory::{copy, files_in};
use crate::support::random::Random;
use crate::support::server::{ACCOUNT, TOKEN};
use crate::support::shown::Shown;

#[tokio::test]
async fn removed_and_exchanged_files_are_found_and_named() {
    let mut random = Random::of_this_run();
    let (mut server, _writers) = filled(&mut random).await;
    erase_a_customer(server.client()).await;
    let uploaded = upload_and_send(server.client(), CONTENT).await;
    let before = Shown::read(server.client(), None).await.unwrap();
    assert_eq!(server.terminate().await, Some(0));
    let (mut another, _writers) = filled(&mut random).await;
    erase_a_customer(another.client()).await;
    upload_and_send(another.client(), "Another animal.").await;
    assert_eq!(another.terminate().await, Some(0));
    let (data, sound) = (server.data(), server.directory().join("sound"));
    copy(&data, &sound);
    let foreign = one_of_each_class(&another.data());
    let classes: Vec<&String> = foreign.keys().collect();
    assert!(
        foreign.contains_key("erasure-") && foreign.contains_key("media/about"),
        "{classes:?}"
    );
    for (class, file) in one_of_each_class(&sound) {
        for kind in [Kind::Removed, Kind::Exchanged] {
            // A journal without a segment has a test of its own.
            if kind == Kind::Removed && class == "journal-" {
                continue;
            }
            std::fs::remove_dir_all(&data).unwrap();
            copy(&sound, &data);
            let target = data.join(&file);
            std::fs::remove_file(&target).unwrap();
            if kind == Kind::Exchanged {
                let Some(foreign) = foreign.get(&class) else {
                    continue;
                };
                std::fs::copy(another.data().join(foreign), &target).unwrap();
            }
            let damage = Damage {
                kind,
                file: file.clone(),
                offset: 0,
            };
            let verdict = Verdict::read(&data);
            let reaction = reaction(&mut server, &damage, &before, &uploaded).await;
            println!("{class} {kind:?}: {reaction:?}, {verdict:?}");
            verdict.check(&damage, reaction);
        }
    }
    // The tables are several files, which belong together.
    std::fs::remove_dir_all(&data).unwrap();
    copy(&sound, &data);
    std::fs::remove_dir_all(data.join("tables")).unwrap();
    copy(&another.data().join("tables"), &data.join("tables"));
    let damage = Damage {
        kind: Kind::Exchanged,
        file: PathBuf::from("tables"),
        offset: 0,
    };
    let verdict = Verdict::read(&data);
    assert_eq!(verdict.code, 3, "{verdict:?}");
    let reaction = reaction(&mut server, &damage, &before, &uploaded).await;
    verdict.check(&damage, reaction);
}

/// Uploads a file with this content and sends it in a conversation; gives the path where it is fetched.
async fn upload_and_send(client: &Client, content: &str) -> String {
    let path = upload(client, content).await;
    let id = path.split('/').nth(2).unwrap();
    let conversation = client.conversations().await[0]["id"].clone();
    let messages = format!(
        "/inbox/v1/conversations/{}/messages",
        conversation.as_str().unwrap()
    );
    let reply = client
        .request("POST", &messages)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    let body = json!({ "type": "file", "media_id": id }).to_string();
    reply.body(body).send().await.is(201);
    path
}

/// Leaves a list of what was erased.
async fn erase_a_customer(client: &Client) {
    let contact = &client.contacts().await[0]["id"];
    let body = json!({ "what": "customer", "account_id": ACCOUNT, "contact_id": contact });
    let order = client.operates("POST", "/admin/v1/erasures", &body).await;
    order.is(202);
    done(client, 1).await;
}

/// A file of each class, the newest where there are several: by what its name begins with, and its ending.
fn one_of_each_class(directory: &Path) -> BTreeMap<String, PathBuf> {
    let mut files = files_in(directory);
    files.retain(|file| file != Path::new("lock"));
    let class = |file: &PathBuf| {
        let name = file.to_string_lossy();
        let end = name.find(['/', '-']).map_or(name.len(), |at| at + 1);
        let ending = file.extension().unwrap_or_default().to_string_lossy();
        format!("{}{ending}", &name[..end])
    };
    files.into_iter().map(|file| (class(&file), file)).collect()
}
