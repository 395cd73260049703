use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::run;
use crate::state::{Change, Kind, Lane};
use crate::store::Store;

/// The sign in the current directory that makes the other process write.
const ORDER: &str = "write-until-killed";
const WRITERS: u64 = 8;

/// The other process of the test below; a test by itself, it does nothing.
#[test]
fn a_process_that_writes_until_it_is_killed() {
    if !Path::new(ORDER).exists() {
        return;
    }
    run(async {
        let store = Store::open(Path::new(".")).unwrap();
        let writers = (0..WRITERS).map(|writer| write(&store, writer));
        let mut tasks: Vec<_> = writers.map(Box::pin).collect();
        std::future::poll_fn(|context| {
            for task in &mut tasks {
                assert!(task.as_mut().poll(context).is_pending());
            }
            std::task::Poll::<()>::Pending
        })
        .await;
    });
}

async fn write(store: &Store, writer: u64) {
    let mut number = writer;
    loop {
        let identity = format!("m-{number}");
        let lane = Lane::new(Kind::Deliver, format!("talk-{writer}"));
        let job = store.job(lane, 0, number.to_string());
        let callback = Change::Callback { identity, at: 1 };
        assert!(store.commit(vec![callback, Change::Begin(job)]).await);
        // A line of its own: the harness writes on the same stream.
        let mut output = std::io::stdout();
        writeln!(output, "\nstored {number}").unwrap();
        output.flush().unwrap();
        number += WRITERS;
    }
}

#[test]
fn a_kill_loses_nothing_that_was_acknowledged() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join(ORDER), "").unwrap();
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture"])
        .arg("tests::kills::a_process_that_writes_until_it_is_killed")
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut numbers: Vec<u64> = Vec::new();
    for line in lines.map_while(Result::ok) {
        if let Some(number) = line.strip_prefix("stored ") {
            numbers.extend(number.parse::<u64>());
        }
        if numbers.len() == 100 {
            process.kill().unwrap();
        }
    }
    process.wait().unwrap();
    assert!(numbers.len() >= 100, "{numbers:?}");
    run(async {
        let store = Store::open(directory.path()).unwrap();
        assert!(store.waiting().deliver >= numbers.len());
        for number in numbers {
            let identity = format!("m-{number}");
            let callback = Change::Callback { identity, at: 1 };
            assert!(!store.commit(vec![callback]).await, "{number} is lost");
        }
    });
}
