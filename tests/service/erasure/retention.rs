//! Messages that are older than the configuration keeps them are erased at the hour of the day.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use switchboard_engine::runtime::clock::{Clock as _, SystemClock};
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_worlds::{Setup as Old, TestSystem};

use super::{done, erased, traces};
use crate::support::client::Client;
use crate::support::eventually;
use crate::support::server::Setup;

/// The hour of the day, in UTC, or the next one if that begins in half a minute: the service must come up within it.
fn hour() -> u64 {
    let soon = SystemClock.now().plus(Duration::from_secs(30));
    soon.get() / 3_600_000 % 24
}

/// A data directory with messages of 2023.
async fn old_messages(directory: &std::path::Path) {
    let old = Old {
        disk: Arc::new(FileDisk::open(directory).unwrap()),
        tables: Arc::new(SledHome::new(directory.join("tables"))),
        ..Old::default()
    };
    let test = old.start().await;
    for number in 0..5 {
        test.customer("grace")
            .says(&format!("parrot {number}"))
            .await
            .unwrap();
    }
    test.stop().await;
}

/// Waits until the service has ordered an erasure: it does so beside the first requests.
async fn ordered(client: &Client) {
    eventually("the erasure is ordered", async || {
        let request = client.operate("GET", "/admin/v1/erasures");
        let answer = request.attempt().await?.is(200).json;
        (!answer["erasures"].as_array()?.is_empty()).then_some(())
    })
    .await;
}

#[actix::test]
async fn old_messages_are_erased_at_the_configured_hour() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    old_messages(&data).await;
    let rule = format!("channel={} days=30", TestSystem::channel_id());
    let setup = Setup::default()
        .data(&data)
        .setting("retention", &format!("hour = {}", hour()))
        .setting("retention", &format!("rules = [\"{rule}\"]"));
    let mut server = setup.start().await;
    ordered(server.client()).await;
    let erasure = done(server.client(), 1).await;
    assert_eq!(
        (&erasure["what"], &erasure["account_id"]),
        (&json!("messages"), &json!(null))
    );
    assert_eq!(erasure["certificate"]["counts"]["messages"], 5);
    assert_eq!(server.terminate().await, Some(0));
    assert_eq!(traces(&data, &["parrot"]), [""; 0]);
    assert!(erased(&data) >= 4);
}
