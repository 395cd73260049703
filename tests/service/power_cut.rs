//! Acknowledged messages survive power cuts and a full disk. Needs root, and loop devices for the first.
//!
//! `CUTS=1000` for more cuts than the usual ones, `SEED=…` for the same choices again.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::support::answer::Answer;
use crate::support::client::message;
use crate::support::disk::Disk;
use crate::support::eventually;
use crate::support::flaky::Flaky;
use crate::support::ledger::Ids;
use crate::support::limit::Limit;
use crate::support::moment::Moment;
use crate::support::random::{Random, times};
use crate::support::server::{Server, Setup};
use crate::support::shown::Shown;
use crate::support::skip::skipped;
use crate::support::writers::Writers;
use tokio::sync::Mutex;

/// One service at a time.
static SERIAL: Mutex<()> = Mutex::const_new(());

/// The requirements of the disks of these tests.
const MOUNTING: &str = "run as root, with loop devices and mkfs.ext4";

/// After so many cuts a fresh data directory is begun.
const CUTS_PER_DIRECTORY: u64 = 10;

#[tokio::test]
async fn the_disk_loses_only_unsynced_bytes() {
    let _serial = SERIAL.lock().await;
    let disk = match Disk::that_loses_power(64) {
        Ok(disk) => disk,
        Err(why) => return skipped(&why, MOUNTING),
    };
    let file = |name: &str| disk.path().join(name);
    let write = |name: &str, synced: bool| {
        let mut file = File::create(file(name)).unwrap();
        file.write_all(&[b'x'; 10_000]).unwrap();
        if synced {
            file.sync_data().unwrap();
        }
        file
    };
    write("synced", true);
    File::open(disk.path()).unwrap().sync_all().unwrap();
    let mut longer = write("grown", true);
    longer.write_all(&[b'y'; 10_000]).unwrap();
    write("unsynced", false);
    disk.cut();
    let late = longer.write_all(b"z").and_then(|()| longer.sync_data());
    assert!(late.is_err(), "the disk still works");
    drop(longer);
    disk.power_on();
    assert_eq!(std::fs::read(file("synced")).unwrap(), [b'x'; 10_000]);
    assert_eq!(std::fs::read(file("grown")).unwrap(), [b'x'; 10_000]);
    let loss = std::fs::read(file("unsynced")).map_or(true, |bytes| bytes != [b'x'; 10_000]);
    assert!(loss, "the disk kept what was not synced");
}

/// A program in a namespace of mounts of its own, such as those of `dev::runtimes`, has a copy of each mount.
#[tokio::test]
async fn the_power_comes_back_beside_a_copy_of_the_mount() {
    let _serial = SERIAL.lock().await;
    let disk = match Disk::that_loses_power(64) {
        Ok(disk) => disk,
        Err(why) => return skipped(&why, MOUNTING),
    };
    let mut holder = Command::new("unshare")
        .args(["--mount", "sh", "-c", "echo begun; exec cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let _limit = Limit::on(&holder);
    let mut begun = [0; 6];
    let output = holder.stdout.as_mut().unwrap();
    output.read_exact(&mut begun).unwrap();
    let synced = disk.path().join("synced");
    let mut file = File::create(&synced).unwrap();
    file.write_all(b"before").unwrap();
    file.sync_all().unwrap();
    File::open(disk.path()).unwrap().sync_all().unwrap();
    drop(file);
    disk.cut();
    disk.power_on();
    assert_eq!(std::fs::read(&synced).unwrap(), b"before");
    std::fs::write(disk.path().join("after"), b"after").unwrap();
    // It ends with its input.
    drop(holder.stdin.take());
    assert!(holder.wait().unwrap().success());
}

#[tokio::test]
async fn acknowledged_work_survives_power_cuts() {
    let _serial = SERIAL.lock().await;
    let disk = match Disk::that_loses_power(512) {
        Ok(disk) => disk,
        Err(why) => return skipped(&why, MOUNTING),
    };
    let mut random = Random::of_this_run();
    let mut rounds = times("CUTS", 16);
    let mut coverage = Seen::default();
    while rounds > 0 {
        let cuts = rounds.min(CUTS_PER_DIRECTORY);
        cut_again_and_again(&disk, cuts, &mut random, &mut coverage).await;
        rounds -= cuts;
    }
    println!("{coverage:?}");
    assert!(
        coverage.messages > 0 && coverage.answers > 0,
        "nothing was acknowledged"
    );
    // Cuts while segments change and while checkpoints are written are among them.
    assert!(coverage.segments > 1, "no segment was ever full");
}

/// The counts of a run, for a person who wants to know whether it was enough.
#[derive(Debug, Default)]
struct Seen {
    cuts: u64,
    cuts_before_ready: u64,
    messages: usize,
    answers: usize,
    segments: usize,
    attempts: usize,
}

/// One data directory: cut within the first second of its first start, then at random moments of writing, and now and
/// then while it starts.
async fn cut_again_and_again(disk: &Disk, cuts: u64, random: &mut Random, seen: &mut Seen) {
    let data = disk.path().join("data");
    if data.exists() {
        std::fs::remove_dir_all(&data).unwrap();
        File::open(disk.path()).unwrap().sync_all().unwrap();
    }
    let receiver = Flaky::start(random.fork()).await;
    receiver.recover();
    let setup = Setup::default()
        .data(&data)
        .webhooks(|version| receiver.webhook(version))
        .setting("store", "segment_mib = 1")
        .setting("store", "checkpoint_records = 100")
        .setting("dispatch", "attempts_max = 100");
    let mut writers = Writers::new(random, 50_000);
    let mut cut = 0;
    // More of them on a machine so slow that these would leave no time to fill a segment.
    while cut < cuts || (seen.segments < 2 && cut < 20 * cuts) {
        cut += 1;
        let mut server = None;
        if cut > 1 && random.percent(80) {
            server = Some(start_and_compare(&setup, &writers).await);
        }
        // What happens during a start is not counted.
        let start = Duration::from_millis(random.below(1_000));
        let moment = Moment::any(random, 60);
        let (is_started, ledger) = (server.is_some(), Arc::clone(&writers.ledger));
        let cutting = async {
            if is_started {
                moment
                    .comes(|| ledger.lock().unwrap().acknowledgements())
                    .await;
            } else {
                tokio::time::sleep(start).await;
            }
        };
        let working = async {
            if server.is_none() {
                server = Some(setup.clone().start().await);
            }
            if let Some(server) = &server {
                server.client().connect("v2").await;
                writers.write(server.client()).await;
            }
        };
        // All of this is one thread: no acknowledgement is read once the power is gone.
        tokio::select! {
            () = working => panic!("the service ended by itself"),
            () = cutting => {
                receiver.goes_dark();
                disk.cut();
            }
        }
        seen.cuts += 1;
        seen.cuts_before_ready += u64::from(server.is_none());
        drop(server);
        disk.power_on();
        receiver.comes_back().await;
        seen.segments = seen.segments.max(segments(&data));
    }
    let server = start_and_compare(&setup, &writers).await;
    server.client().connect("v2").await;
    let view = quiet(&server).await;
    let (arrivals, ledger) = (receiver.arrivals(), writers.ledger.lock().unwrap());
    let faults = ledger.callback_faults(&view, &arrivals);
    assert!(faults.is_empty(), "{faults:#?}");
    let (messages, answers) = ledger.acknowledged();
    seen.messages += messages;
    seen.answers += answers;
    seen.attempts += arrivals.len();
}

async fn start_and_compare(setup: &Setup, writers: &Writers) -> Server {
    let server = setup.clone().start().await;
    compare(&server, writers, "after a cut").await;
    server
}

/// Everything that the service shows, once every callback was delivered.
async fn quiet(server: &Server) -> Shown {
    eventually("all callbacks are delivered", async || {
        let view = Shown::read(server.client(), None).await.unwrap();
        (view.callbacks_open() == 0).then_some(view)
    })
    .await
}

fn segments(data: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(data) else {
        return 0;
    };
    let names = entries.map(|entry| entry.unwrap().file_name());
    names
        .filter(|name| name.to_string_lossy().starts_with("journal-"))
        .count()
}

#[tokio::test]
async fn a_full_disk_refuses_writes_only_until_space_is_free() {
    let _serial = SERIAL.lock().await;
    for low_water in [0, 2] {
        let disk = match Disk::small(48) {
            Ok(disk) => disk,
            Err(why) => return skipped(&why, MOUNTING),
        };
        fill_and_free(&disk, low_water).await;
    }
}

async fn fill_and_free(disk: &Disk, low_water: u64) {
    let mut random = Random::of_this_run();
    let setup = Setup::default()
        .data(&disk.path().join("data"))
        .setting("store", &format!("low_water_mib = {low_water}"));
    let mut server = setup.start().await;
    let client = server.client().clone();
    client.connect("v2").await;
    let mut writers = Writers::new(&mut random, 10_000);
    writers.write_some(&client, 10).await;
    for round in 1..=3 {
        let ballast = disk.path().join("ballast");
        let free = rustix::fs::statvfs(disk.path()).unwrap();
        let keep = (low_water << 20) + 400_000;
        let size = (free.f_bavail * free.f_frsize).saturating_sub(keep);
        let write = std::fs::write(&ballast, vec![1; usize::try_from(size).unwrap()]);
        // The service may have taken some of it meanwhile; then the disk is all the fuller.
        let full = |error: &Error| error.kind() == ErrorKind::StorageFull;
        assert!(write.as_ref().err().is_none_or(full), "{write:?}");
        let mut number = 0;
        let refusal = eventually("writing is refused", async || {
            number += 1;
            let id = format!("ballast {low_water} {round} {number}");
            let mut event = message(&id, "ballast");
            let text = format!("{id} {}", "z".repeat(8_000));
            event["payload"]["message"]["text"] = text.clone().into();
            let ledger = &writers.ledger;
            ledger.lock().unwrap().post(&id, "ballast", &text, false);
            let answer = client.send(&event).await;
            if answer.status == 200 {
                ledger.lock().unwrap().posted(&id, ids(&answer));
                return None;
            }
            Some(answer)
        })
        .await;
        assert_eq!(refusal.status, 503, "{}", refusal.body);
        let after: u64 = refusal.header("retry-after").parse().unwrap();
        assert!(after > 0);
        writers.write_some(&client, 3).await;
        compare(&server, &writers, "with a full disk").await;
        std::fs::remove_file(&ballast).unwrap();
        eventually("writing goes on by itself", async || {
            let id = format!("again {low_water} {round}");
            let answer = client.send(&message(&id, "ballast")).await;
            (answer.status == 200).then(|| {
                let mut ledger = writers.ledger.lock().unwrap();
                ledger.post(&id, "ballast", &format!("text of {id}"), false);
                ledger.posted(&id, ids(&answer));
            })
        })
        .await;
        writers.write_some(&client, 5).await;
        compare(&server, &writers, "with space again").await;
    }
    server.kill_9();
    server.restart().await;
    compare(&server, &writers, "after a kill").await;
}

fn ids(answer: &Answer) -> Ids {
    let new_message = &answer.json["new_message"];
    Ids {
        message: new_message["msgid"].as_str().unwrap().to_owned(),
        conversation: new_message["conversation_id"].as_str().unwrap().to_owned(),
    }
}

async fn compare(server: &Server, writers: &Writers, when: &str) {
    let view = Shown::read(server.client(), None).await.unwrap();
    let faults = writers.ledger.lock().unwrap().faults(&view);
    assert!(faults.is_empty(), "{when}: {faults:#?}");
}
