//! The engine behind the log is late, unreachable, loses its answers, or fails over to its standby: nothing acknowledged is lost,
//! and nothing is answered by an owner that cannot reach its log.

use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::{TempDir, tempdir};

use super::Log;
use super::pair::{Pair, described};
use super::takeovers::{End, setup, take_over};
use crate::archive::object_store::{S3, place_at};
use crate::support::client::message;
use crate::support::eventually;
use crate::support::flaky::Flaky;
use crate::support::line::{Line, LineState};
use crate::support::moment::Moment;
use crate::support::random::{Random, times};
use crate::support::replies::Replies;
use crate::support::skip::skipped;
use switchboard_bench::database::Replicated;

/// PostgreSQL with a synchronous standby, in a directory of its own; none where it is not installed.
pub(super) fn replicated() -> Option<(Replicated, TempDir)> {
    // The servers run as another user where the tests run as root.
    let program = std::env::current_exe().unwrap();
    let home = tempfile::tempdir_in(program.parent().unwrap()).unwrap();
    match Replicated::start(home.path()) {
        Ok(servers) => Some((servers, home)),
        Err(error) => {
            skipped(
                &format!("PostgreSQL does not run: {error:#}"),
                "install the package postgresql",
            );
            None
        }
    }
}

#[tokio::test]
async fn an_owner_that_dies_is_succeeded_on_postgresql() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let place = tempdir().unwrap();
    let log = Log::postgres(&servers.url(), &place.path().join("archive"));
    take_over(&log, End::Killed, times("TAKEOVERS", 4)).await;
}

#[tokio::test]
async fn a_frozen_owner_answers_nothing_on_postgresql() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let place = tempdir().unwrap();
    let log = Log::postgres(&servers.url(), &place.path().join("archive"));
    take_over(&log, End::Frozen, times("TAKEOVERS", 3)).await;
}

/// The primary is killed under load and its standby promoted: the owner goes on with it.
#[tokio::test]
async fn an_owner_survives_the_loss_of_the_primary() {
    for _ in 0..times("PROMOTIONS", 1) {
        promotion().await;
    }
}

async fn promotion() {
    let Some((mut servers, _home)) = replicated() else {
        return;
    };
    let place = tempdir().unwrap();
    let log = Log::postgres(&servers.url(), &place.path().join("archive"));
    let mut random = Random::of_this_run();
    let receiver = Flaky::start(random.fork()).await;
    let mut pair = Pair::start(&log, &setup(&receiver)).await;
    pair.client().connect("v2").await;
    let mut replies = Replies::new(&pair.client(), &mut random).await;
    let moment = Moment::any(&mut random, 40);
    let client = pair.client();
    let mut took = Duration::ZERO;
    let failing = async |count: &dyn Fn() -> u64| {
        moment.comes(count).await;
        let start = Instant::now();
        servers.primary.kill();
        servers.promote_standby().unwrap();
        let before = count();
        eventually("the service acknowledges again", async || {
            (count() > before).then_some(())
        })
        .await;
        took = start.elapsed();
        // The node that is killed now has acknowledged with the new primary.
        pair.kill_owner().await;
    };
    replies.work(&client, failing).await;
    let came = replies.check(&pair.client(), &receiver).await;
    println!(
        "a primary killed and its standby promoted: {came}; until the next acknowledgement {}",
        described(vec![took])
    );
}

/// A log on the primary, behind a line.
async fn by_a_line(servers: &Replicated, place: &Path) -> (Line, Log) {
    let line = Line::to(servers.primary.port()).await;
    let direct = format!("127.0.0.1:{}", servers.primary.port());
    let url = servers
        .primary
        .url()
        .replace(&direct, &line.address().to_string());
    (line, Log::postgres(&url, &place.join("archive")))
}

/// Breaks and mends the line between a node and the server of the log, again and again under load.
async fn troubled(log: &Log, line: &Line) {
    let mut random = Random::of_this_run();
    let receiver = Flaky::start(random.fork()).await;
    let mut pair = Pair::start(log, &setup(&receiver)).await;
    pair.client().connect("v2").await;
    let mut replies = Replies::new(&pair.client(), &mut random).await;
    let client = pair.client();
    let troubles = times("TROUBLES", 4);
    let states = [
        LineState::Deaf,
        LineState::Cut,
        LineState::Late(Duration::from_millis(150)),
    ];
    let troubling = async |count: &dyn Fn() -> u64| {
        for trouble in 0..troubles {
            Moment::any(&mut random, 20).comes(count).await;
            line.becomes(states[usize::try_from(trouble).unwrap() % states.len()]);
            // Shorter than the owner may be silent, so that it stays the owner.
            tokio::time::sleep(Duration::from_millis(random.below(700))).await;
            line.becomes(LineState::Cut);
            line.becomes(LineState::Whole);
        }
        Moment::any(&mut random, 20).comes(count).await;
        pair.kill_owner().await;
    };
    replies.work(&client, troubling).await;
    let came = replies.check(&pair.client(), &receiver).await;
    println!("{troubles} troubles, {}: {came}", log.to);
}

#[tokio::test]
async fn a_bucket_that_is_late_or_deaf_costs_no_answer() {
    let Some(s3) = S3::start().await else {
        return;
    };
    let line = Line::to(s3.port()).await;
    let place = place_at(format!("http://{}", line.address()), "troubled");
    troubled(&Log::in_archive(place).patient(), &line).await;
}

#[tokio::test]
async fn postgresql_that_is_late_or_deaf_costs_no_answer() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let place = tempdir().unwrap();
    let (line, log) = by_a_line(&servers, place.path()).await;
    troubled(&log.patient(), &line).await;
}

/// An owner that cannot reach its log answers neither writes nor reads, and sends no callback, until it can.
#[tokio::test]
async fn an_owner_without_its_log_answers_nothing() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let place = tempdir().unwrap();
    let (line, log) = by_a_line(&servers, place.path()).await;
    // It loses the log because the line is cut, not because the machine is busy.
    let log = log.patient();
    let receiver = Flaky::start(Random::of_this_run()).await;
    log.begin("a").await;
    let mut server = log.setup("a", setup(&receiver)).stand_by();
    server.takes_over().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("m1", "c1")).await;
    line.becomes(LineState::Cut);
    eventually("the lease has ended", async || {
        let answer = client.request("GET", "/readyz").attempt().await?;
        (answer.status == 503).then_some(())
    })
    .await;
    let read = client
        .request("GET", "/api/v4/users")
        .attempt()
        .await
        .unwrap();
    assert_eq!((read.status, read.header("retry-after")), (503, "1"));
    let write = client.send(&message("m2", "c1")).await;
    assert_eq!((write.status, write.header("retry-after")), (503, "1"));
    // A monitor sees it.
    let metrics = client.request("GET", "/metrics").send().await.body;
    for series in [
        "switchboard_shared_log_owner 0",
        "switchboard_journal_writable 0",
        "switchboard_shared_log_unreplicated 0",
    ] {
        assert!(metrics.contains(series), "{metrics}");
    }
    assert!(
        write.json["error_description"]
            .as_str()
            .unwrap()
            .contains("shared log")
    );
    line.becomes(LineState::Whole);
    let start = Instant::now();
    eventually("it answers again", async || {
        let answer = client.request("GET", "/readyz").attempt().await?;
        (answer.status == 200).then_some(())
    })
    .await;
    println!("the log is back: answers again after {:?}", start.elapsed());
    assert_eq!(client.send(&message("m2", "c1")).await.status, 200);
}
