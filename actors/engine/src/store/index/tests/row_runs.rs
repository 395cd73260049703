//! Row runs against a map: the same rows in both orders, from any place, through merges.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use super::disk::{FakeDisk, Faults};
use super::world::Dice;
use crate::store::index::breath::Breath;
use crate::store::index::row_run::block::Said;
use crate::store::index::row_run::fingerprint;
use crate::store::index::row_run::writer::RowRunWriter;
use crate::store::index::row_runs::{RowRuns, full_key};
use crate::store::schema::Prefixes;
use crate::store::tables::{KeyRange, Order, StoredRow};
use crate::store::testing::tables;
use crate::table::{BUSY_SNAPSHOTS, Table};

type Changes = BTreeMap<(Table, Vec<u8>), Option<Vec<u8>>>;
type Model = BTreeMap<(Table, Vec<u8>), Vec<u8>>;

const TABLES: [Table; 3] = [tables::WAITING, tables::ACTIVITY, BUSY_SNAPSHOTS];

/// Some rows that change, with keys that are prefixes of each other, and values from nothing to more than a block.
fn changes(dice: &mut Dice) -> Changes {
    let count = 1 + dice.below(150);
    let one = |_| {
        let table = TABLES[usize::try_from(dice.below(3)).unwrap()];
        let length = usize::try_from(dice.below(4)).unwrap();
        let key: Vec<u8> = (0..length)
            .map(|_| [0, 1, 127, 255][usize::try_from(dice.below(4)).unwrap()])
            .collect();
        let bytes = [0, 3, 700, 9_000][usize::try_from(dice.below(4)).unwrap()];
        let value = vec![u8::try_from(dice.below(256)).unwrap(); bytes];
        ((table, key), (dice.below(3) > 0).then_some(value))
    };
    (0..count).map(one).collect()
}

fn prefixes() -> Prefixes {
    Prefixes::of(tables::ALL)
}

fn write(disk: &FakeDisk, runs: &RowRuns, number: u64, changes: &Changes) -> RowRuns {
    let mut sorted: Vec<(Vec<u8>, &Option<Vec<u8>>)> = changes
        .iter()
        .map(|((table, key), value)| (full_key(*table, key), value))
        .collect();
    sorted.sort();
    let prefixes = prefixes();
    let mut writer = RowRunWriter::create(disk, &prefixes, number, 300).unwrap();
    for (key, value) in sorted {
        let said = Said {
            value: value.as_deref(),
            is_new: false,
        };
        writer.push(&key, said).unwrap();
    }
    runs.with(&[Arc::new(writer.finish().unwrap())])
}

fn expected(model: &Model, table: Table, range: &KeyRange, order: Order) -> Vec<StoredRow> {
    let within = |key: &Vec<u8>| {
        let from = match &range.from {
            Bound::Unbounded => true,
            Bound::Included(from) => key >= from,
            Bound::Excluded(from) => key > from,
        };
        let to = match &range.to {
            Bound::Unbounded => true,
            Bound::Included(to) => key <= to,
            Bound::Excluded(to) => key < to,
        };
        from && to
    };
    let rows = model
        .iter()
        .filter(|((of, key), _)| *of == table && within(key));
    let mut rows: Vec<StoredRow> = rows
        .map(|((_, key), value)| (key.clone(), value.clone()))
        .collect();
    if order == Order::Descending {
        rows.reverse();
    }
    rows
}

fn bound(dice: &mut Dice) -> Bound<Vec<u8>> {
    let length = usize::try_from(dice.below(4)).unwrap();
    let key = (0..length)
        .map(|_| [0, 1, 2, 255][usize::try_from(dice.below(4)).unwrap()])
        .collect();
    match dice.below(3) {
        0 => Bound::Unbounded,
        1 => Bound::Included(key),
        _ => Bound::Excluded(key),
    }
}

#[test]
fn rows_are_those_of_a_map_in_both_orders_from_any_place_through_merges() {
    let mut merges = 0;
    for seed in 0..30 {
        let mut dice = Dice(seed);
        let disk = FakeDisk::new(&Arc::<Faults>::default());
        let (mut runs, mut model) = (RowRuns::default(), Model::default());
        let mut number = 0;
        for _ in 0..1 + dice.below(14) {
            let changes = changes(&mut dice);
            number += 1;
            runs = write(&disk, &runs, number, &changes);
            for (key, value) in changes {
                match value {
                    Some(value) => model.insert(key, value),
                    None => model.remove(&key),
                };
            }
            if dice.below(2) == 0 {
                while let Some(group) = runs.due() {
                    number += 1;
                    merges += 1;
                    let breath = &mut Breath::none();
                    runs = runs
                        .merged(disk.as_ref(), &prefixes(), group, number, breath)
                        .unwrap();
                }
            }
            for _ in 0..20 {
                let table = TABLES[usize::try_from(dice.below(3)).unwrap()];
                let range = KeyRange {
                    from: bound(&mut dice),
                    to: bound(&mut dice),
                };
                for order in [Order::Ascending, Order::Descending] {
                    let all = if range.is_void() {
                        Vec::new()
                    } else {
                        expected(&model, table, &range, order)
                    };
                    for limit in [0, 1, 5, usize::MAX] {
                        let found = runs.scan(table, &range, order, limit).unwrap();
                        assert_eq!(found, all[..limit.min(all.len())], "{range:?} {order:?}");
                    }
                }
            }
            for ((table, key), value) in &model {
                assert_eq!(runs.get(*table, key).unwrap().as_ref(), Some(value));
            }
            assert_eq!(runs.get(tables::WAITING, &[9]).unwrap(), None);
        }
    }
    assert!(merges > 30, "{merges} merges");
}

#[test]
fn what_is_gone_takes_no_room_once_everything_is_merged() {
    let disk = FakeDisk::new(&Arc::<Faults>::default());
    let mut runs = RowRuns::default();
    let row = |number: u32, value: Option<Vec<u8>>| {
        ((tables::WAITING, number.to_be_bytes().to_vec()), value)
    };
    let some = |numbers: std::ops::Range<u32>, value: Option<Vec<u8>>| {
        let rows = numbers.map(|number| row(number, value.clone()));
        rows.collect::<Changes>()
    };
    runs = write(&disk, &runs, 1, &some(0..150, Some(vec![1; 40])));
    runs = write(&disk, &runs, 2, &some(0..100, None));
    runs = write(&disk, &runs, 3, &some(200..210, None));
    let breath = &mut Breath::none();
    let newer = runs
        .merged(disk.as_ref(), &prefixes(), 0..2, 4, breath)
        .unwrap();
    assert_eq!(newer.list()[0].rows(), 110, "an older run may have them");
    let all = newer
        .merged(disk.as_ref(), &prefixes(), 0..2, 5, breath)
        .unwrap();
    assert_eq!(all.list()[0].rows(), 50);
    assert_eq!(all.numbers(), [5]);
}

#[test]
fn a_lane_without_rows_is_told_by_the_filters_and_one_with_rows_is_found() {
    let disk = FakeDisk::new(&Arc::<Faults>::default());
    let lane = |number: u32| {
        let mut key = vec![1, b'a'];
        key.extend([3; 16]);
        key.extend([0; 12]);
        key.extend(number.to_be_bytes());
        key
    };
    let row = |number: u32| {
        let mut key = lane(number);
        key.extend([0; 8]);
        ((tables::WAITING, key), Some(vec![1]))
    };
    let mut runs = RowRuns::default();
    for number in 1..=3 {
        let changes: Changes = (0..100).map(|lane| row(lane * 6 + number)).collect();
        runs = write(&disk, &runs, u64::from(number), &changes);
    }
    let mut asked = 0;
    for number in 0..600 {
        let prefix = lane(number);
        let full = full_key(tables::WAITING, &prefix);
        let print = fingerprint(&full);
        asked += runs.list().iter().filter(|run| run.may_have(print)).count();
        let range = KeyRange::prefix(&prefix);
        let found = runs
            .scan(tables::WAITING, &range, Order::Ascending, 9)
            .unwrap();
        assert_eq!(found.len(), usize::from((1..=3).contains(&(number % 6))));
    }
    assert!((300..340).contains(&asked), "{asked} looks into runs");
}

#[test]
fn filters_do_not_grow_with_what_is_written_again_and_again() {
    let disk = FakeDisk::new(&Arc::<Faults>::default());
    let row = |number: u32| {
        let key = (tables::ACTIVITY, number.to_be_bytes().to_vec());
        (key, Some(vec![1; 40]))
    };
    let changes: Changes = (0..200).map(row).collect();
    let mut runs = RowRuns::default();
    let mut number = 0;
    let mut memory = Vec::new();
    for _ in 0..120 {
        number += 1;
        runs = write(&disk, &runs, number, &changes);
        while let Some(group) = runs.due() {
            number += 1;
            let breath = &mut Breath::none();
            runs = runs
                .merged(disk.as_ref(), &prefixes(), group, number, breath)
                .unwrap();
        }
        memory.push(
            runs.list()
                .iter()
                .map(|run| run.memory_bytes())
                .sum::<usize>(),
        );
    }
    let (early, late) = (memory[..20].iter().max(), memory[100..].iter().max());
    assert!(late <= early, "{memory:?}");
}

#[test]
fn what_came_and_went_in_the_same_neighbours_is_gone_and_what_is_older_stays_hidden() {
    let disk = FakeDisk::new(&Arc::<Faults>::default());
    let write = |runs: &RowRuns, number: u64, rows: &[(&[u8], Said<'_>)]| {
        let prefixes = prefixes();
        let mut writer = RowRunWriter::create(disk.as_ref(), &prefixes, number, 9).unwrap();
        for (key, said) in rows {
            writer.push(&full_key(tables::WAITING, key), *said).unwrap();
        }
        runs.with(&[Arc::new(writer.finish().unwrap())])
    };
    let said = |value: Option<&'static [u8]>, is_new| Said { value, is_new };
    let oldest = [
        (b"b".as_slice(), said(Some(b"0"), true)),
        (b"c", said(Some(b"0"), true)),
    ];
    let born = [
        (b"a".as_slice(), said(Some(b"1"), true)),
        (b"b", said(None, false)),
        (b"c", said(None, false)),
    ];
    let died = [
        (b"a".as_slice(), said(None, false)),
        (b"b", said(Some(b"2"), true)),
    ];
    let again = [(b"b".as_slice(), said(None, false))];
    let runs = write(&RowRuns::default(), 1, &oldest);
    let runs = write(&runs, 2, &born);
    let runs = write(&runs, 3, &died);
    let runs = write(&runs, 4, &again);
    let breath = &mut Breath::none();
    let merged = runs
        .merged(disk.as_ref(), &prefixes(), 0..3, 5, breath)
        .unwrap();
    // Nothing is told of «a»; that «b» and «c» are gone still is.
    assert_eq!((merged.list()[0].rows(), merged.list()[0].gone()), (2, 2));
    for runs in [&runs, &merged] {
        let all = KeyRange::all();
        let found = runs
            .scan(tables::WAITING, &all, Order::Ascending, 9)
            .unwrap();
        assert_eq!(found, []);
    }
}
