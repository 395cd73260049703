//! The queue alone: submitters on one side, one committer on the other.

use super::*;
use crate::store::committer::queue::Taken;
use crate::store::testing::kinds;
use crate::stream::StreamKey;

/// A record that was taken: its number and its stream.
type Record = (Seq, StreamKey);

fn queue() -> Arc<Queue<()>> {
    let disk = Arc::new(MemoryDisk::default());
    Arc::new(Queue::new(disk, &inline(1 << 20), Seq(1)))
}

fn push(queue: &Queue<()>, number: u64, priority: Priority) -> Result<Record, SubmitError> {
    let group = group(number, 1, 10);
    let submitted = queue.push(Epoch::default(), group, Purpose::Accept, priority)?;
    Ok((
        submitted.last,
        StreamKey::new(kinds::TALK, &number.to_le_bytes()),
    ))
}

/// Takes groups until there are this many, or the queue is closed.
fn take(queue: &Queue<()>, count: usize) -> Vec<Record> {
    let mut records = Vec::new();
    let mut batch = Draft::default();
    while records.len() < count && queue.take(&mut batch, None) == Taken::Groups {
        let groups = batch.take_batch().records.into_iter();
        records.extend(groups.map(|record| (record.seq, record.stream)));
        batch.clear();
    }
    records
}

#[test]
fn all_groups_are_taken_once_in_the_order_of_their_numbers() {
    explore(|| {
        let queue = queue();
        let submitters = [10, 20].map(|number| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                [1, 2].map(|step| push(&queue, number + step, Priority::Now).unwrap())
            })
        });
        let groups = take(&queue, 4);
        let mut pushed = submitters
            .map(|submitter| submitter.join().unwrap())
            .concat();
        assert!(
            pushed.chunks(2).all(<[Record]>::is_sorted),
            "as each submitter called"
        );
        pushed.sort();
        assert_eq!(groups, pushed);
        let numbers: Vec<u64> = groups.iter().map(|(seq, _)| seq.0).collect();
        assert_eq!(numbers, [1, 2, 3, 4]);
    });
}

/// No wake-up is lost: without a close, the committer takes all groups.
#[test]
fn the_end_of_a_turn_wakes_the_committer() {
    explore(|| {
        let queue = queue();
        let submitters = [10, 20].map(|number| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                for step in 1..=2 {
                    push(&queue, number + step, Priority::TurnsEnd).unwrap();
                }
                queue.call();
            })
        });
        assert_eq!(take(&queue, 4).len(), 4);
        for submitter in submitters {
            submitter.join().unwrap();
        }
    });
}

#[test]
fn a_close_wakes_the_committer_and_loses_no_group() {
    explore(|| {
        let queue = queue();
        let submitter = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || [1, 2].map(|number| push(&queue, number, Priority::TurnsEnd)))
        };
        let committer = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || take(&queue, usize::MAX))
        };
        queue.close();
        let answers = submitter.join().unwrap();
        let pushed: Vec<Record> = answers.iter().flatten().cloned().collect();
        assert_eq!(committer.join().unwrap(), pushed);
        for error in answers.into_iter().filter_map(Result::err) {
            assert_eq!(error, SubmitError::Stopping);
        }
    });
}

/// The bound of groups is never exceeded, and a group that found no room is in no batch.
#[test]
fn a_full_queue_refuses_a_group_and_keeps_the_others() {
    explore(|| {
        let disk = Arc::new(MemoryDisk::default());
        let config = JournalConfig {
            queue_groups: 1,
            ..inline(1 << 20)
        };
        let queue = Arc::new(Queue::new(disk, &config, Seq(1)));
        let submitters = [1, 2].map(|number| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || push(&queue, number, Priority::Now))
        });
        let first = take(&queue, 1);
        assert_eq!(first.len(), 1);
        let answers = submitters.map(|submitter| submitter.join().unwrap());
        queue.close();
        let mut groups = first;
        groups.extend(take(&queue, usize::MAX));
        let mut pushed: Vec<Record> = answers.iter().flatten().cloned().collect();
        pushed.sort();
        assert_eq!(groups, pushed);
        for error in answers.into_iter().filter_map(Result::err) {
            assert_eq!(error, SubmitError::Busy);
        }
    });
}

/// The checker finds a turn whose end is not announced.
#[test]
fn a_turn_that_is_not_announced_is_found() {
    finds("deadlock", || {
        let queue = queue();
        let submitter = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                for number in 1..=2 {
                    push(&queue, number, Priority::TurnsEnd).unwrap();
                }
            })
        };
        take(&queue, 2);
        submitter.join().unwrap();
    });
}
