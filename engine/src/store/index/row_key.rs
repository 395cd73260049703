//! Keys of rows that compare without leaving the tree's node: most of the time that a row takes to find its
//! place in memory is spent fetching the keys it is compared with.

use std::cmp::Ordering;

const INLINE_BYTES: usize = 48;

/// The bytes of a row's key, the first 48 of them in place. Ordered as the bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowKey {
    /// Padded with zeros.
    head: [u8; INLINE_BYTES],
    length: usize,
    /// The bytes behind the head.
    rest: Option<Box<[u8]>>,
}

impl RowKey {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut head = [0; INLINE_BYTES];
        for (place, byte) in head.iter_mut().zip(bytes) {
            *place = *byte;
        }
        let rest = bytes.get(INLINE_BYTES..).filter(|rest| !rest.is_empty());
        Self {
            head,
            length: bytes.len(),
            rest: rest.map(Into::into),
        }
    }

    /// Returns the number of its bytes that are not in place.
    pub(super) fn heap_bytes(&self) -> usize {
        self.rest.as_ref().map_or(0, |rest| rest.len())
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.to_vec();
        bytes.truncate(self.length);
        bytes.extend(self.rest.iter().flat_map(|rest| rest.iter()));
        bytes
    }
}

impl Ord for RowKey {
    fn cmp(&self, other: &Self) -> Ordering {
        // Where padding makes two heads equal, the shorter key is a prefix of the longer one.
        let by_head = self.head.cmp(&other.head);
        by_head.then_with(|| match (&self.rest, &other.rest) {
            (Some(rest), Some(others)) => rest.cmp(others),
            (None, _) | (_, None) => self.length.cmp(&other.length),
        })
    }
}

impl PartialOrd for RowKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_any_length_survive_encoding_in_byte_order() {
        let mut keys = Vec::new();
        for length in [0, 1, 2, 46, 47, 48, 49, 50, 96, 300] {
            for last in [0, 1, 255] {
                for fill in [0, 7] {
                    let mut key = vec![fill; length];
                    key.extend((length > 0).then_some(last));
                    keys.push(key);
                }
            }
        }
        for left in &keys {
            assert_eq!(&RowKey::new(left).bytes(), left);
            for right in &keys {
                let order = RowKey::new(left).cmp(&RowKey::new(right));
                assert_eq!(order, left.cmp(right), "{left:?} and {right:?}");
            }
        }
    }
}
