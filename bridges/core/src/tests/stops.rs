use std::rc::Rc;

use tempfile::TempDir;

use super::{Served, bridge, run, settings, until};
use crate::state::{Change, Kind, Lane};

#[test]
fn a_stop_waits_for_jobs_under_way_and_begins_none() {
    let directory = TempDir::new().unwrap();
    run(async {
        let served = Served::start(settings(directory.path(), "http://127.0.0.1:9")).await;
        assert_eq!(served.message("1", "hold").await, 200);
        until(|| served.bridge.messenger.has("hold")).await;
        served.stop.notify_one();
        until(|| served.bridge.is_stopping()).await;
        assert!(!served.end.is_finished());
        let lane = Lane::new(Kind::Deliver, "talk-1");
        let job = served.bridge.store.job(lane, i64::MAX, "next".to_owned());
        let begin = vec![Change::Begin(job)];
        served.bridge.commit(begin).await;
        served.bridge.messenger.release.notify_one();
        served.end.await.unwrap().unwrap();
        assert!(served.bridge.messenger.has("hold"));
        assert!(!served.bridge.messenger.has("next"));
        assert_eq!(served.bridge.store.list("done").len(), 1);
    });
    // The store is free, and the next start goes on.
    run(async {
        let bridge = bridge(&directory).await;
        until(|| bridge.messenger.has("next")).await;
    });
}

#[test]
fn a_stop_closes_idle_connections_at_once() {
    let directory = TempDir::new().unwrap();
    run(async {
        let served = Served::start(settings(directory.path(), "http://127.0.0.1:9")).await;
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client.get(format!("http://{}/health", served.address));
        request.send().await.unwrap();
        served.stop.notify_one();
        let end = Rc::new(served.end);
        until(|| end.is_finished()).await;
    });
}

#[test]
fn a_store_that_fails_ends_the_bridge_and_promises_nothing() {
    let directory = TempDir::new().unwrap();
    run(async {
        let served = Served::start(settings(directory.path(), "http://127.0.0.1:9")).await;
        served.bridge.store.fail("the disk is full");
        let commit = async {
            served.bridge.commit(Vec::new()).await;
            unreachable!("nothing is promised");
        };
        let end = tokio::select! {
            biased;
            () = commit => None,
            end = served.end => Some(end.unwrap()),
        };
        let error = end.unwrap().err().unwrap().to_string();
        assert_eq!(error, "the disk is full");
    });
}
