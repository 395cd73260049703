//! A block of a row run: some rows one after the other, and the checksum of them.
//!
//! ```text
//! rows    length of the key (u16), flags (u8), length of the value (u32), key, value
//! end     crc32 of all before it
//! ```
//! Flags: 1 the row is gone; 2 no older run has it.

use std::ops::Range;

/// A block is closed when it has so many bytes, or more: its last row may be long.
pub(super) const BLOCK_BYTES: usize = 4096;
const CRC_BYTES: usize = 4;
const HEAD_BYTES: usize = 7;
const IS_GONE: u8 = 1;
const IS_NEW: u8 = 2;

/// What a run says of the row with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said<'a> {
    /// `None`: it is gone.
    pub(crate) value: Option<&'a [u8]>,
    /// Whether no older run has it, so that nothing need be told when it goes.
    pub(crate) is_new: bool,
}

/// A block that is being filled.
#[derive(Debug, Default)]
pub(super) struct Filling {
    bytes: Vec<u8>,
}

impl Filling {
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() >= BLOCK_BYTES
    }

    /// Adds a row; `None` when its key or its value is longer than the format can say.
    pub(super) fn push(&mut self, key: &[u8], said: Said<'_>) -> Option<()> {
        let key_bytes = u16::try_from(key.len()).ok()?;
        let value = said.value.unwrap_or_default();
        let value_bytes = u32::try_from(value.len()).ok()?;
        let gone = if said.value.is_none() { IS_GONE } else { 0 };
        let new = if said.is_new { IS_NEW } else { 0 };
        self.bytes.extend(key_bytes.to_be_bytes());
        self.bytes.push(gone | new);
        self.bytes.extend(value_bytes.to_be_bytes());
        self.bytes.extend(key);
        self.bytes.extend(value);
        Some(())
    }

    /// Completes the block, appends it to `out`, and is empty again.
    pub(super) fn seal_into(&mut self, out: &mut Vec<u8>) {
        out.extend(&self.bytes);
        out.extend(crc32fast::hash(&self.bytes).to_be_bytes());
        self.bytes.clear();
    }
}

/// Where the parts of a row are in a block.
#[derive(Debug)]
struct Place {
    key: Range<usize>,
    value: Range<usize>,
    flags: u8,
}

/// A block that was read.
#[derive(Debug, Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
    rows: Vec<Place>,
}

impl Block {
    /// The rows of these bytes; `None` when they are not those that were written.
    pub(super) fn read(bytes: Vec<u8>) -> Option<Self> {
        let (body, crc) = bytes.split_last_chunk::<CRC_BYTES>()?;
        if body.is_empty() || crc32fast::hash(body) != u32::from_be_bytes(*crc) {
            return None;
        }
        let mut rows = Vec::new();
        let mut at = 0_usize;
        while at < body.len() {
            let (&[a, b, flags, c, d, e, f], _) =
                body.get(at..)?.split_first_chunk::<HEAD_BYTES>()?;
            let key_start = at.checked_add(HEAD_BYTES)?;
            let key_end = key_start.checked_add(usize::from(u16::from_be_bytes([a, b])))?;
            let value_bytes = usize::try_from(u32::from_be_bytes([c, d, e, f])).ok()?;
            at = key_end.checked_add(value_bytes)?;
            if at > body.len() {
                return None;
            }
            rows.push(Place {
                key: key_start..key_end,
                value: key_end..at,
                flags,
            });
        }
        Some(Self { bytes, rows })
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The key of the row at `index`.
    pub(super) fn key(&self, index: usize) -> Option<&[u8]> {
        let place = self.rows.get(index)?;
        self.bytes.get(place.key.clone())
    }

    /// What is said of the row at `index`.
    pub(super) fn said(&self, index: usize) -> Option<Said<'_>> {
        let place = self.rows.get(index)?;
        let value = self.bytes.get(place.value.clone())?;
        Some(Said {
            value: (place.flags & IS_GONE == 0).then_some(value),
            is_new: place.flags & IS_NEW != 0,
        })
    }

    /// How many of its rows have keys of which `is_before` says so; they must be the first ones.
    pub(super) fn partition_point(&self, is_before: impl Fn(&[u8]) -> bool) -> usize {
        self.rows
            .partition_point(|place| self.bytes.get(place.key.clone()).is_some_and(&is_before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_every_changed_or_missing_byte_is_noticed() {
        let mut filling = Filling::default();
        let long = vec![7; 70_000];
        let rows: [(&[u8], Option<&[u8]>); 4] = [
            (b"", Some(b"")),
            (b"a", None),
            (b"ab", Some(b"value")),
            (b"b", Some(&long)),
        ];
        let said = |(key, value): (&[u8], _)| Said {
            value,
            is_new: key == b"ab",
        };
        for row in rows {
            filling.push(row.0, said(row)).unwrap();
        }
        assert!(filling.is_full());
        let mut bytes = Vec::new();
        filling.seal_into(&mut bytes);
        assert!(filling.is_empty());
        let block = Block::read(bytes.clone()).unwrap();
        assert_eq!(block.len(), rows.len());
        for (index, row) in rows.into_iter().enumerate() {
            assert_eq!(block.key(index), Some(row.0));
            assert_eq!(block.said(index), Some(said(row)));
        }
        assert_eq!((block.key(4), block.said(4)), (None, None));
        assert_eq!(block.partition_point(|key| key < b"ab".as_slice()), 2);
        for at in (0..bytes.len()).step_by(997).chain(0..40) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(Block::read(changed).is_none(), "byte {at}");
            assert!(Block::read(bytes[..at].to_vec()).is_none(), "cut at {at}");
        }
    }

    #[test]
    fn lengths_that_lead_out_of_a_block_are_refused_whatever_its_checksum_says() {
        for body in [
            &[0, 9, 0, 0, 0, 0, 0, b'k'][..],
            &[0, 1, 0, 255, 255, 255, 255, b'k'],
            &[0, 1, 0, 0, 0, 0, 1, b'k'],
            &[0, 1, 0],
        ] {
            let mut bytes = body.to_vec();
            bytes.extend(crc32fast::hash(body).to_be_bytes());
            assert!(Block::read(bytes).is_none(), "{body:?}");
        }
    }

    #[test]
    fn a_key_that_the_format_cannot_say_is_refused() {
        let mut filling = Filling::default();
        let gone = Said {
            value: None,
            is_new: false,
        };
        assert_eq!(filling.push(&vec![0; 65_536], gone), None);
        assert!(filling.is_empty());
    }
}
