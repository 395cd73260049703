//! Two processes and one archive: the older one stops.

use tempfile::tempdir;

use super::{Place, archived};
use crate::support::client::message;
use crate::support::server::Setup;

#[tokio::test]
async fn a_process_whose_archive_another_continues_stops() {
    let place = tempdir().unwrap();
    let archive = Place::directory(&place.path().join("archive"));
    let mut old = archive.setup(Setup::default()).start().await;
    old.client().connect("v2").await;
    old.client().sent(&message("m1", "c1")).await;
    archived(&old).await;

    let restored = place.path().join("restored");
    archive.restored(&restored);
    let setup = archive.setup(Setup::default()).data(&restored);
    let new = setup.start().await;
    assert_eq!(archived(&new).await["state"], "current");

    // What makes the old process archive again. It is answered: nothing waits for the archive.
    old.client().sent(&message("m2", "c1")).await;
    assert_eq!(old.ended().await, Some(1));
    let log = old.log();
    assert!(log.contains("another process archives to file://"), "{log}");
    // A restart does not help it, be it ready before it hears of that or not.
    let stderr = match old.try_restart().await {
        Err(refusal) => refusal.said,
        Ok(()) => {
            assert_eq!(old.ended().await, Some(1));
            old.log()
        }
    };
    assert!(
        stderr.contains("switchboard restore --from file://"),
        "{stderr}"
    );
    new.client().sent(&message("m3", "c1")).await;
    assert_eq!(archived(&new).await["state"], "current");
}

#[tokio::test]
async fn a_failing_archive_stops_nothing_and_catches_up() {
    let place = tempdir().unwrap();
    let path = place.path().join("archive");
    // A file where the directory should be.
    std::fs::write(&path, "").unwrap();
    let archive = Place::directory(&path);
    let server = archive.setup(Setup::default()).start().await;
    server.client().connect("v2").await;
    server.client().sent(&message("m1", "c1")).await;
    let state = crate::support::eventually("the archive fails", async || {
        let state = server
            .client()
            .operate("GET", "/admin/v1/archive")
            .send()
            .await;
        (state.json["state"] == "failing").then_some(state.json)
    })
    .await;
    let why = state["trouble"].as_str().unwrap();
    assert!(why.contains("/archive/"), "{why}");
    let metrics = server.client().request("GET", "/metrics").send().await.body;
    assert!(
        metrics.contains("switchboard_archive_failing 1"),
        "{metrics}"
    );
    std::fs::remove_file(&path).unwrap();
    let state = archived(&server).await;
    assert_eq!(
        (&state["state"], &state["trouble"]),
        (&"current".into(), &serde_json::Value::Null)
    );
    assert_eq!(state["archived"], state["records"]);
    assert!(server.log().contains("the archive goes on"));
}
