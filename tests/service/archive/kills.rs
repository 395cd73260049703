//! The service is killed at random moments, and each time a data directory is restored from the archive that it leaves.

use std::sync::Arc;

use serde_json::json;
use tempfile::tempdir;

use super::{Place, archived, records};
use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::moment::Moment;
use crate::support::random::{Random, times};
use crate::support::receiver::Receiver;
use crate::support::server::{Setup, TOKEN};
use crate::support::shown::Shown;
use crate::support::upload::uploaded;
use crate::support::writers::Writers;

/// The bytes of the file in a message.
const FILE: &[u8] = b"%PDF-1.7 and so on";

#[tokio::test]
async fn a_lost_data_directory_is_restored_as_it_was() {
    let place = tempdir().unwrap();
    let archive = Place::directory(&place.path().join("archive"));
    a_lost_data_directory_comes_back(&archive).await;
}

/// The machine is lost after everything was archived; its successor shows the same.
pub(super) async fn a_lost_data_directory_comes_back(archive: &Place) {
    let receiver = Receiver::start().await;
    let setup = Setup::default().webhook(&receiver);
    let mut server = archive.setup(setup).start().await;
    server.client().connect("v2").await;
    let mut writers = Writers::new(&mut Random::of_this_run(), 500);
    writers.write_some(server.client(), 12).await;
    let conversation = send_file(server.client()).await;
    let view_before = eventually("no callback is in progress", async || {
        let view = Shown::read(server.client(), None).await.unwrap();
        (view.callbacks_open() == 0).then_some(view)
    })
    .await;
    let before = format!("{view_before:?}").replace(server.url(), "");
    let state = archived(&server).await;
    assert_eq!(state["state"], "current", "{state}");
    assert_eq!(state["files"], 1, "{state}");
    server.kill_9();
    let records_before = records(&server.data());
    std::fs::remove_dir_all(server.data()).unwrap();

    let report = archive.restored(&server.data());
    assert_eq!(report["records"], records_before.len());
    assert_eq!(records(&server.data()), records_before);
    server.restart().await;
    let view_after = Shown::read(server.client(), None).await.unwrap();
    // The addresses of files name the port, which is another one.
    let after = format!("{view_after:?}").replace(server.url(), "");
    assert_eq!(after, before);
    let file = fetched(server.client(), &conversation).await;
    assert_eq!(file, FILE);
    // It goes on archiving, in an epoch of its own.
    writers.write_some(server.client(), 3).await;
    let state = archived(&server).await;
    assert_eq!(
        (&state["state"], &state["epoch"]),
        (&"current".into(), &2.into())
    );
    assert_eq!(server.terminate().await, Some(0));
    let verification = archive.verified();
    assert_eq!(verification["records"], records(&server.data()).len());
    assert_eq!(verification["files"], 1);
}

/// A file that an account user sends to a customer; gives the conversation.
pub(super) async fn send_file(client: &Client) -> String {
    let new_message = client.sent(&message("with-file", "with-file")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap().to_owned();
    let file = uploaded(client, "offer.pdf", FILE).await;
    let body = json!({ "type": "file", "media_id": file["id"] });
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let request = client
        .request("POST", &target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await.is(201);
    conversation
}

/// The file of that message, by the address that the inbox shows.
async fn fetched(client: &Client, conversation: &str) -> Vec<u8> {
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let history = client.request("GET", &target).bearer(TOKEN).send().await;
    let messages = history.is(200).json["messages"].clone();
    let media = messages
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["media"].as_str())
        .next();
    let (_, path) = media.unwrap().split_once("/media/").unwrap();
    client
        .request("GET", &format!("/media/{path}"))
        .send()
        .await
        .is(200)
        .body
        .into_bytes()
}

#[tokio::test]
async fn every_archive_of_a_killed_service_is_restored() {
    let place = tempdir().unwrap();
    let archive = Place::directory(&place.path().join("archive"));
    restore_after_kills(&archive, times("RESTORES", 8)).await;
}

/// Kills the service so often, and restores what its archive has then.
pub(super) async fn restore_after_kills(archive: &Place, kills: u64) {
    let mut random = Random::of_this_run();
    let setup = Setup::default().setting("store", "segment_mib = 1");
    let mut server = archive.setup(setup).start().await;
    server.client().connect("v2").await;
    let mut writers = Writers::new(&mut random, 2_000);
    let (mut restored, mut behind) = (0, 0);
    for kill in 1..=kills {
        let moment = Moment::any(&mut random, 150);
        let client = server.client().clone();
        let ledger = Arc::clone(&writers.ledger);
        let killing = async {
            moment
                .comes(|| ledger.lock().unwrap().acknowledgements())
                .await;
            server.kill_9();
        };
        tokio::join!(writers.write(&client), killing);
        let records_before = records(&server.data());
        let place = tempdir().unwrap();
        let to = place.path().join("data");
        let report = archive.restored(&to);
        let records_after = records(&to);
        assert_eq!(report["records"], records_after.len());
        assert!(
            records_before.starts_with(&records_after),
            "kill {kill}: not a beginning of the journal"
        );
        restored += records_after.len();
        behind += records_before.len() - records_after.len();
        server.restart().await;
        writers.ledger.lock().unwrap().take_touched();
    }
    let state = archived(&server).await;
    assert_eq!(state["archived"], state["records"], "{state}");
    println!(
        "{kills} kills: {restored} records restored, all in order; {behind} were not archived yet when the service was \
         killed; then all {} were",
        state["records"]
    );
    assert!(restored > 0);
}
