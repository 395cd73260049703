//! What every actor is handed: the store, the time, the randomness, the directories. There are no globals, so two
//! systems live side by side in one process.

use std::future::Future;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde::de::DeserializeOwned;
use tokio::sync::Notify;

use crate::actor::Directories;
use crate::actor::admission::Admission;
use crate::actor::board::Board;
use crate::actor::facts::Facts;
use crate::actor::meters::Meters;
use crate::actor::recent::Recent;
use crate::config::SystemConfig;
use crate::domain::account::throttle::Throttle;
use crate::domain::derive::IdSpace;
use crate::domain::{Recorded, State};
use crate::entries::Key;
use crate::error::Unavailable;
use crate::runtime::clock::Clock;
use crate::runtime::entropy::Entropy;
use crate::runtime::gate::Gate;
use crate::runtime::passwords::Passwords;
use crate::runtime::shards::Shards;
use crate::store::committer::Journal;
use crate::store::frontier::Frontier;
use crate::store::index::Index;
use crate::store::{ReadError, ReadJournal, Record, Seq};
use crate::stream::StreamKey;
use crate::system::live::feed::Feed;

/// What every actor is handed. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Env(Arc<Parts>);

/// The parts of an [`Env`].
pub(crate) struct Parts {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) journal: Journal,
    pub(crate) index: Index,
    pub(crate) reader: Arc<dyn ReadJournal>,
    /// How far the journal is on disk.
    pub(crate) frontier: Frontier,
    pub(crate) ids: IdSpace,
    pub(crate) shards: Shards,
    pub(crate) directories: Directories,
    pub(crate) facts: Facts,
    pub(crate) admission: Arc<Admission>,
    pub(crate) board: Board,
    /// The newest deliveries.
    pub(crate) recent: Arc<Recent>,
    pub(crate) meters: Arc<Meters>,
    /// There may be a job that sends callbacks again.
    pub(crate) replay_begun: Arc<Notify>,
    /// There may be a file to look at.
    pub(crate) fetch_wanted: Notify,
    pub(crate) submitted: SubmittedMarks,
    pub(crate) gate: Gate,
    pub(crate) passwords: Passwords,
    pub(crate) feed: Arc<Feed>,
    pub(crate) throttle: Mutex<Throttle>,
    pub(crate) config: SystemConfig,
}

impl Env {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// Whether nothing was ever stored for this stream, nor is on its way.
    pub(crate) fn is_new(&self, stream: &StreamKey) -> bool {
        self.submitted.upto(stream) <= self.index.indexed_upto()
            && matches!(self.index.find(stream.key()), Ok(None))
    }

    /// As [`Self::load`], if nothing has to be waited for; `None`: it is a case for `load`.
    pub(crate) fn load_if_near<S: State>(
        &self,
        id: &S::Id,
    ) -> Option<Result<Option<(S, Seq)>, Unavailable>> {
        if self.submitted.upto(&S::stream(id)) > self.index.indexed_upto() {
            return None;
        }
        let found = self.index.load_if_near::<S>(id)?;
        Some(found.map_err(Unavailable::from))
    }

    /// The state `id` with everything that was ever submitted for it; `None` when there is nothing.
    pub(crate) fn load<S: State>(
        &self,
        id: S::Id,
    ) -> impl Future<Output = Result<Option<(S, Seq)>, Unavailable>> + use<S> {
        let env = self.clone();
        async move {
            let stream = S::stream(&id);
            env.settled(&stream).await;
            let index = env.index.clone();
            if env.config.threads.is_one() {
                // Another thread would be done sooner or later, never at the same moment again.
                return Ok(index.load::<S>(&id)?);
            }
            if let Some(found) = env.load_if_near::<S>(&id) {
                return found;
            }
            let loaded = tokio::task::spawn_blocking(move || index.load::<S>(&id)).await;
            match loaded {
                Ok(found) => found.map_err(Unavailable::from),
                Err(_panic_or_stop) => Err(Unavailable::Interrupted),
            }
        }
    }

    /// Ends when everything that was submitted for this stream can be found through the index, or is lost.
    async fn settled(&self, stream: &StreamKey) {
        let generation = self.journal.generation();
        let mark = self.submitted.upto(stream);
        // A mark may be left from a group that was lost: its number will be another record's.
        let upto = mark.min(self.journal.submitted_upto());
        match self.journal.durable(upto, generation).await {
            Ok(()) => self.index.indexed(upto).await,
            Err(_lost) => self.caught_up().await,
        }
    }

    /// The newest record with this key, decoded.
    pub(crate) fn record<E: DeserializeOwned>(
        &self,
        key: Key,
    ) -> Result<Option<Recorded<E>>, Unavailable> {
        let Some(position) = self.index.find(key)? else {
            return Ok(None);
        };
        let record = self.reader.read(position)?;
        let event = decode(&record)?;
        Ok(Some(Recorded {
            event,
            blob: record.blob,
        }))
    }

    /// Ends when everything that is on disk now can be found through the index: what was answered before is seen by
    /// what is read after.
    pub(crate) async fn caught_up(&self) {
        self.index.indexed(self.journal.durable_upto()).await;
    }
}

/// The event of a record.
pub(crate) fn decode<E: DeserializeOwned>(record: &Record) -> Result<E, Unavailable> {
    serde_json::from_slice(&record.event).map_err(|error| {
        Unavailable::Damaged(ReadError::Damaged {
            file: "the journal".to_owned(),
            offset: 0,
            reason: format!(
                "record {} of {:?} does not decode: {error}",
                record.seq.0, record.stream
            ),
        })
    })
}

impl Deref for Env {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// For each of some thousand groups of streams, the last record that was submitted for one of them: an owner that is
/// made again after its predecessor died waits until that record can be found.
#[derive(Debug)]
pub(crate) struct SubmittedMarks(Box<[AtomicU64]>);

impl SubmittedMarks {
    const COUNT: usize = 4_096;

    pub(crate) fn new() -> Self {
        Self((0..Self::COUNT).map(|_| AtomicU64::new(0)).collect())
    }

    /// `last` is the last record of a group that has records of these streams.
    pub(crate) fn note(&self, streams: impl IntoIterator<Item = Key>, last: Seq) {
        for stream in streams {
            self.mark(stream).fetch_max(last.0, Ordering::Relaxed);
        }
    }

    pub(crate) fn upto(&self, stream: &StreamKey) -> Seq {
        Seq(self.mark(stream.key()).load(Ordering::Relaxed))
    }

    fn mark(&self, stream: Key) -> &AtomicU64 {
        let place = usize::try_from(stream.0 % 4_096).unwrap_or_default();
        #[expect(
            clippy::indexing_slicing,
            reason = "there are 4,096 marks, and the place is a remainder of that"
        )]
        &self.0[place]
    }
}
