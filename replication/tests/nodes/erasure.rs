//! An erasure replaces the bodies of entries in a log, and the chain holds.

use std::time::Duration;

use switchboard_engine::store::Seq;
use switchboard_engine::store::erasure::{ClosedStore, ListHead, Verdict};
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::recovery::{RecoveryBounds, recover};
use switchboard_engine::time::UnixMillis;
use switchboard_replication::entry::Entry;
use switchboard_replication::position::Position;
use switchboard_replication::shared_log::{SharedLog as _, forget};

use crate::memory_log::MemoryLog;
use crate::standby::{Node, log_for, own};

/// Erases the first two records of a node.
fn erase(node: &Node) {
    let head = ListHead {
        number: 1,
        note: String::new(),
    };
    let store = ClosedStore::open(node.disk(), node.tables()).unwrap();
    let mut judge = |record: &switchboard_engine::store::Record| match record.seq {
        Seq(1 | 2) => Verdict::Erase,
        _ => Verdict::Keep,
    };
    assert_eq!(store.erase(head, &mut judge).unwrap().erased.count(), 2);
}

/// Replaces each body of the log by what the journal of the node has for it; how many changed.
fn replace_bodies(log: &MemoryLog, node: &Node) -> usize {
    let disk = node.disk();
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let reader = JournalReader::new(disk, Frontier::at(tail.position));
    let (mut next, mut count) = (None, 0);
    for position in 1..=u64::try_from(log.len()).unwrap() {
        let after = Position(position - 1);
        let entries = log.clone().read(after, Duration::ZERO).unwrap();
        let entry = Entry::decode(&entries[0].bytes).unwrap();
        if entry.body.is_empty() {
            continue;
        }
        let groups = reader
            .groups_through(next, entry.header.last)
            .unwrap()
            .unwrap();
        next = Some(groups.next);
        if groups.bytes != entry.body {
            count += 1;
            let replaced = entry.replace(groups.bytes, UnixMillis::ZERO);
            log.replace(Position(position), &replaced.encode());
        }
    }
    count
}

/// The numbers of the records of a node.
fn records(node: &Node) -> Vec<u64> {
    let store = ClosedStore::open(node.disk(), node.tables()).unwrap();
    store.records().map(|it| it.unwrap().seq.0).collect()
}

#[actix::test]
async fn nodes_follow_a_log_whose_bodies_an_erasure_has_replaced() {
    let log = log_for("a", 1);
    let (a, b) = (Node::new("a"), Node::new("b"));
    let owner = own(a.stand_by(&log).unwrap(), &log).unwrap();
    a.serve(owner, 0..3, false).await;
    b.follow(&log).unwrap();
    erase(&a);
    assert_eq!(replace_bodies(&log, &a), 1);

    // One that has nothing does not get what was erased.
    let new = Node::new("n");
    new.follow(&log).unwrap();
    assert_eq!(records(&new), [3, 4, 5, 6]);
    // One that has not erased yet compares its journal with the log, and goes on.
    forget(&*b.disk()).unwrap();
    b.follow(&log).unwrap();
    assert_eq!(records(&b), [1, 2, 3, 4, 5, 6]);
    // And so does the one that has.
    forget(&*a.disk()).unwrap();
    let mut again = a.stand_by(&log).unwrap();
    crate::standby::catch_up(&mut again, &log).unwrap();
    let owner = own(again, &log).unwrap();
    a.serve(owner, 3..4, true).await;
    new.follow(&log).unwrap();
    assert_eq!(records(&new), [3, 4, 5, 6, 7, 8]);

    // A body that is not what its entry says is found, replaced or not.
    let position = Position(3);
    let entries = log
        .clone()
        .read(position.previous(), Duration::ZERO)
        .unwrap();
    let mut bytes = entries[0].bytes.to_vec();
    let end = bytes.len() - 1;
    bytes[end] ^= 1;
    log.replace(position, &bytes);
    let message = Node::new("c").follow(&log).unwrap_err().to_string();
    assert!(message.contains("its checksum is not right"), "{message}");
    assert!(message.contains("lost or changed entries"), "{message}");
}
