//! Groups leave a journal, and another journal is made of them.

use crate::store::Seq;
use crate::store::disk::Disk;
use crate::store::disk::faulty::FaultyDisk;
use crate::store::frontier::Frontier;
use crate::store::portable::{JournalWriter, PortableError, PortableGroups, Wrote};
use crate::store::reader::JournalReader;
use crate::store::recovery::{RecoveryBounds, recover};
use crate::store::testing::{DiskClone, events, group, inline, open};
use crate::store::width::wide;

const SEGMENT_BYTES: u32 = 2_000;

/// A journal of 40 groups, of 1 to 3 records, in several segments.
fn journal() -> FaultyDisk {
    let disk = FaultyDisk::new();
    let store = open(&disk, inline(SEGMENT_BYTES)).unwrap();
    for (number, records) in (1..=40).zip([2, 3, 1].into_iter().cycle()) {
        store.submit(group(number, records, 50)).unwrap();
    }
    disk
}

fn reader(disk: &FaultyDisk) -> JournalReader {
    let disk = disk.arc();
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    JournalReader::new(disk, Frontier::at(tail.position))
}

/// All groups, in pieces of at least so many bytes.
fn pieces(disk: &FaultyDisk, bytes_min: usize) -> Vec<PortableGroups> {
    let reader = reader(disk);
    let mut pieces = Vec::new();
    let mut next = None;
    while let Some(piece) = reader.groups(next, bytes_min).unwrap() {
        next = Some(piece.next);
        pieces.push(piece);
    }
    pieces
}

fn copy(pieces: &[PortableGroups], upto: Seq) -> (FaultyDisk, Seq) {
    let disk = FaultyDisk::new();
    let mut writer = JournalWriter::create(disk.arc(), SEGMENT_BYTES.into(), upto).unwrap();
    for piece in pieces {
        if writer.append(&piece.bytes).unwrap() == Wrote::UpToTheLimit {
            break;
        }
    }
    (disk, writer.finish().unwrap())
}

#[test]
fn a_journal_made_of_groups_has_the_same_records() {
    let original = journal();
    for bytes_min in [1, 300, 1_000_000] {
        let pieces = pieces(&original, bytes_min);
        let mut due = 1;
        for piece in &pieces {
            assert_eq!(piece.first, Seq(due));
            due = piece.last.0 + 1;
        }
        let (made, last) = copy(&pieces, Seq(u64::MAX));
        assert_eq!(last, pieces.last().unwrap().last);
        assert_eq!(events(&made), events(&original));
        assert!(made.names().unwrap().len() > 3, "several segments");
        // What leaves the new journal is what came in.
        let again = self::pieces(&made, 1_000_000);
        assert_eq!(again[0].bytes, self::pieces(&original, 1_000_000)[0].bytes);
        // It goes on as any other.
        let store = open(&made, inline(SEGMENT_BYTES)).unwrap();
        let submitted = store.submit(group(99, 1, 10)).unwrap();
        assert_eq!(submitted.last, Seq(last.0 + 1));
    }
}

#[test]
fn a_copy_ends_with_a_whole_group() {
    let pieces = pieces(&journal(), 300);
    let all = copy(&pieces, Seq(u64::MAX)).1;
    let mut ends = vec![Seq(0)];
    for upto in 0..=all.0 {
        let (disk, last) = copy(&pieces, Seq(upto));
        assert!(last.0 <= upto && upto - last.0 < 3, "{upto}: {last:?}");
        assert_eq!(wide(events(&disk).unwrap().len()), last.0);
        ends.push(last);
    }
    ends.dedup();
    assert_eq!(ends.len(), 41, "each of the 40 groups is an end");
}

#[test]
fn every_flipped_bit_of_groups_is_detected() {
    let piece = &pieces(&journal(), 1)[0];
    for bit in 0..piece.bytes.len() * 8 {
        let mut bytes = piece.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let disk = FaultyDisk::new().arc();
        let mut writer = JournalWriter::create(disk, SEGMENT_BYTES.into(), Seq(u64::MAX)).unwrap();
        writer.append(&bytes).unwrap_err();
    }
}

#[test]
fn groups_out_of_order_or_without_an_end_are_refused() {
    let pieces = pieces(&journal(), 1);
    let writer = || {
        let disk = FaultyDisk::new().arc();
        JournalWriter::create(disk, SEGMENT_BYTES.into(), Seq(u64::MAX)).unwrap()
    };
    let second = writer().append(&pieces[1].bytes).unwrap_err();
    assert!(
        second
            .to_string()
            .starts_with("record 1: the record's number is"),
        "{second}"
    );
    // The first group has two records.
    let first = &pieces[0].bytes;
    let cut = first.len() / 2;
    assert!(matches!(
        writer().append(&first[..cut]),
        Err(PortableError::Open { seq: 1 })
    ));
    let occupied = JournalWriter::create(journal().arc(), SEGMENT_BYTES.into(), Seq(1));
    assert!(matches!(occupied, Err(PortableError::Occupied { .. })));
}
