//! Finds the streams whose records a damaged place held, as far as that is still possible.

use std::collections::BTreeSet;
use std::io;

use crate::store::disk::Disk;
use crate::store::record::{HEAD_BYTES, Payload};
use crate::store::recovery::witness;
use crate::store::schema::Schema;
use crate::store::segment::cursor::{CursorError, RecordCursor};
use crate::store::segment::{FIRST_OFFSET, Segment};
use crate::store::width::{narrow, wide};
use crate::store::{Record, Seq};
use crate::stream::StreamKey;

/// Says what streams are about, in the words of whose they are.
pub trait Describe {
    /// A record that is right, in the order of the journal.
    fn read(&mut self, _record: &Record) {}

    /// These streams lost records.
    fn lost(&mut self, streams: &BTreeSet<StreamKey>);

    /// Returns whether a record that can be read may still add something about them.
    fn is_curious(&self) -> bool;

    /// A record that can be read, of whatever stream.
    fn look(&mut self, record: &Record);

    /// Describes a stream, such as `counter of apples`, and to whom it belongs, when that is known.
    fn describe(&self, stream: &StreamKey) -> (String, Option<String>);
}

/// Says no more of a stream than its name.
impl Describe for &Schema {
    fn lost(&mut self, _: &BTreeSet<StreamKey>) {}

    fn is_curious(&self) -> bool {
        false
    }

    fn look(&mut self, _: &Record) {}

    fn describe(&self, stream: &StreamKey) -> (String, Option<String>) {
        (self.name(stream), None)
    }
}

/// The bytes of a damaged record that are searched for its stream's name, which stands at its beginning.
const LOOKED_AT: u64 = 4096;

/// The stream that the damaged bytes of a record name, if what they name can be one.
pub(super) fn stream_at(
    segment: &Segment,
    offset: u64,
    end: u64,
    schema: &Schema,
) -> io::Result<Option<StreamKey>> {
    let payload = offset.saturating_add(wide(HEAD_BYTES));
    let length = end.saturating_sub(payload).min(LOOKED_AT);
    let mut bytes = vec![0; narrow(length)];
    let count = segment.file.read_at(payload, &mut bytes)?;
    let bytes = bytes.get(..count).unwrap_or_default();
    let Some((&[code, id_bytes], rest)) = bytes.split_first_chunk::<2>() else {
        return Ok(None);
    };
    let id = rest.get(..usize::from(id_bytes));
    let stream = id.map(|id| StreamKey::read(code, id));
    Ok(stream.filter(|stream| schema.know(stream)))
}

/// Reads all readable records, as long as they may add something.
pub(super) fn look_through(
    disk: &dyn Disk,
    segments: impl Iterator<Item = u32>,
    describe: &mut dyn Describe,
) -> io::Result<()> {
    for number in segments {
        if !describe.is_curious() {
            break;
        }
        let Ok(segment) = Segment::open(disk, number)? else {
            continue;
        };
        let length = segment.file.length()?;
        let mut cursor = RecordCursor::new(&segment, u64::from(FIRST_OFFSET), length);
        let mut last = segment.header.first;
        loop {
            let behind = cursor.offset().saturating_add(1);
            let raw = match cursor.next() {
                Ok(Some(raw)) => raw,
                Ok(None) => break,
                Err(CursorError::Defect(_)) => {
                    let Some((offset, _)) = witness::next_record(&segment, behind, length, last)?
                    else {
                        break;
                    };
                    cursor = RecordCursor::new(&segment, offset, length);
                    continue;
                }
                Err(CursorError::Io(error)) => return Err(error),
            };
            last = last.max(raw.head.seq);
            if !raw.head.kind.is_numbered() || raw.head.kind.is_erased() {
                continue;
            }
            if let Ok(payload) = Payload::parse(raw.payload) {
                describe.look(&payload.to_record(Seq(0)));
            }
        }
    }
    Ok(())
}
