//! Start of a kernel: an interrupted erasure is settled → identity → where the index goes on → end of the journal → index (replays) → journal.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use crate::runtime::clock::{Clock, SystemClock};
use crate::runtime::entropy::{Entropy, Generator};
use crate::runtime::gate::Gate;
use crate::runtime::kernel::{Kernel, Parts, Product, SubmittedMarks};
use crate::runtime::shards::Shards;
use crate::runtime::threads::Threads;
use crate::store::committer::Journal;
use crate::store::committer::config::{JournalConfig, Threading};
use crate::store::disk::Disk;
use crate::store::disk::memory::MemoryDisk;
use crate::store::erasure;
use crate::store::frontier::Frontier;
use crate::store::identity::{self, IdentityError};
use crate::store::index::Index;
use crate::store::index::config::{
    CHECKPOINT_RECORDS, Checkpoints, IndexConfig, OpenedIndex as How, ReplayProgress,
};
use crate::store::index::sink::Indexing;
use crate::store::log_owner::LogOwner;
use crate::store::reader::JournalReader;
use crate::store::recovery::{Tail, recover};
use crate::store::schema::Schema;
use crate::store::tables::TablesHome;
use crate::store::tables::memory::MemoryHome;
use crate::store::{CommitSink, ReadJournal, Seq};

/// The outside parts that a kernel uses.
#[derive(Clone)]
pub struct Ports {
    /// The disk of the journal and the indexes.
    pub disk: Arc<dyn Disk>,
    /// The home of snapshots and ordered lists.
    pub tables: Arc<dyn TablesHome>,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub entropy: Arc<dyn Entropy>,
}

impl Ports {
    /// Data in memory, gone with the kernel; the machine's time and randomness.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn memory() -> std::io::Result<Self> {
        Ok(Self {
            disk: Arc::new(MemoryDisk::default()),
            tables: Arc::new(MemoryHome::default()),
            clock: Arc::new(SystemClock),
            entropy: Arc::new(Generator::from_system()?),
        })
    }
}

/// The progress of the replay of the journal while a store is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The number of records replayed so far.
    pub records: u64,
    /// The newest of them.
    pub seq: Seq,
    /// The last record of the journal.
    pub last: Seq,
}

/// Hears now and then how far the replay of the journal is.
#[derive(Clone, Default)]
pub struct ReplayWatch(Option<Arc<dyn Fn(Replayed) + Send + Sync>>);

impl ReplayWatch {
    /// Calls this, which must be quick.
    #[must_use]
    pub fn new(hear: impl Fn(Replayed) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hear)))
    }

    fn hear(&self, replayed: Replayed) {
        if let Some(hear) = &self.0 {
            hear(replayed);
        }
    }
}

impl fmt::Debug for ReplayWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReplayWatch").finish_non_exhaustive()
    }
}

/// The settings of a kernel.
#[derive(Clone, Debug)]
pub struct Config {
    /// On which threads owners live.
    pub threads: Threads,
    /// The longest wait of a caller for an owner.
    pub ask_deadline: Duration,
    /// About how many records lie between two checkpoints.
    pub checkpoint_records: u64,
    /// The configuration of the journal; its threading follows from [`Self::threads`].
    pub journal: JournalConfig,
    /// Hears how far the replay of the journal is.
    pub replay_watch: ReplayWatch,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            threads: Threads::Here,
            ask_deadline: Duration::from_secs(5),
            checkpoint_records: CHECKPOINT_RECORDS,
            journal: JournalConfig::default(),
            replay_watch: ReplayWatch::default(),
        }
    }
}

/// The reason for which a kernel cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The identity of the data directory does not fit.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The journal or the index cannot be opened.
    #[error("{0}")]
    Store(String),
}

/// A store that was opened: everything can be read, and nothing written yet.
pub struct OpenedStore {
    /// A secret that was made together with the data directory, for values that must be the same in each process.
    pub secret: [u8; 16],
    /// The index of the journal.
    pub index: Index,
    /// The journal, to be read.
    pub reader: Arc<dyn ReadJournal>,
    /// The end of the journal on disk.
    pub frontier: Frontier,
    tail: Tail,
    ports: Ports,
    config: Config,
    owner: Option<Box<dyn LogOwner>>,
}

impl OpenedStore {
    /// Opens what is on the disk, and replays what the index has not seen. Blocks meanwhile.
    ///
    /// # Errors
    /// When the data cannot be used: the error says which file, why, and what to do.
    pub fn open(ports: Ports, schema: Schema, config: Config) -> Result<Self, OpenError> {
        let store = |error: &dyn fmt::Display| OpenError::Store(error.to_string());
        erasure::settle(ports.disk.as_ref(), ports.tables.as_ref())
            .map_err(|error| store(&error))?;
        let secret = identity::open(&ports.disk, ports.entropy.bytes())?;
        let bounds = Index::known(ports.disk.as_ref())
            .map_err(|error| OpenError::Store(format!("cannot read the index: {error}")))?;
        let tail = recover(ports.disk.as_ref(), bounds).map_err(|error| store(&error))?;
        let frontier = Frontier::at(tail.position);
        let reader: Arc<dyn ReadJournal> = Arc::new(JournalReader::new(
            Arc::clone(&ports.disk),
            frontier.clone(),
        ));
        let index = open_index(&config, &ports, schema, &reader, tail.durable)?;
        index.pass(tail.durable);
        Ok(Self {
            secret,
            index,
            reader,
            frontier,
            tail,
            ports,
            config,
            owner: None,
        })
    }

    /// The journal is that of a shared log, which this owner writes: nothing is answered before the log has it.
    #[must_use]
    pub fn owned_by(self, owner: Box<dyn LogOwner>) -> Self {
        Self {
            owner: Some(owner),
            ..self
        }
    }

    /// The last record on disk.
    #[must_use]
    pub fn durable(&self) -> Seq {
        self.tail.durable
    }

    /// The sink that gives every batch to the index; the caller may put another sink before it.
    #[must_use]
    pub fn sink<N>(&self) -> Indexing<N> {
        Indexing::new(self.index.clone())
    }

    /// Goes on writing the journal; `sink` hears of every batch and has the index take it in.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn start<P: Product>(
        self,
        sink: Arc<dyn CommitSink<P::Notice>>,
        shared: P,
    ) -> Result<Kernel<P>, OpenError> {
        let threads = self.config.threads;
        let journal = Journal::open_shared(
            Arc::clone(&self.ports.disk),
            &self.tail,
            self.frontier.clone(),
            journal_config(threads, self.config.journal),
            sink,
            self.owner,
        )
        .map_err(|error| OpenError::Store(error.to_string()))?;
        Ok(Kernel::new(Parts {
            clock: self.ports.clock,
            entropy: self.ports.entropy,
            journal,
            index: self.index,
            reader: self.reader,
            frontier: self.frontier,
            opened_at: self.tail.position,
            shards: Shards::new(threads.count()),
            gate: Gate::default(),
            ask_deadline: self.config.ask_deadline,
            is_one_thread: threads.is_one(),
            owner_started: Notify::new(),
            submitted: SubmittedMarks::new(),
            shared,
        }))
    }
}

impl fmt::Debug for OpenedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("index", &self.index)
            .field("durable", &self.tail.durable)
            .finish_non_exhaustive()
    }
}

fn open_index(
    config: &Config,
    ports: &Ports,
    schema: Schema,
    reader: &Arc<dyn ReadJournal>,
    last: Seq,
) -> Result<Index, OpenError> {
    let installation = identity::tag_on(ports.disk.as_ref())
        .map_err(|error| OpenError::Store(error.to_string()))?;
    let index_config = IndexConfig {
        installation,
        checkpoint_records: config.checkpoint_records,
        checkpoints: if config.threads.is_one() {
            Checkpoints::Inline
        } else {
            Checkpoints::InBackground
        },
        on_trouble: Arc::new(|trouble| tracing::error!(%trouble, "the index has trouble")),
        on_progress: Arc::new(progress(config.replay_watch.clone(), last)),
        ..IndexConfig::new(Arc::clone(&ports.disk), Arc::clone(&ports.tables), schema)
    };
    let (index, report) =
        Index::open(&index_config, reader).map_err(|error| OpenError::Store(error.to_string()))?;
    if let How::Rebuilt {
        reason,
        moved_aside,
    } = &report.opened
    {
        tracing::warn!(
            reason,
            ?moved_aside,
            "the index was unusable and was rebuilt from the journal"
        );
    }
    Ok(index)
}

fn journal_config(threads: Threads, config: JournalConfig) -> JournalConfig {
    let threading = match threads {
        Threads::Here => Threading::Inline,
        Threads::Stepped => Threading::Stepped,
        Threads::Own(_) | Threads::Join(_) => Threading::Thread,
    };
    // In a simulation no time passes that could make an answer old.
    let space_check_every = match threading {
        Threading::Stepped => Duration::ZERO,
        Threading::Inline | Threading::Thread => config.space_check_every,
    };
    let prepare_bytes = match threading {
        // Every group is a batch there, and no disk is to be spared.
        Threading::Inline => 0,
        // Few, so that a simulation comes to their end.
        Threading::Stepped => 4_096,
        Threading::Thread => config.prepare_bytes,
    };
    JournalConfig {
        prepare_bytes,
        threading,
        space_check_every,
        ..config
    }
}

/// Logs the progress of a replay that takes a while, and passes it on.
fn progress(watch: ReplayWatch, last: Seq) -> impl Fn(ReplayProgress) + Send + Sync {
    move |ReplayProgress { records, seq }| {
        if records == 0 {
            return;
        }
        tracing::info!(
            records,
            record = seq.0,
            last = last.0,
            "replaying the journal"
        );
        watch.hear(Replayed { records, seq, last });
    }
}
