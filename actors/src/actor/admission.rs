//! Who may queue a callback: keeps the [`Stock`] up with the rows of the queue, and promises places from it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::actor::dispatcher::version_of;
use crate::actor::meters::Meters;
use crate::domain::dispatch::endpoint::EndpointId;
use crate::domain::dispatch::quota::{OverQuota, Quotas};
use crate::domain::dispatch::stock::{Place, Stock};
use crate::domain::id::ScopeId;
use crate::domain::tables;
use crate::error::{Refused, Unavailable};
use crate::world::Env;
use switchboard_engine::entries::Row;
use switchboard_engine::runtime::clock::Clock;
use switchboard_engine::store::ReadError;
use switchboard_engine::store::index::config::RowWatch;
use switchboard_engine::store::tables::{KeyRange, Order};

/// How many rows are counted while commits wait: about a millisecond.
const ROWS: usize = 2_048;
/// The pause between two such pieces.
const BREATH: Duration = Duration::from_micros(200);
/// The most rows of one conversation that are counted; no quota of a conversation is larger.
const LANE_ROWS_MAX: usize = 100_000;

/// Who may queue a callback.
#[derive(Debug)]
pub(crate) struct Admission {
    stock: Mutex<Stock>,
    quotas: Quotas,
    clock: Arc<dyn Clock>,
    meters: Arc<Meters>,
    /// Whether what was queued at the start is counted.
    counted: watch::Sender<bool>,
    stopped: AtomicBool,
}

/// Why nobody may queue a callback now: too many wait already, or the service cannot say.
pub(crate) type NotQueued = Refused<Box<OverQuota>>;

/// A place in the queue that is promised: given back when it is dropped, unless it is kept.
#[derive(Debug)]
#[must_use = "a promise that is dropped is given back"]
pub(crate) struct Promise {
    admission: Arc<Admission>,
    lane: Option<Vec<u8>>,
}

impl Promise {
    /// The message is on disk: its row takes the place.
    pub(crate) fn keep(mut self) {
        self.lane = None;
        self.admission.meters.accepted.add();
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        if let Some(lane) = self.lane.take() {
            self.admission.stock().release(&lane);
        }
    }
}

impl Admission {
    pub(crate) fn new(quotas: Quotas, clock: Arc<dyn Clock>, meters: Arc<Meters>) -> Self {
        Self {
            stock: Mutex::default(),
            quotas: Quotas {
                lane: quotas
                    .lane
                    .min(LANE_ROWS_MAX.try_into().unwrap_or(u64::MAX)),
                ..quotas
            },
            clock,
            meters,
            counted: watch::Sender::new(false),
            stopped: AtomicBool::new(false),
        }
    }

    /// Promises a place for one message. What was queued at the start must be counted first.
    pub(crate) async fn enter(env: &Env, place: &Place<'_>) -> Result<Promise, NotQueued> {
        let admission = &env.world.admission;
        let mut counted = admission.counted.subscribe();
        let waiting = counted.wait_for(|counted| *counted);
        if !matches!(
            timeout(env.world.config.ask_deadline, waiting).await,
            Ok(Ok(_))
        ) {
            return Err(Unavailable::Busy.into());
        }
        let lane = place.lane();
        if !admission.stock().keeps(&lane) {
            // Between the counting and the keeping no row may come or go.
            env.index
                .still(|| {
                    let range = KeyRange::prefix(&lane);
                    let rows =
                        env.index
                            .scan(tables::QUEUED, &range, Order::Ascending, LANE_ROWS_MAX)?;
                    let mut stock = admission.stock();
                    if !stock.keeps(&lane) {
                        stock.keep(&lane, u64::try_from(rows.len()).unwrap_or(u64::MAX));
                    }
                    Ok::<(), ReadError>(())
                })
                .map_err(Unavailable::from)?;
        }
        admission.promise(env, place, lane)
    }

    fn promise(
        self: &Arc<Self>,
        env: &Env,
        place: &Place<'_>,
        lane: Vec<u8>,
    ) -> Result<Promise, NotQueued> {
        let health = || {
            env.world.board.health(&EndpointId {
                channel: place.scope.channel().clone(),
                version: place.version,
            })
        };
        let now = self.clock.now();
        let promised = self.stock().promise(place, &self.quotas, health, now);
        match promised {
            Ok(()) => Ok(Promise {
                admission: Arc::clone(self),
                lane: Some(lane),
            }),
            Err(refusal) => {
                self.meters.refused(refusal.quota);
                Err(Refused::Rejected(Box::new(refusal)))
            }
        }
    }

    /// The scope speaks another version from now on, or tells it for the first time.
    pub(crate) fn moved(&self, env: &Env, scope: &ScopeId) {
        if let Some(version) = version_of(env, scope) {
            self.stock().speaks(scope, version);
        }
    }

    /// How many callbacks are queued on the node.
    pub(crate) fn queued(&self) -> u64 {
        self.stock().queued()
    }

    /// How many callbacks are queued for an endpoint.
    pub(crate) fn queued_for(&self, endpoint: &EndpointId) -> u64 {
        self.stock().queued_for(endpoint)
    }

    /// Counts what is queued, on a thread of its own: nobody who does not want to queue something waits for it.
    pub(crate) fn count_in_background(env: &Env) -> std::io::Result<JoinHandle<()>> {
        let env = env.clone();
        std::thread::Builder::new()
            .name("queue-count".to_owned())
            .spawn(move || Self::count(&env))
    }

    /// Counts what is queued.
    pub(crate) fn count(env: &Env) {
        if let Err(error) = Self::try_count(env) {
            tracing::error!(%error, "the queue of callbacks cannot be counted; quotas count only what comes from now on");
        }
        env.world.admission.stock().all_counted();
        let mute = env.world.admission.stock().mute_scopes();
        for scope in mute {
            if env.world.admission.stopped.load(Ordering::Relaxed) {
                return;
            }
            env.world.admission.moved(env, &scope);
        }
        env.world.admission.counted.send_replace(true);
    }

    /// Ends the counting, which a stop does not wait for.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn try_count(env: &Env) -> Result<(), ReadError> {
        let mut range = KeyRange::all();
        while !env.world.admission.stopped.load(Ordering::Relaxed) {
            let last = env.index.still(|| {
                let rows = env
                    .index
                    .scan(tables::QUEUED, &range, Order::Ascending, ROWS)?;
                let last = rows.last().map(|(key, _)| key.clone());
                let mut stock = env.world.admission.stock();
                stock.counted(rows.into_iter().map(|(key, _)| key));
                if last.is_none() {
                    stock.all_counted();
                }
                Ok::<_, ReadError>(last)
            })?;
            match last {
                Some(last) => range = range.behind(last, Order::Ascending),
                None => break,
            }
            // Whoever waits to commit must get its turn between two pieces; on one thread nobody can.
            if !env.world.config.threads.is_one() {
                std::thread::sleep(BREATH);
            }
        }
        Ok(())
    }

    fn stock(&self) -> MutexGuard<'_, Stock> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RowWatch for Admission {
    fn changed(&self, row: &Row) {
        if row.table != tables::QUEUED {
            return;
        }
        match row.value {
            Some(_) => self.stock().put(&row.key),
            None => self.stock().delete(&row.key, self.clock.now()),
        }
    }
}
