//! The standby is slow or away, and a commit that waits for it is cut short.

use std::time::Instant;

use super::*;

/// Waits until a commit waits for the standby, and does this to its process.
fn to_the_waiting(primary: &Database, action: &str) {
    let statement =
        format!("SELECT count({action}(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    let start = Instant::now();
    while primary.query(&[&statement]).unwrap() == "0" {
        assert!(start.elapsed() < PATIENCE, "none waits");
    }
}

/// The row is visible then, and is lost with the primary. So the append is unknown, and nothing is read until the standby has
/// it.
#[test]
fn a_wait_for_the_standby_that_is_cut_short_is_unknown() {
    for (action, warning) in [
        ("pg_cancel_backend", "canceling wait for synchronous"),
        ("pg_terminate_backend", "terminating connection"),
    ] {
        let Some((servers, _home)) = replicated() else {
            return;
        };
        let mut log = log_at(&servers.url());
        let mut reader =
            PostgresLog::open(&servers.url(), settings(Duration::from_millis(500))).unwrap();
        assert_eq!(reader.read(Position(0), SOON), Ok(Vec::new()));
        servers.standby.freeze();
        let answer = std::thread::scope(|scope| {
            let appending = scope.spawn(|| log.append(Position(0), b"one"));
            to_the_waiting(&servers.primary, action);
            appending.join().unwrap()
        });
        let Err(AppendError::Unknown(reason)) = answer else {
            panic!("{action}: {answer:?}");
        };
        assert!(reason.contains(warning), "{reason}");
        let visible = "SELECT count(*) FROM switchboard_log";
        assert_eq!(servers.primary.query(&[visible]).unwrap(), "1");
        assert!(reader.read(Position(0), SOON).is_err());
        assert!(reader.range().is_err());

        servers.standby.thaw();
        assert_eq!(log.append(Position(0), b"one"), Err(AppendError::Taken));
        assert_eq!(positions(&log.read(Position(0), SOON).unwrap()), [1]);
        assert_eq!(all(&mut reader).len(), 1);
    }
}

/// The primary restarts while a commit waits: the row is visible from then on, and is not at the standby.
#[test]
fn a_row_that_a_restart_has_left_is_read_once_it_is_safe() {
    let Some((mut servers, _home)) = replicated() else {
        return;
    };
    let soon = settings(Duration::from_millis(500));
    let mut log = PostgresLog::open(&servers.url(), soon).unwrap();
    log.prepare().unwrap();
    servers.standby.freeze();
    let answer = log.append(Position(0), b"one");
    assert!(matches!(answer, Err(AppendError::Unknown(_))), "{answer:?}");
    servers.primary.kill();
    servers.primary.start_again().unwrap();
    let visible = "SELECT count(*) FROM switchboard_log";
    assert_eq!(servers.primary.query(&[visible]).unwrap(), "1");
    assert!(log.read(Position(0), SOON).is_err());
    assert_eq!(log.append(Position(0), b"one"), Err(AppendError::Taken));
    assert!(log.range().is_err());
    servers.standby.thaw();
    servers.wait_for_standby().unwrap();
    assert!(settle(&mut log, 0, b"one"));
    assert_eq!(positions(&all(&mut log)), [1]);
}

/// Any commit would wait for ever here.
#[test]
fn an_idle_follower_does_not_write() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let mut log = log_at(&servers.url());
    assert_eq!(log.append(Position(0), b"one"), Ok(()));
    let mut follower =
        PostgresLog::open(&servers.url(), settings(Duration::from_millis(500))).unwrap();
    assert_eq!(positions(&all(&mut follower)), [1]);
    servers.standby.freeze();
    for _ in 0..20 {
        assert_eq!(follower.read(Position(1), SOON), Ok(Vec::new()));
        assert!(follower.range().unwrap().is_some());
        assert_eq!(positions(&follower.read(Position(0), SOON).unwrap()), [1]);
    }
}

#[test]
fn a_server_whose_standby_is_away_cannot_be_prepared() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    servers.standby.freeze();
    let soon = settings(Duration::from_millis(500));
    let mut log = PostgresLog::open(&servers.url(), soon).unwrap();
    let error = log.prepare().unwrap_err();
    assert!(matches!(error, PostgresSettingsError::Now(_)), "{error}");
    let message = error.to_string();
    assert!(message.contains("synchronous_standby_names"), "{message}");
    servers.standby.thaw();
    // The first attempt may still hold the lock for a moment.
    let mut log = log_patient(&servers.url());
    assert_eq!(log.append(Position(0), b"one"), Ok(()));
}

fn log_patient(url: &str) -> PostgresLog {
    let mut log = PostgresLog::open(url, settings(Duration::from_secs(60))).unwrap();
    log.prepare().unwrap();
    log
}
