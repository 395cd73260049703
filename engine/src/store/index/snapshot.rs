//! Snapshots as rows: in pieces when they are large, with a checksum over the whole.
//!
//! ```text
//! key    kind of the stream, length of its id, its id, number of the piece (two bytes)
//! value  of piece 0: version 1, number of pieces (two bytes), crc32 of the JSON, JSON …
//!        of the others: … JSON
//! ```

use super::error::IndexError;
use super::stored_rows::StoredRows;
use crate::entries::Row;
use crate::store::Seq;
use crate::store::identity::content::InstallationTag;
use crate::store::tables::{Tables, TablesError, VALUE_BYTES_MAX};
use crate::stream::StreamKey;
use crate::table::{SNAPSHOTS, Table};

const VERSION: u8 = 1;
const HEAD_BYTES: usize = 7;
/// No stream has this name: kinds are counted from 1.
const UP_TO_KEY: [u8; 1] = [0];

/// A snapshot as it was read back.
pub(super) struct StoredSnapshot {
    pub(super) json: Vec<u8>,
    pieces: u16,
}

/// A snapshot cannot be read back.
#[derive(Debug)]
pub(super) enum SnapshotError {
    /// Its rows cannot be read.
    Rows(IndexError),
    /// Its bytes are not those that were written.
    Broken,
}

/// Reads the snapshot of a stream from the table that has those of its kind.
pub(super) fn read(
    stored: StoredRows<'_>,
    table: Table,
    stream: &StreamKey,
) -> Result<Option<StoredSnapshot>, SnapshotError> {
    let piece = |number| stored.get(table, &key(stream, number));
    let Some(head) = piece(0).map_err(SnapshotError::Rows)? else {
        return Ok(None);
    };
    let Some(([version, pieces @ .., a, b, c, d], json)) = head.split_first_chunk::<HEAD_BYTES>()
    else {
        return Err(SnapshotError::Broken);
    };
    let pieces = u16::from_be_bytes(*pieces);
    let mut json = json.to_vec();
    for number in 1..pieces {
        let more = piece(number).map_err(SnapshotError::Rows)?;
        json.extend(more.ok_or(SnapshotError::Broken)?);
    }
    if *version != VERSION || crc32fast::hash(&json) != u32::from_be_bytes([*a, *b, *c, *d]) {
        return Err(SnapshotError::Broken);
    }
    Ok(Some(StoredSnapshot { json, pieces }))
}

/// Returns whether the stored snapshot of a stream has more than one piece. Runs mostly answer from their bloom filters.
pub(super) fn has_pieces(
    stored: StoredRows<'_>,
    table: Table,
    stream: &StreamKey,
) -> Result<bool, IndexError> {
    Ok(stored.get(table, &key(stream, 1))?.is_some())
}

/// The rows that store a snapshot in place of a former one; `None` when it has more than 65,535 pieces.
pub(super) fn rows(
    table: Table,
    stream: &StreamKey,
    json: &[u8],
    former: Option<&StoredSnapshot>,
) -> Option<Vec<Row>> {
    let first = json.len().min(VALUE_BYTES_MAX - HEAD_BYTES);
    let (first, rest) = json.split_at_checked(first)?;
    let pieces = u16::try_from(rest.len().div_ceil(VALUE_BYTES_MAX).saturating_add(1)).ok()?;
    let mut head = Vec::with_capacity(HEAD_BYTES.saturating_add(first.len()));
    head.push(VERSION);
    head.extend(pieces.to_be_bytes());
    head.extend(crc32fast::hash(json).to_be_bytes());
    head.extend(first);
    let row = |number, value| row(table, key(stream, number), value);
    let mut rows = vec![row(0, Some(head))];
    for (number, piece) in (1..).zip(rest.chunks(VALUE_BYTES_MAX)) {
        rows.push(row(number, Some(piece.to_vec())));
    }
    for number in pieces..former.map_or(0, |former| former.pieces) {
        rows.push(row(number, None));
    }
    Some(rows)
}

/// The row of the tables that says up to which record their snapshots reach, and whose they are.
pub(super) fn up_to_row(seq: Seq, installation: InstallationTag) -> Row {
    let value = [seq.0.to_be_bytes(), installation.to_bytes()].concat();
    row(SNAPSHOTS, UP_TO_KEY.to_vec(), Some(value))
}

/// Up to which record the snapshots of the tables reach; 0 when there are none, `None` when the row makes no sense or is of
/// another installation.
pub(super) fn up_to(
    tables: &dyn Tables,
    installation: InstallationTag,
) -> Result<Option<Seq>, TablesError> {
    let Some(value) = tables.get(SNAPSHOTS, &UP_TO_KEY)? else {
        return Ok(Some(Seq(0)));
    };
    let ([seq, tag], []) = value.as_chunks() else {
        return Ok(None);
    };
    let is_own = InstallationTag::from_bytes(*tag).fits(installation);
    Ok(is_own.then(|| Seq(u64::from_be_bytes(*seq))))
}

/// The stream whose snapshot begins in the row with this key; `None` for other rows.
pub(super) fn first_piece_of(key: &[u8]) -> Option<StreamKey> {
    let (&[code, id_bytes], rest) = key.split_first_chunk::<2>()?;
    let (id, piece) = rest.split_at_checked(usize::from(id_bytes))?;
    (code != 0 && piece == [0, 0]).then(|| StreamKey::read(code, id))
}

fn key(stream: &StreamKey, piece: u16) -> Vec<u8> {
    let mut key = Vec::with_capacity(stream.id().len().saturating_add(4));
    key.push(stream.code());
    key.push(u8::try_from(stream.id().len()).unwrap_or(u8::MAX));
    key.extend(stream.id());
    key.extend(piece.to_be_bytes());
    key
}

fn row(table: Table, key: Vec<u8>, value: Option<Vec<u8>>) -> Row {
    Row {
        table,
        key: key.into(),
        value,
        is_new: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::index::sorted_runs::SortedRuns;
    use crate::store::tables::memory::MemoryTables;
    use crate::store::tables::{KeyRange, ScanOrder};
    use crate::store::testing::kinds;

    fn stored<'a>(runs: &'a SortedRuns, tables: &'a MemoryTables) -> StoredRows<'a> {
        StoredRows { runs, tables }
    }

    /// Snapshots of any size come back, and leave no pieces of larger ones.
    #[test]
    fn snapshots_of_any_size_survive_and_drop_surplus_pieces() {
        let (tables, runs) = (MemoryTables::default(), SortedRuns::default());
        let stream = StreamKey::new(kinds::COUNTER, b"apples");
        let mut former = None;
        for size in [0, 10, 49_145, 49_146, 200_000, 98_298, 5] {
            let json: Vec<u8> = (0..=250).cycle().take(size).collect();
            tables
                .write_batch(rows(SNAPSHOTS, &stream, &json, former.as_ref()).unwrap())
                .unwrap();
            let Ok(Some(read)) = read(stored(&runs, &tables), SNAPSHOTS, &stream) else {
                panic!("{size} bytes did not come back");
            };
            assert_eq!(read.json, json);
            let all = tables
                .scan(SNAPSHOTS, &KeyRange::all(), ScanOrder::Ascending, 99)
                .unwrap();
            assert_eq!(all.len(), usize::from(read.pieces));
            assert!(all.iter().all(|(_, value)| value.len() <= VALUE_BYTES_MAX));
            former = Some(read);
        }
    }

    #[test]
    fn a_changed_or_missing_piece_is_detected() {
        let (tables, runs) = (MemoryTables::default(), SortedRuns::default());
        let stream = StreamKey::new(kinds::COUNTER, b"apples");
        let pieces = rows(SNAPSHOTS, &stream, &[7; 100_000], None).unwrap();
        for spoilt in &pieces {
            tables.write_batch(pieces.clone()).unwrap();
            let mut value = spoilt.value.clone().unwrap();
            *value.last_mut().unwrap() ^= 1;
            for value in [Some(value), None] {
                let is_lost = value.is_none() && spoilt.key.ends_with(&[0, 0]);
                tables
                    .write_batch(vec![row(SNAPSHOTS, spoilt.key.to_vec(), value)])
                    .unwrap();
                match read(stored(&runs, &tables), SNAPSHOTS, &stream) {
                    Err(SnapshotError::Broken) => assert!(!is_lost),
                    Ok(None) => assert!(is_lost),
                    Ok(Some(_)) | Err(SnapshotError::Rows(_)) => panic!("not noticed"),
                }
            }
        }
    }
}
