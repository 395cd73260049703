//! A blocked bloom filter: one look at one cache line says «certainly not here».

use crate::entries::Key;

/// Bits per key; with 7 probes in a block of 512 bits about 1 in 150 absent keys passes.
const BITS_PER_KEY: u64 = 12;
const BLOCK_BITS: u64 = 512;
const PROBES: u32 = 7;
/// The bytes of a block: one cache line.
const BLOCK_BYTES: usize = 64;

type Block = [u64; 8];

/// A blocked bloom filter over fingerprints, which are random enough to be used as they are: the upper half
/// of a key chooses the block, the lower half the bits in it.
#[derive(Debug)]
pub(super) struct BloomFilter {
    blocks: Vec<Block>,
}

impl BloomFilter {
    /// An empty filter, large enough for so many keys.
    pub(super) fn for_keys(keys: u64) -> Self {
        let block_count = keys
            .saturating_mul(BITS_PER_KEY)
            .div_ceil(BLOCK_BITS)
            .max(1);
        let length = usize::try_from(block_count).unwrap_or(usize::MAX);
        Self {
            blocks: vec![Block::default(); length],
        }
    }

    /// The filter of these bytes, as [`Self::bytes`] gave them; `None` when there are no such filters.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let (blocks, odd) = words.as_chunks::<8>();
        let is_whole = rest.is_empty() && odd.is_empty() && !blocks.is_empty();
        is_whole.then(|| Self {
            blocks: blocks.to_vec(),
        })
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let words = self.blocks.as_flattened().iter();
        words.flat_map(|word| word.to_le_bytes()).collect()
    }

    pub(super) fn len_bytes(&self) -> usize {
        self.blocks.len().saturating_mul(BLOCK_BYTES)
    }

    pub(super) fn insert(&mut self, key: Key) {
        let number = self.block_number(key);
        if let Some(block) = self.blocks.get_mut(number) {
            for (word, mask) in block.iter_mut().zip(masks(key)) {
                *word |= mask;
            }
        }
    }

    /// Returns whether the key may have been inserted; false is certain.
    pub(super) fn may_contain(&self, key: Key) -> bool {
        let block = self.blocks.get(self.block_number(key));
        block.is_some_and(|block| {
            let mut pairs = block.iter().zip(masks(key));
            pairs.all(|(word, mask)| word & mask == mask)
        })
    }

    fn block_number(&self, key: Key) -> usize {
        let blocks = u128::try_from(self.blocks.len()).unwrap_or(0);
        let number = ((key.0 >> 64).saturating_mul(blocks)) >> 64;
        usize::try_from(number).unwrap_or(0)
    }
}

/// The bits of a key within its block.
fn masks(key: Key) -> Block {
    let mut masks = Block::default();
    for probe in 0..PROBES {
        // Nine bits of the lower half each: three choose the word, six the bit.
        let nine = (key.0 >> (9 * probe)) & 0x1ff;
        let word = usize::try_from(nine >> 6).unwrap_or(0);
        if let Some(mask) = masks.get_mut(word) {
            *mask |= 1 << (nine & 63);
        }
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserted_keys_pass_and_under_two_percent_of_absent_ones() {
        for count in [1_u64, 40, 1_000, 50_000] {
            let mut bloom = BloomFilter::for_keys(count);
            for number in 0..count {
                bloom.insert(Key::new("in", &number));
            }
            let bloom = BloomFilter::from_bytes(&bloom.bytes()).unwrap();
            assert!((0..count).all(|number| bloom.may_contain(Key::new("in", &number))));
            let queries = 20_000_u64;
            let false_positives = (0..queries)
                .filter(|number| bloom.may_contain(Key::new("out", number)))
                .count();
            assert!(
                false_positives < 400,
                "{false_positives} of {queries} absent keys passed a filter of {count}"
            );
        }
    }

    #[test]
    fn invalid_bloom_filter_blocks_are_refused() {
        for length in [0, 63, 65, 72] {
            assert!(BloomFilter::from_bytes(&vec![0; length]).is_none());
        }
    }
}
