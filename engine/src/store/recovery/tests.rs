use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::store::disk::faulty::FaultyDisk;
use crate::store::testing::{events, events_of, group, inline, open};
use crate::store::width::wide;

/// A closed journal with groups of one to three records.
fn closed(groups: u64, segment_bytes: u32) -> (FaultyDisk, Vec<Vec<String>>) {
    let disk = FaultyDisk::new();
    let store = open(&disk, inline(segment_bytes)).unwrap();
    let mut history = Vec::new();
    for number in 1..=groups {
        let group = group(number, usize::try_from(number % 3).unwrap() + 1, 10);
        history.push(events_of(&group));
        let submitted = store.submit(group).unwrap();
        assert_eq!(store.outcome(submitted), Some(Ok(())));
    }
    drop(store);
    (disk, history)
}

fn length(disk: &FaultyDisk, name: &str) -> u64 {
    disk.open(name).unwrap().length().unwrap()
}

#[test]
fn an_empty_disk_is_an_empty_journal() {
    let tail = recover(&FaultyDisk::new(), RecoveryBounds::default()).unwrap();
    assert_eq!((tail.next_seq, tail.durable), (Seq(1), Seq(0)));
}

#[test]
fn a_journal_cut_at_any_byte_keeps_whole_groups_before_it() {
    let (disk, groups) = closed(7, 1 << 20);
    let name = segment::name(1);
    for cut in 0..=length(&disk, &name) {
        let short = disk.copy();
        short.open(&name).unwrap().truncate(cut).unwrap();
        let mut whole = Vec::new();
        let mut end = 40;
        if cut < 40 {
            // It had its header before it had its name.
            let error = recover(&short, RecoveryBounds::default()).unwrap_err();
            assert!(
                matches!(error, JournalOpenError::Damaged { .. }),
                "{error:?}"
            );
            continue;
        }
        for group in &groups {
            // Head, stream with an id of 8 bytes, event, blob.
            end += group
                .iter()
                .map(|event| 25 + 6 + 8 + event.len() + 10)
                .sum::<usize>();
            if wide(end) > cut {
                break;
            }
            whole.extend(group.iter().cloned());
        }
        assert_eq!(events(&short), Ok(whole.clone()), "cut at {cut}");
        // And it goes on from there.
        let store = open(&short, inline(1 << 20)).unwrap();
        store.submit(group(99, 1, 1)).unwrap();
        drop(store);
        whole.push("99:1/1".to_owned());
        assert_eq!(events(&short), Ok(whole), "after a cut at {cut}");
    }
}

#[test]
fn no_flipped_bit_changes_or_hides_a_record() {
    let (disk, groups) = closed(6, 250);
    let all: Vec<String> = groups.concat();
    let names = disk.names().unwrap();
    assert!(names.len() >= 3, "{names:?}");
    let mut refusals = 0;
    for name in &names {
        for bit in 0..length(&disk, name) * 8 {
            let damaged = disk.copy();
            let file = damaged.open(name).unwrap();
            let mut byte = [0];
            file.read_at(bit / 8, &mut byte).unwrap();
            byte[0] ^= 1 << (bit % 8);
            file.write_at(bit / 8, &byte).unwrap();
            match events(&damaged) {
                Ok(found) => assert_eq!(found, all, "{name}, bit {bit}"),
                Err(error) => {
                    assert!(error.contains(name), "{error}");
                    refusals += 1;
                }
            }
        }
    }
    assert!(refusals > 1000, "only {refusals} were refused");
}

/// A zeroed stretch before the closing mark is refused with its place and with what to do.
#[test]
fn zeroes_before_the_closing_mark_are_refused_with_a_remedy() {
    let (disk, _) = closed(5, 1 << 20);
    let name = segment::name(1);
    let file = disk.open(&name).unwrap();
    file.write_at(length(&disk, &name) - 60, &[0; 30]).unwrap();
    let before = length(&disk, &name);
    let error = recover(&disk, RecoveryBounds::default()).unwrap_err();
    assert!(
        matches!(error, JournalOpenError::Damaged { .. }),
        "{error:?}"
    );
    for word in ["journal-00000001", "at offset", "was on disk", "backup"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    assert_eq!(length(&disk, &name), before, "nothing was changed");
}

#[test]
fn a_short_or_missing_sealed_segment_is_refused() {
    let (disk, _) = closed(9, 250);
    let newest = disk.names().unwrap().len();
    assert!(newest >= 4);

    let short = disk.copy();
    let file = short.open(&segment::name(2)).unwrap();
    file.truncate(file.length().unwrap() - 1).unwrap();
    let error = recover(&short, RecoveryBounds::default()).unwrap_err();
    assert!(
        matches!(error, JournalOpenError::Damaged { .. }),
        "{error:?}"
    );

    let whole_group_short = disk.copy();
    let file = whole_group_short.open(&segment::name(2)).unwrap();
    file.truncate(40).unwrap();
    let error = recover(&whole_group_short, RecoveryBounds::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("journal-00000002 (faulty) is damaged"),
        "{error}"
    );

    disk.remove(&segment::name(2)).unwrap();
    assert_eq!(
        recover(&disk, RecoveryBounds::default()).unwrap_err(),
        JournalOpenError::Gap {
            file: disk.describe(&segment::name(2))
        }
    );
}

#[test]
fn a_file_of_another_program_is_left_untouched() {
    let disk = FaultyDisk::new();
    let file = disk.open(&segment::name(1)).unwrap();
    file.write_at(0, b"#!/bin/sh\n").unwrap();
    let error = recover(&disk, RecoveryBounds::default()).unwrap_err();
    assert!(
        matches!(error, JournalOpenError::Foreign { .. }),
        "{error:?}"
    );
    file.write_at(0, &[b'x'; 500]).unwrap();
    let error = recover(&disk, RecoveryBounds::default()).unwrap_err();
    assert!(
        matches!(error, JournalOpenError::Foreign { .. }),
        "{error:?}"
    );
}

#[test]
fn recovery_from_a_known_record_finds_the_same_end() {
    let (disk, groups) = closed(9, 250);
    let whole = recover(&disk, RecoveryBounds::default()).unwrap();
    let frontier = crate::store::frontier::Frontier::at(whole.position);
    let reader = crate::store::reader::JournalReader::new(Arc::new(disk.clone()), frontier);
    let all: Vec<_> = crate::store::ReadJournal::scan(&reader, None)
        .map(Result::unwrap)
        .collect();
    assert_eq!(all.len(), groups.concat().len());
    for (position, record) in &all {
        let bounds = |seq: Seq| RecoveryBounds {
            from: Some((*position, seq)),
            proven: record.seq,
        };
        assert_eq!(recover(&disk, bounds(record.seq)), Ok(whole));
        let error = recover(&disk, bounds(Seq(record.seq.0 + 1))).unwrap_err();
        assert!(
            matches!(error, JournalOpenError::Missing { .. }),
            "{error:?}"
        );
    }

    // The index knows the last record, but the journal was cut before it.
    let (position, record) = all.last().unwrap();
    let file = disk.open(&segment::name(position.segment)).unwrap();
    file.truncate(u64::from(position.offset)).unwrap();
    let from = Some((*position, record.seq));
    let proven = Seq(0);
    let error = recover(&disk, RecoveryBounds { from, proven }).unwrap_err();
    assert!(
        matches!(error, JournalOpenError::Missing { .. }),
        "{error:?}"
    );
}

#[test]
fn a_journal_shorter_than_proven_is_refused() {
    let (disk, groups) = closed(9, 250);
    let last = Seq(wide(groups.concat().len()));
    let proven = |seq| RecoveryBounds {
        from: None,
        proven: seq,
    };
    assert!(recover(&disk, proven(last)).is_ok());
    let error = recover(&disk, proven(Seq(last.0 + 1))).unwrap_err();
    assert!(
        matches!(error, JournalOpenError::Damaged { .. }),
        "{error:?}"
    );
    for name in disk.names().unwrap() {
        disk.remove(&name).unwrap();
    }
    let error = recover(&disk, proven(Seq(1))).unwrap_err();
    assert!(
        error.to_string().contains("record 1 was on disk"),
        "{error}"
    );
    assert!(recover(&disk, proven(Seq(0))).is_ok());
}

#[test]
fn a_journal_that_does_not_begin_with_record_1_is_refused() {
    let (disk, _) = closed(9, 250);
    let newest = recover(&disk, RecoveryBounds::default()).unwrap();
    let names = disk.names().unwrap();
    for name in names.iter().take(names.len() - 1) {
        disk.remove(name).unwrap();
        let from = Some((newest.position, newest.next_seq));
        for from in [None, from] {
            let proven = newest.durable;
            let error = recover(&disk, RecoveryBounds { from, proven }).unwrap_err();
            assert!(
                matches!(error, JournalOpenError::Headless { .. }),
                "{error:?}"
            );
        }
    }
}

#[test]
fn a_segment_with_interrupted_creation_is_removed() {
    let (disk, _) = closed(9, 250);
    let names = disk.names().unwrap();
    let next = u32::try_from(names.len()).unwrap() + 1;
    for bytes in [0, 10, 40] {
        let unfinished = disk.open(&format!("{}.new", segment::name(next))).unwrap();
        unfinished.write_at(0, &vec![b's'; bytes]).unwrap();
        recover(&disk, RecoveryBounds::default()).unwrap();
        assert_eq!(disk.names().unwrap(), names);
    }
}

#[test]
fn bytes_in_a_message_that_look_like_a_claim_are_no_proof() {
    let disk = FaultyDisk::new();
    let store = open(&disk, inline(1 << 20)).unwrap();
    store.submit(group(1, 1, 10)).unwrap();
    // What an attacker could send: a mark that claims record 2, with the checksum of an unsalted one.
    let forged = crate::store::record::mark(Seq(2), 0);
    let mut evil = group(2, 1, 0);
    evil.records[0].blob = forged.to_vec().into();
    store.submit(evil).unwrap();
    let name = segment::name(1);
    let length = length(&disk, &name);
    // The write of record 2 was torn: its first byte is missing, and the process died before any mark.
    let start = length - (25 + 6 + 8 + 5 + 25);
    let torn = disk.copy();
    torn.open(&name).unwrap().write_at(start, &[0]).unwrap();
    assert_eq!(events(&torn), Ok(vec!["1:1/1".to_owned()]));
}

/// Groups by number, as they were acknowledged.
type Acknowledged = BTreeMap<u64, Vec<String>>;

#[derive(Clone, Copy)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Submits groups until the power goes; gives the disk after the cut.
fn live_and_die(
    disk: &FaultyDisk,
    dice: &mut Dice,
    next: &mut u64,
    acked: &mut Acknowledged,
) -> FaultyDisk {
    let segment_bytes = u32::try_from(200 + dice.below(3000)).unwrap();
    let mut config = inline(segment_bytes);
    // Batches lie within what was prepared, cross its end and come behind it.
    config.prepare_bytes = u32::try_from(dice.below(2) * dice.below(2000)).unwrap();
    match dice.below(4) {
        0 => disk.fail_write(1 + dice.below(12)),
        1 => disk.fail_sync(1 + dice.below(12)),
        _ => {}
    }
    disk.cut_power_after(dice.below(70));
    if let Ok(store) = open(disk, config) {
        for _ in 0..dice.below(25) {
            let count = usize::try_from(1 + dice.below(4)).unwrap();
            let bytes = usize::try_from(dice.below(700)).unwrap();
            let group = group(*next, count, bytes);
            let lines = events_of(&group);
            let Ok(submitted) = store.submit(group) else {
                break;
            };
            if store.outcome(submitted) == Some(Ok(())) {
                acked.insert(*next, lines);
            }
            *next += 1;
        }
        if dice.below(8) == 0 {
            store.journal.close();
        }
        let remains = disk.crash(dice.below(u64::MAX));
        drop(store);
        return remains;
    }
    disk.crash(dice.below(u64::MAX))
}

/// Every acknowledged group is there, every group is whole, and they are in the order of submission.
fn check_survivors(found: &[String], acked: &Acknowledged, seed: u64) {
    let mut groups: Acknowledged = BTreeMap::new();
    let mut last = 0;
    for line in found {
        let (number, place) = line.split_once(':').unwrap();
        let number: u64 = number.parse().unwrap();
        assert!(number >= last, "seed {seed}: {number} after {last}");
        last = number;
        let lines = groups.entry(number).or_default();
        lines.push(line.clone());
        assert!(
            place.starts_with(&format!("{}/", lines.len())),
            "seed {seed}: {line}"
        );
    }
    for (number, lines) in &groups {
        let count = lines[0].split_once('/').unwrap().1;
        assert_eq!(
            count,
            lines.len().to_string(),
            "seed {seed}: half of group {number}"
        );
    }
    for (number, lines) in acked {
        assert_eq!(
            groups.get(number),
            Some(lines),
            "seed {seed}: group {number} lost"
        );
    }
}

#[test]
fn acknowledged_records_survive_every_power_cut() {
    let mut acked_in_all = 0;
    let mut cuts = 0;
    for seed in 1..=2600 {
        let mut dice = Dice(seed * 0x9e37_79b9);
        let mut disk = FaultyDisk::new();
        let mut acked = Acknowledged::new();
        let mut next = 1;
        for _ in 0..3 {
            disk = live_and_die(&disk, &mut dice, &mut next, &mut acked);
            cuts += 1;
            // Sometimes the power goes again while recovery is at work.
            if dice.below(2) == 0 {
                disk.cut_power_after(dice.below(5));
                let _interrupted = recover(&disk, RecoveryBounds::default());
                disk = disk.crash(dice.below(u64::MAX));
                cuts += 1;
            }
            let survivors = events(&disk).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            check_survivors(&survivors, &acked, seed);
            // What was survivors once is survivors again: recovery made it durable.
            disk = disk.crash(dice.below(u64::MAX));
            assert_eq!(events(&disk).as_ref(), Ok(&survivors), "seed {seed}");
        }
        acked_in_all += acked.len();
    }
    assert!(
        acked_in_all > 20_000 && cuts > 7_500,
        "{acked_in_all} in {cuts}"
    );
}

#[test]
fn preallocated_space_is_no_damage_and_is_cut_off() {
    for prepare_bytes in [1, 24, 25, 26, 200, 5000] {
        let disk = FaultyDisk::new();
        let mut config = inline(1 << 20);
        config.prepare_bytes = prepare_bytes;
        let store = open(&disk, config).unwrap();
        for number in 1..=5 {
            store.submit(group(number, 2, 100)).unwrap();
        }
        // Not closed: a killed process leaves the zeros behind.
        let remains = disk.crash(7);
        let file = remains.open("journal-00000001").unwrap();
        let before = file.length().unwrap();
        let mut last = [9];
        file.read_at(before - 1, &mut last).unwrap();
        assert_eq!(last, [0], "{prepare_bytes}");
        assert_eq!(events(&remains).unwrap().len(), 10, "{prepare_bytes}");
        assert!(file.length().unwrap() < before, "{prepare_bytes}");
    }
}

/// Space that was allocated ahead is gone when the journal is closed and when a segment is sealed.
#[test]
fn closing_or_sealing_removes_preallocated_space() {
    let (prepared, plain) = (FaultyDisk::new(), FaultyDisk::new());
    for (disk, prepare_bytes) in [(&prepared, 10_000), (&plain, 0)] {
        let mut config = inline(700);
        config.prepare_bytes = prepare_bytes;
        let store = open(disk, config).unwrap();
        for number in 1..=5 {
            store.submit(group(number, 2, 100)).unwrap();
        }
        store.journal.close();
    }
    let lengths = |disk: &FaultyDisk| {
        let names = disk.names().unwrap().into_iter();
        names
            .map(|name| {
                let length = disk.open(&name).unwrap().length().unwrap();
                (name, length)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(lengths(&prepared), lengths(&plain));
    assert!(lengths(&plain).len() > 2);
}

#[test]
fn recovery_syncs_records_that_a_killed_process_left_unsynced() {
    let disk = FaultyDisk::new();
    let mut config = inline(1 << 20);
    config.durability =
        crate::store::committer::config::Durability::Interval(std::time::Duration::from_secs(3600));
    let store = open(&disk, config).unwrap();
    for number in 1..=5 {
        store.submit(group(number, 1, 300)).unwrap();
    }
    // Killed, not closed: what it wrote is in the system's memory, which outlives it.
    let survivors = events(&disk).unwrap();
    assert_eq!(survivors.len(), 5);
    for seed in 0..50 {
        assert_eq!(
            events(&disk.crash(seed)).as_ref(),
            Ok(&survivors),
            "seed {seed}"
        );
    }
}
