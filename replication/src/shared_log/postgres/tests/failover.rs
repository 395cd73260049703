//! The primary is lost, and the standby takes its position.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::*;

/// Waits until a number has grown to this.
fn wait_for(number: &AtomicU64, at_least: u64) {
    let start = Instant::now();
    while number.load(Ordering::SeqCst) < at_least {
        assert!(start.elapsed() < PATIENCE, "it stands still");
        std::thread::yield_now();
    }
}

/// The primary is killed in the middle of an append. What was answered before is there, and the append is settled.
#[test]
fn a_killed_primary_loses_nothing_that_was_answered() {
    let Some((mut servers, _home)) = replicated() else {
        return;
    };
    let url = servers.url();
    let (stored, enough) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let appended_entries = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut log = log_at(&url);
            let mut appended_entries = Vec::new();
            while stored.load(Ordering::SeqCst) < enough.load(Ordering::SeqCst) {
                let after = stored.load(Ordering::SeqCst);
                let bytes = heartbeat(after + 1, &[1; 8 << 10]);
                assert!(settle(&mut log, after, &bytes), "nobody else writes");
                appended_entries.push(bytes);
                stored.fetch_add(1, Ordering::SeqCst);
            }
            appended_entries
        });
        wait_for(&stored, 300);
        servers.primary.kill();
        servers.promote_standby().unwrap();
        enough.store(stored.load(Ordering::SeqCst) + 300, Ordering::SeqCst);
        writer.join().unwrap()
    });
    let entries = all(&mut PostgresLog::open(&url, Settings::default()).unwrap());
    let bytes: Vec<_> = entries.iter().map(|stored| stored.bytes.to_vec()).collect();
    assert!(appended_entries.len() >= 600);
    assert_eq!(bytes, appended_entries);
}

/// The primary stands still, the standby is promoted, and the primary goes on: it does not know that its time is over.
#[test]
fn an_old_primary_that_wakes_up_answers_nothing() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let soon = settings(Duration::from_millis(500));
    let mut log = PostgresLog::open(&servers.url(), soon.clone()).unwrap();
    log.prepare().unwrap();
    assert_eq!(log.append(Position(0), b"one"), Ok(()));
    servers.primary.freeze();
    let frozen = log.append(Position(1), b"two");
    assert!(matches!(frozen, Err(AppendError::Unknown(_))), "{frozen:?}");
    servers.promote_standby().unwrap();
    servers.primary.thaw();

    // A node that has only the old primary.
    let mut old = PostgresLog::open(&servers.primary.url(), soon.clone()).unwrap();
    for attempt in 0..3 {
        let answer = old.append(Position(1), b"from the old primary");
        assert!(
            matches!(answer, Err(AppendError::Unknown(_))),
            "attempt {attempt}: {answer:?}"
        );
        assert!(old.read(Position(0), SOON).is_err());
        assert!(old.range().is_err());
    }

    // A node that has begun since and asks the old one first, and the one that has been there all along.
    let mut new = PostgresLog::open(&servers.url(), soon).unwrap();
    assert!(settle(&mut new, 1, b"by the new node"));
    assert!(!settle(&mut log, 1, b"two"));
    for log in [&mut new, &mut log] {
        let entries = all(log);
        let bytes: Vec<_> = entries.iter().map(|stored| &stored.bytes[..]).collect();
        assert_eq!(bytes, [&b"one"[..], b"by the new node"]);
    }

    // It has used the new one, and does not go back.
    log.link.forget_session();
    assert_eq!(positions(&all(&mut log)), [1, 2]);
    drop(servers.standby);
    let error = log.read(Position(0), SOON).unwrap_err().to_string();
    assert!(error.contains("before a failover"), "{error}");
}

#[test]
fn a_standby_is_not_read() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let mut log = log_at(&servers.url());
    assert_eq!(log.append(Position(0), b"one"), Ok(()));
    let mut standby = PostgresLog::open(&servers.standby.url(), Settings::default()).unwrap();
    let error = standby.read(Position(0), SOON).unwrap_err().to_string();
    assert!(error.contains("it is a standby"), "{error}");
    assert!(standby.range().is_err());
    let answer = standby.append(Position(1), b"two");
    assert!(matches!(answer, Err(AppendError::Unknown(_))), "{answer:?}");
    servers.promote_standby().unwrap();
    assert_eq!(positions(&standby.read(Position(0), SOON).unwrap()), [1]);
}
