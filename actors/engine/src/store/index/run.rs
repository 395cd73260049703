//! A run: an immutable sorted file of fingerprints and positions.
//!
//! ```text
//! plate (64 bytes, the rest of 4096 is zero)   magic, first and last record, sizes, checksums
//! blocks of 4096 bytes                         170 entries of 24 bytes, padding, crc32 of what is before it
//! bloom filter                                 kept in memory
//! fences                                       the first key of each block, kept in memory
//! ```
//! Opening checks the plate, the length, the filter and the fences; a block is checked when it is read. A
//! lookup reads at most one block.

use std::io;
use std::sync::Arc;

use super::bloom::{BLOCK_BYTES as BLOOM_BLOCK_BYTES, Bloom};
use crate::entries::Key;
use crate::store::disk::{Disk, DiskFile};
use crate::store::{Position, Seq};

pub(super) const BLOCK_BYTES: usize = 4096;
pub(super) const ENTRY_BYTES: usize = 24;
pub(super) const ENTRIES_PER_BLOCK: usize = 170;
pub(super) const FENCE_BYTES: usize = 16;
const CHECKED_BYTES: usize = BLOCK_BYTES - 4;
const MAGIC: [u8; 8] = *b"SWBRUN01";
const PLATE_BYTES: usize = 64;

/// An entry of a run.
pub(super) type Entry = (Key, Position);

/// The name of the run that covers these records.
pub(super) fn file_name(first: Seq, last: Seq) -> String {
    format!("run-{:020}-{:020}", first.0, last.0)
}

/// The last record that the run with this name covers; `None` when it is not the name of a run.
pub(super) fn last_in(name: &str) -> Option<Seq> {
    let (first, last) = name.strip_prefix("run-")?.split_once('-')?;
    first.parse::<u64>().ok()?;
    last.parse().ok().map(Seq)
}

/// The run's facts, at the start of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plate {
    pub(super) first: Seq,
    pub(super) last: Seq,
    pub(super) entries: u64,
    pub(super) bloom_bytes: u64,
    pub(super) bloom_crc: u32,
    pub(super) fences_crc: u32,
}

impl Plate {
    pub(super) fn blocks(&self) -> u64 {
        self.entries.div_ceil(number(ENTRIES_PER_BLOCK))
    }

    fn bloom_offset(&self) -> u64 {
        block_offset(self.blocks())
    }

    fn fences_offset(&self) -> u64 {
        self.bloom_offset().saturating_add(self.bloom_bytes)
    }

    fn fences_bytes(&self) -> u64 {
        self.blocks().saturating_mul(number(FENCE_BYTES))
    }

    /// The length of the whole file.
    pub(super) fn length(&self) -> u64 {
        self.fences_offset().saturating_add(self.fences_bytes())
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(PLATE_BYTES);
        bytes.extend(MAGIC);
        for value in [self.first.0, self.last.0, self.entries, self.bloom_bytes] {
            bytes.extend(value.to_be_bytes());
        }
        bytes.extend(self.bloom_crc.to_be_bytes());
        bytes.extend(self.fences_crc.to_be_bytes());
        bytes.resize(PLATE_BYTES - 4, 0);
        let crc = crc32fast::hash(&bytes);
        bytes.extend(crc.to_be_bytes());
        bytes
    }

    fn decode(bytes: &[u8; PLATE_BYTES]) -> Option<Self> {
        let (body, crc) = bytes.split_last_chunk::<4>()?;
        let rest = body.strip_prefix(MAGIC.as_slice())?;
        if crc32fast::hash(body) != u32::from_be_bytes(*crc) {
            return None;
        }
        let (first, rest) = take_u64(rest)?;
        let (last, rest) = take_u64(rest)?;
        let (entries, rest) = take_u64(rest)?;
        let (bloom_bytes, rest) = take_u64(rest)?;
        let (bloom_crc, rest) = rest.split_first_chunk::<4>()?;
        let (fences_crc, _) = rest.split_first_chunk::<4>()?;
        Some(Self {
            first: Seq(first),
            last: Seq(last),
            entries,
            bloom_bytes,
            bloom_crc: u32::from_be_bytes(*bloom_crc),
            fences_crc: u32::from_be_bytes(*fences_crc),
        })
    }
}

/// A run that is open.
#[derive(Debug)]
pub(super) struct Run {
    name: String,
    file: Arc<dyn DiskFile>,
    plate: Plate,
    bloom: Bloom,
    fences: Vec<u128>,
}

impl Run {
    /// Opens the run that covers these records and checks all of it but its blocks.
    pub(super) fn open(disk: &dyn Disk, first: Seq, last: Seq) -> io::Result<Self> {
        let name = file_name(first, last);
        let file = disk.open(&name)?;
        let mut plate = [0_u8; PLATE_BYTES];
        read_exactly(file.as_ref(), 0, &mut plate)?;
        let plate = Plate::decode(&plate)
            .filter(|plate| plate.first == first && plate.last == last)
            .ok_or_else(|| broken("its first bytes are not those of this run"))?;
        if file.length()? != plate.length()
            || plate.bloom_bytes % number(BLOOM_BLOCK_BYTES) != 0
            || plate.bloom_bytes == 0
        {
            return Err(broken("its length is wrong"));
        }
        let bloom = checked_part(
            file.as_ref(),
            plate.bloom_offset(),
            plate.bloom_bytes,
            plate.bloom_crc,
        )?;
        let fences = checked_part(
            file.as_ref(),
            plate.fences_offset(),
            plate.fences_bytes(),
            plate.fences_crc,
        )?;
        let (fences, _) = fences.as_chunks::<FENCE_BYTES>();
        Ok(Self {
            name,
            file,
            plate,
            bloom: Bloom::from_bytes(&bloom),
            fences: fences
                .iter()
                .map(|fence| u128::from_be_bytes(*fence))
                .collect(),
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn plate(&self) -> &Plate {
        &self.plate
    }

    /// The bytes it keeps in memory.
    pub(super) fn memory_bytes(&self) -> usize {
        let fences = self.fences.len().saturating_mul(FENCE_BYTES);
        self.bloom.len_bytes().saturating_add(fences)
    }

    pub(super) fn find(&self, key: Key) -> io::Result<Option<Position>> {
        if !self.bloom.may_contain(key) {
            return Ok(None);
        }
        let behind = self.fences.partition_point(|fence| *fence <= key.0);
        let Some(number) = behind.checked_sub(1) else {
            return Ok(None);
        };
        let mut block = [0_u8; BLOCK_BYTES];
        let entries = self.read_block(number, &mut block)?;
        let found = entries.binary_search_by_key(&key, |entry| decode(entry).0);
        let found = found.ok().and_then(|index| entries.get(index));
        Ok(found.map(|entry| decode(entry).1))
    }

    /// Reads and checks a block; gives its entries.
    pub(super) fn read_block<'a>(
        &self,
        number: usize,
        block: &'a mut [u8; BLOCK_BYTES],
    ) -> io::Result<&'a [[u8; ENTRY_BYTES]]> {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        read_exactly(self.file.as_ref(), block_offset(number), block)?;
        let before = number.saturating_mul(self::number(ENTRIES_PER_BLOCK));
        let left = usize::try_from(self.plate.entries.saturating_sub(before)).unwrap_or(usize::MAX);
        checked_entries(block, left.min(ENTRIES_PER_BLOCK))
            .ok_or_else(|| broken(&format!("the checksum of block {number} is wrong")))
    }
}

pub(super) fn encode(entry: &Entry) -> [u8; ENTRY_BYTES] {
    let high = entry.0.0;
    let low = (u64::from(entry.1.segment) << 32) | u64::from(entry.1.offset);
    let mut bytes = [0_u8; ENTRY_BYTES];
    let (key, position) = bytes.split_at_mut(FENCE_BYTES);
    key.copy_from_slice(&high.to_be_bytes());
    position.copy_from_slice(&low.to_be_bytes());
    bytes
}

pub(super) fn decode(bytes: &[u8; ENTRY_BYTES]) -> Entry {
    let [key @ .., a, b, c, d, e, f, g, h] = *bytes;
    let position = Position {
        segment: u32::from_be_bytes([a, b, c, d]),
        offset: u32::from_be_bytes([e, f, g, h]),
    };
    (Key(u128::from_be_bytes(key)), position)
}

/// The offset of a block in the file; the plate takes the place of one.
pub(super) fn block_offset(block: u64) -> u64 {
    block.saturating_add(1).saturating_mul(number(BLOCK_BYTES))
}

/// Completes a block: pads its entries and adds the checksum.
pub(super) fn seal(block: &mut Vec<u8>) {
    block.resize(CHECKED_BYTES, 0);
    let crc = crc32fast::hash(block);
    block.extend(crc.to_be_bytes());
}

pub(super) fn number(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX)
}

fn checked_entries(block: &[u8; BLOCK_BYTES], count: usize) -> Option<&[[u8; ENTRY_BYTES]]> {
    let (body, crc) = block.split_last_chunk::<4>()?;
    if crc32fast::hash(body) != u32::from_be_bytes(*crc) {
        return None;
    }
    body.as_chunks::<ENTRY_BYTES>().0.get(..count)
}

pub(super) fn checked_part(
    file: &dyn DiskFile,
    offset: u64,
    bytes: u64,
    crc: u32,
) -> io::Result<Vec<u8>> {
    let mut part = vec![0_u8; usize::try_from(bytes).unwrap_or(usize::MAX)];
    read_exactly(file, offset, &mut part)?;
    if crc32fast::hash(&part) != crc {
        return Err(broken(
            "the checksum of its filter or of its fences is wrong",
        ));
    }
    Ok(part)
}

pub(super) fn read_exactly(file: &dyn DiskFile, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    if file.read_at(offset, buffer)? == buffer.len() {
        Ok(())
    } else {
        Err(broken("it ends too early"))
    }
}

pub(super) fn broken(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

pub(super) fn take_u64(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (value, rest) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_be_bytes(*value), rest))
}
