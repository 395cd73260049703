//! Encodes events as records.

use bytes::Bytes;

use crate::state::State;
use crate::store::NewRecord;
use crate::store::index::fold::entries_of;
use crate::stream::StreamKey;

/// Events of ordinary length fit into this many bytes, so that their buffers do not grow.
const EVENT_BYTES: usize = 512;

/// The record of an event. `opens`: it is the first of its stream. Only that one names the stream, since the index
/// takes a record that names its stream for the stream's beginning.
pub(crate) fn record_of<S: State>(
    before: &S,
    stream: StreamKey,
    event: &S::Event,
    blob: Bytes,
    opens: bool,
) -> NewRecord {
    let entries = entries_of(before, event, opens.then_some(&stream));
    NewRecord {
        stream,
        event: encode(event),
        blob,
        entries,
    }
}

/// An event as it is stored.
#[expect(
    clippy::expect_used,
    reason = "events are plain structs with text keys: writing them to memory cannot fail"
)]
fn encode(event: &impl serde::Serialize) -> Vec<u8> {
    let mut json = Vec::with_capacity(EVENT_BYTES);
    serde_json::to_writer(&mut json, event).expect("an event becomes JSON");
    json
}
