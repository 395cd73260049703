//! Two nodes over one shared log that loses answers, is late and refuses; each node is killed, loses its power, is frozen or
//! deposed at any moment. What was answered is in the log once, and every node comes to the same records.
//!
//! A log with a planted defect is found out.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::open::OpenedStore;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::ClosedStore;
use switchboard_engine::store::identity;
use switchboard_engine::store::index::Index;
use switchboard_engine::store::log_owner::OwnerError;
use switchboard_engine::store::recovery::recover;
use switchboard_engine::testkit::simulation::SimTables;
use switchboard_engine::testkit::{Dice, FaultyDisk, wanted::wanted};
use switchboard_replication::shared_log::lease::Lease;
use switchboard_replication::shared_log::{
    FollowError, Follower, OwnerClocks, TakeoverError, take_over,
};

use crate::memory_log::{Attempts, Defect, Faults, MemoryLog};
use crate::node::{SEGMENT_BYTES, claimant, clock, open};
use crate::product::{Env, Notes, Write, Written};

const STEPS: usize = 120;

/// A machine with a data directory, and the process on it.
struct Node {
    name: &'static str,
    disk: FaultyDisk,
    tables: SimTables,
    process: Process,
    starts: u64,
}

enum Process {
    Down,
    Follows(Box<Follower>),
    Owns { env: Env, is_over: Arc<AtomicBool> },
}

impl Node {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            disk: FaultyDisk::default(),
            tables: SimTables::default(),
            process: Process::Down,
            starts: 0,
        }
    }

    fn disk(&self) -> Arc<dyn Disk> {
        Arc::new(self.disk.clone())
    }

    fn follower(&self) -> Result<Follower, FollowError> {
        let secret = identity::open(&self.disk(), [7; 16]).unwrap();
        let bounds = Index::known(&self.disk).unwrap();
        let tail = recover(&self.disk, bounds).unwrap();
        Follower::open(self.disk(), secret, &tail, u64::from(SEGMENT_BYTES))
    }

    /// Follows the log a little.
    fn follow(&mut self, log: &MemoryLog) -> Result<(), FollowError> {
        if matches!(self.process, Process::Down) {
            self.process = Process::Follows(Box::new(self.follower()?));
        }
        if let Process::Follows(follower) = &mut self.process {
            let mut log = log.clone();
            match follower.follow(&mut log, Duration::ZERO) {
                Ok(_) | Err(FollowError::Log(_)) => {}
                Err(other) => return Err(other),
            }
            if follower.end().position.0 % 2 == 0 {
                follower.sync()?;
            }
        }
        Ok(())
    }

    /// Claims the log, and starts on it.
    fn claim(&mut self, log: &MemoryLog) -> Result<(), TakeoverError> {
        self.follow(log)?;
        let Process::Follows(follower) = &mut self.process else {
            return Ok(());
        };
        self.starts += 1;
        let claimant = claimant(self.name, &self.starts.to_string());
        let time = Arc::new(AtomicU64::new(1));
        let lease = Lease::new(
            Duration::from_secs(6),
            Arc::new(move || Duration::from_secs(time.load(Ordering::Relaxed))),
        );
        let clocks = OwnerClocks {
            lease,
            clock: Arc::new(clock()),
        };
        let (mut on, mut waiting) = (log.clone(), Attempts(40));
        let takeover = match take_over(follower, &mut on, &mut waiting, &claimant, &clocks) {
            Ok(takeover) => takeover,
            Err(TakeoverError::Taken { .. } | TakeoverError::Follow(FollowError::Log(_))) => {
                return Ok(());
            }
            // Whether the claim is stored is unknown, or it never is: another process tries again.
            Err(TakeoverError::Owner(OwnerError::Unknown(_) | OwnerError::Refused(_))) => {
                self.process = Process::Down;
                return Ok(());
            }
            Err(other) => return Err(other),
        };
        let log = Box::new(log.clone());
        let owner = match takeover.own(follower, log, Box::new(Attempts(40)), clocks) {
            Ok(owner) => owner,
            Err(TakeoverError::Owner(_)) => {
                self.process = Process::Down;
                return Ok(());
            }
            Err(other) => return Err(other),
        };
        self.process = Process::Down;
        let is_over = Arc::new(AtomicBool::new(false));
        let store = self.open(&is_over).owned_by(Box::new(owner));
        let sink = Arc::new(store.sink());
        let env = store.start(sink, Notes::new()).unwrap();
        self.process = Process::Owns { env, is_over };
        Ok(())
    }

    fn open(&self, is_over: &Arc<AtomicBool>) -> OpenedStore {
        open(self.disk(), &self.tables, is_over)
    }

    /// The process ends at once; with the power, what was not synced may be lost.
    fn die(&mut self, power: Option<u64>) {
        let (disk, tables) = match power {
            Some(seed) => (self.disk.crash(seed), self.tables.crash(seed)),
            None => (self.disk.killed(), self.tables.killed()),
        };
        // What the process still does as it goes does not reach the disk that it left.
        self.process = Process::Down;
        (self.disk, self.tables) = (disk, tables);
    }

    /// Writes if it takes itself for the owner; whether the write was answered.
    async fn write(&mut self, request: u32) -> bool {
        let Process::Owns { env, is_over } = &self.process else {
            return false;
        };
        let book = u8::try_from(request % 3).unwrap();
        let is_answered = execute(env, &book, Write(request)).await.is_ok();
        if is_over.load(Ordering::Acquire) {
            assert!(!is_answered, "a deposed owner answered");
            self.process = Process::Down;
        }
        is_answered
    }
}

/// The requests of all records of a log, by a node that has nothing yet.
fn requests(log: &MemoryLog) -> Result<Vec<u32>, String> {
    let node = Node::new("reader");
    let mut follower = node.follower().map_err(|error| error.to_string())?;
    catch_up(&mut follower, log)?;
    let store = ClosedStore::open(node.disk(), Arc::new(node.tables.clone()))
        .map_err(|error| error.to_string())?;
    let notes = store.records().map(|record| {
        let event: Written = serde_json::from_slice(&record.unwrap().event).unwrap();
        (event.part == 1).then_some(event.note)
    });
    Ok(notes.flatten().collect())
}

fn catch_up(follower: &mut Follower, log: &MemoryLog) -> Result<(), String> {
    let mut log = log.clone();
    loop {
        match follower.follow(&mut log, Duration::ZERO) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    follower.sync().map_err(|error| error.to_string())
}

/// The events of a run.
#[derive(Debug, Default)]
struct Counts {
    answered: usize,
    claims: usize,
    deaths: usize,
}

/// A history of two nodes; an error says what is wrong with the log.
async fn history(seed: u64, log: &MemoryLog) -> Result<Counts, String> {
    let mut dice = Dice::new(seed);
    let mut nodes = [Node::new("a"), Node::new("b")];
    let mut answered_requests = BTreeSet::new();
    let mut counts = Counts::default();
    for request in 1..=u32::try_from(STEPS).unwrap() {
        // The other one is frozen meanwhile.
        let node = &mut nodes[dice.below(2)];
        match dice.below(12) {
            0 => {
                node.claim(log).map_err(|error| error.to_string())?;
                counts.claims += usize::from(matches!(node.process, Process::Owns { .. }));
            }
            1 => {
                let power = dice.one_in(2).then(|| dice.next());
                node.die(power);
                counts.deaths += 1;
            }
            2..=4 => node.follow(log).map_err(|error| error.to_string())?,
            _ => {
                if node.write(request).await {
                    answered_requests.insert(request);
                }
            }
        }
    }
    counts.answered = answered_requests.len();
    log.behave();
    let mut once = BTreeSet::new();
    for node in &mut nodes {
        node.die(None);
        let mut follower = node.follower().map_err(|error| error.to_string())?;
        catch_up(&mut follower, log)?;
        node.process = Process::Follows(Box::new(follower));
    }
    for request in requests(log)? {
        if !once.insert(request) {
            return Err(format!("request {request} is in the log twice"));
        }
    }
    if let Some(request) = answered_requests.difference(&once).next() {
        return Err(format!("request {request} was answered and is lost"));
    }
    let ends: BTreeSet<_> = nodes
        .iter()
        .map(|node| match &node.process {
            Process::Follows(follower) => follower.last(),
            Process::Down | Process::Owns { .. } => unreachable!("both follow"),
        })
        .collect();
    if ends.len() > 1 {
        return Err(format!("the nodes end at different records: {ends:?}"));
    }
    Ok(counts)
}

/// `SHARED_LOG_HISTORIES=10000` for more than the usual ones.
#[actix::test]
async fn what_was_answered_is_in_the_log_once_whatever_happens() {
    let mut all = Counts::default();
    for seed in 0..wanted("SHARED_LOG_HISTORIES").unwrap_or(400) {
        let log = MemoryLog::new(seed, Faults::some());
        let counts = history(seed, &log)
            .await
            .unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
        all.answered += counts.answered;
        all.claims += counts.claims;
        all.deaths += counts.deaths;
    }
    println!("{all:?}");
    assert!(
        all.answered > 4_000 && all.claims > 1_000 && all.deaths > 1_000,
        "{all:?}"
    );
}

/// Each defect is found in most of the histories in which it shows.
#[actix::test]
async fn a_log_with_a_defect_is_found_out() {
    for defect in [
        Defect::AnswersBeforeStoring,
        Defect::LetsTwoTakeOnePlace,
        Defect::ForgetsAnEntry,
    ] {
        let (mut shown, mut found) = (0, 0);
        for seed in 0..100 {
            let log = MemoryLog::new(seed, Faults::default()).with(defect);
            let outcome = history(seed, &log).await;
            shown += u32::from(log.shown() > 0);
            found += u32::from(log.shown() > 0 && outcome.is_err());
        }
        println!("{defect:?}: shown in {shown} histories, found in {found}");
        assert!(
            shown > 20 && found * 2 > shown,
            "{defect:?}: {found} of {shown}"
        );
    }
}

/// A log that stores what it refuses costs its owner the log, and no answer.
#[actix::test]
async fn a_refused_entry_that_is_stored_deposes_its_owner() {
    let mut entry_count = 0;
    for seed in 0..60 {
        let log = MemoryLog::new(seed, Faults::default()).with(Defect::RefusesWhatItStored);
        let counts = history(seed, &log).await;
        counts.unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
        entry_count += log.shown();
    }
    assert!(entry_count > 60, "{entry_count}");
}
