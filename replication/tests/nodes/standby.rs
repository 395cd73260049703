//! Nodes that wait for their turn: what makes them claim a log, and where they begin.

mod begin;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::clock::Clock;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::identity::{self, InstallationTag};
use switchboard_engine::store::log_owner::LogOwner as _;
use switchboard_engine::testkit::FaultyDisk;
use switchboard_engine::testkit::simulation::SimTables;
use switchboard_replication::entry::{Claim, Claimant, Content, Entry, EntryHeader, Secret};
use switchboard_replication::position::Position;
use switchboard_replication::shared_log::lease::Lease;
use switchboard_replication::shared_log::{
    AppendError, FollowError, LogError, LogRange, Owner, SharedLog, Span, Standby, StandbyConfig,
    Stored, TakeoverError, begin, summary,
};

use crate::memory_log::{Attempts, Faults, MemoryLog};
use crate::node::{SEGMENT_BYTES, claimant, clock, open};
use crate::product::{Notes, Write};

/// The time that an owner may be silent.
const TAKEOVER: Duration = Duration::from_secs(10);

/// A node on a machine, with the clock of that machine.
pub(crate) struct Node {
    name: &'static str,
    disk: FaultyDisk,
    tables: SimTables,
    millis: Arc<AtomicU64>,
}

impl Node {
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            disk: FaultyDisk::default(),
            tables: SimTables::default(),
            millis: Arc::new(AtomicU64::new(1_000)),
        }
    }

    /// The same node on a copy of its disk.
    pub(crate) fn restored(&self, name: &'static str) -> Self {
        Self {
            name,
            disk: self.disk.killed(),
            tables: self.tables.killed(),
            millis: Arc::clone(&self.millis),
        }
    }

    pub(crate) fn disk(&self) -> Arc<dyn Disk> {
        Arc::new(self.disk.clone())
    }

    pub(crate) fn tables(&self) -> Arc<SimTables> {
        Arc::new(self.tables.clone())
    }

    pub(crate) fn claimant(&self) -> Claimant {
        claimant(self.name, self.name)
    }

    fn lease(&self) -> Lease {
        let millis = Arc::clone(&self.millis);
        let clock = move || Duration::from_millis(millis.load(Ordering::Relaxed));
        Lease::new(Duration::from_secs(6), Arc::new(clock))
    }

    /// Follows the log to its end.
    pub(crate) fn follow(&self, log: &MemoryLog) -> Result<(), FollowError> {
        catch_up(&mut self.stand_by(log)?, log)
    }

    pub(crate) fn stand_by(&self, log: &MemoryLog) -> Result<Standby, FollowError> {
        let config = StandbyConfig {
            claimant: self.claimant(),
            takeover_after: TAKEOVER,
            segment_bytes: SEGMENT_BYTES,
        };
        let fresh = [self.name.as_bytes()[0]; 16];
        Standby::open(&self.disk(), &mut log.clone(), fresh, config, self.lease())
    }

    /// Writes these requests as the owner, and stops; whether the log is released.
    pub(crate) async fn serve(&self, owner: Owner, requests: Range<u32>, releases: bool) {
        let store = open(self.disk(), &self.tables, &Arc::default()).owned_by(Box::new(owner));
        let sink = Arc::new(store.sink());
        let env = store.start(sink, Notes::new()).unwrap();
        for request in requests {
            execute(&env, &1, Write(request)).await.unwrap();
        }
        if releases {
            env.journal.close();
        } else {
            env.journal.close_for_now();
        }
        env.index.close().unwrap();
    }

    pub(crate) fn later(&self, time: Duration) {
        let millis = u64::try_from(time.as_millis()).unwrap();
        self.millis.fetch_add(millis, Ordering::Relaxed);
    }
}

/// A log that this node is to begin.
pub(crate) fn log_for(node: &str, seed: u64) -> MemoryLog {
    let log = MemoryLog::new(seed, Faults::default());
    begin(&mut log.clone(), &mut Attempts(3), node, &clock()).unwrap();
    log
}

/// The time, as a node reads it.
pub(crate) fn a_clock() -> Arc<dyn Clock> {
    Arc::new(clock())
}

/// Claims the log and owns it.
pub(crate) fn own(mut standby: Standby, log: &MemoryLog) -> Result<Owner, TakeoverError> {
    let clock = a_clock();
    let takeover = standby.take_over(&mut log.clone(), &mut Attempts(3), &clock)?;
    standby.own(
        takeover,
        Box::new(log.clone()),
        Box::new(Attempts(3)),
        clock,
    )
}

pub(crate) fn catch_up(standby: &mut Standby, log: &MemoryLog) -> Result<(), FollowError> {
    while standby.follow(&mut log.clone(), Duration::ZERO)? > 0 {}
    Ok(())
}

#[actix::test]
async fn a_node_claims_a_new_log_and_one_that_is_released_or_silent() {
    let log = log_for("a", 1);
    let (a, b) = (Node::new("a"), Node::new("b"));
    let mut first = a.stand_by(&log).unwrap();
    catch_up(&mut first, &log).unwrap();
    assert!(first.may_take_over(), "the order names this node");
    let owner = own(first, &log).unwrap();
    assert!(owner.lease().holds());

    let mut second = b.stand_by(&log).unwrap();
    catch_up(&mut second, &log).unwrap();
    assert_eq!(second.end().owner, Some(a.claimant()));
    b.later(TAKEOVER - Duration::from_millis(1));
    assert!(!second.may_take_over());
    // An owner that writes is not silent.
    a.serve(owner, 0..3, false).await;
    catch_up(&mut second, &log).unwrap();
    b.later(TAKEOVER - Duration::from_millis(1));
    assert!(!second.may_take_over());
    b.later(Duration::from_millis(1));
    assert!(second.may_take_over());
    let owner = own(second, &log).unwrap();
    assert_eq!((owner.end().epoch, owner.end().last.0), (2, 6));

    // Released, the log is free at once.
    b.serve(owner, 0..0, true).await;
    let mut third = a.stand_by(&log).unwrap();
    catch_up(&mut third, &log).unwrap();
    assert!(third.may_take_over());
    let summary = summary(&mut log.clone()).unwrap().unwrap();
    assert!(summary.released);
    assert_eq!(summary.owner, Some(b.claimant()));
}

#[actix::test]
async fn a_process_that_keeps_its_log_claims_it_again_at_once() {
    let log = log_for("a", 1);
    let a = Node::new("a");
    let owner = own(a.stand_by(&log).unwrap(), &log).unwrap();
    a.serve(owner, 0..2, false).await;
    let mut again = a.stand_by(&log).unwrap();
    catch_up(&mut again, &log).unwrap();
    assert!(!summary(&mut log.clone()).unwrap().unwrap().released);
    assert!(again.may_take_over());
    assert_eq!(own(again, &log).unwrap().end().epoch, 2);
}

#[actix::test]
async fn an_owner_that_speaks_at_the_last_moment_is_not_deposed() {
    let log = log_for("a", 1);
    let (a, b) = (Node::new("a"), Node::new("b"));
    let mut owner = own(a.stand_by(&log).unwrap(), &log).unwrap();
    let mut second = b.stand_by(&log).unwrap();
    catch_up(&mut second, &log).unwrap();
    b.later(TAKEOVER);
    assert!(second.may_take_over());
    owner.heartbeat().unwrap();
    let outcome = second.take_over(&mut log.clone(), &mut Attempts(3), &a_clock());
    assert!(
        matches!(&outcome, Err(TakeoverError::Taken { by }) if by.contains("node a")),
        "{outcome:?}"
    );
    owner.heartbeat().unwrap();
}

#[actix::test]
async fn nodes_of_one_log_have_one_secret() {
    let log = log_for("a", 1);
    let (a, b) = (Node::new("a"), Node::new("b"));
    let owner = own(a.stand_by(&log).unwrap(), &log).unwrap();
    a.serve(owner, 0..1, true).await;
    let mut second = b.stand_by(&log).unwrap();
    catch_up(&mut second, &log).unwrap();
    let secret = |node: &Node| identity::open(&node.disk(), [0; 16]).unwrap();
    assert_eq!(secret(&a), secret(&b));

    // A node of another installation does not take over.
    let (other, stranger) = (log_for("c", 2), Node::new("c"));
    let owner = own(stranger.stand_by(&other).unwrap(), &other).unwrap();
    stranger.serve(owner, 0..1, true).await;
    let outcome = stranger.follow(&log);
    assert!(
        matches!(
            outcome,
            Err(FollowError::Forked { .. } | FollowError::OtherInstallation { .. })
        ),
        "{outcome:?}"
    );
}

#[actix::test]
async fn a_restored_node_begins_where_a_trimmed_log_does() {
    let log = log_for("a", 1);
    let a = Node::new("a");
    let owner = own(a.stand_by(&log).unwrap(), &log).unwrap();
    a.serve(owner, 0..20, false).await;
    // A copy of the journal without the position in the log, as an archive restores it.
    let restored = a.restored("r");
    restored.disk().remove("log-position").unwrap();
    let mut again = a.stand_by(&log).unwrap();
    catch_up(&mut again, &log).unwrap();
    let owner = own(again, &log).unwrap();
    let trimmed = Position(owner.end().position.0 - 3);
    log.clone().trim(trimmed).unwrap();
    a.serve(owner, 20..30, true).await;
    let range = log.clone().range().unwrap().unwrap();
    assert!(range.oldest > Position(2), "{range:?}");

    let mut standby = restored.stand_by(&log).unwrap();
    catch_up(&mut standby, &log).unwrap();
    assert_eq!(standby.end().last.0, 60);
    assert_eq!(standby.end().owner, Some(a.claimant()));
    let owner = own(standby, &log).unwrap();
    restored.serve(owner, 30..31, true).await;

    // One that has nothing, or was away too long, needs the archive.
    let outcome = Node::new("n").follow(&log);
    let message = outcome.unwrap_err().to_string();
    assert!(message.contains("from the archive"), "{message}");
}

/// An entry that a node of this version would not make.
fn forged(log: &MemoryLog, change: impl FnOnce(&mut EntryHeader)) {
    let mut log = log.clone();
    let newest = log.range().unwrap().unwrap().newest;
    let entries = log.read(newest.previous(), Duration::ZERO).unwrap();
    let before = Entry::decode(&entries[0].bytes).unwrap();
    let mut header = before.header;
    header.position = newest.next();
    header.before = before.id;
    change(&mut header);
    let entry = Entry::without_body(header);
    log.append(newest, &entry.encode()).unwrap();
}

#[actix::test]
async fn a_standby_of_an_older_version_asks_to_be_upgraded() {
    let log = log_for("a", 1);
    let a = Node::new("a");
    let owner = own(a.stand_by(&log).unwrap(), &log).unwrap();
    a.serve(owner, 0..1, false).await;
    let secret = identity::open(&a.disk(), [0; 16]).unwrap();
    forged(&log, |header| {
        header.epoch += 1;
        header.claim = header.position;
        header.content = Content::Claim(Claim {
            from: header.position.previous(),
            claimant: a.claimant(),
            installation: InstallationTag::from_secret(secret),
            secret: Some(Secret(secret)),
            format: identity::FORMAT + 1,
        });
    });
    let outcome = Node::new("b").follow(&log);
    let message = outcome.unwrap_err().to_string();
    assert!(message.contains("upgrade this node"), "{message}");
}

/// A log whose claims arrive late: behind a time in which the other node went on and trimmed.
struct LateClaim {
    log: MemoryLog,
    before: Box<dyn FnMut() + Send>,
}

impl SharedLog for LateClaim {
    fn append(&mut self, after: Position, entry: &[u8]) -> Result<(), AppendError> {
        (self.before)();
        // Its engine asks for nothing but a free position.
        self.log.put(after.next(), entry)
    }

    fn read(&mut self, after: Position, patience: Duration) -> Result<Vec<Stored>, LogError> {
        self.log.read(after, patience)
    }

    fn range(&mut self) -> Result<Option<LogRange>, LogError> {
        self.log.range()
    }

    fn span(&mut self, from: Position) -> Result<Option<Span>, LogError> {
        self.log.span(from)
    }

    fn trim(&mut self, upto: Position) -> Result<(), LogError> {
        self.log.trim(upto)
    }

    fn entry_bytes_max(&self) -> usize {
        self.log.entry_bytes_max()
    }
}

#[actix::test]
async fn a_claim_at_a_trimmed_place_owns_nothing() {
    let log = log_for("a", 1);
    let (a, b) = (Node::new("a"), Node::new("b"));
    let mut owner = own(a.stand_by(&log).unwrap(), &log).unwrap();
    let mut second = b.stand_by(&log).unwrap();
    catch_up(&mut second, &log).unwrap();
    b.later(TAKEOVER);
    let mut trimmed = log.clone();
    let goes_on = move || {
        for _ in 0..5 {
            owner.heartbeat().unwrap();
        }
        let newest = trimmed.range().unwrap().unwrap().newest;
        trimmed.trim(newest).unwrap();
    };
    let mut late = LateClaim {
        log: log.clone(),
        before: Box::new(goes_on),
    };
    let outcome = second.take_over(&mut late, &mut Attempts(3), &a_clock());
    assert!(
        matches!(outcome, Err(TakeoverError::Taken { .. })),
        "{outcome:?}"
    );
}
