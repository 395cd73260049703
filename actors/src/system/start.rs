//! The start and the stop of a system.
//!
//! Up: identity → where the index goes on → end of the journal → index (replays) → journal → facts → dispatcher.
//! Down: nothing new is accepted → what was accepted is answered → no callback is sent any more → those in flight are
//! recorded → the journal is closed → the last checkpoint → the tables are closed → the threads end.

mod dispatcher;
mod janitor;
mod read_cache;
pub(super) mod schema;

use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use actix::{Actor as _, Arbiter, ArbiterHandle};
use futures_util::FutureExt;
use futures_util::future::abortable;
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::time::{Instant, timeout_at};

use crate::dispatcher::WakeHints;
use crate::domain::account::throttle::Throttle;
use crate::domain::derive::IdSpace;
use crate::domain::notice::Notice;
use crate::hooks::RunningHooks;
use crate::relays::RunningRelays;
use crate::salesbots::{Asker, LeaveAsking};
use crate::system::live;
use crate::system::operator::test_send::TESTS_MAX;
use crate::system::scheduled_replies::ScheduledTimers;
use crate::system::snoozes::Snoozes;
use crate::system::start::schema::schema;
use crate::system::typing_throttle::{TypingThrottle, UNDER_WAY_MAX};
use crate::system::user_access::SEARCHES_MAX;
use crate::system::{Running, System, assigning, notifications, replays, timers};
use switchboard_engine::runtime::open::{self, OpenedStore};
use switchboard_engine::store::committer::Journal;
use switchboard_engine::store::committer::config::{
    Durability as JournalDurability, JournalConfig,
};
use switchboard_engine::store::index::config::{Listener, RowWatch};
use switchboard_engine::store::index::sink::Indexing;
use switchboard_engine::store::log_owner::LogOwner;
use switchboard_runtime::caches::endpoint_health::EndpointHealthCache;
use switchboard_runtime::caches::read_cache::ReadCache;
use switchboard_runtime::caches::recent::Recent;
use switchboard_runtime::config::{Durability, SystemConfig, Threads};
use switchboard_runtime::error::StartError;
use switchboard_runtime::live::assigning::Assigning;
use switchboard_runtime::live::feed::{Feed, FeedSink};
use switchboard_runtime::port::Ports;
use switchboard_runtime::shared::account_usage::UsageBook;
use switchboard_runtime::shared::admission::Admission;
use switchboard_runtime::shared::directories::Directories;
use switchboard_runtime::shared::dispatch_shell::Drain;
use switchboard_runtime::shared::meters::Meters;
use switchboard_runtime::shared::passwords::Passwords;
use switchboard_runtime::shared::relay_book::RelayBook;
use switchboard_runtime::shared::{Kernel, Shared};
use switchboard_runtime::undo::Undos;

/// The interval at which the local journal is synced when a shared log has everything.
const SHARED_SYNC: Duration = Duration::from_secs(1);

/// The work that a stop could not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopReport {
    /// True when every command that was accepted was answered in time.
    pub answered: bool,
    /// True when every callback in flight came back in time.
    pub drained: bool,
    /// The last record on disk.
    pub durable: u64,
}

impl System {
    /// Opens the store and starts the actors. Blocks while the journal is replayed; to be called on a thread of an
    /// actix `System`.
    ///
    /// # Errors
    /// When the data cannot be used: the error says which file, why, and what to do.
    pub fn start(config: SystemConfig, ports: Ports) -> Result<Self, StartError> {
        Self::start_on(config, ports, None)
    }

    /// As [`Self::start`], as the owner of a shared log: nothing is answered before the log has it. The local journal is then
    /// synced about once a second, whatever the configuration says: what a power cut takes from it is read from the log.
    ///
    /// # Errors
    /// As of [`Self::start`].
    pub fn start_owned(
        config: SystemConfig,
        ports: Ports,
        owner: Box<dyn LogOwner>,
    ) -> Result<Self, StartError> {
        let durability = Durability::Interval(SHARED_SYNC);
        let config = SystemConfig {
            durability,
            ..config
        };
        Self::start_on(config, ports, Some(owner))
    }

    fn start_on(
        config: SystemConfig,
        ports: Ports,
        owner: Option<Box<dyn LogOwner>>,
    ) -> Result<Self, StartError> {
        let mut arbiters: Vec<Arbiter> = match config.threads {
            Threads::Own(count) => (0..count.max(1)).map(|_| Arbiter::new()).collect(),
            Threads::Here | Threads::Stepped | Threads::Join(_) => Vec::new(),
        };
        let sender = Arc::clone(&ports.sender);
        let sender_of_hooks = Arc::clone(&ports.sender);
        let sender_of_relays = Arc::clone(&ports.sender);
        let sender_of_questions = Arc::clone(&ports.sender);
        let (kernel, index) = open_and_read(config, ports, owner)?;
        match kernel.shared.config.threads {
            Threads::Here | Threads::Stepped => {
                wake_relay(&kernel, Arbiter::current());
            }
            Threads::Own(_) => {
                for arbiter in &arbiters {
                    wake_relay(&kernel, arbiter.handle());
                }
            }
            // The thread that starts the system waits for answers too.
            Threads::Join(_) => start_relay(&kernel, &Arbiter::current()),
        }
        let counting = count_queue(&kernel)?;
        let replay_begun = Arc::clone(&kernel.shared.replay_begun);
        let (recent, unsent) = (&kernel.shared.recent, &kernel.shared.unsent);
        let erasure_ordered = Arc::clone(&kernel.shared.erasure_ordered);
        let hints = Arc::new(WakeHints::new(
            Arc::clone(recent),
            Arc::clone(unsent),
            replay_begun,
            erasure_ordered,
        ));
        let listener: Arc<dyn Listener<Notice>> = Arc::<WakeHints>::clone(&hints);
        index.listen(listener);
        let (dispatcher, own) = dispatcher::start(&kernel, sender, &hints);
        arbiters.extend(own);
        hints.waker.attach(dispatcher.clone());
        let (hooks, own) = RunningHooks::start(&kernel, sender_of_hooks, &index);
        arbiters.extend(own);
        let (relays, own) = RunningRelays::start(&kernel, sender_of_relays, &index);
        arbiters.extend(own);
        let asker = Asker::new(kernel.clone(), sender_of_questions).start();
        let janitor = janitor::start(&kernel);
        let (start_relay, feed) = abortable(live::relay(kernel.clone()));
        Arbiter::current().spawn(start_relay.map(drop));
        let admission = Arc::clone(&kernel.shared.admission);
        let replaying = replays::start_worker(&kernel, &dispatcher);
        Ok(Self {
            running: Arc::new_cyclic(|running| Running {
                scheduling: timers::start(&kernel, ScheduledTimers(Weak::clone(running))),
                dispatcher,
                hooks,
                relays,
                asker,
                janitor,
                feed,
                replaying,
                waking: timers::start(&kernel, Snoozes),
                notifying: notifications::start_notifier(&kernel, Weak::clone(running)),
                assigning: assigning::start_assigner(&kernel, Weak::clone(running)),
                tests: Arc::new(Semaphore::new(TESTS_MAX)),
                typing: Arc::new(Semaphore::new(UNDER_WAY_MAX)),
                typing_throttle: TypingThrottle::default(),
                arbiters: Mutex::new(arbiters),
                counting: Mutex::new(counting),
                admission,
            }),
            kernel,
        })
    }

    /// Stops: refuses new commands, answers those that were accepted, sends no further callback and waits for those in
    /// flight, all that at most for `patience`; then puts everything on disk. What was accepted stays accepted, and
    /// needs no repair. The data can be opened again as soon as this returns, even if clones of the system remain; a
    /// clone's reads from the tables are refused.
    pub async fn shutdown(self, patience: Duration) -> StopReport {
        self.close(patience, Journal::close).await
    }

    /// As [`Self::shutdown`], but does not release a shared log: this process is about to claim it again.
    pub async fn shutdown_for_now(self, patience: Duration) -> StopReport {
        self.close(patience, Journal::close_for_now).await
    }

    /// Sends no callback from now on; whether all in flight came back in time.
    pub(super) async fn drain_callbacks(&self, deadline: Instant) -> bool {
        let (drained, waiting) = oneshot::channel();
        let is_draining = self.running.dispatcher.send(Drain(drained)).await.is_ok();
        // Questions under way are asked again after the next start.
        if self.running.asker.send(LeaveAsking).await.is_err() {
            tracing::debug!("the asker has ended before");
        }
        let hooks = timeout_at(deadline, self.running.hooks.drain());
        let callbacks = timeout_at(deadline, waiting);
        let relays = timeout_at(deadline, self.running.relays.drain());
        let (hooks, relays, callbacks) =
            futures_util::future::join3(hooks, relays, callbacks).await;
        is_draining
            && hooks.unwrap_or(false)
            && relays.unwrap_or(false)
            && callbacks.is_ok_and(|answer| answer.is_ok())
    }

    async fn close(self, patience: Duration, close: fn(&Journal<Notice>)) -> StopReport {
        let deadline = Instant::now() + patience;
        let has_answered = self.kernel.gate.close(deadline).await;
        let drained = self.drain_callbacks(deadline).await;
        self.kernel.shared.directories.clear();
        let arbiters = self.running.end();
        let counting = self.running.counting();
        let (journal, index) = (self.kernel.journal.clone(), self.kernel.index.clone());
        let closing = tokio::task::spawn_blocking(move || {
            if let Some(counting) = counting {
                // A thread that panicked has ended too.
                counting.join().unwrap_or_default();
            }
            close(&journal);
            let result = index.close();
            for arbiter in arbiters {
                // A thread that panicked has ended too.
                arbiter.join().unwrap_or_default();
            }
            result
        });
        if let Ok(Err(trouble)) = closing.await {
            tracing::warn!(%trouble, "the last checkpoint failed; the next start replays instead");
        }
        StopReport {
            answered: has_answered,
            drained,
            durable: self.kernel.journal.durable_upto().0,
        }
    }
}

impl System {
    /// The current arbiter becomes one of the threads that actors live on, if the system still wants any.
    pub fn join(&self) -> bool {
        wake_relay(self.kernel(), Arbiter::current())
    }
}

fn wake_relay(kernel: &Kernel, handle: actix::ArbiterHandle) -> bool {
    start_relay(kernel, &handle);
    kernel.shards.join(handle)
}

/// Starts the relay that wakes the tasks on this thread that wait for the disk, once per batch.
fn start_relay(kernel: &Kernel, handle: &ArbiterHandle) {
    let journal = kernel.journal.clone();
    let is_running = handle.spawn_fn(move || drop(actix::spawn(journal.wake_relay())));
    debug_assert!(
        is_running,
        "an arbiter that was just made, or runs this, is alive"
    );
}

/// Counts what is queued, before anything is, or beside everything else.
fn count_queue(kernel: &Kernel) -> Result<Option<JoinHandle<()>>, StartError> {
    if kernel.shared.config.threads.is_one() {
        Admission::count(kernel);
        return Ok(None);
    }
    Admission::count_in_background(kernel)
        .map(Some)
        .map_err(|error| StartError::Store(format!("cannot start a thread: {error}")))
}

/// Opens the store and reads what every request needs. Damage of the index that this meets first is made good at once:
/// it has been noted on disk, so opening again makes the index again.
fn open_and_read(
    config: SystemConfig,
    ports: Ports,
    owner: Option<Box<dyn LogOwner>>,
) -> Result<(Kernel, Indexing<Notice>), StartError> {
    let is_owner = owner.is_some();
    let (kernel, index) = open(config.clone(), ports.clone(), owner)?;
    let read = read_cache::read(&kernel);
    if read.is_ok() || !kernel.index.is_damaged() {
        return read.map(|()| (kernel, index));
    }
    if is_owner {
        kernel.journal.close_for_now();
    } else {
        kernel.journal.close();
    }
    if let Err(trouble) = kernel.index.close() {
        tracing::warn!(%trouble, "the damaged index could not be written; it is rebuilt");
    }
    drop((kernel, index));
    if is_owner {
        // An owner claims its log anew first.
        return Err(StartError::IndexDamaged);
    }
    let store_parts = open(config, ports, None)?;
    read_cache::read(&store_parts.0)?;
    Ok(store_parts)
}

fn open(
    config: SystemConfig,
    ports: Ports,
    owner: Option<Box<dyn LogOwner>>,
) -> Result<(Kernel, Indexing<Notice>), StartError> {
    let (clock, entropy) = (Arc::clone(&ports.clock), Arc::clone(&ports.entropy));
    let kernel_ports = open::Ports {
        disk: ports.disk,
        tables: ports.tables,
        clock: ports.clock,
        entropy: ports.entropy,
    };
    let local_store = OpenedStore::open(kernel_ports, schema(), kernel_config(&config))?;
    let store_parts = match owner {
        Some(owner) => local_store.owned_by(owner),
        None => local_store,
    };
    let feed = Arc::new(Feed::new(
        store_parts.durable(),
        store_parts.frontier.clone(),
    ));
    let meters = Arc::new(Meters::default());
    let assigning = Arc::new(Assigning::new(Arc::clone(&clock)));
    let admission = Arc::new(Admission::new(config.quotas, clock, Arc::clone(&meters)));
    let watch: Arc<dyn RowWatch> = Arc::<Admission>::clone(&admission);
    store_parts.index.watch(watch);
    let index = store_parts.sink();
    let sink = Arc::new(FeedSink {
        index: index.clone(),
        feed: Arc::clone(&feed),
        assigning: Arc::clone(&assigning),
    });
    let world = Shared {
        ids: IdSpace::new(store_parts.secret),
        directories: Directories::new(config.mailbox.max(1)),
        read_cache: ReadCache::default(),
        admission,
        endpoint_health: EndpointHealthCache::default(),
        recent: Arc::new(Recent::new(config.recent_deliveries)),
        unsent: Arc::default(),
        meters,
        replay_begun: Arc::default(),
        erasure_ordered: Arc::default(),
        fetch_wanted: Notify::new(),
        snoozed: Notify::new(),
        scheduled: Notify::new(),
        hook_wanted: Notify::new(),
        assigning,
        passwords: Passwords::default(),
        undos: Undos::default(),
        usage: UsageBook::default(),
        searches: Arc::new(Semaphore::new(SEARCHES_MAX)),
        feed,
        throttle: Mutex::new(Throttle::new(entropy.bytes())),
        public_url: OnceLock::new(),
        relays: Arc::new(RelayBook::new(config.relays.clone())),
        config,
    };
    Ok((store_parts.start(sink, world)?, index))
}

pub(super) fn kernel_config(config: &SystemConfig) -> open::Config {
    open::Config {
        threads: config.threads,
        ask_deadline: config.ask_deadline,
        checkpoint_records: config.checkpoint_records,
        replay_watch: config.replay_watch.clone(),
        journal: JournalConfig {
            segment_bytes: config.segment_bytes,
            low_water_bytes: config.low_water_bytes,
            reserve_bytes: config.disk_reserve_bytes,
            durability: match config.durability {
                Durability::Always => JournalDurability::EveryBatch,
                Durability::Interval(every) => JournalDurability::Interval(every),
            },
            ..JournalConfig::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::kinds;

    #[test]
    fn every_kind_of_state_is_kept() {
        let schema_codes: Vec<_> = schema().kinds().map(|kind| kind.code()).collect();
        let missing =
            |kind: &&switchboard_engine::stream::StreamKind| !schema_codes.contains(&kind.code());
        assert_eq!(kinds::ALL.iter().find(missing), None);
        assert_eq!(schema_codes.len(), kinds::ALL.len());
    }
}
