//! The owner is killed, frozen or stopped under load, again and again: what was acknowledged is there, callbacks are neither lost
//! nor reordered, and only one owner answers.

use tempfile::tempdir;

use super::Log;
use super::pair::{Pair, described};
use crate::archive::Place;
use crate::archive::object_store::S3;
use crate::support::eventually;
use crate::support::flaky::Flaky;
use crate::support::moment::Moment;
use crate::support::random::{Random, times};
use crate::support::replies::Replies;
use crate::support::server::Setup;

/// The beginning of a takeover.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// kill -9.
    Killed,
    /// SIGSTOP, and SIGCONT once the other node has the log.
    Frozen,
    /// SIGTERM.
    Stopped,
}

/// Returns the settings of the service besides its log.
pub(super) fn setup(receiver: &Flaky) -> Setup {
    Setup::default()
        .webhooks(|version| receiver.webhook(version))
        .setting("dispatch", "attempts_max = 100")
}

/// Takeovers under load; says what came of them.
pub(super) async fn take_over(log: &Log, end: End, count: u64) {
    take_over_each([log, log], end, count).await;
}

/// As [`take_over`], with the view of each node of the log: they may be of two versions.
pub(super) async fn take_over_each(logs: [&Log; 2], end: End, count: u64) {
    // An owner that is stopped releases the log: a busy machine must not depose it before.
    let [first, second] = logs.map(|log| match end {
        End::Killed | End::Frozen => log.clone(),
        End::Stopped => log.clone().patient(),
    });
    let mut random = Random::of_this_run();
    let receiver = Flaky::start(random.fork()).await;
    let mut pair = Pair::start_each([&first, &second], &setup(&receiver)).await;
    pair.client().connect("v2").await;
    let mut replies = Replies::new(&pair.client(), &mut random).await;
    // What is left of a frozen owner is an attempt that had begun (docs/standby.md).
    if matches!(end, End::Frozen) {
        replies = replies.with_frozen_attempts();
    }
    let mut took = Vec::new();
    for _ in 0..count {
        let moment = Moment::any(&mut random, 40);
        let client = pair.client();
        // Now and then the standby has only just been started.
        let is_measured = random.percent(75);
        if is_measured {
            pair.is_current().await;
        }
        let ending = async |count: &dyn Fn() -> u64| {
            moment.comes(count).await;
            let time = match end {
                End::Killed => pair.kill_owner().await,
                End::Frozen => pair.freeze_owner().await,
                End::Stopped => pair.stop_owner().await,
            };
            if is_measured {
                took.push(time);
            }
        };
        replies.work(&client, ending).await;
    }
    // Each owner may have ended before its first acknowledgement.
    let until_acknowledged = async |count: &dyn Fn() -> u64| {
        eventually("an answer is acknowledged", async || {
            (count() > 0).then_some(())
        })
        .await;
    };
    replies.work(&pair.client(), until_acknowledged).await;
    let came = replies.check(&pair.client(), &receiver).await;
    println!(
        "{count} takeovers, {end:?}, {}: {came}; until the first answer {}",
        first.to,
        described(took)
    );
}

#[tokio::test]
async fn an_owner_that_dies_is_succeeded_on_a_directory() {
    let place = tempdir().unwrap();
    let log = Log::in_archive(Place::directory(&place.path().join("archive")));
    take_over(&log, End::Killed, times("TAKEOVERS", 4)).await;
    take_over(
        &Log::in_archive(Place::directory(&place.path().join("frozen"))),
        End::Frozen,
        times("TAKEOVERS", 3),
    )
    .await;
    take_over(
        &Log::in_archive(Place::directory(&place.path().join("stopped"))),
        End::Stopped,
        times("TAKEOVERS", 3),
    )
    .await;
}

#[tokio::test]
async fn an_owner_that_dies_is_succeeded_on_a_bucket() {
    let Some(s3) = S3::start().await else {
        return;
    };
    take_over(
        &Log::in_archive(s3.place("killed")),
        End::Killed,
        times("TAKEOVERS", 3),
    )
    .await;
    take_over(
        &Log::in_archive(s3.place("frozen")),
        End::Frozen,
        times("TAKEOVERS", 2),
    )
    .await;
    take_over(
        &Log::in_archive(s3.place("stopped")),
        End::Stopped,
        times("TAKEOVERS", 2),
    )
    .await;
}
