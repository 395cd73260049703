//! Streams that have no owners: their only writer sees its own records at once, and hears which of them were lost.

use std::collections::BTreeMap;

use bytes::Bytes;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::error::UnavailableError;
use switchboard_engine::runtime::threads::Threads;
use switchboard_engine::runtime::writer::Writer;
use switchboard_engine::state::State;
use switchboard_engine::store::{NewRecord, RecordGroup, Seq};
use switchboard_engine::testkit::{Dice, FaultyDisk};

use crate::joint::open;
use crate::product::depot::{Depot, Moved};
use crate::product::list::{List, Written, item};
use crate::product::{Env, Request, Toys};

/// A name on the list gets a value.
fn written(list: u8, name: u8, value: u64) -> (u8, Written) {
    let event = Written {
        request: Request(0),
        name,
        value: Some(value),
        count: 0,
    };
    (list, event)
}

fn value(lists: &Writer<List, Toys>, list: u8, name: u8) -> Option<u64> {
    let record = lists.find(item(list, name)).unwrap();
    record.and_then(|written| written.value)
}

/// Returns the number of records of an item that are not found yet, as far as the writer knows.
fn unindexed(lists: &Writer<List, Toys>, list: u8, name: u8) -> usize {
    lists.unindexed(item(list, name)).count()
}

/// Fails to write what is on its way, and waits until the journal writes again.
fn lose(env: &Env, disk: &FaultyDisk) {
    let before = env.journal.epoch();
    // More than the zeros that the journal has written ahead of itself.
    let large = NewRecord {
        stream: Depot::stream(&9),
        event: b"{}".to_vec(),
        blob: Bytes::from(vec![1; 16_384]),
        entries: IndexEntries::default(),
    };
    let group = RecordGroup {
        records: vec![large],
        notices: Vec::new(),
    };
    env.journal.finish(before, group).unwrap();
    disk.set_quota(Some(0));
    env.journal.step();
    disk.set_quota(None);
    assert_ne!(env.journal.epoch(), before);
    while env.journal.writable().is_err() {
        env.journal.step();
    }
}

/// Writes a record to a stream of others.
fn write_elsewhere(depots: &mut Writer<Depot, Toys>) {
    let event = Moved {
        request: Request(0),
        pieces: 1,
        shop: None,
        left: 1,
        count: 1,
    };
    depots.catch_up();
    depots.submit(vec![(1, event)], Vec::new()).unwrap();
}

/// A record is visible on its way to the disk, and is dropped once the index finds it.
#[test]
fn a_record_is_visible_until_the_index_has_it() {
    let env = open(&FaultyDisk::new(), Threads::Stepped);
    let mut lists = Writer::<List, _>::new(env.clone());
    let first = lists.submit(vec![written(1, 7, 10), written(1, 8, 20)], Vec::new());
    lists.submit(vec![written(1, 7, 11)], Vec::new()).unwrap();
    assert_eq!(first.unwrap().last, Seq(2));
    assert_eq!(env.index.find(item(1, 7)), Ok(None));
    assert_eq!(value(&lists, 1, 7), Some(11));
    let newest_first = lists.unindexed(item(1, 7)).map(|written| written.value);
    assert_eq!(newest_first.collect::<Vec<_>>(), [Some(11), Some(10)]);
    assert!(env.journal.step());
    assert_eq!(unindexed(&lists, 1, 7), 2, "until it is told to look");
    assert!(lists.catch_up().is_none());
    assert_eq!(unindexed(&lists, 1, 7), 0);
    assert_eq!(value(&lists, 1, 7), Some(11));
    assert_eq!(value(&lists, 2, 7), None);
}

/// Writes that are lost are handed back even when their numbers were given to others meanwhile.
#[test]
fn lost_writes_are_returned_even_if_their_numbers_are_reused() {
    let disk = FaultyDisk::new();
    let env = open(&disk, Threads::Stepped);
    let mut lists = Writer::<List, _>::new(env.clone());
    let mut depots = Writer::<Depot, _>::new(env.clone());
    lists.submit(vec![written(1, 7, 10)], Vec::new()).unwrap();
    env.journal.step();
    lists.submit(vec![written(1, 7, 11)], Vec::new()).unwrap();
    lists.submit(vec![written(2, 7, 12)], Vec::new()).unwrap();
    lose(&env, &disk);
    for _ in 0..5 {
        write_elsewhere(&mut depots);
        env.journal.step();
    }
    assert_eq!(env.index.indexed_upto(), Seq(6));
    // What it decided on may be gone.
    let refusal = lists.submit(vec![written(1, 8, 1)], Vec::new());
    assert_eq!(refusal, Err(UnavailableError::Interrupted));
    let failure = lists.catch_up();
    assert_eq!(failure, Some(vec![written(1, 7, 11), written(2, 7, 12)]));
    assert_eq!(value(&lists, 1, 7), Some(10));
    assert_eq!(value(&lists, 2, 7), None);
    assert!(lists.catch_up().is_none(), "once");
    lists.submit(vec![written(2, 7, 13)], Vec::new()).unwrap();
    assert_eq!(value(&lists, 2, 7), Some(13));
}

#[test]
fn a_record_on_disk_is_not_lost_with_later_ones() {
    let disk = FaultyDisk::new();
    let env = open(&disk, Threads::Stepped);
    let mut lists = Writer::<List, _>::new(env.clone());
    lists.submit(vec![written(1, 7, 10)], Vec::new()).unwrap();
    env.journal.step();
    lists.submit(vec![written(1, 7, 11)], Vec::new()).unwrap();
    lose(&env, &disk);
    assert_eq!(unindexed(&lists, 1, 7), 2);
    assert_eq!(lists.catch_up(), Some(vec![written(1, 7, 11)]));
    assert_eq!(unindexed(&lists, 1, 7), 0);
    assert_eq!(value(&lists, 1, 7), Some(10));
}

#[test]
fn only_the_first_stored_record_of_a_stream_names_it() {
    let disk = FaultyDisk::new();
    let env = open(&disk, Threads::Stepped);
    let mut lists = Writer::<List, _>::new(env.clone());
    assert_eq!(lists.is_new(&1), Ok(true));
    lists.submit(vec![written(1, 7, 10)], Vec::new()).unwrap();
    assert_eq!(lists.is_new(&1), Ok(false));
    lose(&env, &disk);
    lists.catch_up();
    assert_eq!(lists.is_new(&1), Ok(true));
    let both = vec![written(1, 7, 11), written(1, 7, 12), written(2, 7, 13)];
    lists.submit(both, Vec::new()).unwrap();
    lists.submit(vec![written(1, 7, 14)], Vec::new()).unwrap();
    env.journal.step();
    lists.catch_up();
    lists.submit(vec![written(1, 7, 15)], Vec::new()).unwrap();
    env.journal.step();
    // A new writer, which has seen no record, finds the stream in the store.
    let mut again = Writer::<List, _>::new(env.clone());
    assert_eq!(again.is_new(&1), Ok(false));
    again.submit(vec![written(1, 7, 16)], Vec::new()).unwrap();
    env.journal.step();
    for list in [1, 2] {
        let mut records = env.reader.scan(None).map(Result::unwrap);
        let of_list = records.find(|(_, record)| record.stream == List::stream(&list));
        let first = of_list.map(|(position, _)| position);
        assert_eq!(env.index.find(List::stream(&list).key()), Ok(first));
    }
    let (list, _) = env.index.load::<List>(&1).unwrap().unwrap();
    assert_eq!(list.count, 5);
}

/// Does at random what can be done, and compares with a map of what was written last.
#[test]
fn a_writer_reads_its_last_write_and_no_lost_one() {
    for seed in 0..200 {
        let disk = FaultyDisk::new();
        let env = open(&disk, Threads::Stepped);
        let mut dice = Dice::new(seed);
        let mut lists = Writer::<List, _>::new(env.clone());
        let mut depots = Writer::<Depot, _>::new(env.clone());
        let mut model = BTreeMap::new();
        let mut on_its_way = Vec::new();
        let mut losses = Vec::new();
        for step in 0..80_u64 {
            match dice.below(10) {
                0..=4 => {
                    let draws = (0..=dice.below(12)).map(|number| {
                        let list = u8::try_from(dice.below(3)).unwrap();
                        let name = u8::try_from(dice.below(4)).unwrap();
                        written(list, name, step * 100 + u64::try_from(number).unwrap())
                    });
                    let changes: Vec<_> = draws.collect();
                    // After a failed write nothing is taken before the next look.
                    let was_lost = lists.epoch() != env.journal.epoch();
                    let submitted = lists.submit(changes.clone(), Vec::new());
                    assert_eq!(submitted.is_err(), was_lost);
                    if !was_lost {
                        on_its_way.extend(changes);
                    }
                }
                5 => {
                    let end = lists.catch_up();
                    assert_eq!(end.unwrap_or_default(), std::mem::take(&mut losses));
                }
                6 => {
                    write_elsewhere(&mut depots);
                }
                7 if !on_its_way.is_empty() => {
                    lose(&env, &disk);
                    losses.append(&mut on_its_way);
                }
                _ => {
                    env.journal.step();
                    model.extend(
                        on_its_way
                            .drain(..)
                            .map(|(list, written)| ((list, written.name), written.value)),
                    );
                }
            }
            if lists.epoch() != env.journal.epoch() {
                continue;
            }
            let mut newest = model.clone();
            for (list, written) in &on_its_way {
                newest.insert((*list, written.name), written.value);
            }
            for (list, name) in (0..3).flat_map(|list| (0..4).map(move |name| (list, name))) {
                let model_value = newest.get(&(list, name)).copied().flatten();
                assert_eq!(
                    value(&lists, list, name),
                    model_value,
                    "seed {seed}, step {step}"
                );
            }
        }
    }
}
