use std::rc::Rc;

use tempfile::TempDir;

use super::{Toy, bridge, run, until};
use crate::Bridge;
use crate::state::{Change, Kind, Lane};

fn job(bridge: &Bridge<Toy>, lane: &str, rank: i64, words: &str) -> Change {
    let lane = Lane::new(Kind::Deliver, lane);
    Change::Begin(bridge.store.job(lane, rank, words.to_owned()))
}

async fn begin(bridge: &Rc<Bridge<Toy>>, lane: &str, words: &str) {
    bridge.commit(vec![job(bridge, lane, 0, words)]).await;
}

#[test]
fn jobs_of_a_lane_are_done_by_rank_and_id() {
    let directory = TempDir::new().unwrap();
    run(async {
        let bridge = bridge(&directory).await;
        let words = [(3, "d"), (1, "a"), (2, "b"), (2, "c")];
        let changes = words.map(|(rank, words)| job(&bridge, "talk", rank, words));
        bridge.commit(changes.into()).await;
        until(|| bridge.waiting().jobs() == 0).await;
        until(|| bridge.messenger.events.borrow().len() == 4).await;
        assert_eq!(*bridge.messenger.events.borrow(), ["a", "b", "c", "d"]);
    });
}

#[test]
fn a_pause_holds_up_only_its_lane() {
    let directory = TempDir::new().unwrap();
    run(async {
        let bridge = bridge(&directory).await;
        // More lanes than places.
        for number in 0..40 {
            let lane = format!("slow-{number}");
            let changes = vec![
                job(&bridge, &lane, 0, "pause"),
                job(&bridge, &lane, 1, "behind a pause"),
            ];
            bridge.commit(changes).await;
        }
        let pauses = || bridge.messenger.events.borrow().len();
        until(|| pauses() == 40).await;
        begin(&bridge, "quick", "done").await;
        until(|| bridge.messenger.has("done")).await;
        assert!(!bridge.messenger.has("behind a pause"));
        assert_eq!(bridge.waiting().deliver, 80);
    });
}

#[test]
fn jobs_of_several_lanes_are_done_at_once() {
    let directory = TempDir::new().unwrap();
    run(async {
        let bridge = bridge(&directory).await;
        begin(&bridge, "slow", "hold").await;
        begin(&bridge, "slow", "behind").await;
        begin(&bridge, "quick", "done").await;
        until(|| bridge.messenger.has("done")).await;
        assert!(!bridge.messenger.has("behind"));
        bridge.messenger.release.notify_one();
        until(|| bridge.messenger.has("behind")).await;
    });
}

#[test]
fn a_job_that_its_messenger_does_not_end_is_done_once() {
    let directory = TempDir::new().unwrap();
    run(async {
        let bridge = bridge(&directory).await;
        begin(&bridge, "talk", "forget").await;
        until(|| bridge.waiting().jobs() == 0).await;
        assert_eq!(*bridge.messenger.events.borrow(), ["forget"]);
    });
}

#[test]
fn a_start_goes_on_with_what_was_left() {
    let directory = TempDir::new().unwrap();
    run(async {
        let store = crate::store::Store::open(directory.path()).unwrap();
        let lane = Lane::new(Kind::Contact, "talk");
        let job = store.job(lane, 0, "left".to_owned());
        store.commit(vec![Change::Begin(job)]).await;
    });
    run(async {
        let bridge = bridge(&directory).await;
        until(|| bridge.messenger.has("left")).await;
    });
}

#[test]
fn a_commit_goes_on_when_its_caller_is_gone() {
    let directory = TempDir::new().unwrap();
    run(async {
        let bridge = bridge(&directory).await;
        let changes = vec![job(&bridge, "talk", 0, "done")];
        {
            let commit = bridge.commit(changes);
            tokio::select! {
                biased;
                _ = commit => unreachable!("the disk takes longer than a poll"),
                () = std::future::ready(()) => {}
            }
        }
        until(|| bridge.messenger.has("done")).await;
    });
}

#[test]
fn a_reader_waits_until_there_is_room() {
    let directory = TempDir::new().unwrap();
    run(async {
        let mut settings = super::settings(directory.path(), "http://127.0.0.1:9");
        settings.jobs_max = 1;
        let bridge = Bridge::start(settings, Toy::default()).await.unwrap();
        bridge.until_room().await;
        begin(&bridge, "talk", "hold").await;
        until(|| bridge.messenger.has("hold")).await;
        assert!(!bridge.has_room());
        let release = async { bridge.messenger.release.notify_one() };
        tokio::join!(bridge.until_room(), release);
        assert!(bridge.has_room());
    });
}
