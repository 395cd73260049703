//! Damage on the disk is told, never served: every file of a data directory is damaged in turn, and the service gives the
//! same answers as before, or refuses and says what is wrong.
//!
//! `DAMAGES=2000` for more damage than usual, `SEED=…` for the same choices again.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

#[path = "support/kit.rs"]
mod support;

use std::collections::BTreeMap;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use support::random::{Random, times};
use support::server::{Server, Setup};
use support::shown::{Refused, Shown};
use support::writers::Writers;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    FlippedBit,
    ZeroedPage,
    Truncated,
}

#[derive(Clone, Debug)]
struct Damage {
    kind: Kind,
    file: PathBuf,
    offset: u64,
}

/// What the service did about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reaction {
    SameAnswers,
    RebuiltTheIndex,
    RefusedToStart,
    RefusedToAnswer,
}

#[tokio::test]
async fn damage_is_told_and_never_served() {
    let mut random = Random::of_this_run();
    let (mut server, writers) = filled(&mut random).await;
    let before = Shown::read(server.client(), None).await.unwrap();
    assert_eq!(server.terminate().await, Some(0));
    let (data, sound) = (server.data(), server.directory().join("sound"));
    copy(&data, &sound);
    let files = files_in(&sound);
    let mut reactions: BTreeMap<(Kind, Reaction), u64> = BTreeMap::new();
    for number in 0..times("DAMAGES", 60) {
        let file = &files[usize::try_from(number).unwrap() % files.len()];
        std::fs::remove_dir_all(&data).unwrap();
        copy(&sound, &data);
        let Some(damage) = Damage::random(&mut random, &data, file) else {
            continue;
        };
        let reaction = reaction(&mut server, &damage, &before).await;
        println!("{damage:?}: {reaction:?}");
        *reactions.entry((damage.kind, reaction)).or_default() += 1;
    }
    for ((kind, reaction), count) in reactions {
        println!("{kind:?} → {reaction:?}: {count}");
    }
    std::fs::remove_dir_all(&data).unwrap();
    copy(&sound, &data);
    server.restart().await;
    let after = Shown::read(server.client(), None).await.unwrap();
    let faults = writers.ledger.lock().unwrap().faults(&after);
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A service with several segments and checkpoints, and what was written to it.
async fn filled(random: &mut Random) -> (Server, Writers) {
    let mut server = Setup::default()
        .setting("store", "segment_mib = 1")
        .setting("store", "checkpoint_records = 100")
        .start()
        .await;
    server.client().connect("v2").await;
    let mut writers = Writers::new(random, 20_000);
    for _ in 0..3 {
        writers.write_some(server.client(), 15).await;
        server.kill_9();
        server.restart().await;
    }
    writers.write_some(server.client(), 5).await;
    (server, writers)
}

/// Starts the service on damaged data, reads everything, and stops it again.
async fn reaction(server: &mut Server, damage: &Damage, before: &Shown) -> Reaction {
    let said_before = server.log().len();
    if let Err(refusal) = server.try_restart().await {
        assert_ne!(refusal.status.code(), Some(0));
        assert_told(damage, &refusal.said);
        return Reaction::RefusedToStart;
    }
    let read = Shown::read(server.client(), None).await;
    let said = server.log().split_off(said_before);
    server.kill_9();
    match read {
        Ok(shown) => {
            assert!(
                without_callbacks(&shown) == without_callbacks(before),
                "{damage:?} changed the answers: {said}"
            );
            if said.contains("rebuilt from the journal") {
                Reaction::RebuiltTheIndex
            } else {
                Reaction::SameAnswers
            }
        }
        Err(Refused(answer)) => {
            assert!(answer.status >= 500, "{damage:?}: {answer:?}");
            assert_told(damage, &answer.body);
            Reaction::RefusedToAnswer
        }
    }
}

/// Whoever reads it knows where the damage is and what to do.
fn assert_told(damage: &Damage, said: &str) {
    let name = damage.file.iter().next().unwrap().to_str().unwrap();
    assert!(said.contains(name), "{damage:?} is not named: {said}");
    if name.starts_with("journal-") {
        assert!(
            said.contains("offset"),
            "{damage:?} without its place: {said}"
        );
    }
    let advice = ["restore", "next start"];
    assert!(
        advice.iter().any(|word| said.contains(word)),
        "{damage:?} without advice: {said}"
    );
}

/// What must not change; attempts at callbacks go on meanwhile.
fn without_callbacks(shown: &Shown) -> Shown {
    let mut shown = shown.clone();
    for conversation in shown.conversations.values_mut() {
        for message in conversation.messages.iter_mut().flatten() {
            if let Some(message) = message.as_object_mut() {
                message.remove("callback");
            }
        }
    }
    for entry in shown.deals.iter_mut().chain(&mut shown.contacts) {
        // The links name the port.
        entry.as_object_mut().unwrap().remove("_links");
        entry.as_object_mut().unwrap().remove("_embedded");
    }
    shown
}

impl Damage {
    /// Damages a file of this directory somewhere; `None` when there is nothing in it.
    fn random(random: &mut Random, directory: &Path, file: &Path) -> Option<Self> {
        let path = directory.join(file);
        let length = std::fs::metadata(&path).unwrap().len();
        if length == 0 {
            return None;
        }
        let kinds = [Kind::FlippedBit, Kind::ZeroedPage, Kind::Truncated];
        let damage = Self {
            kind: *random.one_of(&kinds),
            file: file.to_owned(),
            offset: random.below(length),
        };
        let opened = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(path);
        let opened = opened.unwrap();
        match damage.kind {
            Kind::FlippedBit => {
                let mut byte = [0];
                opened.read_exact_at(&mut byte, damage.offset).unwrap();
                byte[0] ^= 1 << random.below(8);
                opened.write_all_at(&byte, damage.offset).unwrap();
            }
            Kind::ZeroedPage => {
                let page = damage.offset / 4096 * 4096;
                let count = (length - page).min(4096);
                let zeros = vec![0; usize::try_from(count).unwrap()];
                opened.write_all_at(&zeros, page).unwrap();
            }
            Kind::Truncated => opened.set_len(damage.offset).unwrap(),
        }
        Some(damage)
    }
}

/// All files with something in them, by their path in the directory; the lock holds nothing that is stored.
fn files_in(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if std::fs::metadata(&path).unwrap().len() > 0 {
                found.push(path.strip_prefix(directory).unwrap().to_owned());
            }
        }
    }
    found.retain(|file| file != Path::new("lock"));
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
