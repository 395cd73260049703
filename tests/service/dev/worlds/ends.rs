//! The end of worlds, and of the process with its parent.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::started;
use super::world::World;
use crate::support::eventually;
use crate::support::limit::Limit;

#[tokio::test]
async fn an_ended_world_says_when_it_ended_and_why() {
    let server = started().await;
    let first = World::make(&server, json!({ "name": "first" })).await;
    let response = first.order("DELETE", "", json!(null)).await;
    assert_eq!(response["why"], "deleted");
    let short = World::make(&server, json!({ "ttl": 1 })).await;
    eventually("its time to live is over", async || {
        let answer = short.try_order("GET", "", json!(null)).await;
        (answer.status == 410).then_some(())
    })
    .await;
    for (world, why) in [
        (&first, "deleted"),
        (&short, "its time to live of 1 s is over"),
    ] {
        let answer = world
            .try_order("POST", "/advance", json!({ "seconds": 1 }))
            .await;
        let detail = answer.is(410).json["detail"].as_str().unwrap().to_owned();
        assert!(
            detail.contains(why) && detail.contains(" ended at 20"),
            "{detail}"
        );
        let attempt = world.client().request("GET", "/healthz").attempt().await;
        assert!(attempt.is_none(), "nothing listens there any more");
    }
    // What happened can still be read.
    let journal_text = first.text("/journal?form=document").await;
    let journal: Value = serde_json::from_str(&journal_text).unwrap();
    assert_eq!(journal["ended"]["why"], "deleted", "{journal}");
    assert_eq!(journal["entries"][0]["kind"], "note", "{journal}");
    let never = super::world::order(&server, "GET", "/worlds/w99", json!(null)).await;
    assert_eq!(never.status, 404);
}

#[test]
fn the_process_ends_when_its_standard_input_is_closed() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(["dev", "--ephemeral", "--listen", "127.0.0.1:0"])
        .args(["--ready-file", "ready.json", "--stop-with-stdin"])
        .current_dir(directory.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _limit = Limit::on(&child);
    let ready = directory.path().join("ready.json");
    while !ready.exists() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it was ready"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(child.stdin.take());
    let mut text = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert!(child.wait().unwrap().success(), "{text}");
    assert!(text.contains("stopped: everything is on disk"), "{text}");
    assert!(!ready.exists());
}
