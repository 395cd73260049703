//! Damage on the disk is reported, never served: the test damages every file of a data directory in turn, and the
//! service gives the same answers as before, or refuses and says what is wrong.
//!
//! `DAMAGES=2000` for more damage than usual, `SEED=…` for the same choices again.

mod verdict;
mod whole_files;

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use self::verdict::Verdict;
use crate::support::client::Client;
use crate::support::directory::{self, copy};
use crate::support::eventually;
use crate::support::random::{Random, times};
use crate::support::server::{Server, Setup, TOKEN};
use crate::support::shown::{Shown, ShownError};
use crate::support::writers::Writers;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    FlippedBit,
    ZeroedPage,
    Truncated,
    /// Cut to less than the head of a segment has.
    Beheaded,
    /// The whole file is gone.
    Removed,
    /// Another installation's file of the kind is in its place.
    Exchanged,
}

#[derive(Clone, Debug)]
struct Damage {
    kind: Kind,
    file: PathBuf,
    offset: u64,
}

/// The service's reaction to the damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reaction {
    SameAnswers,
    RebuiltTheIndex,
    RefusedToStart,
    RefusedToAnswer,
}

#[tokio::test]
async fn damage_is_reported_and_never_served() {
    let mut random = Random::of_this_run();
    let (mut server, writers) = filled(&mut random).await;
    let uploaded = upload(server.client(), CONTENT).await;
    let before = Shown::read(server.client(), None).await.unwrap();
    assert_eq!(server.terminate().await, Some(0));
    let (data, sound) = (server.data(), server.directory().join("sound"));
    copy(&data, &sound);
    let files = files_in(&sound);
    let mut reactions: BTreeMap<(Kind, Reaction), u64> = BTreeMap::new();
    for number in 0..times("DAMAGES", 20) {
        let file = &files[usize::try_from(number).unwrap() % files.len()];
        std::fs::remove_dir_all(&data).unwrap();
        copy(&sound, &data);
        let Some(damage) = Damage::random(&mut random, &data, file) else {
            continue;
        };
        let verdict = Verdict::read(&data);
        let reaction = reaction(&mut server, &damage, &before, &uploaded).await;
        println!("{damage:?}: {reaction:?}, {verdict:?}");
        verdict.check(&damage, reaction);
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

/// A change of a journal that removes acknowledged records with whole segments.
#[derive(Clone, Copy, Debug)]
enum Lost {
    NewestCutTo(u64),
    NewestGone,
    OldestGone,
}

/// A journal that lost a segment is reported and refused, and never verified as sound.
#[tokio::test]
async fn a_journal_without_a_segment_is_reported_and_refused() {
    let mut random = Random::of_this_run();
    let (mut server, _writers) = filled(&mut random).await;
    let before = Shown::read(server.client(), None).await.unwrap();
    assert_eq!(server.terminate().await, Some(0));
    let (data, sound) = (server.data(), server.directory().join("sound"));
    copy(&data, &sound);
    let mut segments = files_in(&sound);
    segments.retain(|file| file.to_string_lossy().starts_with("journal-"));
    let (oldest, newest) = (&segments[0], &segments[segments.len() - 1]);
    assert!(segments.len() >= 2, "{segments:?}");
    for lost in [
        Lost::NewestCutTo(0),
        Lost::NewestCutTo(10),
        Lost::NewestGone,
        Lost::OldestGone,
    ] {
        let (gone, kept) = match lost {
            Lost::NewestCutTo(_) | Lost::NewestGone => (newest, oldest),
            Lost::OldestGone => (oldest, newest),
        };
        let file = data.join(gone);
        match lost {
            Lost::NewestCutTo(length) => {
                let file = std::fs::OpenOptions::new().write(true).open(&file);
                file.unwrap().set_len(length).unwrap();
            }
            Lost::NewestGone | Lost::OldestGone => std::fs::remove_file(&file).unwrap(),
        }
        for arguments in [&[][..], &["--rebuild-index"], &[]] {
            let verdict = Verdict::with(&data, arguments);
            assert_eq!(verdict.code, 4, "{lost:?} {arguments:?}: {verdict:?}");
        }
        let refusal = server.try_restart().await.unwrap_err();
        assert_eq!(refusal.status.code(), Some(1), "{lost:?}: {refusal:?}");
        for word in ["journal-", "switchboard verify", "from a backup"] {
            assert!(refusal.said.contains(word), "{lost:?}: {refusal:?}");
        }
        // Nothing was changed: with the segment back, everything is there.
        assert!(data.join(kept).exists(), "{lost:?}");
        std::fs::copy(sound.join(gone), &file).unwrap();
        assert_eq!(Verdict::read(&data).code, 0, "{lost:?}");
        server.restart().await;
        let after = Shown::read(server.client(), None).await.unwrap();
        assert!(after.without_callbacks() == before.without_callbacks());
        assert_eq!(server.terminate().await, Some(0));
        std::fs::remove_dir_all(&data).unwrap();
        copy(&sound, &data);
    }
}

#[tokio::test]
async fn an_index_found_damaged_is_rebuilt_by_the_running_process() {
    let mut random = Random::of_this_run();
    let (mut server, _writers) = filled(&mut random).await;
    let uploaded = upload(server.client(), CONTENT).await;
    let before = Shown::read(server.client(), None).await.unwrap();
    assert_eq!(server.terminate().await, Some(0));
    let data = server.data();
    spoil_rows(&data);
    server.restart().await;
    let url = server.ready()["url"].clone();
    let pid = server.pid();
    let after = eventually("the index is made again", async || {
        whole(server.client(), &uploaded).await
    });
    assert!(after.await.without_callbacks() == before.without_callbacks());
    let log = server.log();
    assert!(log.contains("rebuilt from the journal"), "{log}");
    // The same process, on the same port, which stops as usual at the end.
    assert_eq!((server.pid(), &server.ready()["url"]), (pid, &url));
    // Damaged again within the hour: it stays up, and says what becomes of it.
    let refusal = eventually("damage is met that may not be mended yet", async || {
        let Err(ShownError(refused)) = read(server.client(), &uploaded).await else {
            spoil_rows(&data);
            return None;
        };
        let ready = server.client().request("GET", "/readyz").attempt().await?;
        (ready.status == 200 && ready.json["checks"]["index"] == "damaged").then_some(refused?)
    })
    .await;
    assert_eq!(refusal.status, 503, "{refusal:?}");
    let seconds = refusal.header("retry-after");
    let says = format!("by itself, at most once an hour; retry after {seconds} s");
    assert!(refusal.body.contains(&says), "{refusal:?}");
    assert!(!refusal.body.contains("rows-"), "{refusal:?}");
    assert!(server.log().contains("rows-"), "{}", server.log());
    assert_eq!(server.terminate().await, Some(0));
    server.restart().await;
    let after = whole(server.client(), &uploaded).await.unwrap();
    assert!(after.without_callbacks() == before.without_callbacks());
    assert_eq!(server.terminate().await, Some(0));
    assert_eq!(Verdict::read(&data).code, 0);
}

/// Changes bytes in each block of each file of rows. Files that a running service removes meanwhile stay removed.
fn spoil_rows(data: &Path) {
    let rows = files_in(data).into_iter();
    for file in rows.filter(|file| file.to_string_lossy().starts_with("rows-")) {
        let path = data.join(file);
        let Ok(mut bytes) = std::fs::read(&path) else {
            continue;
        };
        for byte in bytes.iter_mut().step_by(512) {
            *byte ^= 1;
        }
        if let Ok(mut file) = std::fs::OpenOptions::new().write(true).open(&path) {
            file.write_all(&bytes).unwrap();
        }
    }
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

/// The bytes of the uploaded file.
const CONTENT: &str = "The quick brown fox jumps over the lazy dog.";

/// Uploads a file with this content, and gives the path where it is fetched.
async fn upload(client: &Client, content: &str) -> String {
    let body = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"fox.txt\"\r\n\r\n{content}\r\n--edge--\r\n"
    );
    let request = client
        .request("POST", "/inbox/v1/media")
        .bearer(TOKEN)
        .header("Content-Type", "multipart/form-data; boundary=edge");
    let answer = request.body(body).send().await.is(201);
    format!("/media/{}/fox.txt", answer.json["id"].as_str().unwrap())
}

/// Everything that the service shows, and the file.
async fn read(client: &Client, file: &str) -> Result<Shown, ShownError> {
    let view = Shown::read(client, None).await?;
    let Some(answer) = client.request("GET", file).attempt().await else {
        return Err(ShownError(None));
    };
    if answer.status != 200 {
        return Err(ShownError(Some(answer)));
    }
    assert_eq!(answer.body, CONTENT);
    Ok(view)
}

/// As [`read`], from a service that may be restarting itself.
async fn whole(client: &Client, file: &str) -> Option<Shown> {
    let ready = client.request("GET", "/readyz").attempt().await?;
    if ready.status != 200 {
        return None;
    }
    read(client, file).await.ok()
}

/// Starts the service on damaged data, reads everything, and stops it again.
async fn reaction(server: &mut Server, damage: &Damage, before: &Shown, file: &str) -> Reaction {
    let said_before = server.log().len();
    if let Err(refusal) = server.try_restart().await {
        assert_ne!(refusal.status.code(), Some(0));
        assert_told(damage, &refusal.said);
        return Reaction::RefusedToStart;
    }
    let mut read = read(server.client(), file).await;
    if read.is_err() && damage.is_of_the_index() {
        // A request that meets the damage is refused, and then the service rebuilds the index by itself.
        let again = eventually("the index is made again", async || {
            whole(server.client(), file).await
        });
        read = Ok(again.await);
    }
    let log = server.log().split_off(said_before);
    server.kill_9();
    match read {
        Ok(shown) => {
            assert!(
                shown.without_callbacks() == before.without_callbacks(),
                "{damage:?} changed the answers: {log}"
            );
            if log.contains("rebuilt from the journal") {
                Reaction::RebuiltTheIndex
            } else {
                Reaction::SameAnswers
            }
        }
        Err(ShownError(answer)) => {
            let answer = answer.unwrap();
            assert!(answer.status >= 500, "{damage:?}: {answer:?}");
            assert_discreet(&answer.body);
            assert_told(damage, &log);
            Reaction::RefusedToAnswer
        }
    }
}

/// The text must say where the damage is and what to do.
fn assert_told(damage: &Damage, said: &str) {
    let name = damage.file.iter().next().unwrap().to_str().unwrap();
    assert!(said.contains(name), "{damage:?} is not named: {said}");
    let has_place = !matches!(damage.kind, Kind::Removed | Kind::Exchanged);
    if has_place && name.starts_with("journal-") {
        assert!(
            said.contains("offset"),
            "{damage:?} without its place: {said}"
        );
    }
    if name != "media" && !said.contains("next start") {
        assert!(said.contains("switchboard verify"), "{said}");
    }
    let advice = ["restore", "next start"];
    assert!(
        advice.iter().any(|word| said.contains(word)),
        "{damage:?} without advice: {said}"
    );
}

/// The answer must refer to the log, and name none of the service's files.
fn assert_discreet(told: &str) {
    assert!(told.contains("the log of the service"), "{told}");
    for internal in ["journal-", "rows-", "keys-", "tables", "offset"] {
        assert!(!told.contains(internal), "{told}");
    }
}

impl Damage {
    fn is_of_the_index(&self) -> bool {
        let name = self.file.to_string_lossy();
        let parts = ["manifest", "keys-", "rows-", "tables"];
        parts.iter().any(|part| name.starts_with(part))
    }

    /// Damages a file of this directory somewhere; `None` when there is nothing in it.
    fn random(random: &mut Random, directory: &Path, file: &Path) -> Option<Self> {
        let path = directory.join(file);
        let length = std::fs::metadata(&path).unwrap().len();
        if length == 0 {
            return None;
        }
        let kinds = [
            Kind::FlippedBit,
            Kind::ZeroedPage,
            Kind::Truncated,
            Kind::Beheaded,
        ];
        let kind = *random.one_of(&kinds);
        let end = match kind {
            Kind::Beheaded => length.min(32),
            Kind::FlippedBit
            | Kind::ZeroedPage
            | Kind::Truncated
            | Kind::Removed
            | Kind::Exchanged => length,
        };
        let damage = Self {
            kind,
            file: file.to_owned(),
            offset: random.below(end),
        };
        let handle = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .unwrap();
        match damage.kind {
            Kind::FlippedBit => {
                let mut byte = [0];
                handle.read_exact_at(&mut byte, damage.offset).unwrap();
                byte[0] ^= 1 << random.below(8);
                handle.write_all_at(&byte, damage.offset).unwrap();
            }
            Kind::ZeroedPage => {
                let page = damage.offset / 4096 * 4096;
                let count = (length - page).min(4096);
                let zeros = vec![0; usize::try_from(count).unwrap()];
                handle.write_all_at(&zeros, page).unwrap();
            }
            Kind::Truncated | Kind::Beheaded => handle.set_len(damage.offset).unwrap(),
            Kind::Removed | Kind::Exchanged => unreachable!("{kind:?} is not among the kinds"),
        }
        Some(damage)
    }
}

/// All files with something in them, by their path in the directory; the lock holds nothing that is stored.
fn files_in(data: &Path) -> Vec<PathBuf> {
    let mut files = directory::files_in(data);
    files.retain(|file| file != Path::new("lock"));
    files.retain(|file| std::fs::metadata(data.join(file)).unwrap().len() > 0);
    files
}
