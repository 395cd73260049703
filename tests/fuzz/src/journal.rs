//! A whole segment of the journal: a start reads it or says why not, and what a start has read is all there.

use std::sync::Arc;

use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::disk::memory::MemoryDisk;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::recovery::{RecoveryBounds, Tail, recover};
use switchboard_engine::store::{ReadJournal, Seq};

use super::record::seal;

const FILE: &str = "journal-00000001";
const SALT: u32 = 0x5eed_5a17;
const HEADER_BYTES: usize = 40;

/// Reads the bytes behind the first one as the records of a segment. The first byte says how many of them get the right
/// checksum, which random input does not hit; the records behind them are taken as they are.
pub fn check(data: &[u8]) {
    let Some((sound, records)) = data.split_first() else {
        return;
    };
    let mut file = header();
    file.extend_from_slice(records);
    let mut at = HEADER_BYTES;
    for _ in 0..*sound {
        match seal(&mut file[at..], SALT) {
            Some(length) => at += length,
            None => break,
        }
    }
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
    disk.open(FILE).unwrap().write_at(0, &file).unwrap();
    match recover(&*disk, RecoveryBounds::default()) {
        Ok(tail) => all_is_there(&disk, &tail, file.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn header() -> Vec<u8> {
    let mut bytes = b"swb-jrnl".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend(SALT.to_le_bytes());
    // Of no installation.
    bytes.extend([0; 8]);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Every record up to the end that was found can be read, one number after the other, and the next start finds the same
/// end.
fn all_is_there(disk: &Arc<dyn Disk>, tail: &Tail, file_bytes: usize) {
    assert!(usize::try_from(tail.position.offset).unwrap() <= file_bytes);
    assert_eq!(Seq(tail.durable.0 + 1), tail.next_seq);
    let again = recover(&**disk, RecoveryBounds::default()).expect("a start after a start");
    assert_eq!(
        (again.next_seq, again.position),
        (tail.next_seq, tail.position)
    );
    let reader = JournalReader::new(Arc::clone(disk), Frontier::at(tail.position));
    let mut due = 1;
    for read in reader.scan(None) {
        let (_, record) = read.expect("it was found right");
        assert_eq!(record.seq, Seq(due));
        due += 1;
    }
    assert_eq!(Seq(due), tail.next_seq);
}
