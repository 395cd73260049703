//! The lag of a standby, as it reports it, as `/metrics` has it, and as the list of nodes shows it.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tempfile::tempdir;

use super::Log;
use super::pair::Pair;
use crate::archive::Place;
use crate::archive::object_store::{S3, place_at};
use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::line::{Line, LineState};
use crate::support::port::HeldPort;
use crate::support::server::Setup;

/// Each node is listed with its place and its time.
#[tokio::test]
async fn every_node_is_listed_with_its_place() {
    let place = tempdir().unwrap();
    let log = Log::in_archive(Place::directory(&place.path().join("archive"))).patient();
    let pair = Pair::start(&log, &Setup::default()).await;
    pair.client().connect("v2").await;
    pair.is_current().await;
    let status = eventually("the standby has said how far it is", async || {
        let status = log.status();
        (status["nodes"].as_array()?.len() == 2).then_some(status)
    })
    .await;
    let [owner, standby] = [0, 1].map(|at| &status["nodes"][at]);
    assert_eq!(
        (&owner["node"], &owner["role"]),
        (&"a".into(), &"owner".into())
    );
    assert_eq!(owner["entry"], status["newest_entry"]);
    assert_eq!(
        (&standby["node"], &standby["role"]),
        (&"b".into(), &"standby".into())
    );
    let [entry, behind] = ["entry", "behind_entries"].map(|key| standby[key].as_u64().unwrap());
    assert_eq!(status["newest_entry"], entry + behind);
    for node in [owner, standby] {
        assert!(node["seen_at"].as_str().unwrap().contains('T'), "{node}");
        assert!(
            node["url"].as_str().unwrap().starts_with("http://"),
            "{node}"
        );
    }
    let output = log.command("any", &["status"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("standby") && text.contains("owner"), "{text}");
}

/// A standby that lacks the whole log says so from its first answer on.
#[tokio::test]
async fn a_standby_says_how_much_it_lacks() {
    let Some(s3) = S3::start().await else {
        return;
    };
    let log = Log::in_archive(s3.place("lag")).patient();
    log.begin("a").await;
    let mut owner = log.setup("a", Setup::default()).stand_by();
    owner.takes_over().await;
    owner.client().connect("v2").await;
    for number in 0..60 {
        let (id, talk) = (format!("m{number}"), format!("c{number}"));
        owner.client().sent(&message(&id, &talk)).await;
    }
    let lacks = log.status()["newest_entry"].as_u64().unwrap();
    let line = Line::to(s3.port()).await;
    line.becomes(LineState::Late(Duration::from_millis(100)));
    let far = place_at(format!("http://{}", line.address()), "lag");
    let port = HeldPort::take();
    let listen = format!("listen = \"127.0.0.1:{}\"", port.number());
    let far = Log {
        archive: far,
        ..log.clone()
    };
    let setup = far.setup("b", Setup::default()).setting("server", &listen);
    let standby = setup.stand_by();
    let client = Client::undescribed(&format!("http://127.0.0.1:{}", port.number()));
    let mut arrivals = Vec::new();
    eventually("it has the log", async || {
        let answer = client.request("GET", "/readyz").attempt().await?.json;
        let node = &answer["node"];
        let entry = node["entry"].as_u64()?;
        let behind = node["behind_entries"].as_u64();
        if entry < lacks {
            assert_ne!(behind, Some(0), "it lacks entries: {answer}");
        }
        let now = behind.map(|behind| (entry, behind));
        arrivals.extend(now.filter(|now| arrivals.last() != Some(now)));
        (behind == Some(0)).then_some(())
    })
    .await;
    println!("{arrivals:?} of {lacks}");
    let (entry, behind) = arrivals[0];
    assert!(entry + behind >= lacks, "{arrivals:?}");
    drop(standby);
}

/// Over a store that needs 30 ms a request a standby keeps up; prints how far it was behind.
#[tokio::test]
async fn a_standby_keeps_up_with_a_store_that_is_far_away() {
    let Some(s3) = S3::start().await else {
        return;
    };
    let line = Line::to(s3.port()).await;
    line.becomes(LineState::Late(Duration::from_millis(15)));
    let far = place_at(format!("http://{}", line.address()), "far");
    let log = Log::in_archive(far).patient();
    let pair = Pair::start(&log, &Setup::default()).await;
    let client = pair.client();
    client.connect("v2").await;
    pair.is_current().await;
    let standby = Client::undescribed(&pair.standby_url());
    let start = Instant::now();
    let mut behind = Vec::new();
    for round in 0..40 {
        let sends = (0..25).map(|number| {
            let (id, talk) = (format!("m{round}-{number}"), format!("c{number}"));
            let client = &client;
            async move { client.sent(&message(&id, &talk)).await }
        });
        join_all(sends).await;
        let answer = standby.request("GET", "/readyz").attempt().await.unwrap();
        behind.extend(answer.json["node"]["behind_seconds"].as_u64());
    }
    let rate = 1_000.0 / start.elapsed().as_secs_f64();
    pair.is_current().await;
    let most = behind.iter().max();
    println!(
        "{rate:.0} messages a second; at most {most:?} s behind in {} looks",
        behind.len()
    );
    assert!(most.is_some_and(|most| *most < 10), "{behind:?}");
}
