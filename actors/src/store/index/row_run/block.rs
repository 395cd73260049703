//! A block of a row run: some rows one after the other, and the checksum of them.
//!
//! ```text
//! rows    length of the key (u16), length of the value plus one (u32; 0: the row is gone), key, value
//! end     crc32 of all before it
//! ```

use std::ops::Range;

/// A block is closed when it has so many bytes, or more: its last row may be long.
pub(super) const BLOCK_BYTES: usize = 4096;
const CRC_BYTES: usize = 4;
const HEAD_BYTES: usize = 6;

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
    pub(super) fn push(&mut self, key: &[u8], value: Option<&[u8]>) -> Option<()> {
        let key_bytes = u16::try_from(key.len()).ok()?;
        let value_bytes = match value {
            Some(value) => u32::try_from(value.len()).ok()?.checked_add(1)?,
            None => 0,
        };
        self.bytes.extend(key_bytes.to_be_bytes());
        self.bytes.extend(value_bytes.to_be_bytes());
        self.bytes.extend(key);
        self.bytes.extend(value.unwrap_or_default());
        Some(())
    }

    /// Completes the block, appends it to `out`, and is empty again.
    pub(super) fn seal_into(&mut self, out: &mut Vec<u8>) {
        out.extend(&self.bytes);
        out.extend(crc32fast::hash(&self.bytes).to_be_bytes());
        self.bytes.clear();
    }
}

/// A block that was read.
#[derive(Debug, Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
    rows: Vec<(Range<usize>, Option<Range<usize>>)>,
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
            let (&[a, b, c, d, e, f], _) = body.get(at..)?.split_first_chunk::<HEAD_BYTES>()?;
            let key_start = at.checked_add(HEAD_BYTES)?;
            let key_end = key_start.checked_add(usize::from(u16::from_be_bytes([a, b])))?;
            let value_bytes = u32::from_be_bytes([c, d, e, f]).checked_sub(1);
            let value = match value_bytes {
                Some(length) => {
                    let end = key_end.checked_add(usize::try_from(length).ok()?)?;
                    Some(key_end..end)
                }
                None => None,
            };
            at = value.as_ref().map_or(key_end, |value| value.end);
            if at > body.len() {
                return None;
            }
            rows.push((key_start..key_end, value));
        }
        Some(Self { bytes, rows })
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The key of the row at `index`.
    pub(super) fn key(&self, index: usize) -> Option<&[u8]> {
        let (key, _) = self.rows.get(index)?;
        self.bytes.get(key.clone())
    }

    /// The value of the row at `index`; inside `None`: it is gone.
    pub(super) fn value(&self, index: usize) -> Option<Option<&[u8]>> {
        match &self.rows.get(index)?.1 {
            Some(value) => self.bytes.get(value.clone()).map(Some),
            None => Some(None),
        }
    }

    /// How many of its rows have keys of which `is_before` says so; they must be the first ones.
    pub(super) fn partition_point(&self, is_before: impl Fn(&[u8]) -> bool) -> usize {
        self.rows
            .partition_point(|(key, _)| self.bytes.get(key.clone()).is_some_and(&is_before))
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
        for (key, value) in rows {
            filling.push(key, value).unwrap();
        }
        assert!(filling.is_full());
        let mut bytes = Vec::new();
        filling.seal_into(&mut bytes);
        assert!(filling.is_empty());
        let block = Block::read(bytes.clone()).unwrap();
        assert_eq!(block.len(), rows.len());
        for (index, (key, value)) in rows.into_iter().enumerate() {
            assert_eq!(block.key(index), Some(key));
            assert_eq!(block.value(index), Some(value));
        }
        assert_eq!((block.key(4), block.value(4)), (None, None));
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
            &[0, 9, 0, 0, 0, 1, b'k'][..],
            &[0, 1, 255, 255, 255, 255, b'k'],
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
        assert_eq!(filling.push(&vec![0; 65_536], None), None);
        assert!(filling.is_empty());
    }
}
