//! A log begins by an order: nodes that do not find theirs wait, and say so.

use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use super::Log;
use super::engine_faults::replicated;
use crate::archive::Place;
use crate::support::client::Client;
use crate::support::eventually;
use crate::support::port::HeldPort;
use crate::support::server::{Server, Setup};

/// A node that is to wait: it has a port that is known before it is ready.
struct Waiting {
    server: Server,
    port: HeldPort,
}

impl Waiting {
    fn start(log: &Log, node: &str) -> Self {
        let port = HeldPort::take();
        let listen = format!("listen = \"127.0.0.1:{}\"", port.number());
        let setup = log.setup(node, Setup::default());
        let server = setup.setting("server", &listen).stand_by();
        Self { server, port }
    }

    fn client(&self) -> Client {
        Client::undescribed(&format!("http://127.0.0.1:{}", self.port.number()))
    }

    /// Waits until the node gives this reason for waiting, and returns its state.
    async fn says(&self, reason: &str) -> Value {
        let client = self.client();
        eventually(&format!("a node says: {reason}"), async || {
            let answer = client.request("GET", "/readyz").attempt().await?;
            let is_so = answer.json["node"]["trouble"].as_str()?.contains(reason);
            assert_eq!(answer.status, 503);
            is_so.then_some(answer.json)
        })
        .await
    }
}

/// Both nodes of a log whose share is not mounted on one of them; the same for another path, and another database.
async fn two_nodes_without_a_log(log: &Log) {
    let nodes = ["a", "b"].map(|node| Waiting::start(log, node));
    for node in &nodes {
        let line = node.says("no node has been ordered to begin it").await;
        assert_eq!(line["node"]["role"], "standby");
        assert!(line["node"].get("behind_entries").is_none(), "{line}");
        assert!(line.get("installation").is_none(), "{line}");
        eventually("its log names the command", async || {
            let log_text = node.server.log();
            log_text
                .contains("switchboard shared-log begin")
                .then_some(())
        })
        .await;
        let metrics = node.client().request("GET", "/metrics").send().await.body;
        assert!(
            metrics.contains("switchboard_shared_log_owner 0"),
            "{metrics}"
        );
        assert!(
            metrics.contains("switchboard_journal_writable 0"),
            "{metrics}"
        );
    }
    let [mut a, b] = nodes;
    assert_eq!(log.status()["state"], "empty");
    log.begin("a").await;
    a.server.takes_over().await;
    let owner = a.server.client().read("/readyz").await;
    let followed = eventually("the other node follows", async || {
        let answer = b.client().request("GET", "/readyz").attempt().await?.json;
        (answer["node"]["owner"] == "a" && answer["node"]["behind_entries"] == 0).then_some(answer)
    })
    .await;
    // One installation, as a monitor sees it.
    assert_eq!(owner["installation"], followed["installation"]);
    let id = u64::from_str_radix(owner["installation"].as_str().unwrap(), 16).unwrap();
    for node in [a.server.client().clone(), b.client()] {
        let metrics = node.request("GET", "/metrics").send().await.body;
        let series = format!("switchboard_installation_id {id}\n");
        assert!(metrics.contains(&series), "{id}: {metrics}");
    }
    let again = log.command("b", &["begin"]);
    assert_eq!(again.status.code(), Some(1), "{again:?}");
    let stderr = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(stderr.contains("node a"), "{stderr}");
}

#[tokio::test]
async fn a_node_that_does_not_find_its_log_waits_for_an_order() {
    let place = tempdir().unwrap();
    two_nodes_without_a_log(&Log::in_archive(Place::directory(place.path())).patient()).await;
}

#[tokio::test]
async fn an_empty_database_is_no_order_to_begin() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let place = tempdir().unwrap();
    let log = Log::postgres(&servers.url(), &place.path().join("archive")).patient();
    two_nodes_without_a_log(&log).await;
}

/// A directory that would have to be made with what is above it may be below a mount point.
#[tokio::test]
async fn no_missing_directory_is_made_above_an_archive() {
    let place = tempdir().unwrap();
    let missing = place.path().join("not-mounted/archive");
    let log = Log::in_archive(Place::directory(&missing));
    let output = log.command("a", &["begin"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("is its disk mounted"), "{stderr}");
    let node = Waiting::start(&log, "a");
    node.says("no node has been ordered to begin it").await;
    assert!(!Path::new(&place.path().join("not-mounted")).exists());
}

/// The share of a node that has followed the log goes away and comes back.
#[tokio::test]
async fn a_node_whose_share_is_not_mounted_waits_for_it() {
    let place = tempdir().unwrap();
    let share = place.path().join("share");
    let log = Log::in_archive(Place::directory(&share));
    log.begin("a").await;
    let mut node = Waiting::start(&log, "a");
    node.server.takes_over().await;
    let scope = node.server.client().connect("v2").await;
    let away = place.path().join("away");
    std::fs::rename(&share, &away).unwrap();
    std::fs::create_dir(&share).unwrap();
    node.server.kill_9();
    let ready = node.server.directory().join("ready.json");
    std::fs::remove_file(&ready).unwrap();
    node.server.stand_by_again();
    node.says("is its disk mounted").await;
    assert!(
        std::fs::read_dir(&share).unwrap().next().is_none(),
        "nothing is written below a mount point"
    );
    std::fs::remove_dir(&share).unwrap();
    std::fs::rename(&away, &share).unwrap();
    node.server.takes_over().await;
    assert_eq!(node.server.client().connect("v2").await, scope);
}
