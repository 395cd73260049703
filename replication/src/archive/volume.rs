//! A volume: many entries of the archive in one compressed object, in the place of the small objects that they were.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::entry::{Entry, EntryError};
use crate::position::Position;
use crate::store::VOLUMES;

/// The most bytes of the entries of a volume: a merge takes no further entry beyond 64 MiB.
const BYTES_MAX: u64 = 512 << 20;

/// From which to which position the entries of a volume are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VolumeName {
    pub(crate) first: Position,
    pub(crate) last: Position,
}

impl VolumeName {
    /// The key of the volume.
    pub(crate) fn key(self) -> String {
        format!("{VOLUMES}/{}-{}", self.first.name(), self.last.name())
    }

    /// The volume with this key; `None`: another object has it.
    pub(crate) fn from_key(key: &str) -> Option<Self> {
        let name = key.strip_prefix(VOLUMES)?.strip_prefix('/')?;
        let (first, last) = name.split_once('-')?;
        let first = Position::from_name(first)?;
        let last = Position::from_name(last)?;
        (first <= last).then_some(Self { first, last })
    }
}

/// The reason for which bytes are not a volume.
#[derive(Debug, thiserror::Error)]
pub(crate) enum VolumeError {
    /// It cannot be decompressed, or ends within an entry.
    #[error("it cannot be decompressed: {0}")]
    Compressed(#[from] io::Error),
    /// One of its entries is not right.
    #[error("its entry {position}: {bad}")]
    Entry {
        /// The position that was due.
        position: u64,
        /// The fault, for people.
        bad: EntryError,
    },
}

/// Compresses entries: each is preceded by its length.
///
/// # Errors
/// Only if an entry is longer than 4 GiB.
pub(crate) fn encode<'e>(entries: impl IntoIterator<Item = &'e [u8]>) -> io::Result<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    for entry in entries {
        let length = u32::try_from(entry.len()).map_err(io::Error::other)?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(entry)?;
    }
    out.finish()
}

/// The entries of a volume, which begins with the position `first`.
///
/// # Errors
/// When it is damaged.
pub(crate) fn decode(bytes: &[u8], first: Position) -> Result<Vec<Entry>, VolumeError> {
    let mut stream = GzDecoder::new(bytes).take(BYTES_MAX.saturating_add(1));
    let mut all = Vec::new();
    stream.read_to_end(&mut all)?;
    if u64::try_from(all.len()).is_ok_and(|length| length > BYTES_MAX) {
        return Err(io::Error::other("it is larger than a volume can be").into());
    }
    let mut rest = all.as_slice();
    let mut entries = Vec::new();
    let mut position = first;
    let short = || VolumeError::Compressed(io::ErrorKind::UnexpectedEof.into());
    while !rest.is_empty() {
        let (length, behind) = rest.split_first_chunk().ok_or_else(short)?;
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(io::Error::other)?;
        let (entry, behind) = behind.split_at_checked(length).ok_or_else(short)?;
        let entry = Entry::decode(entry).map_err(|bad| VolumeError::Entry {
            position: position.0,
            bad,
        })?;
        entries.push(entry);
        position = position.next();
        rest = behind;
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::EntryId;
    use crate::entry::tests::groups;

    #[test]
    fn entries_come_out_of_a_volume_as_they_went_in() {
        let entries = [1, 2].map(|position| groups(position, EntryId::default(), &[7; 500]));
        let bytes = entries.each_ref().map(Entry::encode);
        let volume = encode(bytes.iter().map(Vec::as_slice)).unwrap();
        assert!(volume.len() < 700, "it is compressed: {}", volume.len());
        assert_eq!(decode(&volume, Position(1)).unwrap(), entries);
        for length in 0..volume.len() {
            let cut = decode(&volume[..length], Position(1));
            assert!(cut.is_err(), "cut at {length}");
        }
    }

    #[test]
    fn a_volume_has_one_name() {
        let name = VolumeName {
            first: Position(2),
            last: Position(9),
        };
        let key = "volumes/0000000000000002-0000000000000009";
        assert_eq!(name.key(), key);
        assert_eq!(VolumeName::from_key(key), Some(name));
        let turned = "volumes/0000000000000009-0000000000000002";
        assert_eq!(VolumeName::from_key(turned), None);
    }
}
