//! One record of the journal: any bytes may be read, and what is read is what would be written.

use bytes::Bytes;
use switchboard_actors::domain::kinds;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::store::record::{self, Payload, Raw, RecordHeader, RecordKind};
use switchboard_engine::store::{NewRecord, Record, Seq};
use switchboard_engine::stream::StreamKey;

/// The bytes before the ones that the checksum counts: length and checksum.
const FRAME_BYTES: usize = 8;

/// Reads the bytes behind the first four, which are the salt, as a record: as they are, and with the right checksum,
/// which random input does not hit. Then writes them as an event.
pub fn check(data: &[u8]) {
    let Some((salt, bytes)) = data.split_first_chunk() else {
        return;
    };
    let salt = u32::from_le_bytes(*salt);
    read(bytes, salt);
    let mut sound = bytes.to_vec();
    seal(&mut sound, salt);
    read(&sound, salt);
    if let Ok(payload) = Payload::parse(bytes) {
        let record = payload.to_record(Seq(1));
        assert!(record.event.len() + record.blob.len() <= bytes.len());
    }
    write(bytes, salt);
}

/// Sets the checksum of the record that these bytes begin with, and gives its length; `None` when they hold no whole one.
pub fn seal(bytes: &mut [u8], salt: u32) -> Option<usize> {
    let length = record::length(bytes).ok()?;
    let body = bytes.get(FRAME_BYTES..length)?;
    let mut hasher = crc32fast::Hasher::new_with_initial(salt);
    hasher.update(body);
    let checksum = hasher.finalize().to_le_bytes();
    bytes[4..FRAME_BYTES].copy_from_slice(&checksum);
    Some(length)
}

fn read(bytes: &[u8], salt: u32) {
    let raw = match record::decode(bytes, salt) {
        Ok(raw) => raw,
        Err(defect) => return assert!(!defect.to_string().is_empty()),
    };
    let length = record::length(bytes).expect("it was read");
    assert!(raw.head.durable_upto <= raw.head.seq);
    assert_eq!(record::peek(bytes), Some(raw.head));
    if let Some(encoding) = written(&raw, salt) {
        assert_eq!(encoding, bytes[..length]);
    }
}

/// The record as it would be written; `None` for what is never written.
fn written(raw: &Raw<'_>, salt: u32) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match raw.head.kind {
        RecordKind::Data | RecordKind::LastOfGroup => {
            let read = Payload::parse(raw.payload).ok()?.to_record(raw.head.seq);
            let Record {
                stream,
                event,
                blob,
                ..
            } = read;
            let new = NewRecord {
                stream,
                event: event.to_vec(),
                blob,
                entries: IndexEntries::default(),
            };
            record::lay(&new, &mut out);
            record::seal(&mut out, raw.head, salt).expect("it was laid");
        }
        RecordKind::Erased | RecordKind::LastErased => {
            assert!(raw.payload.is_empty());
            out.extend(record::bare(raw.head, salt));
        }
        RecordKind::Mark => {
            assert!(raw.payload.is_empty());
            if raw.head.durable_upto != raw.head.seq {
                return None;
            }
            out.extend(record::mark(raw.head.seq, salt));
        }
    }
    Some(out)
}

/// Checks that records are read as they were written.
fn write(bytes: &[u8], salt: u32) {
    let third = bytes.len() / 3;
    let (id, rest) = bytes.split_at(third.min(255));
    let (event, blob) = rest.split_at(third);
    let kind = kinds::ALL[third % kinds::ALL.len()];
    let new = NewRecord {
        stream: StreamKey::new(kind, id),
        event: event.to_vec(),
        blob: Bytes::copy_from_slice(blob),
        entries: IndexEntries::default(),
    };
    let head = RecordHeader {
        seq: Seq(9),
        durable_upto: Seq(8),
        kind: RecordKind::LastOfGroup,
    };
    let mut out = Vec::new();
    record::lay(&new, &mut out);
    record::seal(&mut out, head, salt).expect("it was laid");
    assert_eq!(record::stored_bytes(&new), Ok(out.len()));
    let raw = record::decode(&out, salt).expect("it was written");
    assert_eq!(raw.head, head);
    let read = Payload::parse(raw.payload).expect("it was written");
    let Record {
        seq,
        stream,
        event,
        blob,
    } = read.to_record(head.seq);
    assert_eq!((seq, stream), (head.seq, new.stream));
    assert_eq!((event, blob), (Bytes::from(new.event), new.blob));
}
