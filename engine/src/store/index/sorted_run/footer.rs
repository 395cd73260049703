//! The footer of a sorted run: what the run is, where its parts end, and their checksums.

use super::id::{Family, RunId};
use crate::store::Seq;
use crate::store::identity::content::InstallationTag;

const MAGIC: [u8; 8] = *b"SWBSORT2";
const WORDS: usize = 10;
/// The length of every footer.
pub(super) const FOOTER_BYTES: usize = WORDS * 8 + 3 * 4 + MAGIC.len();

/// The last bytes of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Footer {
    pub(super) id: RunId,
    /// The installation whose index has the run.
    pub(super) installation: InstallationTag,
    pub(super) entries: u64,
    /// The number of tombstones among the entries.
    pub(super) tombstones: u64,
    /// The number of prefixes that its bloom filter has besides the keys.
    pub(super) prefixes: u64,
    pub(super) blocks_bytes: u64,
    pub(super) filter_bytes: u64,
    pub(super) index_bytes: u64,
    pub(super) filter_crc: u32,
    pub(super) index_crc: u32,
}

impl Footer {
    /// Returns the offset of the block index.
    pub(super) fn index_offset(&self) -> u64 {
        self.blocks_bytes.saturating_add(self.filter_bytes)
    }

    /// Returns the offset of the footer.
    pub(super) fn offset(&self) -> u64 {
        self.index_offset().saturating_add(self.index_bytes)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let family = match self.id.family {
            Family::Keys => 1,
            Family::Rows => 2,
        };
        let words: [u64; WORDS] = [
            family,
            self.id.number,
            self.id.last.0,
            u64::from_be_bytes(self.installation.to_bytes()),
            self.entries,
            self.tombstones,
            self.prefixes,
            self.blocks_bytes,
            self.filter_bytes,
            self.index_bytes,
        ];
        let mut bytes = words.map(u64::to_be_bytes).concat();
        bytes.extend(self.filter_crc.to_be_bytes());
        bytes.extend(self.index_crc.to_be_bytes());
        let crc = crc32fast::hash(&bytes);
        bytes.extend(crc.to_be_bytes());
        bytes.extend(MAGIC);
        bytes
    }

    /// `None` when these bytes are no footer.
    pub(super) fn decode(bytes: &[u8; FOOTER_BYTES]) -> Option<Self> {
        let (body, crc) = bytes
            .strip_suffix(MAGIC.as_slice())?
            .split_last_chunk::<4>()?;
        if crc32fast::hash(body) != u32::from_be_bytes(*crc) {
            return None;
        }
        let (rest, index_crc) = body.split_last_chunk::<4>()?;
        let (words, filter_crc) = rest.split_last_chunk::<4>()?;
        let words = <[[u8; 8]; WORDS]>::try_from(words.as_chunks().0).ok()?;
        let [
            family,
            number,
            last,
            installation,
            entries,
            tombstones,
            prefixes,
            blocks_bytes,
            filter_bytes,
            index_bytes,
        ] = words.map(u64::from_be_bytes);
        let family = match family {
            1 => Family::Keys,
            2 => Family::Rows,
            _ => return None,
        };
        let last = Seq(last);
        Some(Self {
            id: RunId {
                family,
                number,
                last,
            },
            installation: InstallationTag::from_bytes(installation.to_be_bytes()),
            entries,
            tombstones,
            prefixes,
            blocks_bytes,
            filter_bytes,
            index_bytes,
            filter_crc: u32::from_be_bytes(*filter_crc),
            index_crc: u32::from_be_bytes(*index_crc),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_of_a_footer_is_detected() {
        for family in Family::ALL {
            let footer = Footer {
                id: RunId {
                    family,
                    number: 2,
                    last: Seq(3),
                },
                installation: InstallationTag::from_bytes([1; 8]),
                entries: 4,
                tombstones: 5,
                prefixes: 6,
                blocks_bytes: 7,
                filter_bytes: 8,
                index_bytes: 9,
                filter_crc: 10,
                index_crc: 11,
            };
            let bytes = <[u8; FOOTER_BYTES]>::try_from(footer.encode()).unwrap();
            assert_eq!(Footer::decode(&bytes), Some(footer));
            assert_eq!(footer.offset(), 7 + 8 + 9);
            for at in 0..FOOTER_BYTES {
                let mut copy = bytes;
                copy[at] ^= 1;
                assert_eq!(Footer::decode(&copy), None, "byte {at}");
            }
        }
    }
}
