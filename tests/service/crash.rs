//! Acknowledged messages survive kill -9 at any moment, and a disk that refuses to sync or to write.
//!
//! `CYCLES=1000` for more kills than the usual ones, `SEED=…` for the same choices again.

mod callbacks;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::client::message;
use crate::support::flaky::Flaky;
use crate::support::history::History;
use crate::support::limit::Limited as _;
use crate::support::moment::Moment;
use crate::support::random::{Random, times};
use crate::support::receiver::Receiver;
use crate::support::server::{Server, Setup};
use crate::support::shown::Shown;
use crate::support::skip::skipped;
use crate::support::team::Team;
use crate::support::writers::Writers;
use crate::support::{RETRIES_PATIENCE, eventually};
use switchboard_bench::machine::cpu_time;

/// After so many kills a fresh data directory is begun, so that reading everything back stays short.
const CYCLES_PER_DIRECTORY: u64 = 50;

#[tokio::test]
async fn acknowledged_work_survives_kills_at_random_moments() {
    let mut random = Random::of_this_run();
    let mut rounds = times("CYCLES", 16);
    while rounds > 0 {
        let cycles = rounds.min(CYCLES_PER_DIRECTORY);
        kill_again_and_again(cycles, &mut random).await;
        rounds -= cycles;
    }
}

/// The work of a start does not depend on the load of the machine, so it is measured in processor time.
#[tokio::test]
async fn a_start_after_a_kill_takes_little_processor_time() {
    const CYCLES: u64 = 5;
    let mut random = Random::of_this_run();
    let mut server = Setup::default()
        .setting("store", "checkpoint_records = 300")
        .start()
        .await;
    server.client().connect("v2").await;
    let mut writers = Writers::new(&mut random, 2_000);
    let mut starts = Vec::new();
    for _ in 0..CYCLES {
        let moment = Moment::any(&mut random, 100);
        let (client, ledger) = (server.client().clone(), Arc::clone(&writers.ledger));
        let killing = async {
            moment
                .comes(|| ledger.lock().unwrap().acknowledgements())
                .await;
            server.kill_9();
        };
        tokio::join!(writers.write(&client), killing);
        server.restart().await;
        starts.push(cpu_time(server.pid()).unwrap());
    }
    starts.sort_unstable();
    println!("starts took {starts:?} of processor time");
    let median = starts.get(starts.len() / 2).unwrap();
    assert!(*median < Duration::from_secs(2), "{starts:?}");
}

#[tokio::test]
async fn the_comparison_detects_every_kind_of_fault() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let mut writers = Writers::new(&mut Random::of_this_run(), 100);
    writers.write_some(server.client(), 12).await;
    let sound = quiet(&server).await;
    let ledger = writers.ledger.lock().unwrap();
    assert_eq!(ledger.faults(&sound), Vec::<String>::new());
    type Change = fn(&mut Shown);
    let changes: [(&str, Change); 8] = [
        ("a lost conversation", |shown| {
            shown.conversations.pop_first();
        }),
        ("a lost message", |shown| {
            messages(shown).remove(0);
        }),
        ("a repeated message", |shown| {
            let first = messages(shown).first().unwrap().clone();
            messages(shown).push(first);
        }),
        ("another text", |shown| {
            messages(shown).first_mut().unwrap()["text"] = "another".into();
        }),
        ("another order", |shown| messages(shown).reverse()),
        ("another id", |shown| {
            messages(shown).first_mut().unwrap()["id"] = "another".into();
        }),
        ("a lost lead", |shown| {
            shown.leads.pop();
        }),
        ("a lost contact", |shown| {
            shown.contacts.remove(0);
        }),
    ];
    for (what, change) in changes {
        let mut copy = sound.clone();
        change(&mut copy);
        assert!(!ledger.faults(&copy).is_empty(), "{what} is not seen");
    }
    let arrived = receiver.so_far().len();
    assert_eq!(
        arrived,
        ledger.acknowledged().1,
        "each answer is called back once"
    );
}

/// The messages of the conversation that has the most.
fn messages(shown: &mut Shown) -> &mut Vec<serde_json::Value> {
    let conversations = shown.conversations.values_mut();
    conversations
        .filter_map(|conversation| conversation.messages.as_mut())
        .max_by_key(|messages| messages.len())
        .unwrap()
}

/// One data directory, with kills, and with quiet at the end.
async fn kill_again_and_again(cycles: u64, random: &mut Random) {
    let receiver = Flaky::start(random.fork()).await;
    let setup = Setup::default()
        .webhooks(|version| receiver.webhook(version))
        .setting("store", "checkpoint_records = 300")
        .setting("dispatch", "attempts_max = 100");
    let mut server = setup.start().await;
    server.client().connect("v2").await;
    let mut writers = Writers::new(random, 2_000);
    let mut team = Team::new(random);
    let mut history = History::written(&server, 300, &mut writers.ledger.lock().unwrap());
    for cycle in 1..=cycles {
        let moment = Moment::any(random, 100);
        let client = server.client().clone();
        let ledger = Arc::clone(&writers.ledger);
        history.begin(&server);
        let killing = async {
            moment
                .comes(|| ledger.lock().unwrap().acknowledgements())
                .await;
            server.kill_9();
        };
        tokio::join!(writers.write(&client), team.work(&client), killing);
        history.stop();
        server.restart().await;
        let touched = writers.ledger.lock().unwrap().take_touched();
        let view = Shown::read(server.client(), Some(&touched)).await.unwrap();
        let faults = writers.ledger.lock().unwrap().faults(&view);
        assert!(faults.is_empty(), "after kill {cycle}: {faults:#?}");
        let faults = team.faults(server.client()).await;
        assert!(faults.is_empty(), "after kill {cycle}: {faults:#?}");
    }
    receiver.recover();
    history.finish(&server).await;
    let view = quiet(&server).await;
    assert_eq!(history.missing(&view), Vec::<String>::new());
    let ledger = writers.ledger.lock().unwrap();
    let faults = ledger.faults(&view);
    assert!(faults.is_empty(), "{faults:#?}");
    let arrivals = receiver.arrivals();
    let faults = ledger.callback_faults(&view, &arrivals);
    assert!(faults.is_empty(), "{faults:#?}");
    let (messages, answers) = ledger.acknowledged();
    println!(
        "{cycles} kills: {messages} messages, {answers} answers and {} changes of users and roles acknowledged, none lost; \
         {} conversations, {} leads; {} attempts at callbacks",
        team.acknowledged(),
        view.conversations.len(),
        view.leads.len(),
        arrivals.len()
    );
    assert!(
        messages > 0 && answers > 0 && team.acknowledged() > 0,
        "nothing was acknowledged"
    );
}

/// Everything that the service shows, once no callback is in progress any more.
async fn quiet(server: &Server) -> Shown {
    let start = Instant::now();
    loop {
        let view = Shown::read(server.client(), None).await.unwrap();
        let open = view.callbacks_open();
        if open == 0 {
            return view;
        }
        assert!(
            start.elapsed() < RETRIES_PATIENCE,
            "{open} callbacks are still in progress"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn queued_callbacks_are_sent_after_a_start_without_a_request() {
    let receiver = Receiver::start().await;
    receiver.fail_next(1, 503);
    let mut server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m1", "c1")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap().to_owned();
    let answer = client.replied(&conversation, "I am here").await;
    receiver.callbacks(1).await;
    server.kill_9();
    server.restart().await;
    let arrived = receiver.callbacks(2).await;
    let second = arrived.get(1).unwrap();
    assert_eq!(second.json["message"]["message"]["id"], answer.as_str());
    assert_eq!(second.request.header("x-delivery-attempt"), Some("2"));
}

#[tokio::test]
async fn a_callback_that_fails_at_first_leaves_the_index_in_order() {
    let receiver = Receiver::start().await;
    receiver.fail_next(2, 500);
    let mut server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m1", "c1")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap().to_owned();
    for text in ["one", "two"] {
        let answer = client.replied(&conversation, text).await;
        client
            .callback_is(&conversation, &answer, "delivered")
            .await;
    }
    assert_eq!(server.terminate().await, Some(0));
    server.restart().await;
    let client = server.client();
    let answer = client.replied(&conversation, "three").await;
    client
        .callback_is(&conversation, &answer, "delivered")
        .await;
    let log = server.log();
    assert!(!log.contains("the index"), "{log}");
}

#[tokio::test]
async fn a_failing_sync_ends_the_process_and_loses_nothing() {
    inject("fdatasync", true).await;
}

#[tokio::test]
async fn a_failing_write_loses_nothing() {
    inject("pwrite64", false).await;
}

/// Detached (-D): the process that is started is the service itself, and strace watches from aside.
const STRACE: [&str; 7] = [
    "strace",
    "-D",
    "-f",
    "-qq",
    "--seccomp-bpf",
    "-o",
    "/dev/null",
];

/// The k-th of these system calls of each thread fails.
fn under_strace(setup: Setup, call: &str, k: u64) -> Setup {
    let trace = format!("trace={call}");
    let fault = format!("inject={call}:error=EIO:when={k}");
    setup.under(&[&STRACE[..], &["-e", &trace, "-e", &fault]].concat())
}

/// Returns the reason for which no system call can be made to fail here: strace may be missing, too old, or not allowed
/// to watch.
fn no_strace() -> Option<String> {
    let [strace, quiet @ ..] = STRACE;
    let mut command = std::process::Command::new(strace);
    let trial = command.args(quiet).args(["-e", "trace=fdatasync", "true"]);
    match trial.limited_output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Some(format!("strace: {error}")),
    }
}

/// So many calls fail one after another with the same data: what is compared each time grows with it.
const CALLS_PER_DIRECTORY: u64 = 30;

/// Lets the k-th of these system calls of a thread fail, for k from 1, and compares after a start without that.
async fn inject(call: &str, fatal: bool) {
    if let Some(why) = no_strace() {
        return skipped(&why, "install strace, where processes may be traced");
    }
    let mut random = Random::of_this_run();
    let mut rounds = times("INJECTIONS", 12);
    while rounds > 0 {
        let calls = rounds.min(CALLS_PER_DIRECTORY);
        inject_in_one_directory(call, fatal, calls, &mut random).await;
        rounds -= calls;
    }
}

async fn inject_in_one_directory(call: &str, fatal: bool, calls: u64, random: &mut Random) {
    let mut server = Setup::default()
        .setting("store", "checkpoint_records = 100")
        .start()
        .await;
    server.client().connect("v2").await;
    let mut writers = Writers::new(random, 2_000);
    let mut hit = 0;
    let mut reasons = 0;
    for k in 1..=calls {
        assert_eq!(server.terminate().await, Some(0));
        server.change(|setup| under_strace(setup, call, k));
        let log = server.log().len();
        let status = match server.try_restart().await {
            Err(refusal) => Some(refusal.status.code()),
            Ok(()) => {
                let client = server.client().clone();
                if fatal {
                    // The slower the disk, the more of what is written at once shares a sync: however much that takes.
                    writers.write(&client).await;
                    Some(server.ended().await)
                } else {
                    writers.write_some(&client, 8).await;
                    None
                }
            }
        };
        if let Some(code) = status {
            assert_ne!(code, Some(0), "k = {k}: {}", server.log());
            hit += 1;
            // The log says what failed, and that it was the disk.
            let log = server.log().split_off(log);
            assert!(log.contains("os error 5"), "k = {k}: {log}");
            reasons += 1;
        } else {
            server.kill_9();
        }
        server.change(|setup| setup.under(&[]));
        server.restart().await;
        let touched = writers.ledger.lock().unwrap().take_touched();
        let view = Shown::read(server.client(), Some(&touched)).await.unwrap();
        let faults = writers.ledger.lock().unwrap().faults(&view);
        assert!(faults.is_empty(), "{call} {k}: {faults:#?}");
    }
    let (messages, answers) = writers.ledger.lock().unwrap().acknowledged();
    let refusals = writers.ledger.lock().unwrap().refusals();
    println!(
        "{call}: the process ended {hit} times, said why {reasons} times, and refused {refusals} requests; {messages} messages and {answers} answers \
         acknowledged, none lost"
    );
    assert!(hit > 0 || refusals > 0, "no fault was ever hit");
    eventually("the service writes again", async || {
        let id = "after everything";
        let answer = server.client().send(&message(id, id)).await;
        (answer.status == 200).then_some(())
    })
    .await;
}
