//! Damaged parts are moved aside and rebuilt from the journal.

use std::fs;
use std::sync::Arc;

use super::disk::copy;
use super::states::Counter;
use super::world::{Dice, World, happenings};
use crate::entries::{Key, Row};
use crate::store::index::Index;
use crate::store::index::config::{IndexOpenError, OpenReport, OpenedIndex};
use crate::store::tables::sled::SledHome;
use crate::store::tables::{KeyRange, ScanOrder, Tables};
use crate::store::testing::tables;
use crate::store::{ReadError, Seq};
use crate::table::SNAPSHOTS;

fn filled(world: &mut World, records: u64) -> Index {
    let index = world.open().unwrap().0;
    world.post(&index, happenings(&mut Dice(5), records, 30));
    index.close().unwrap();
    index
}

#[track_caller]
fn rebuilt(report: &OpenReport) -> &str {
    match &report.opened {
        OpenedIndex::Rebuilt { reason, .. } => reason,
        OpenedIndex::Fresh | OpenedIndex::Resumed => panic!("not rebuilt: {report:?}"),
    }
}

fn run_name(world: &World) -> String {
    names(world, "keys-").pop().unwrap()
}

/// Files that are in force and begin with this.
fn names(world: &World, prefix: &str) -> Vec<String> {
    let mut names = world.file_names();
    names.retain(|name| name.starts_with(prefix) && !name.contains("damaged"));
    names
}

#[test]
fn a_damaged_run_byte_is_detected_and_the_index_rebuilt() {
    let (mut at_start, mut when_read) = (0, 0);
    for twentieth in 0..20 {
        let mut world = World::new(1_000_000);
        drop(filled(&mut world, 100));
        let name = run_name(&world);
        let mut at = 0;
        world.spoil(&name, |bytes| {
            at = (bytes.len() - 1) * twentieth / 19;
            bytes[at] ^= 0x10;
        });
        let mut index = world.open().unwrap();
        if index.1.opened == OpenedIndex::Resumed {
            // Blocks are checked when they are read: the read reports the damage, and the next start rebuilds.
            when_read += 1;
            let keys: Vec<Key> = (0..30).map(super::states::newest).collect();
            let error = keys.iter().find_map(|key| index.0.find(*key).err());
            assert!(matches!(error, Some(ReadError::Index { .. })), "byte {at}");
            assert!(!world.troubles.lock().unwrap().is_empty());
            drop(index);
            index = world.open().unwrap();
        } else {
            at_start += 1;
        }
        rebuilt(&index.1);
        assert_eq!(index.1.replayed, 100);
        world.check(&index.0);
        let names = world.file_names();
        assert!(names.contains(&format!("{name}.damaged-1")), "{names:?}");
        assert!(!names.contains(&"index-rebuild".to_owned()), "{names:?}");
    }
    assert!(at_start > 1 && when_read > 5, "{at_start}, {when_read}");
}

#[test]
fn a_cut_or_missing_run_is_detected_at_the_start() {
    for tenth in 0..10 {
        let mut world = World::new(1_000_000);
        drop(filled(&mut world, 100));
        let name = run_name(&world);
        world.spoil(&name, |bytes| bytes.truncate(bytes.len() * tenth / 10));
        let (index, report) = world.open().unwrap();
        rebuilt(&report);
        world.check(&index);
    }
}

#[test]
fn a_damaged_row_file_byte_is_detected_and_the_index_rebuilt() {
    let mut at_start = 0;
    let mut when_read = 0;
    for file in 0..2 {
        for fortieth in 0..40 {
            let mut world = World::new(1_000_000);
            drop(filled(&mut world, 100));
            let Some(name) = names(&world, "rows-").into_iter().nth(file) else {
                panic!("rows of lists and snapshots are two files");
            };
            world.spoil(&name, |bytes| {
                let at = (bytes.len() - 1) * fortieth / 39;
                bytes[at] ^= 0x10;
            });
            let (index, report) = world.open().unwrap();
            if report.opened == OpenedIndex::Resumed {
                // A block: its damage is reported when it is read.
                let is_told = |error: &ReadError| matches!(error, ReadError::Index { .. });
                let talks = (0..30).filter_map(|id| index.load::<super::states::Talk>(&id).err());
                let (order, all) = (ScanOrder::Ascending, KeyRange::all());
                let rows = index.scan(tables::ACTIVITY, &all, order, usize::MAX);
                let errors: Vec<ReadError> = talks.chain(rows.err()).collect();
                assert!(errors.iter().all(is_told), "{errors:?}");
                assert!(!errors.is_empty(), "{name}, {fortieth} fortieths");
                when_read += 1;
                drop(index);
                let (index, report) = world.open().unwrap();
                rebuilt(&report);
                world.check(&index);
            } else {
                at_start += 1;
                rebuilt(&report);
                world.check(&index);
            }
        }
    }
    assert!(at_start > 5 && when_read > 15, "{at_start}, {when_read}");
}

#[test]
fn a_cut_or_missing_row_file_is_detected_at_the_start() {
    for tenth in 0..10 {
        for file in 0..2 {
            let mut world = World::new(1_000_000);
            drop(filled(&mut world, 100));
            let name = names(&world, "rows-").into_iter().nth(file).unwrap();
            world.spoil(&name, |bytes| bytes.truncate(bytes.len() * tenth / 10));
            let (index, report) = world.open().unwrap();
            rebuilt(&report);
            world.check(&index);
            let aside = format!("{name}.damaged-1");
            assert!(world.file_names().contains(&aside), "{aside}");
        }
    }
}

/// A damaged manifest has the index rebuilt; only two damaged sets are kept.
#[test]
fn a_damaged_manifest_rebuilds_the_index_and_keeps_two_copies() {
    let mut world = World::new(1_000_000);
    drop(filled(&mut world, 100));
    for round in 1..=5_u32 {
        world.spoil("manifest", |bytes| bytes[25] ^= 1);
        let (index, report) = world.open().unwrap();
        rebuilt(&report);
        assert_eq!(world.home.moved_aside(), round);
        world.check(&index);
        index.close().unwrap();
        let names = world.file_names();
        let copies = names.iter().filter(|name| name.starts_with("manifest."));
        assert_eq!(copies.count(), usize::try_from(round.min(2)).unwrap());
    }
}

#[test]
fn an_index_that_is_ahead_of_its_journal_is_rebuilt() {
    for left in [0, 3, 99] {
        let mut world = World::new(1_000_000);
        drop(filled(&mut world, 100));
        world.journal.cut(left);
        let (index, report) = world.open().unwrap();
        assert!(rebuilt(&report).contains("does not fit the journal"));
        assert_eq!(index.indexed_upto(), Seq(left.try_into().unwrap()));
        assert_eq!(index.stats().runs, 0);
    }
}

#[test]
fn older_tables_under_a_newer_manifest_are_detected() {
    let mut world = World::new(1_000_000);
    let index = world.open().unwrap().0;
    world.post(&index, happenings(&mut Dice(5), 60, 30));
    index.checkpoint_now().unwrap();
    let backup = copy(&world.home.tables());
    world.post(&index, happenings(&mut Dice(6), 60, 30));
    index.close().unwrap();
    drop(index);
    world.home.put_back(&backup);
    let (index, report) = world.open().unwrap();
    assert!(rebuilt(&report).contains("do not fit the manifest"));
    world.check(&index);
}

#[test]
fn a_damaged_snapshot_is_reported_and_rebuilt_at_the_start() {
    let mut world = World::new(1_000_000);
    let index = filled(&mut world, 100);
    let tables = world.home.tables();
    let all = KeyRange::all();
    for (key, mut value) in tables
        .scan(SNAPSHOTS, &all, ScanOrder::Ascending, 999)
        .unwrap()
        .into_iter()
        .skip(1)
    {
        *value.last_mut().unwrap() ^= 1;
        let (table, value) = (SNAPSHOTS, Some(value));
        tables
            .write_batch(vec![Row {
                table,
                key: key.into(),
                value,
                is_new: false,
            }])
            .unwrap();
    }
    let counters = (0..9).map(|length| "n".repeat(length));
    let mut errors = counters.filter_map(|name| index.load::<Counter>(&name).err());
    let error = errors.next().unwrap();
    drop(errors);
    assert!(error.to_string().contains("rebuilds the index"), "{error}");
    drop(index);
    let (index, report) = world.open().unwrap();
    rebuilt(&report);
    world.check(&index);
}

#[test]
fn an_event_of_a_wrong_stream_is_refused_with_its_position() {
    let world = World::new(1_000_000);
    let stream =
        crate::stream::StreamKey::new(crate::store::testing::kinds::TALK, &7_u32.to_be_bytes());
    world.journal.append(stream, b"{\"Sung\":{}}".to_vec());
    let error = world.open().unwrap_err();
    let IndexOpenError::Journal(ReadError::Damaged { offset, reason, .. }) = error else {
        panic!("{error}");
    };
    assert_eq!(offset, 1);
    assert!(reason.contains("Sung"), "{reason}");
}

#[test]
fn a_damaged_sled_file_is_moved_aside_and_answers_stay_equal() {
    let directory = tempfile::tempdir().unwrap();
    let home = SledHome::new(directory.path().join("tables"));
    let mut world = World::new(200);
    let index = world.open_with(Arc::new(home.clone())).unwrap().0;
    for seed in 0..10 {
        world.post(&index, happenings(&mut Dice(seed), 50, 40));
    }
    world.check(&index);
    index.close().unwrap();
    drop(index);
    // Undamaged it comes up as it was.
    let (index, report) = world.open_with(Arc::new(home.clone())).unwrap();
    assert_eq!((report.opened, report.replayed), (OpenedIndex::Resumed, 0));
    world.check(&index);
    drop(index);
    for spoil in 0..3 {
        let file = home.path.join("db");
        let mut bytes = fs::read(&file).unwrap();
        match spoil {
            0 => bytes.fill(0x5a),
            1 => bytes.truncate(100),
            _ => bytes.clear(),
        }
        fs::write(&file, bytes).unwrap();
        let (index, report) = world.open_with(Arc::new(home.clone())).unwrap();
        rebuilt(&report);
        assert_eq!(report.replayed, 500);
        world.check(&index);
        index.close().unwrap();
    }
    let copies = fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(copies, 3, "the tables and two damaged ones");
}
