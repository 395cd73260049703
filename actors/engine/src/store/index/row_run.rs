//! A row run: an immutable sorted file of rows, or of that they are gone.
//!
//! ```text
//! plate (96 bytes, the rest of 4096 is zero)   magic, number, counts, sizes, checksums
//! blocks                                       about 4096 bytes each: rows, and the crc32 of them
//! bloom filter                                 of keys, and of some prefixes; kept in memory
//! fences                                       first key and place of each block, kept in memory
//! ```
//! Keys are those of rows with the stored number of their list before them, so that one run holds rows of all lists.
//! Opening checks the plate, the length, the filter and the fences; a block is checked when it is read. A lookup
//! reads at most one block.

pub(super) mod block;
pub(super) mod cursor;
mod fences;
pub(super) mod filtered;
pub(super) mod writer;

use std::io;
use std::sync::Arc;

use self::block::Block;
use self::fences::Fences;
use super::bloom::{BLOCK_BYTES as BLOOM_BLOCK_BYTES, Bloom};
use super::run::{broken, checked_part, number as wide, read_exactly, take_u64};
use crate::entries::Key;
use crate::store::disk::{Disk, DiskFile};

const MAGIC: [u8; 8] = *b"SWBROW01";
const PLATE_BYTES: usize = 96;
/// The plate takes so many, as blocks of the disk are.
const PLATE_BYTES_RESERVED: u64 = 4096;
/// What the names of row runs begin with.
pub(super) const PREFIX: &str = "rows-";

/// The name of the run with this number.
pub(super) fn file_name(number: u64) -> String {
    format!("{PREFIX}{number:020}")
}

/// The number in the name of a row run, whatever stands behind it.
pub(super) fn number_of(name: &str) -> Option<u64> {
    let rest = name.strip_prefix(PREFIX)?;
    let number = rest.split_once('.').map_or(rest, |(number, _)| number);
    number.parse().ok()
}

/// What stands for a key, or for a prefix of keys, in the filters.
pub(super) fn fingerprint(key: &[u8]) -> Key {
    Key::of("row", &key)
}

/// The run's facts, at the start of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plate {
    number: u64,
    /// What it has rows for, those that are gone among them.
    rows: u64,
    gone: u64,
    /// How many prefixes its filter has besides the keys.
    prefixes: u64,
    blocks_end: u64,
    bloom_bytes: u64,
    fences_bytes: u64,
    bloom_crc: u32,
    fences_crc: u32,
}

impl Plate {
    fn fences_offset(&self) -> u64 {
        self.blocks_end.saturating_add(self.bloom_bytes)
    }

    fn length(&self) -> u64 {
        self.fences_offset().saturating_add(self.fences_bytes)
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(PLATE_BYTES);
        bytes.extend(MAGIC);
        for value in [
            self.number,
            self.rows,
            self.gone,
            self.prefixes,
            self.blocks_end,
            self.bloom_bytes,
            self.fences_bytes,
        ] {
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
        let (number, rest) = take_u64(rest)?;
        let (rows, rest) = take_u64(rest)?;
        let (gone, rest) = take_u64(rest)?;
        let (prefixes, rest) = take_u64(rest)?;
        let (blocks_end, rest) = take_u64(rest)?;
        let (bloom_bytes, rest) = take_u64(rest)?;
        let (fences_bytes, rest) = take_u64(rest)?;
        let (bloom_crc, rest) = rest.split_first_chunk::<4>()?;
        let (fences_crc, _) = rest.split_first_chunk::<4>()?;
        Some(Self {
            number,
            rows,
            gone,
            prefixes,
            blocks_end,
            bloom_bytes,
            fences_bytes,
            bloom_crc: u32::from_be_bytes(*bloom_crc),
            fences_crc: u32::from_be_bytes(*fences_crc),
        })
    }
}

/// A row run that is open.
#[derive(Debug)]
pub(super) struct RowRun {
    name: String,
    file: Arc<dyn DiskFile>,
    plate: Plate,
    bloom: Bloom,
    fences: Fences,
}

impl RowRun {
    /// Opens the run with this number and checks all of it but its blocks.
    pub(super) fn open(disk: &dyn Disk, number: u64) -> io::Result<Self> {
        let name = file_name(number);
        let file = disk.open(&name)?;
        let mut plate = [0_u8; PLATE_BYTES];
        read_exactly(file.as_ref(), 0, &mut plate)?;
        let plate = Plate::decode(&plate)
            .filter(|plate| plate.number == number)
            .ok_or_else(|| broken("its first bytes are not those of this run"))?;
        if file.length()? != plate.length()
            || plate.bloom_bytes % wide(BLOOM_BLOCK_BYTES) != 0
            || plate.bloom_bytes == 0
        {
            return Err(broken("its length is wrong"));
        }
        let part = |offset, bytes, crc| checked_part(file.as_ref(), offset, bytes, crc);
        let bloom = part(plate.blocks_end, plate.bloom_bytes, plate.bloom_crc)?;
        let fences = part(plate.fences_offset(), plate.fences_bytes, plate.fences_crc)?;
        let fences = Fences::read(&fences).ok_or_else(|| broken("its fences are not in order"))?;
        Ok(Self {
            name,
            file,
            plate,
            bloom: Bloom::from_bytes(&bloom),
            fences,
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn number(&self) -> u64 {
        self.plate.number
    }

    /// How many rows it has, those that are gone among them.
    pub(super) fn rows(&self) -> u64 {
        self.plate.rows
    }

    /// The length of its file.
    pub(super) fn length(&self) -> u64 {
        self.plate.length()
    }

    /// The bytes it keeps in memory.
    pub(super) fn memory_bytes(&self) -> usize {
        self.bloom
            .len_bytes()
            .saturating_add(self.fences.memory_bytes())
    }

    /// How many of its rows are gone.
    pub(super) fn gone(&self) -> u64 {
        self.plate.gone
    }

    /// How many keys and prefixes are in its filter.
    pub(super) fn filter_keys(&self) -> u64 {
        self.plate.rows.saturating_add(self.plate.prefixes)
    }

    /// Whether it may have this key, or rows with this [prefix](crate::store::schema::Prefixes::prefix), given its fingerprint.
    pub(super) fn may_have(&self, fingerprint: Key) -> bool {
        self.bloom.may_contain(fingerprint)
    }

    /// What it has for this key, inside `None` where the row is gone; outside `None` when it has nothing.
    pub(super) fn find(&self, key: &[u8]) -> io::Result<Option<Option<Vec<u8>>>> {
        let behind = self.fences.partition_point(|fence| fence <= key);
        let Some(number) = behind.checked_sub(1) else {
            return Ok(None);
        };
        let block = self.read_block(number)?;
        let index = block.partition_point(|other| other < key);
        if block.key(index) != Some(key) {
            return Ok(None);
        }
        Ok(block.said(index).map(|said| said.value.map(<[u8]>::to_vec)))
    }

    /// Reads all blocks, and says of each where it begins, how long it is and whether it is what was written, in order.
    pub(super) fn look_at_blocks(&self) -> impl Iterator<Item = (u64, u64, io::Result<()>)> {
        let mut previous: Option<Vec<u8>> = None;
        (0..self.fences.len()).map(move |number| {
            let (start, end) = self.place_of(number).unwrap_or_default();
            let looked = self.read_block(number).and_then(|block| {
                for index in 0..block.len() {
                    let key = block.key(index).map(<[u8]>::to_vec);
                    if previous >= key {
                        return Err(broken("its keys are not in order"));
                    }
                    previous = key;
                }
                Ok(())
            });
            (start, end.saturating_sub(start), looked)
        })
    }

    /// Reads and checks a block.
    fn read_block(&self, number: usize) -> io::Result<Block> {
        let (start, end) = self
            .place_of(number)
            .ok_or_else(|| broken("it has no such block"))?;
        let length = end
            .checked_sub(start)
            .and_then(|length| usize::try_from(length).ok())
            .ok_or_else(|| broken("its fences do not fit its blocks"))?;
        let mut bytes = vec![0_u8; length];
        read_exactly(self.file.as_ref(), start, &mut bytes)?;
        Block::read(bytes).ok_or_else(|| {
            broken(&format!(
                "the block at byte {start} is not what was written"
            ))
        })
    }

    /// Where a block begins and ends in the file.
    fn place_of(&self, number: usize) -> Option<(u64, u64)> {
        let start = self.fences.offset(number)?;
        let next = self.fences.offset(number.checked_add(1)?);
        Some((start, next.unwrap_or(self.plate.blocks_end)))
    }
}
