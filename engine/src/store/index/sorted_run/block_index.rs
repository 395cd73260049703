//! The block index of a sorted run: where each block begins, and with which key. It stays in memory as long as the
//! run is open, so the keys lie close together.

/// The first keys of all blocks with their places.
#[derive(Debug, Default)]
pub(super) struct BlockIndex {
    /// All keys, one behind the other.
    keys: Vec<u8>,
    /// Of each block where its key ends in `keys`, and where it begins in the file.
    blocks: Vec<(u32, u64)>,
}

impl BlockIndex {
    /// Adds the block that begins at `offset` with this key; `None` when there are too many.
    pub(super) fn push(&mut self, key: &[u8], offset: u64) -> Option<()> {
        let end = self.keys.len().checked_add(key.len())?;
        self.blocks.push((u32::try_from(end).ok()?, offset));
        self.keys.extend(key);
        Some(())
    }

    /// Returns the number of blocks.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the offset in the file of the block with this number.
    pub(super) fn offset(&self, block: usize) -> Option<u64> {
        self.blocks.get(block).map(|(_, offset)| *offset)
    }

    /// Returns the number of blocks that begin with a key of which `is_before` says so; they must be the first ones.
    pub(super) fn partition_point(&self, is_before: impl Fn(&[u8]) -> bool) -> usize {
        let (mut low, mut high) = (0, self.blocks.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.key(middle).is_some_and(&is_before) {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        low
    }

    /// The bytes that it takes in memory.
    pub(super) fn memory_bytes(&self) -> usize {
        let blocks = self
            .blocks
            .capacity()
            .saturating_mul(size_of::<(u32, u64)>());
        self.keys.capacity().saturating_add(blocks)
    }

    /// The stored form: the place of each block, the length of its key (u16), its key.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.keys.len().saturating_add(self.len() * 10));
        for number in 0..self.len() {
            let key = self.key(number).unwrap_or_default();
            bytes.extend(self.offset(number).unwrap_or_default().to_be_bytes());
            // Keys that do not fit were refused by their block.
            bytes.extend(u16::try_from(key.len()).unwrap_or(u16::MAX).to_be_bytes());
            bytes.extend(key);
        }
        bytes
    }

    /// The index of these bytes; `None` when they make no sense.
    pub(super) fn read(mut bytes: &[u8]) -> Option<Self> {
        let mut index = Self::default();
        while !bytes.is_empty() {
            let (offset, rest) = bytes.split_first_chunk::<8>()?;
            let (length, rest) = rest.split_first_chunk::<2>()?;
            let length = usize::from(u16::from_be_bytes(*length));
            let (key, rest) = rest.split_at_checked(length)?;
            index.push(key, u64::from_be_bytes(*offset))?;
            bytes = rest;
        }
        index.keys.shrink_to_fit();
        index.blocks.shrink_to_fit();
        let places = index.blocks.iter().map(|(_, offset)| offset);
        places
            .is_sorted_by(|left, right| left < right)
            .then_some(index)
    }

    fn key(&self, block: usize) -> Option<&[u8]> {
        let (end, _) = self.blocks.get(block)?;
        let before = block
            .checked_sub(1)
            .and_then(|number| self.blocks.get(number));
        let start = before.map_or(0, |(end, _)| *end);
        let range = usize::try_from(start).ok()?..usize::try_from(*end).ok()?;
        self.keys.get(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_survive_encoding_and_lead_to_their_blocks() {
        let keys: [&[u8]; 5] = [b"", b"aa", b"ab", b"b", b"cccc"];
        let mut index = BlockIndex::default();
        for (key, offset) in keys.into_iter().zip((4096..).step_by(5000)) {
            index.push(key, offset).unwrap();
        }
        let index = BlockIndex::read(&index.bytes()).unwrap();
        assert_eq!(index.len(), keys.len());
        for (number, key) in keys.into_iter().enumerate() {
            assert_eq!(index.partition_point(|first| first < key), number);
            assert_eq!(index.partition_point(|first| first <= key), number + 1);
        }
        assert_eq!(index.offset(2), Some(14_096));
        assert_eq!(index.offset(5), None);
        assert!(index.memory_bytes() < 200);
    }

    #[test]
    fn invalid_block_indexes_are_refused() {
        let mut index = BlockIndex::default();
        index.push(b"a", 9).unwrap();
        index.push(b"b", 9).unwrap();
        assert!(
            BlockIndex::read(&index.bytes()).is_none(),
            "two at one place"
        );
        let bytes = index.bytes();
        for length in [1, 9, 10, 12] {
            assert!(
                BlockIndex::read(&bytes[..length]).is_none(),
                "cut at {length}"
            );
        }
    }
}
