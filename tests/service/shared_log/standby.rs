//! The answers of a standby, and its takeovers.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::tempdir;

use super::Log;
use super::pair::Pair;
use super::takeovers::setup;
use crate::archive::{Place, archived};
use crate::erasure::{NAME, WORD, done, filled, order_hers, traces};
use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::flaky::Flaky;
use crate::support::random::Random;
use crate::support::server::{Setup, TOKEN};

#[tokio::test]
async fn a_standby_names_the_owner_and_answers_nothing_else() {
    let place = tempdir().unwrap();
    let log = Log::in_archive(Place::directory(&place.path().join("archive"))).patient();
    let mut pair = Pair::start(&log, &Setup::default()).await;
    let view = pair.is_current().await;
    assert_eq!(view["ready"], false);
    assert_eq!(view["node"]["name"], "b");
    assert_eq!(view["node"]["owner"], "a");
    assert_eq!(view["node"]["owner_url"], pair.owner().url());
    let standby = Client::undescribed(&pair.standby_url());
    let account = standby.get("/api/v4/users").await;
    assert_eq!(account.status, 503);
    assert_eq!(account.header("retry-after"), "1");
    let detail = account.json["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains(pair.owner().url()), "{detail}");
    let chat = standby.request("POST", "/v2/origin/custom/x").send().await;
    assert_eq!(
        (chat.status, &chat.json["error_type"]),
        (503, &json!("UNAVAILABLE"))
    );
    assert_eq!(standby.get("/healthz").await.status, 200);
    for (target, status) in [("/healthz", 200), ("/readyz", 503), ("/metrics", 200)] {
        let head = standby.request("HEAD", target).send().await;
        assert_eq!((head.status, head.body.as_str()), (status, ""), "{target}");
    }
    let metrics = standby.get("/metrics").await.body;
    assert!(
        metrics.contains("switchboard_shared_log_owner 0"),
        "{metrics}"
    );
    let owner = pair.client().read("/readyz").await;
    assert_eq!(
        (&owner["ready"], &owner["node"]["role"]),
        (&json!(true), &json!("owner"))
    );

    // Both nodes know the same users and the same secret: a scope has one address.
    let scope = pair.client().connect("v2").await;
    pair.is_current().await;
    pair.stop_owner().await;
    assert_eq!(pair.client().connect("v2").await, scope);
    assert_eq!(
        pair.client().get_as(TOKEN, "/api/v4/users").await.status,
        200
    );
}

#[tokio::test]
async fn a_new_node_begins_from_the_archive() {
    let place = tempdir().unwrap();
    let archive = Place::directory(&place.path().join("archive"));
    let log = Log::in_archive(archive.clone()).patient();
    log.begin("a").await;
    let mut owner = log
        .setup(
            "a",
            Setup::default().setting("shared_log", "keep_minutes = 0"),
        )
        .stand_by();
    owner.takes_over().await;
    owner.client().connect("v2").await;
    for number in 0..200 {
        let (id, talk) = (format!("m{number}"), format!("c{}", number % 7));
        owner.client().sent(&message(&id, &talk)).await;
    }
    archived(&owner).await;
    let early = place.path().join("archive/log/0000000000000003");
    eventually("the log is trimmed", async || {
        (!early.exists()).then_some(())
    })
    .await;

    // Without the archive it lacks the beginning.
    let failure = log.setup("n", Setup::default()).start_and_fail().await;
    assert_eq!(failure.status.code(), Some(1));
    assert!(
        failure.said.contains("from the archive"),
        "{}",
        failure.said
    );

    let restored = place.path().join("restored");
    archive.restored(&restored);
    let setup = log.setup("b", Setup::default().data(&restored));
    let mut standby = setup.stand_by();
    owner.client().sent(&message("last", "c1")).await;
    owner.kill_9();
    standby.takes_over().await;
    let talks = standby.client().conversations().await;
    assert_eq!(talks.len(), 7);
    let again = standby.client().send(&message("last", "c1")).await;
    assert_eq!(again.status, 200, "{again:?}");
    // It archives behind what the other node has archived, and does so again after a restart.
    assert_eq!(archived(&standby).await["state"], "current");
    assert_eq!(standby.terminate().await, Some(0));
    standby.restart().await;
    assert_eq!(archived(&standby).await["state"], "current");
    assert_eq!(standby.client().conversations().await.len(), 7);
}

/// An entry with records, from the beginning of a log in an archive.
const EARLY: &str = "log/0000000000000003";

/// Waits until an entry has left its log.
async fn leaves_the_log(entry: &Path) {
    eventually("the entry leaves the log", async || {
        (!entry.exists()).then_some(())
    })
    .await;
}

/// The owner erases what [`filled`] wrote of her, who then comes back; returns the number of erased records, as its certificate says it.
pub(super) async fn erased_by_the_owner(pair: &Pair) -> Value {
    order_hers(&pair.client()).await;
    let erasure = done(&pair.client(), 1).await;
    pair.client().sent(&message("again", "c-again")).await;
    pair.is_current().await;
    erasure["certificate"]["erased_records"].clone()
}

/// The standby takes over, and has erased as many records; nothing of her is left in the files of either node.
pub(super) async fn erased_by_the_standby(pair: &mut Pair, on_the_first: &Value) {
    pair.stop_owner().await;
    let erasure = done(&pair.client(), 1).await;
    assert_eq!(&erasure["certificate"]["erased_records"], on_the_first);
    let again = pair.client().sent(&message("again", "c-again")).await;
    let talk = again["conversation_id"].as_str().unwrap();
    assert_eq!(pair.client().messages(talk).await.len(), 1);
    for node in [pair.owner(), pair.standby()] {
        assert_eq!(traces(&node.data(), &[NAME, WORD]), [""; 0]);
    }
}

/// An erasure of one node reaches the other when it owns the log, up to the same record.
#[tokio::test]
async fn an_erasure_reaches_every_node() {
    let place = tempdir().unwrap();
    let log = Log::in_archive(Place::directory(&place.path().join("archive"))).patient();
    let receiver = Flaky::start(Random::of_this_run()).await;
    receiver.recover();
    let mut pair = Pair::start(&log, &setup(&receiver)).await;
    filled(&pair.client(), 5).await;
    pair.is_current().await;
    let early = place.path().join("archive").join(EARLY);
    assert!(early.exists());
    let erased_records = erased_by_the_owner(&pair).await;
    let said = pair.owner().log();
    assert_eq!(said.matches("owns the shared log").count(), 2);
    // The shared log has what it goes up to: the actor that notes it is not gone with the workers.
    for failure in ["an actor died", "cannot be noted"] {
        assert!(!said.contains(failure), "{said}");
    }
    leaves_the_log(&early).await;

    erased_by_the_standby(&mut pair, &erased_records).await;
    pair.is_current().await;
    let ([mut owner, mut standby], _ports) = pair.into_nodes();
    assert_eq!(standby.terminate().await, Some(0));
    assert_eq!(owner.terminate().await, Some(0));
    let restored = place.path().join("restored");
    log.archive.restored(&restored);
    for directory in [place.path().join("archive"), restored] {
        assert_eq!(traces(&directory, &[NAME, WORD]), [""; 0]);
    }
}

/// The log keeps what a node lacks that is away, over a restart of the owner too, and drops it when the node is back.
#[tokio::test]
async fn an_erased_log_waits_for_a_node_that_is_away() {
    let place = tempdir().unwrap();
    let log = Log::in_archive(Place::directory(&place.path().join("archive"))).patient();
    let pair = Pair::start(&log, &Setup::default()).await;
    filled(&pair.client(), 5).await;
    pair.is_current().await;
    let archive = place.path().join("archive");
    let (early, report) = (archive.join(EARLY), archive.join("nodes/b"));
    eventually("the standby reports", async || {
        report.exists().then_some(())
    })
    .await;
    let ([mut owner, mut standby], _ports) = pair.into_nodes();
    standby.kill_9();
    order_hers(owner.client()).await;
    done(owner.client(), 1).await;
    assert_eq!(archived(&owner).await["state"], "current");
    assert!(early.exists());
    assert_eq!(owner.terminate().await, Some(0));
    owner.stand_by_again();
    owner.takes_over().await;
    assert_eq!(archived(&owner).await["state"], "current");
    assert!(early.exists());

    standby.stand_by_again();
    leaves_the_log(&early).await;
    assert_eq!(owner.terminate().await, Some(0));
    standby.takes_over().await;
    done(standby.client(), 1).await;
    assert_eq!(traces(&standby.data(), &[NAME, WORD]), [""; 0]);
}
