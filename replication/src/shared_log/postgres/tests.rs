//! Against real servers, which the tests start. Where PostgreSQL is not installed they say so and pass, unless everything has
//! to run (`REQUIRE_ALL=1`).

mod failover;
mod refusals;
mod standby;

use std::sync::{Arc, Barrier};

use switchboard_bench::database::{Database, Replicated};
use tempfile::TempDir;

use super::*;
use crate::shared_log::test_entries::{claim, heartbeat};

const SOON: Duration = Duration::ZERO;
/// The time that a test waits for a state before it fails: far longer than any machine needs that is only slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// The only server, and its directory.
fn alone() -> Option<(Database, TempDir)> {
    let home = home();
    ready(Database::on_loopback(home.path())).map(|server| (server, home))
}

/// A primary and its standby, and their directory.
fn replicated() -> Option<(Replicated, TempDir)> {
    let home = home();
    ready(Replicated::start(home.path())).map(|servers| (servers, home))
}

/// Below the build directory: the user of the database may not enter every directory for temporary files.
fn home() -> TempDir {
    let program = std::env::current_exe().unwrap();
    tempfile::tempdir_in(program.parent().unwrap()).unwrap()
}

fn ready<T>(started: anyhow::Result<T>) -> Option<T> {
    let all = std::env::var_os("REQUIRE_ALL").is_some_and(|value| value == "1");
    match started {
        Ok(servers) => Some(servers),
        Err(why) if all => panic!("REQUIRE_ALL is set, but this cannot run: {why:#}"),
        Err(why) => {
            println!("skipped: {why:#}");
            None
        }
    }
}

fn settings(answer_within: Duration) -> Settings {
    Settings {
        answer_within,
        ..Settings::default()
    }
}

/// A log for which one server will do, prepared.
fn log_alone(server: &Database) -> PostgresLog {
    let settings = Settings {
        alone: true,
        ..Settings::default()
    };
    let mut log = PostgresLog::open(&server.url(), settings).unwrap();
    log.prepare().unwrap();
    log
}

/// A log on both servers, prepared.
fn log_at(url: &str) -> PostgresLog {
    let mut log = PostgresLog::open(url, Settings::default()).unwrap();
    log.prepare().unwrap();
    log
}

/// Stores an entry for certain, as an owner does: the same bytes at the same position until it is known what is there.
fn settle(log: &mut PostgresLog, after: u64, bytes: &[u8]) -> bool {
    let start = std::time::Instant::now();
    loop {
        let elapsed = start.elapsed();
        assert!(elapsed < Duration::from_secs(60), "it cannot be settled");
        match log.append(Position(after), bytes) {
            Ok(()) => return true,
            Err(AppendError::Refused(reason)) => panic!("{reason}"),
            Err(AppendError::Unknown(_)) => {}
            Err(AppendError::Taken) => {
                if let Ok(entries) = log.read(Position(after), SOON)
                    && let Some(first) = entries.first()
                {
                    return first.bytes == bytes;
                }
            }
        }
    }
}

/// All entries, in order.
fn all(log: &mut PostgresLog) -> Vec<Stored> {
    let mut entries: Vec<Stored> = Vec::new();
    loop {
        let after = entries.last().map_or(Position(0), |entry| entry.position);
        let more = log.read(after, SOON).unwrap();
        if more.is_empty() {
            return entries;
        }
        entries.extend(more);
    }
}

fn positions(entries: &[Stored]) -> Vec<u64> {
    entries.iter().map(|entry| entry.position.0).collect()
}

#[test]
fn entries_are_read_in_order_and_a_place_is_taken_once() {
    let Some((server, _home)) = alone() else {
        return;
    };
    let mut log = log_alone(&server);
    assert_eq!(log.range(), Ok(None));
    assert_eq!(log.read(Position(0), SOON), Ok(Vec::new()));
    for position in 1..=5 {
        let answer = log.append(Position(position - 1), &heartbeat(position, &[7; 9]));
        assert_eq!(answer, Ok(()));
    }
    assert_eq!(log.append(Position(2), b"other"), Err(AppendError::Taken));
    let entries = log.read(Position(0), SOON).unwrap();
    assert_eq!(positions(&entries), [1, 2, 3, 4, 5]);
    assert_eq!(entries[2].bytes, heartbeat(3, &[7; 9]));
    assert_eq!(positions(&log.read(Position(3), SOON).unwrap()), [4, 5]);
    let (oldest, newest) = (Position(1), Position(5));
    assert_eq!(log.range(), Ok(Some(LogRange { oldest, newest })));
    let settings = Settings {
        partition: 1,
        alone: true,
        ..Settings::default()
    };
    let mut other = PostgresLog::open(&server.url(), settings).unwrap();
    assert_eq!(other.range(), Ok(None));
    assert_eq!(other.append(Position(0), b"any bytes"), Ok(()));
    assert_eq!(other.read(Position(0), SOON).unwrap()[0].bytes, "any bytes");
}

#[test]
fn an_answer_has_the_largest_entry_or_a_few_mebibytes() {
    let Some((server, _home)) = alone() else {
        return;
    };
    let mut log = log_alone(&server);
    let most = vec![1; log.entry_bytes_max()];
    assert_eq!(log.append(Position(0), &most), Ok(()));
    for after in 1..5 {
        assert_eq!(log.append(Position(after), &[2; 3 << 20]), Ok(()));
    }
    assert_eq!(positions(&log.read(Position(0), SOON).unwrap()), [1]);
    assert_eq!(positions(&log.read(Position(1), SOON).unwrap()), [2, 3]);
    assert_eq!(positions(&all(&mut log)), [1, 2, 3, 4, 5]);
    let answer = log.append(Position(5), &[most, vec![1]].concat());
    assert!(matches!(answer, Err(AppendError::Refused(_))));
}

#[test]
fn a_reader_that_waits_gets_what_comes() {
    let Some((server, _home)) = alone() else {
        return;
    };
    let mut log = log_alone(&server);
    let mut reader = log_alone(&server);
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| reader.read(Position(0), Duration::from_secs(60)));
        assert_eq!(log.append(Position(0), b"one"), Ok(()));
        assert_eq!(positions(&reading.join().unwrap().unwrap()), [1]);
    });
}

/// Two nodes begin at once, and race for each of 200 positions.
#[test]
fn of_two_writers_at_a_place_exactly_one_stores() {
    let Some((servers, _home)) = replicated() else {
        return;
    };
    let rounds = 200;
    let barrier = Arc::new(Barrier::new(2));
    let writers = ["a", "b"].map(|name| {
        let (barrier, url) = (Arc::clone(&barrier), servers.url());
        std::thread::spawn(move || {
            barrier.wait();
            let mut log = log_at(&url);
            let mut own_positions = Vec::new();
            for after in 0..rounds {
                barrier.wait();
                match log.append(Position(after), name.as_bytes()) {
                    Ok(()) => own_positions.push(after + 1),
                    Err(other) => assert_eq!(other, AppendError::Taken),
                }
            }
            own_positions
        })
    });
    let [one, other] = writers.map(|writer| writer.join().unwrap());
    let entries = all(&mut log_at(&servers.url()));
    let of = |name: &str| {
        let own = entries.iter().filter(|stored| stored.bytes == name);
        own.map(|stored| stored.position.0).collect::<Vec<_>>()
    };
    assert_eq!((of("a"), of("b")), (one, other));
    assert_eq!(positions(&entries), (1..=rounds).collect::<Vec<_>>());
}

#[test]
fn trimming_keeps_claims_and_the_newest_entry() {
    let Some((server, _home)) = alone() else {
        return;
    };
    let mut log = log_alone(&server);
    for position in 1..=10 {
        let bytes = match position {
            1 | 6 => claim(position),
            _ => heartbeat(position, b""),
        };
        assert_eq!(log.append(Position(position - 1), &bytes), Ok(()));
    }
    let oldest = |log: &mut PostgresLog| log.range().unwrap().unwrap().oldest.0;
    log.trim(Position(0)).unwrap();
    assert_eq!(oldest(&mut log), 1);
    log.trim(Position(5)).unwrap();
    assert_eq!(positions(&all(&mut log)), [1, 6, 7, 8, 9, 10]);
    assert_eq!(oldest(&mut log), 6);
    log.trim(Position(8)).unwrap();
    assert_eq!(positions(&all(&mut log)), [1, 6, 9, 10]);
    assert_eq!(oldest(&mut log), 9);
    log.trim(Position(u64::MAX)).unwrap();
    assert_eq!(positions(&all(&mut log)), [1, 6, 10]);
    let range = log.range().unwrap().unwrap();
    assert_eq!((range.oldest, range.newest), (Position(10), Position(10)));
    assert_eq!(log.append(Position(5), b"late"), Err(AppendError::Taken));
    assert_eq!(log.append(Position(10), &claim(11)), Ok(()));
    assert_eq!(oldest(&mut log), 10);
}

#[test]
fn many_entries_are_trimmed_in_several_statements() {
    let Some((server, _home)) = alone() else {
        return;
    };
    let mut log = log_alone(&server);
    let fill = "INSERT INTO switchboard_log SELECT 0, position, false, '' FROM generate_series(1, 1500) AS position";
    server.query(&[fill]).unwrap();
    assert_eq!(all(&mut log).len(), 1500);
    log.trim(Position(1000)).unwrap();
    assert_eq!(log.range().unwrap().unwrap().oldest, Position(1001));
}
