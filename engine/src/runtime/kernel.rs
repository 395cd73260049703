//! The kernel that every actor gets: the store, the clock, the randomness and what the product adds. There are no
//! globals, so two kernels can run side by side in one process.

use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::sync::Notify;

use crate::entries::Key;
use crate::error::UnavailableError;
use crate::runtime::clock::Clock;
use crate::runtime::entropy::Entropy;
use crate::runtime::gate::Gate;
use crate::runtime::shards::Shards;
use crate::state::{Recorded, State};
use crate::store::committer::Journal;
use crate::store::frontier::Frontier;
use crate::store::index::Index;
use crate::store::{Notice, Position, ReadError, ReadJournal, Record, Seq};
use crate::stream::StreamKey;

/// The product's part of the kernel: its directories of owners, and other parts that they share.
pub trait Product: Send + Sync + Sized + 'static {
    /// The notices that the product sends to its own listeners, once they are on disk.
    type Notice: Notice;
}

/// The parts that every actor gets. Cheap to clone.
pub struct Kernel<P: Product>(Arc<Parts<P>>);

/// The parts of a [`Kernel`].
pub struct Parts<P: Product> {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The writing side of the journal.
    pub journal: Journal<P::Notice>,
    /// The index of the journal.
    pub index: Index,
    /// The reading side of the journal.
    pub reader: Arc<dyn ReadJournal>,
    /// The end of the journal on disk.
    pub frontier: Frontier,
    /// The end of the journal when it was opened: records of earlier processes lie before it, those of this one do not.
    pub opened_at: Position,
    /// The threads that owners live on.
    pub shards: Shards,
    /// Lets commands in until it is closed.
    pub gate: Gate,
    /// The longest wait of a caller for an owner.
    pub ask_deadline: Duration,
    /// True when everything happens on one thread, always in the same order.
    pub is_one_thread: bool,
    /// Is notified when an owner starts, for the one task that has unused owners leave memory.
    pub owner_started: Notify,
    pub(crate) submitted: SubmittedMarks,
    /// The product's part.
    pub shared: P,
}

impl<P: Product> Clone for Kernel<P> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<P: Product> fmt::Debug for Kernel<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("journal", &self.journal)
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

impl<P: Product> Kernel<P> {
    pub(crate) fn new(parts: Parts<P>) -> Self {
        Self(Arc::new(parts))
    }

    /// Returns whether nothing was ever stored for this stream, nor is on its way.
    pub(crate) fn is_new(&self, stream: &StreamKey) -> bool {
        self.submitted.upto(stream) <= self.index.indexed_upto()
            && matches!(self.index.find(stream.key()), Ok(None))
    }

    /// As [`Self::load`], if nothing has to be waited for; `None`: it is a case for `load`.
    pub(crate) fn load_if_near<S: State>(
        &self,
        id: &S::Id,
    ) -> Option<Result<Option<(S, Seq)>, UnavailableError>> {
        if self.submitted.upto(&S::stream(id)) > self.index.indexed_upto() {
            return None;
        }
        let snapshot = self.index.load_if_near::<S>(id)?;
        Some(snapshot.map_err(UnavailableError::from))
    }

    /// The state `id` with everything that was ever submitted for it; `None` when there is nothing.
    ///
    /// # Errors
    /// When something of it cannot be read.
    pub fn load<S: State>(
        &self,
        id: S::Id,
    ) -> impl Future<Output = Result<Option<(S, Seq)>, UnavailableError>> + use<S, P> {
        let kernel = self.clone();
        async move {
            let stream = S::stream(&id);
            kernel.settled(&stream).await;
            let index = kernel.index.clone();
            if kernel.is_one_thread {
                // Another thread would end at a different moment in each run.
                return Ok(index.load::<S>(&id)?);
            }
            if let Some(result) = kernel.load_if_near::<S>(&id) {
                return result;
            }
            let load = tokio::task::spawn_blocking(move || index.load::<S>(&id)).await;
            match load {
                Ok(result) => result.map_err(UnavailableError::from),
                Err(_panic_or_stop) => Err(UnavailableError::Interrupted),
            }
        }
    }

    /// Ends when everything that was submitted for this stream can be found through the index, or is lost.
    async fn settled(&self, stream: &StreamKey) {
        let epoch = self.journal.epoch();
        let mark = self.submitted.upto(stream);
        // A mark may be left from a group that was lost: its number will be another record's.
        let upto = mark.min(self.journal.submitted_upto());
        match self.journal.durable(upto, epoch).await {
            Ok(()) => self.index.indexed(upto).await,
            Err(_lost) => self.caught_up().await,
        }
    }

    /// The newest record with this key, decoded.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn record<E: DeserializeOwned>(
        &self,
        key: Key,
    ) -> Result<Option<Recorded<E>>, UnavailableError> {
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
    pub async fn caught_up(&self) {
        self.index.indexed(self.journal.durable_upto()).await;
    }
}

/// The event of a record.
///
/// # Errors
/// When the event cannot be decoded as `E`.
pub fn decode<E: DeserializeOwned>(record: &Record) -> Result<E, UnavailableError> {
    serde_json::from_slice(&record.event).map_err(|error| {
        UnavailableError::Damaged(ReadError::Damaged {
            file: "the journal".to_owned(),
            offset: 0,
            reason: format!(
                "record {} of {:?} does not decode: {error}",
                record.seq.0, record.stream
            ),
        })
    })
}

impl<P: Product> Deref for Kernel<P> {
    type Target = Parts<P>;
    fn deref(&self) -> &Parts<P> {
        &self.0
    }
}

/// For each of some thousand groups of streams, the last record that was submitted for one of them. A new owner whose
/// predecessor died waits until the index has that record.
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
