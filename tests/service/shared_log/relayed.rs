//! The owner ends while a bridge is down: the node that takes over has each hook that was acknowledged, and delivers it in the
//! order of its conversation, with the signature of the counterpart.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::join_all;
use switchboard_worlds::sink::{Behaviour, Received, Sink};
use tempfile::tempdir;

use super::Log;
use super::pair::Pair;
use crate::archive::Place;
use crate::relay::down::write;
use crate::relay::{Counterpart, SECRET, message_id, setup};
use crate::support::client::signature;
use crate::support::eventually;
use crate::support::random::{Random, times};

/// The number of conversations that are written to at once.
const WRITERS: u32 = 8;

/// `TAKEOVERS=50` for more of them.
#[tokio::test]
async fn hooks_of_a_bridge_that_is_down_outlive_takeovers() {
    let is_down = Arc::new(AtomicBool::new(true));
    let deliveries = Arc::new(Mutex::new(Vec::<Received>::new()));
    let (down, taken) = (Arc::clone(&is_down), Arc::clone(&deliveries));
    let bridge = Sink::judging(move |request| {
        if down.load(Ordering::Relaxed) {
            return Behaviour::status(503);
        }
        taken.lock().unwrap().push(request.clone());
        Behaviour::status(200)
    })
    .await
    .unwrap();
    let place = tempdir().unwrap();
    let log = Log::in_archive(Place::directory(&place.path().join("archive")));
    let mut pair = Pair::start(&log, &setup(&bridge.url("/in/:scope_id"), "")).await;
    let mut random = Random::of_this_run();
    let takeovers = times("TAKEOVERS", 3);
    let mut acknowledged = BTreeSet::new();
    for takeover in 0..takeovers {
        let counterpart = Counterpart::to(pair.owner());
        let count = AtomicU64::new(0);
        let most = 50 + random.below(200);
        let writing =
            join_all((0..WRITERS).map(|writer| write(&counterpart, writer, takeover, &count)));
        let ending = async {
            eventually("hooks are taken", async || {
                (count.load(Ordering::Relaxed) >= most).then_some(())
            })
            .await;
            pair.kill_owner().await;
        };
        let (messages, ()) = tokio::join!(writing, ending);
        acknowledged.extend(messages.into_iter().flatten());
    }
    is_down.store(false, Ordering::Relaxed);
    // The last takeover: its owner finds the bridge up.
    pair.stop_owner().await;
    eventually("each hook arrives", async || {
        let requests = deliveries.lock().unwrap();
        let arrived: BTreeSet<_> = requests.iter().map(|it| message_id(&it.body)).collect();
        acknowledged.is_subset(&arrived).then_some(())
    })
    .await;
    let mut newest = BTreeMap::new();
    let mut repeats = BTreeSet::new();
    for request in deliveries.lock().unwrap().iter() {
        let right = signature(SECRET, &request.body);
        assert_eq!(request.header("x-signature"), Some(right.as_str()));
        let message = message_id(&request.body);
        let mut numbers = message.split('-').map(|it| it.parse::<u64>().unwrap());
        let [writer, takeover, number] = [(); 3].map(|()| numbers.next().unwrap());
        // Only an attempt whose answer was not stored comes again.
        if repeats.insert(message.clone()) {
            let before = newest.insert(writer, (takeover, number));
            assert!(
                before < Some((takeover, number)),
                "{message} came behind {before:?}"
            );
        }
    }
    println!(
        "{} hooks outlived {takeovers} takeovers",
        acknowledged.len()
    );
}
