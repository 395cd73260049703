//! A block of a sorted run: some entries, where each begins, and a checksum.
//!
//! ```text
//! entries  length of the key (varint), length of the value and flags (varint: length × 4 + flags), key, value
//! offsets  where each entry begins (u16)
//! end      how many entries (u16), crc32 of all before it
//! ```
//! Flags: 1 a tombstone; 2 no older run has the key.

use std::ops::Range;

/// No block is longer, but one of a single long entry.
pub(super) const BLOCK_BYTES: usize = 4096;
const OFFSET_BYTES: usize = 2;
const COUNT_BYTES: usize = 2;
const CRC_BYTES: usize = 4;
/// The longest varint, of 34 bits.
const VARINT_BYTES: usize = 5;
const IS_TOMBSTONE: u64 = 1;
const IS_NEW: u64 = 2;
const FLAG_BITS: u32 = 2;

/// The entry that a run has for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunEntry<'a> {
    /// `None`: a tombstone.
    pub(crate) value: Option<&'a [u8]>,
    /// True when no older run has the key, so that it needs no tombstone when it goes.
    pub(crate) is_new: bool,
}

/// A block that is being filled.
#[derive(Debug, Default)]
pub(super) struct BlockBuilder {
    entries: Vec<u8>,
    offsets: Vec<u8>,
}

impl BlockBuilder {
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns whether the block does not become too long by this entry.
    pub(super) fn has_room_for(&self, key: &[u8], entry: RunEntry<'_>) -> bool {
        let around = 2 * VARINT_BYTES + OFFSET_BYTES + COUNT_BYTES + CRC_BYTES;
        let bytes = [
            &self.entries,
            &self.offsets,
            key,
            entry.value.unwrap_or_default(),
        ]
        .map(<[u8]>::len)
        .into_iter()
        .fold(around, usize::saturating_add);
        self.is_empty() || bytes <= BLOCK_BYTES
    }

    /// Adds an entry; `None` when its key or its value is longer than the format can say.
    pub(super) fn push(&mut self, key: &[u8], entry: RunEntry<'_>) -> Option<()> {
        let offset = u16::try_from(self.entries.len()).ok()?;
        let key_bytes = u16::try_from(key.len()).ok()?;
        let value = entry.value.unwrap_or_default();
        let value_bytes = u32::try_from(value.len()).ok()?;
        let tombstone = if entry.value.is_none() {
            IS_TOMBSTONE
        } else {
            0
        };
        let new = if entry.is_new { IS_NEW } else { 0 };
        let value_field = u64::from(value_bytes) << FLAG_BITS | tombstone | new;
        push_varint(&mut self.entries, u64::from(key_bytes));
        push_varint(&mut self.entries, value_field);
        self.entries.extend(key);
        self.entries.extend(value);
        self.offsets.extend(offset.to_be_bytes());
        Some(())
    }

    /// Completes the block, appends it to `out`, and is empty again.
    pub(super) fn seal_into(&mut self, out: &mut Vec<u8>) {
        // No more than there are offsets of two bytes.
        let count = u16::try_from(self.offsets.len() / OFFSET_BYTES).unwrap_or(u16::MAX);
        let start = out.len();
        out.append(&mut self.entries);
        out.append(&mut self.offsets);
        out.extend(count.to_be_bytes());
        let crc = crc32fast::hash(out.get(start..).unwrap_or_default());
        out.extend(crc.to_be_bytes());
    }
}

/// The places of the parts of an entry in a block.
#[derive(Debug)]
pub(crate) struct Place {
    key: Range<usize>,
    value: Range<usize>,
    flags: u64,
}

/// A block that was read.
#[derive(Debug, Default)]
pub(crate) struct Block<B> {
    bytes: B,
    entries_bytes: usize,
    count: usize,
}

impl<B: AsRef<[u8]>> Block<B> {
    /// The block of these bytes; `None` when they are not those that were written.
    pub(super) fn read(bytes: B) -> Option<Self> {
        let (body, crc) = bytes.as_ref().split_last_chunk::<CRC_BYTES>()?;
        if crc32fast::hash(body) != u32::from_be_bytes(*crc) {
            return None;
        }
        let (body, count) = body.split_last_chunk::<COUNT_BYTES>()?;
        let count = usize::from(u16::from_be_bytes(*count));
        let offsets_bytes = count.checked_mul(OFFSET_BYTES).filter(|bytes| *bytes > 0)?;
        Some(Self {
            entries_bytes: body.len().checked_sub(offsets_bytes)?,
            count,
            bytes,
        })
    }

    /// Returns the number of its entries.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Returns the place of the entry at `index`; `None` when there is none, or when what is there makes no sense.
    pub(crate) fn place(&self, index: usize) -> Option<Place> {
        let bytes = self.bytes.as_ref();
        let (entries, offsets) = bytes.split_at_checked(self.entries_bytes)?;
        let (offsets, _) = offsets.as_chunks::<OFFSET_BYTES>();
        let offset = offsets.get(..self.count)?.get(index)?;
        let start = usize::from(u16::from_be_bytes(*offset));
        let head = entries.get(start..)?;
        let (key_bytes, rest) = take_varint(head)?;
        let (value_field, rest) = take_varint(rest)?;
        let key_start = entries.len().checked_sub(rest.len())?;
        let key_end = key_start.checked_add(usize::try_from(key_bytes).ok()?)?;
        let value_bytes = usize::try_from(value_field >> FLAG_BITS).ok()?;
        let value_end = key_end.checked_add(value_bytes)?;
        (value_end <= entries.len()).then_some(Place {
            key: key_start..key_end,
            value: key_end..value_end,
            flags: value_field,
        })
    }

    pub(crate) fn key(&self, place: &Place) -> &[u8] {
        let bytes = self.bytes.as_ref();
        bytes.get(place.key.clone()).unwrap_or_default()
    }

    pub(crate) fn entry(&self, place: &Place) -> RunEntry<'_> {
        let value = self.bytes.as_ref().get(place.value.clone());
        RunEntry {
            value: value.filter(|_| place.flags & IS_TOMBSTONE == 0),
            is_new: place.flags & IS_NEW != 0,
        }
    }

    /// Returns the number of its entries with keys of which `is_before` says so; they must be the first ones. `None` when the
    /// block makes no sense.
    pub(super) fn partition_point(&self, is_before: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            if is_before(self.key(&self.place(middle)?)) {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        Some(low)
    }
}

fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        let [low, ..] = value.to_le_bytes();
        out.push(low | 0x80);
        value >>= 7;
    }
    let [low, ..] = value.to_le_bytes();
    out.push(low);
}

fn take_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    let mut rest = bytes;
    for shift in (0..).step_by(7).take(VARINT_BYTES) {
        let (byte, behind) = rest.split_first()?;
        rest = behind;
        value |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some((value, rest));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: Option<&[u8]>) -> RunEntry<'_> {
        RunEntry {
            value,
            is_new: false,
        }
    }

    fn sealed(builder: &mut BlockBuilder) -> Vec<u8> {
        let mut bytes = Vec::new();
        builder.seal_into(&mut bytes);
        assert!(builder.is_empty());
        bytes
    }

    /// Entries come back, and every changed or missing byte is detected.
    #[test]
    fn entries_survive_encoding_and_damaged_bytes_are_detected() {
        let mut builder = BlockBuilder::default();
        let long = vec![7; 70_000];
        let rows: [(&[u8], Option<&[u8]>); 4] = [
            (b"", Some(b"")),
            (b"a", None),
            (b"ab", Some(b"value")),
            (b"b", Some(&long)),
        ];
        let entry = |(key, value): (&[u8], _)| RunEntry {
            value,
            is_new: key == b"ab",
        };
        for row in rows {
            builder.push(row.0, entry(row)).unwrap();
        }
        let bytes = sealed(&mut builder);
        let block = Block::read(bytes.clone()).unwrap();
        assert_eq!(block.len(), rows.len());
        for (index, row) in rows.into_iter().enumerate() {
            let place = block.place(index).unwrap();
            assert_eq!(
                (block.key(&place), block.entry(&place)),
                (row.0, entry(row))
            );
        }
        assert!(block.place(4).is_none());
        let before = block.partition_point(|key| key < b"ab".as_slice());
        assert_eq!(before, Some(2));
        for at in (0..bytes.len()).step_by(997).chain(0..40) {
            let mut copy = bytes.clone();
            copy[at] ^= 1;
            assert!(Block::read(copy).is_none(), "byte {at}");
            assert!(Block::read(&bytes[..at]).is_none(), "cut at {at}");
        }
    }

    #[test]
    fn a_block_has_as_much_as_fits_its_length_or_one_long_entry() {
        let mut builder = BlockBuilder::default();
        let long = vec![7; BLOCK_BYTES];
        assert!(builder.has_room_for(&long, entry(Some(&long))));
        let mut count = 0;
        while builder.has_room_for(&[1; 16], entry(Some(&[2; 8]))) {
            builder.push(&[1; 16], entry(Some(&[2; 8]))).unwrap();
            count += 1;
        }
        assert!(!builder.has_room_for(b"", entry(Some(&long))));
        let bytes = sealed(&mut builder);
        assert!((BLOCK_BYTES - 40..=BLOCK_BYTES).contains(&bytes.len()));
        assert_eq!(Block::read(&bytes).unwrap().len(), count);
        assert!(count > 140, "{count} keys with their positions");
    }

    /// Offsets and lengths that lead out of a block are refused, even with a valid checksum.
    #[test]
    fn offsets_beyond_a_block_are_refused_despite_a_valid_checksum() {
        for body in [
            &[1, 0, b'k', 0, 9, 0, 1][..],
            &[9, 0, b'k', 0, 0, 0, 1],
            &[1, 4, b'k', 0, 0, 0, 1],
            &[1, 0xff, 0xff, 0xff, 0xff, 0x7f, b'k', 0, 0, 0, 1],
            &[1, 0x80, 0x80, 0x80, 0x80, 0x80, 0, b'k', 0, 0, 0, 1],
            &[1, 0, b'k', 0, 0, 0, 9],
            &[0, 0],
            &[0],
        ] {
            let mut bytes = body.to_vec();
            bytes.extend(crc32fast::hash(body).to_be_bytes());
            let place = Block::read(&bytes).map(|block| {
                assert_eq!(block.partition_point(|_| true), None);
                block.place(0)
            });
            assert!(place.flatten().is_none(), "{body:?}");
        }
    }

    #[test]
    fn a_key_that_the_format_cannot_hold_is_refused() {
        let mut builder = BlockBuilder::default();
        assert_eq!(builder.push(&vec![0; 65_536], entry(None)), None);
        assert!(builder.is_empty());
    }
}
