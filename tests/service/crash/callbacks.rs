//! Callbacks survive kill -9 at any moment: none is lost, none overtakes, and what comes twice says so.
//!
//! Account users write without a pause, an operator discards and replays, the integration is not well, and the process
//! is killed again and again; now and then it is asked to stop instead. What the receiver saw is compared with what was
//! acknowledged.
//!
//! `KILLS=1000` for more than the usual ones, `SEED=…` for the same choices again.

use crate::support::flaky::Flaky;
use crate::support::moment::Moment;
use crate::support::random::{Random, times};
use crate::support::replies::Replies;
use crate::support::server::Setup;

/// The seconds that a stop waits for requests in progress, and for callbacks: far more than they need on a machine that
/// is only busy. A stop that waits that long for something says so.
const PATIENCE_SECONDS: u64 = 30;
/// Every so often the process is asked to stop rather than killed.
const STOP_EVERY: u64 = 5;

/// No callback is lost and none overtakes another, whatever kills the process.
#[tokio::test]
async fn a_kill_neither_loses_nor_reorders_callbacks() {
    let mut random = Random::of_this_run();
    let receiver = Flaky::start(random.fork()).await;
    let mut server = Setup::default()
        .webhooks(|version| receiver.webhook(version))
        .setting("store", "checkpoint_records = 300")
        .setting("dispatch", "attempts_max = 100")
        .setting("dispatch", &format!("timeout_seconds = {PATIENCE_SECONDS}"))
        .setting("server", &format!("drain_seconds = {PATIENCE_SECONDS}"))
        .start()
        .await;
    server.client().connect("v2").await;
    let mut replies = Replies::new(server.client(), &mut random).await;
    let kills = times("KILLS", 8);
    let mut stops = 0;
    for cycle in 1..=kills {
        let moment = Moment::any(&mut random, 40);
        let client = server.client().clone();
        let ending = async |count: &dyn Fn() -> u64| {
            moment.comes(count).await;
            if cycle % STOP_EVERY == 0 {
                assert_eq!(server.terminate().await, Some(0));
                stops += 1;
            } else {
                server.kill_9();
            }
        };
        replies.work(&client, ending).await;
        server.restart().await;
    }
    // Each stop ended because its work had ended, and none because it had waited long enough.
    let log = server.log();
    let line = "stopped: everything is on disk, no callback is in progress";
    assert_eq!(log.matches(line).count(), stops, "{log}");
    assert!(!log.contains("did not end in time"), "{log}");
    let came = replies.check(server.client(), &receiver).await;
    println!("{kills} ends: {came}");
}
