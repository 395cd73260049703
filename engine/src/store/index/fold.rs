//! Rebuilding states from snapshots and records, and entries from events, for every kind of stream.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::entries::IndexEntries;
use crate::state::State;
use crate::store::{Record, Seq};
use crate::stream::StreamKey;

/// Snapshots of ordinary length fit into this many bytes, so that their buffers do not grow.
const SNAPSHOT_BYTES: usize = 768;

/// Returns the additions of an event to the indexes: the entries of its state, and the fingerprint of the stream when `opens` names
/// the stream whose first event it is. The same for a submitted event and for a replayed one.
#[must_use]
pub fn entries_of<S: State>(
    before: &S,
    event: &S::Event,
    opens: Option<&StreamKey>,
) -> IndexEntries {
    let mut entries = IndexEntries::default();
    if let Some(stream) = opens {
        entries.key(stream.key());
    }
    before.index(event, &mut entries);
    entries
}

/// The reason for which a state cannot even begin to be rebuilt.
#[derive(Debug)]
pub(in crate::store) enum RebuildError {
    /// No registered kind of state has a stream of this name.
    UnknownKind,
    /// The snapshot is not one of this kind.
    Snapshot(serde_json::Error),
}

/// A state that is being rebuilt, of whatever kind.
pub(in crate::store) trait Folding: Send {
    /// The name of its kind.
    fn kind(&self) -> &'static str;

    /// The last record that is taken in; 0 before the first.
    fn seq(&self) -> Seq;

    /// Takes a record in. One that is in already is skipped: snapshots may be ahead of what is replayed.
    fn take(&mut self, record: &Record) -> Result<(), serde_json::Error>;

    /// Takes a record in and says what it adds to the indexes.
    fn index_and_take(&mut self, record: &Record) -> Result<IndexEntries, serde_json::Error>;

    /// The state with the number of its last record, as JSON.
    fn snapshot(&self) -> Result<Vec<u8>, serde_json::Error>;
}

/// Rebuilds states of one kind.
pub(in crate::store) trait Folder: Send + Sync {
    /// Returns whether the stream is of this kind.
    fn knows(&self, stream: &StreamKey) -> bool;

    /// Decodes an event of such a stream and drops it.
    fn reads(&self, event: &[u8]) -> Result<(), serde_json::Error>;

    /// `None` when the stream is not of this kind.
    fn start(
        &self,
        stream: &StreamKey,
        snapshot: Option<&[u8]>,
    ) -> Option<Result<Box<dyn Folding>, RebuildError>>;
}

/// Rebuilds states of the kind of `S`.
pub(in crate::store) struct FolderOf<S>(pub(in crate::store) PhantomData<fn() -> S>);

impl<S: State> Folder for FolderOf<S> {
    fn knows(&self, stream: &StreamKey) -> bool {
        S::id_of(stream).is_some()
    }

    fn reads(&self, event: &[u8]) -> Result<(), serde_json::Error> {
        serde_json::from_slice::<S::Event>(event).map(drop)
    }

    fn start(
        &self,
        stream: &StreamKey,
        snapshot: Option<&[u8]>,
    ) -> Option<Result<Box<dyn Folding>, RebuildError>> {
        let id = S::id_of(stream)?;
        let folded = Folded::<S>::start(&id, snapshot);
        Some(match folded {
            Ok(folded) => Ok(Box::new(folded)),
            Err(error) => Err(RebuildError::Snapshot(error)),
        })
    }
}

/// A state with the number of the last record in it, as JSON.
pub(crate) fn snapshot<S: State>(seq: Seq, state: &S) -> Result<Vec<u8>, serde_json::Error> {
    let mut json = Vec::with_capacity(SNAPSHOT_BYTES);
    let seq = StoredSeq(seq.0);
    serde_json::to_writer(&mut json, &Snapshot { seq, state })?;
    Ok(json)
}

/// A state with the number of the last record in it.
#[derive(Deserialize)]
#[serde(bound = "S: State")]
pub(super) struct Folded<S> {
    pub(super) seq: StoredSeq,
    pub(super) state: S,
}

/// A record number in its stored form.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct StoredSeq(u64);

#[derive(Serialize)]
struct Snapshot<'a, S> {
    seq: StoredSeq,
    state: &'a S,
}

impl<S: State> Folded<S> {
    pub(super) fn start(id: &S::Id, snapshot: Option<&[u8]>) -> Result<Self, serde_json::Error> {
        match snapshot {
            Some(json) => serde_json::from_slice(json),
            None => Ok(Self {
                seq: StoredSeq(0),
                state: S::initial(id),
            }),
        }
    }
}

impl<S: State> Folding for Folded<S> {
    fn kind(&self) -> &'static str {
        S::KIND.name()
    }

    fn seq(&self) -> Seq {
        Seq(self.seq.0)
    }

    fn take(&mut self, record: &Record) -> Result<(), serde_json::Error> {
        if record.seq.0 > self.seq.0 {
            self.state.apply(&serde_json::from_slice(&record.event)?);
            self.seq = StoredSeq(record.seq.0);
        }
        Ok(())
    }

    fn index_and_take(&mut self, record: &Record) -> Result<IndexEntries, serde_json::Error> {
        let event = serde_json::from_slice(&record.event)?;
        let opens = (self.seq.0 == 0).then_some(&record.stream);
        let entries = entries_of(&self.state, &event, opens);
        self.state.apply(&event);
        self.seq = StoredSeq(record.seq.0);
        Ok(entries)
    }

    fn snapshot(&self) -> Result<Vec<u8>, serde_json::Error> {
        snapshot(self.seq(), &self.state)
    }
}
