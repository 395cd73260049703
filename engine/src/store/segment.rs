//! Segment files: `journal-00000001`, `journal-00000002`, … each with a small header and whole groups.
//!
//! ```text
//! ┌──────────────┬─────────────┬────────────┬───────────────┬──────────┬─────────┬─────────┬───────────┐
//! │ "swb-jrnl" 8 │ version u32 │ number u32 │ first seq u64 │ salt u32 │ tag u64 │ crc u32 │ records … │
//! └──────────────┴─────────────┴────────────┴───────────────┴──────────┴─────────┴─────────┴───────────┘
//! ```
//!
//! A group never spans segments, and a segment is synced before the next one is made: all but the newest are
//! complete, and stay as they are until an erasure replaces them as whole files. A segment gets its name when its header is on disk, and is called
//! `journal-00000002.new` before: one that is too short for its header was damaged.

pub(crate) mod cursor;

use std::io;
use std::sync::Arc;

use rand::TryRng;
use rand::rngs::SysRng;

use crate::store::disk::{self, Disk, DiskFile};
use crate::store::identity::content::{self, InstallationTag};
use crate::store::{Position, Seq};

/// The bytes before the first record.
pub(crate) const HEADER_BYTES: usize = 40;
/// The header's length as an offset.
pub(crate) const FIRST_OFFSET: u32 = 40;

impl Position {
    /// Returns the place of the first record of a segment.
    #[must_use]
    pub fn first_of(segment: u32) -> Self {
        Self {
            segment,
            offset: FIRST_OFFSET,
        }
    }
}

const MAGIC: &[u8; 8] = b"swb-jrnl";
const VERSION: u32 = 1;
const PREFIX: &str = "journal-";
const UNFINISHED: &str = ".new";

/// The name of the segment with this number.
pub(crate) fn name(number: u32) -> String {
    format!("{PREFIX}{number:08}")
}

/// The number of the segment with this name; `None` when it is not the name of a segment.
pub(crate) fn number(file: &str) -> Option<u32> {
    let number = file.strip_prefix(PREFIX)?.parse().ok()?;
    // One number, one name: `journal-1` and `journal-+0000001` are not ours.
    (number > 0 && name(number) == file).then_some(number)
}

/// Returns whether a file of this name is a segment whose making was cut short: it never held a record.
pub(crate) fn is_unfinished(file: &str) -> bool {
    file.strip_suffix(UNFINISHED)
        .is_some_and(|name| number(name).is_some())
}

/// Returns the name of a segment's file before it has its own.
pub(crate) fn unfinished_name(number: u32) -> String {
    format!("{}{UNFINISHED}", name(number))
}

/// The numbers of all segments on the disk, ascending.
pub(crate) fn list(disk: &dyn Disk) -> io::Result<Vec<u32>> {
    let mut numbers: Vec<u32> = disk.names()?.iter().filter_map(|it| number(it)).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// The content of a segment's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub(crate) number: u32,
    /// The number of its first record: everything before it lies in earlier segments, and is on disk.
    pub(crate) first: Seq,
    /// The initial value of its records' checksums: random, so that no outsider can make up a record.
    pub(crate) salt: u32,
    /// The installation whose records it has; none when the directory had no identity.
    pub(crate) tag: InstallationTag,
}

/// The reason for which bytes are not the header of a segment of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SegmentHeaderError {
    /// There are not enough bytes.
    Short,
    /// Another program's file.
    Foreign,
    /// A later version of the format.
    Newer(u32),
    /// Ours, but changed since it was written.
    Damaged,
}

impl SegmentHeader {
    fn encode(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let fields = MAGIC
            .iter()
            .copied()
            .chain(VERSION.to_le_bytes())
            .chain(self.number.to_le_bytes())
            .chain(self.first.0.to_le_bytes())
            .chain(self.salt.to_le_bytes())
            .chain(self.tag.to_bytes());
        for (place, byte) in bytes.iter_mut().zip(fields) {
            *place = byte;
        }
        if let Some((body, crc)) = bytes.split_last_chunk_mut::<4>() {
            *crc = crc32fast::hash(body).to_le_bytes();
        }
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, SegmentHeaderError> {
        if bytes.iter().zip(MAGIC).any(|(byte, due)| byte != due) {
            return Err(SegmentHeaderError::Foreign);
        }
        let Some(bytes) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(SegmentHeaderError::Short);
        };
        let (body, crc) = bytes
            .split_last_chunk::<4>()
            .ok_or(SegmentHeaderError::Short)?;
        if crc32fast::hash(body) != u32::from_le_bytes(*crc) {
            return Err(SegmentHeaderError::Damaged);
        }
        let version = u32_at(body, 8)?;
        if version != VERSION {
            return Err(SegmentHeaderError::Newer(version));
        }
        Ok(Self {
            number: u32_at(body, 12)?,
            first: Seq(u64::from(u32_at(body, 16)?) | (u64::from(u32_at(body, 20)?) << 32)),
            salt: u32_at(body, 24)?,
            tag: match body.get(28..).and_then(<[u8]>::first_chunk) {
                Some(tag) => InstallationTag::from_bytes(*tag),
                None => return Err(SegmentHeaderError::Short),
            },
        })
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Result<u32, SegmentHeaderError> {
    match bytes.get(offset..).and_then(<[u8]>::first_chunk) {
        Some(number) => Ok(u32::from_le_bytes(*number)),
        None => Err(SegmentHeaderError::Short),
    }
}

/// An open segment.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) header: SegmentHeader,
    pub(crate) file: Arc<dyn DiskFile>,
}

impl Segment {
    /// Makes the file and writes the header. It is not durable and does not have its name before [`Segment::settle`].
    pub(crate) fn create(disk: &dyn Disk, number: u32, first: Seq) -> io::Result<Self> {
        Self::create_for(disk, number, first, content::tag_on(disk)?)
    }

    /// As [`Self::create`], with records of this installation.
    pub(crate) fn create_for(
        disk: &dyn Disk,
        number: u32,
        first: Seq,
        tag: InstallationTag,
    ) -> io::Result<Self> {
        let salt = SysRng.try_next_u32().map_err(io::Error::other)?;
        let header = SegmentHeader {
            number,
            first,
            salt,
            tag,
        };
        let file = disk.open(&unfinished_name(number))?;
        // What an interrupted attempt left must not come behind the new header.
        file.truncate(0)?;
        file.write_at(0, &header.encode())?;
        Ok(Self { header, file })
    }

    /// Makes a new segment durable and gives it its name, before anything is written to it.
    pub(crate) fn settle(&self, disk: &dyn Disk) -> io::Result<()> {
        let number = self.header.number;
        disk::publish(disk, &*self.file, &unfinished_name(number), &name(number))
    }

    /// Opens a segment that is there.
    pub(crate) fn open(
        disk: &dyn Disk,
        number: u32,
    ) -> io::Result<Result<Self, SegmentHeaderError>> {
        let file = disk.open(&name(number))?;
        let mut bytes = [0; HEADER_BYTES];
        let count = file.read_at(0, &mut bytes)?;
        let header = SegmentHeader::decode(bytes.get(..count).unwrap_or_default());
        Ok(header.and_then(|header| {
            if header.number == number {
                Ok(Self { header, file })
            } else {
                Err(SegmentHeaderError::Damaged)
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: SegmentHeader = SegmentHeader {
        number: 7,
        first: Seq(0x0102_0304_0506_0708),
        salt: 0xdead_beef,
        tag: InstallationTag::from_bytes([0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8]),
    };

    #[test]
    fn the_bytes_of_the_header_never_change() {
        let bytes = HEADER.encode();
        assert_eq!(
            hex::encode(&bytes[..36]),
            "7377622d6a726e6c01000000070000000807060504030201efbeaddea1a2a3a4a5a6a7a8"
        );
        assert_eq!(SegmentHeader::decode(&bytes), Ok(HEADER));
    }

    #[test]
    fn every_flipped_bit_of_a_header_is_detected() {
        for bit in 0..HEADER_BYTES * 8 {
            let mut bytes = HEADER.encode();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let bad_header = if bit < 64 {
                SegmentHeaderError::Foreign
            } else {
                SegmentHeaderError::Damaged
            };
            assert_eq!(SegmentHeader::decode(&bytes), Err(bad_header), "bit {bit}");
        }
    }

    #[test]
    fn a_later_version_is_distinguished_from_damage() {
        let mut bytes = HEADER.encode();
        bytes[8] = 2;
        let crc = crc32fast::hash(&bytes[..36]);
        bytes[36..].copy_from_slice(&crc.to_le_bytes());
        assert_eq!(
            SegmentHeader::decode(&bytes),
            Err(SegmentHeaderError::Newer(2))
        );
        assert_eq!(
            SegmentHeader::decode(&bytes[..39]),
            Err(SegmentHeaderError::Short)
        );
    }

    #[test]
    fn only_names_of_the_journal_are_segments() {
        assert_eq!(number("journal-00000012"), Some(12));
        assert_eq!(number(&name(123_456_789)), Some(123_456_789));
        for foreign in ["journal-12", "journal-+0000012", "journal-00000000", "x"] {
            assert_eq!(number(foreign), None, "{foreign}");
        }
        assert!(is_unfinished(&unfinished_name(7)));
        for other in ["journal-00000007", "journal-7.new", "manifest.new"] {
            assert!(!is_unfinished(other), "{other}");
        }
    }

    #[test]
    fn a_segment_is_named_once_its_header_is_on_disk() {
        let disk = crate::store::disk::memory::MemoryDisk::default();
        let segment = Segment::create(&disk, 3, Seq(9)).unwrap();
        assert_eq!(list(&disk).unwrap(), [0; 0]);
        segment.settle(&disk).unwrap();
        assert_eq!(disk.names().unwrap(), [name(3)]);
        assert_eq!(
            Segment::open(&disk, 3).unwrap().unwrap().header,
            segment.header
        );
    }

    #[test]
    fn a_named_segment_is_whole_after_any_power_cut() {
        for changes in 0..16 {
            let disk = crate::store::disk::faulty::FaultyDisk::new();
            // A process that was killed before it named its segment; the next one clears away and begins again.
            Segment::create(&disk, 1, Seq(1)).unwrap();
            disk.remove(&unfinished_name(1)).unwrap();
            disk.cut_power_after(changes);
            let outcome = Segment::create(&disk, 1, Seq(1)).and_then(|it| it.settle(&disk));
            for seed in 0..64 {
                let remains = disk.crash(seed);
                let numbers = list(&remains).unwrap();
                assert!(
                    numbers == [1] || outcome.is_err(),
                    "after {changes} changes"
                );
                for number in numbers {
                    Segment::open(&remains, number).unwrap().unwrap();
                }
            }
        }
    }
}
