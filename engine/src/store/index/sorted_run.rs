//! A sorted run: an immutable file of entries in the order of their keys. All entries that the index keeps in files
//! of its own are in such runs: positions of records by fingerprint, and rows that often change.
//!
//! ```text
//! blocks        entries, where they begin, and a checksum: 4096 bytes at most, unless one entry is longer
//! bloom filter  of keys, and of some prefixes; kept in memory
//! block index   first key and place of each block; kept in memory
//! footer        what the run is, the lengths and checksums of the other parts, and a checksum of its own
//! ```
//! Opening checks all but the blocks; a block is checked when it is read. A look-up reads at most one block.

pub(super) mod block;
mod block_index;
mod bloom_filter;
pub(super) mod cursor;
mod footer;
pub(super) mod id;
pub(super) mod writer;

use std::io;
use std::sync::Arc;

use self::block::{BLOCK_BYTES, Block};
use self::block_index::BlockIndex;
use self::bloom_filter::BloomFilter;
use self::footer::{FOOTER_BYTES, Footer};
use self::id::{Family, RunId};
use crate::entries::Key;
use crate::store::disk::{Disk, DiskFile};
use crate::store::identity::content::InstallationTag;
use crate::store::width::{narrow, wide};

/// A sorted run that is open.
#[derive(Debug)]
pub(super) struct SortedRun {
    file: Arc<dyn DiskFile>,
    footer: Footer,
    filter: BloomFilter,
    index: BlockIndex,
}

/// The fingerprint of a key, or of a prefix of keys, in bloom filters.
pub(super) fn fingerprint(family: Family, key: &[u8]) -> Key {
    match (family, key.first_chunk()) {
        // These keys are fingerprints already.
        (Family::Keys, Some(key)) => Key(u128::from_be_bytes(*key)),
        (Family::Keys, None) | (Family::Rows, _) => Key::new("row", &key),
    }
}

impl SortedRun {
    /// Opens this run of this installation and checks all of it but its blocks.
    pub(super) fn open(
        disk: &dyn Disk,
        id: RunId,
        installation: InstallationTag,
    ) -> io::Result<Self> {
        let file = disk.open(&id.name())?;
        let footer = read_footer(file.as_ref())?
            .filter(|footer| footer.id == id)
            .ok_or_else(|| broken("its last bytes are not the footer of this run"))?;
        footer.installation.check(installation, "it")?;
        let part = |offset, bytes, crc| checked_part(file.as_ref(), offset, bytes, crc);
        let filter = part(footer.blocks_bytes, footer.filter_bytes, footer.filter_crc)?;
        let index = part(footer.index_offset(), footer.index_bytes, footer.index_crc)?;
        Ok(Self {
            filter: BloomFilter::from_bytes(&filter)
                .ok_or_else(|| broken("its bloom filter makes no sense"))?,
            index: BlockIndex::read(&index)
                .ok_or_else(|| broken("its block index is not in order"))?,
            file,
            footer,
        })
    }

    pub(super) fn id(&self) -> RunId {
        self.footer.id
    }

    /// Returns the number of its entries, tombstones among them.
    pub(super) fn entries(&self) -> u64 {
        self.footer.entries
    }

    /// Returns the number of its tombstones.
    pub(super) fn tombstones(&self) -> u64 {
        self.footer.tombstones
    }

    /// Returns the number of keys and prefixes in its bloom filter.
    pub(super) fn filter_keys(&self) -> u64 {
        self.footer.entries.saturating_add(self.footer.prefixes)
    }

    /// The length of its file.
    pub(super) fn length(&self) -> u64 {
        self.footer.offset().saturating_add(wide(FOOTER_BYTES))
    }

    /// The bytes it keeps in memory.
    pub(super) fn memory_bytes(&self) -> usize {
        let index = self.index.memory_bytes();
        self.filter.len_bytes().saturating_add(index)
    }

    /// Returns whether it may have the key, or keys with the [prefix](crate::store::schema::Prefixes::prefix), of this
    /// [fingerprint].
    pub(super) fn may_have(&self, fingerprint: Key) -> bool {
        self.filter.may_contain(fingerprint)
    }

    /// Applies `take` to the value that it has for this key, or to the tombstone; `None` when it has neither. When
    /// `take` makes nothing of it, the run is damaged.
    pub(super) fn find<T>(
        &self,
        key: &[u8],
        take: impl Fn(Option<&[u8]>) -> Option<T>,
    ) -> io::Result<Option<T>> {
        let behind = self.index.partition_point(|first| first <= key);
        let Some(number) = behind.checked_sub(1) else {
            return Ok(None);
        };
        let length = narrow(self.range_of(number)?.1);
        let mut buffer = [0; BLOCK_BYTES];
        let bytes = match buffer.get_mut(..length) {
            Some(buffer) => find_in(&self.read_into(number, buffer)?, key, take),
            None => find_in(&self.read_block(number)?, key, take),
        };
        bytes.ok_or_else(|| broken(&format!("block {number} makes no sense")))
    }

    /// All blocks in order: where each begins and how long it is, and its entries as far as they can be read.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (u64, u64, io::Result<Block<Vec<u8>>>)> {
        (0..self.index.len()).map(|number| {
            let (offset, length) = self.range_of(number).unwrap_or_default();
            (offset, length, self.read_block(number))
        })
    }

    fn read_block(&self, number: usize) -> io::Result<Block<Vec<u8>>> {
        let length = narrow(self.range_of(number)?.1);
        self.read_into(number, vec![0; length])
    }

    /// Reads and checks a block, for which the buffer is made.
    fn read_into<B>(&self, number: usize, mut buffer: B) -> io::Result<Block<B>>
    where
        B: AsRef<[u8]> + AsMut<[u8]>,
    {
        let (offset, _) = self.range_of(number)?;
        read_exactly(self.file.as_ref(), offset, buffer.as_mut())?;
        Block::read(buffer).ok_or_else(|| {
            broken(&format!(
                "the block at byte {offset} is not what was written"
            ))
        })
    }

    /// Returns the offset of a block in the file, and its length.
    fn range_of(&self, number: usize) -> io::Result<(u64, u64)> {
        let range = || {
            let start = self.index.offset(number)?;
            let next = self.index.offset(number.checked_add(1)?);
            let end = next.unwrap_or(self.footer.blocks_bytes);
            (end <= self.footer.blocks_bytes).then_some((start, end.checked_sub(start)?))
        };
        range().ok_or_else(|| broken("its block index does not fit its blocks"))
    }
}

/// Returns whether the file of this name is a run of another installation. Not when it is damaged.
pub(super) fn is_foreign(
    disk: &dyn Disk,
    name: &str,
    installation: InstallationTag,
) -> io::Result<bool> {
    match read_footer(disk.open(name)?.as_ref()) {
        Ok(footer) => Ok(footer.is_some_and(|footer| !footer.installation.fits(installation))),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(false),
        Err(error) => Err(error),
    }
}

/// The footer at the end of a file; `None` when there is none that belongs there.
fn read_footer(file: &dyn DiskFile) -> io::Result<Option<Footer>> {
    let offset = file
        .length()?
        .checked_sub(wide(FOOTER_BYTES))
        .ok_or_else(|| broken("it ends too early"))?;
    let mut bytes = [0; FOOTER_BYTES];
    read_exactly(file, offset, &mut bytes)?;
    Ok(Footer::decode(&bytes).filter(|footer| footer.offset() == offset))
}

/// Outside `None` when the block makes no sense.
fn find_in<B: AsRef<[u8]>, T>(
    block: &Block<B>,
    key: &[u8],
    take: impl Fn(Option<&[u8]>) -> Option<T>,
) -> Option<Option<T>> {
    let before = block.partition_point(|other| other < key)?;
    if before >= block.len() {
        return Some(None);
    }
    let place = block.place(before)?;
    if block.key(&place) != key {
        return Some(None);
    }
    take(block.entry(&place).value).map(Some)
}

fn checked_part(file: &dyn DiskFile, offset: u64, bytes: u64, crc: u32) -> io::Result<Vec<u8>> {
    let mut part = vec![0; narrow(bytes)];
    read_exactly(file, offset, &mut part)?;
    if crc32fast::hash(&part) != crc {
        return Err(broken(
            "the checksum of its bloom filter or of its block index is wrong",
        ));
    }
    Ok(part)
}

fn read_exactly(file: &dyn DiskFile, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    if file.read_at(offset, buffer)? == buffer.len() {
        Ok(())
    } else {
        Err(broken("it ends too early"))
    }
}

pub(super) fn broken(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
