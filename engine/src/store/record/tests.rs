use proptest::prelude::*;

use super::*;
use crate::entries::IndexEntries;
use crate::store::testing::kinds;

fn record(id: &[u8], event: &[u8], blob: &[u8]) -> NewRecord {
    NewRecord {
        stream: StreamKey::new(kinds::TALK, id),
        event: event.to_vec(),
        blob: Bytes::copy_from_slice(blob),
        entries: IndexEntries::default(),
    }
}

fn head(seq: u64, durable_upto: u64, kind: RecordKind) -> RecordHeader {
    RecordHeader {
        seq: Seq(seq),
        durable_upto: Seq(durable_upto),
        kind,
    }
}

fn encoded(record: &NewRecord, head: RecordHeader, salt: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    lay(record, &mut bytes);
    assert_eq!(seal(&mut bytes, head, salt), Ok(bytes.len()));
    bytes
}

proptest! {
    #[test]
    fn written_records_are_read_back(
        id in prop::collection::vec(any::<u8>(), 0..=255),
        event in prop::collection::vec(any::<u8>(), 0..600),
        blob in prop::collection::vec(any::<u8>(), 0..600),
        seq in 1_u64..,
        salt: u32,
        behind in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let new = record(&id, &event, &blob);
        let head = head(seq, seq - 1, RecordKind::LastOfGroup);
        let mut bytes = encoded(&new, head, salt);
        prop_assert_eq!(bytes.len(), stored_bytes(&new).unwrap());
        bytes.extend_from_slice(&behind);

        let raw = decode(&bytes, salt).unwrap();
        prop_assert_eq!(raw.head, head);
        let read = Payload::parse(raw.payload).unwrap().to_record(raw.head.seq);
        prop_assert_eq!(read, Record {
            seq: Seq(seq),
            stream: new.stream,
            event: event.into(),
            blob: blob.into(),
        });
    }

    #[test]
    fn reading_any_bytes_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200), salt: u32) {
        let _record = decode(&bytes, salt);
        let _payload = Payload::parse(&bytes);
    }
}

#[test]
fn the_bytes_of_a_record_never_change() {
    let new = record(b"id", b"{}", b"raw");
    let bytes = encoded(&new, head(7, 5, RecordKind::LastOfGroup), 0);
    assert_eq!(
        hex::encode(&bytes),
        "1e000000".to_owned() // length behind the checksum
            + &hex::encode(crc32fast::hash(&bytes[8..]).to_le_bytes())
            + "0700000000000000" // number
            + "0500000000000000" // on disk before
            + "81" // data, last of its group
            + "04026964" // a talk, "id"
            + "020000007b7d" // event
            + "726177" // blob
    );

    let mark = mark(Seq(9), 0);
    assert_eq!(decode(&mark, 0).unwrap().head, head(9, 9, RecordKind::Mark));
}

#[test]
fn every_flipped_bit_and_every_missing_byte_is_detected() {
    let bytes = encoded(
        &record(b"id", b"{}", b"raw"),
        head(7, 5, RecordKind::Data),
        3,
    );
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let defect = decode(&flipped, 3).unwrap_err();
        assert!(defect.can_be_torn(), "bit {bit}: {defect}");
    }
    for length in 0..bytes.len() {
        let defect = decode(&bytes[..length], 3).unwrap_err();
        assert!(
            matches!(defect, RecordError::Short { .. }),
            "{length}: {defect}"
        );
    }
}

/// An erased record is a head without a payload, with the number and the place in its group that it had.
#[test]
fn an_erased_record_keeps_its_number_and_its_place_in_the_group() {
    for (kind, closes) in [(RecordKind::Data, false), (RecordKind::LastOfGroup, true)] {
        let remains = bare(head(7, 5, kind.erased()), 0);
        let raw = decode(&remains, 0).unwrap();
        assert_eq!((raw.head.seq, raw.payload), (Seq(7), &b""[..]));
        assert!(raw.head.kind.is_erased() && raw.head.kind.is_numbered());
        assert_eq!(raw.head.kind.closes_group(), closes);
        assert_eq!(raw.head.kind.erased(), raw.head.kind);
    }
    assert!(!RecordKind::Mark.is_numbered() && !RecordKind::Mark.erased().is_erased());
}

#[test]
fn a_record_of_another_segment_is_ignored() {
    let bytes = encoded(&record(b"id", b"{}", b""), head(7, 5, RecordKind::Data), 3);
    assert!(matches!(
        decode(&bytes, 4),
        Err(RecordError::Checksum { .. })
    ));
}

#[test]
fn a_valid_checksum_does_not_excuse_invalid_content() {
    let reseal = |mut bytes: Vec<u8>, at: usize, byte: u8| {
        bytes[at] = byte;
        let crc = checksum(&bytes[FRAME_BYTES..], 0).to_le_bytes();
        bytes[4..FRAME_BYTES].copy_from_slice(&crc);
        bytes
    };
    let bytes = encoded(&record(b"id", b"{}", b""), head(7, 5, RecordKind::Data), 0);
    let kind = reseal(bytes.clone(), 24, 0x7f);
    assert_eq!(decode(&kind, 0), Err(RecordError::Kind(0x7f)));
    let claim = reseal(bytes.clone(), 16, 7);
    assert_eq!(
        decode(&claim, 0),
        Err(RecordError::Claim {
            seq: 7,
            durable_upto: 7
        })
    );
    for bare in [RecordKind::Mark, RecordKind::Erased, RecordKind::LastErased] {
        let with_payload = reseal(bytes.clone(), 24, bare.code());
        assert_eq!(
            decode(&with_payload, 0),
            Err(RecordError::Payload("length"))
        );
    }
    let stream = reseal(bytes.clone(), 25, 0);
    let raw = decode(&stream, 0).unwrap();
    assert_eq!(
        Payload::parse(raw.payload),
        Err(RecordError::Payload("stream"))
    );
    let event = reseal(bytes, 29, 3);
    let raw = decode(&event, 0).unwrap();
    assert_eq!(
        Payload::parse(raw.payload),
        Err(RecordError::Payload("event"))
    );
}

#[test]
fn a_record_too_large_to_store_is_refused_with_its_size() {
    assert_eq!(
        stored_bytes(&record(&[0; 256], b"", b"")),
        Err(UnfitError::Id(256))
    );
    let mut new = record(b"", b"", b"");
    new.blob = Bytes::from(vec![0; RECORD_BYTES_MAX - HEAD_BYTES - 6]);
    assert_eq!(stored_bytes(&new), Ok(RECORD_BYTES_MAX));
    new.event.push(b' ');
    assert_eq!(
        stored_bytes(&new),
        Err(UnfitError::Record(RECORD_BYTES_MAX + 1))
    );
}
