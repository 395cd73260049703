use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use actix_web::rt::System;
use futures_util::FutureExt;
use futures_util::future::join_all;
use tokio::task::yield_now;

use super::*;

/// The longest wait of a test for an event.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, PartialEq, Eq)]
enum Did {
    Write(u64, Vec<u8>),
    Sync,
}

/// A disk whose syncs wait until the test lets them go, with their outcome.
struct HeldDisk {
    did: Sender<Did>,
    outcomes: Receiver<io::Result<()>>,
}

impl Disk for HeldDisk {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let write = Did::Write(offset, bytes.to_vec());
        self.did.send(write).map_err(io::Error::other)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.did.send(Did::Sync).map_err(io::Error::other)?;
        self.outcomes.recv().map_err(io::Error::other)?
    }
}

fn held() -> (Committer, Receiver<Did>, Sender<io::Result<()>>) {
    let (did, seen) = channel();
    let (release, outcomes) = channel();
    let committer = Committer::start(HeldDisk { did, outcomes }).unwrap();
    (committer, seen, release)
}

fn record(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap();
    let sum = crc32fast::hash(body);
    [&length.to_le_bytes(), &sum.to_le_bytes(), body].concat()
}

/// Runs the loop until all that is ready has run several times over.
async fn idle() {
    for _ in 0..20 {
        yield_now().await;
    }
}

fn next(seen: &Receiver<Did>) -> Did {
    seen.recv_timeout(PATIENCE).unwrap()
}

#[test]
fn no_request_is_answered_before_its_bytes_are_synced() {
    System::new().block_on(async {
        let (committer, seen, release) = held();
        let journal = Journal::new(committer);
        let mut first = Box::pin(journal.append(b"first"));
        assert_eq!(first.as_mut().now_or_never(), None);
        idle().await;
        let Did::Write(0, bytes) = next(&seen) else {
            panic!("the first write is not at the beginning")
        };
        assert!(bytes.starts_with(&record(b"first")));
        assert_eq!(next(&seen), Did::Sync);
        // The bytes are written and their sync is in progress; more arrive meanwhile.
        let mut second = Box::pin(journal.append(b"second"));
        assert_eq!(second.as_mut().now_or_never(), None);
        idle().await;
        assert_eq!(first.as_mut().now_or_never(), None);
        release.send(Ok(())).unwrap();
        assert_eq!(first.await, Ok(()));
        // The sync that is over does not count for what came after its write.
        assert!(matches!(next(&seen), Did::Write(13, _)));
        assert_eq!(next(&seen), Did::Sync);
        idle().await;
        assert_eq!(second.as_mut().now_or_never(), None);
        release.send(Ok(())).unwrap();
        assert_eq!(second.await, Ok(()));
    });
}

#[test]
fn requests_that_wait_share_one_write_and_one_sync() {
    System::new().block_on(async {
        let (committer, seen, release) = held();
        let journal = Journal::new(committer);
        release.send(Ok(())).unwrap();
        let bodies: Vec<String> = (0..64).map(|number| format!("body {number}")).collect();
        let all = bodies.iter().map(|body| journal.append(body.as_bytes()));
        assert_eq!(join_all(all).await, [Ok(()); 64]);
        let records: Vec<u8> = bodies.iter().flat_map(|it| record(it.as_bytes())).collect();
        let Did::Write(0, mut bytes) = next(&seen) else {
            panic!("the first write is not at the beginning")
        };
        let zeros = bytes.split_off(records.len());
        assert!(bytes == records && zeros == [0; ZEROS_AHEAD]);
        assert_eq!(next(&seen), Did::Sync);
        // The next batch overwrites the zeros: the file does not grow.
        release.send(Ok(())).unwrap();
        journal.append(b"after").await.unwrap();
        let end = u64::try_from(records.len()).unwrap();
        assert_eq!(next(&seen), Did::Write(end, record(b"after")));
    });
}

#[test]
fn a_failed_sync_fails_all_that_wait_and_all_that_follow() {
    System::new().block_on(async {
        let (committer, _seen, release) = held();
        let journal = Journal::new(committer);
        release
            .send(Err(io::Error::other("the disk is gone")))
            .unwrap();
        let both = join_all([journal.append(b"one"), journal.append(b"two")]).await;
        assert_eq!(both, [Err(WriterError); 2]);
        assert_eq!(journal.append(b"three").await, Err(WriterError));
    });
}

#[test]
fn loops_of_several_threads_share_one_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let committer = Committer::start(File::create(&path).unwrap()).unwrap();
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let committer = committer.clone();
            thread::spawn(move || {
                System::new().block_on(async {
                    let journal = Journal::new(committer);
                    for _ in 0..10 {
                        journal.append(b"body").await.unwrap();
                    }
                });
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let file = std::fs::read(&path).unwrap();
    let records = record(b"body").repeat(20);
    assert_eq!(file[..records.len()], records);
    assert!(file[records.len()..].iter().all(|byte| *byte == 0));
}
