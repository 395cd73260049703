//! The worlds that there are, and those that ended lately.

use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use crate::world::OwnIds;
use hyper::StatusCode;
use serde_json::{Value, json};
use switchboard_http::vendor::VendorKey;
use switchboard_loopback::body::BodyMemory;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::dev::worlds::clock::{ClockMode, machine_now, shown};
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::export::ShownJournal;
use crate::dev::worlds::host::{Host, Plan};
use crate::dev::worlds::journal::Journal;
use crate::dev::worlds::kept::{Kept, NewWorld};
use crate::dev::worlds::listener::{self, Front};
use crate::dev::worlds::named::NamedWorld;
use crate::dev::worlds::names::Names;
use crate::dev::worlds::order::{Done, ORDERS_MAX, Order, Ordered, Orders};
use crate::dev::worlds::outside::Outside;
use crate::dev::worlds::reply::Reply;
use crate::dev::worlds_key::WorldsKey;

/// So many worlds there are at once at most.
pub(super) const WORLDS_MAX: usize = 500;
/// Connections to a world at once; those that wait for a request make room for others.
const CONNECTIONS_MAX: usize = 64;
/// So many ended ones are remembered.
const ENDED_MAX: usize = 1_000;
/// Of so many that ended last, the journal can still be read.
const ENDED_JOURNALS_MAX: usize = 20;
/// So many entries of such a journal are kept, the newest ones.
const ENDED_ENTRIES_MAX: usize = 500;
/// So long an order to a world may take.
const ORDER_DEADLINE: Duration = Duration::from_secs(60);

/// The worlds of a process.
pub(super) struct Registry {
    outside: Outside,
    key: WorldsKey,
    vendor: VendorKey,
    /// The port of each world; 0: a free one.
    port: u16,
    /// The memory for the bodies of requests to all worlds.
    memory: BodyMemory,
    worlds: Arc<Mutex<WorldTable>>,
}

#[derive(Default)]
struct WorldTable {
    running: BTreeMap<String, Slot>,
    /// Oldest first.
    ended: VecDeque<EndedWorld>,
    last: u64,
}

/// A world that runs.
struct Slot {
    orders: Orders,
    listening: AbortHandle,
    kept: KeptJournal,
    front: Arc<Front>,
    address: String,
    /// By what requests for hosts of the counterpart find it; none of a fork, which has the ids of another world.
    names: Option<Arc<Names>>,
}

/// A world that ended.
struct EndedWorld {
    id: String,
    at: String,
    why: String,
    /// None for those that ended long ago.
    kept: Option<KeptJournal>,
}

/// The parts of a world that are read without its thread.
#[derive(Clone)]
struct KeptJournal {
    journal: Journal,
    title: String,
    seed: u64,
    clock: ClockMode,
    ids: OwnIds,
    base_url: String,
}

impl Registry {
    pub(super) fn new(outside: Outside, key: WorldsKey, vendor: VendorKey, port: u16) -> Self {
        Self {
            outside,
            key,
            vendor,
            port,
            memory: listener::body_memory(),
            worlds: Arc::default(),
        }
    }

    /// Makes a world; gives it as answers show it.
    ///
    /// # Errors
    /// When there are too many, or the system has no thread or port to give.
    pub(super) async fn make(
        &self,
        wanted: NewWorld,
        from: Option<Box<Kept>>,
    ) -> Result<Reply, DevError> {
        let failed = |error: std::io::Error| {
            let why = format!("no world can be made: {error}");
            DevError::new(StatusCode::SERVICE_UNAVAILABLE, why)
        };
        let socket = self.listen().await.map_err(failed)?;
        let address = socket.local_addr().map_err(failed)?;
        let (orders, taken) = mpsc::sync_channel(ORDERS_MAX);
        let journal = Journal::default();
        let secrets = match &from {
            Some(kept) => kept.snapshot.secrets().clone(),
            None => self.key.secrets(wanted.seed, &wanted.ids),
        };
        let is_new = from.is_none();
        let names = is_new.then(|| Arc::new(Names::new(&secrets, &wanted.ids)));
        let id = {
            let mut table = lock(&self.worlds);
            table.check_room(names.as_deref())?;
            table.last = table.last.saturating_add(1);
            let id = format!("w{}", table.last);
            let front = Arc::new(Front::new(orders.clone(), self.memory.clone()));
            let serving = listener::serve(socket, CONNECTIONS_MAX, Arc::clone(&front));
            let listening = tokio::task::spawn_local(serving);
            let slot = Slot {
                orders: orders.clone(),
                listening: listening.abort_handle(),
                front,
                address: address.to_string(),
                names: names.clone(),
                kept: KeptJournal {
                    journal: journal.clone(),
                    title: wanted.name.clone().unwrap_or_else(|| id.clone()),
                    seed: wanted.seed,
                    clock: wanted.clock,
                    ids: wanted.ids.clone(),
                    base_url: format!("http://{address}"),
                },
            };
            table.running.insert(id.clone(), slot);
            id
        };
        let plan = Plan {
            id: id.clone(),
            address,
            wanted,
            secrets,
            names,
            vendor: self.vendor.clone(),
            outside: self.outside.clone(),
            orders,
            journal,
            from,
        };
        let (worlds, of_thread) = (Arc::clone(&self.worlds), id.clone());
        let thread = std::thread::Builder::new()
            .name(format!("world {id}"))
            .spawn(move || {
                let run = || Host::new(plan).run(&taken);
                let why = match catch_unwind(AssertUnwindSafe(run)) {
                    Ok(why) => why,
                    Err(panic) => words_of(&*panic),
                };
                note_end(&worlds, &of_thread, &why);
            });
        if let Err(error) = thread {
            note_end(&self.worlds, &id, "it has no thread");
            return Err(failed(error));
        }
        self.described(&id).await
    }

    /// A socket at the port of a world.
    async fn listen(&self) -> std::io::Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).await
    }

    /// Makes a world that goes on from a snapshot of another one.
    ///
    /// # Errors
    /// When there is no such world or snapshot, and as [`Registry::make`].
    pub(super) async fn fork(&self, id: &str, snapshot: &str) -> Result<Reply, DevError> {
        let orders = self.orders(id)?;
        let (copied, copy) = oneshot::channel();
        // A world that has just ended drops the order.
        drop(orders.try_send(Order::Copy {
            snapshot: snapshot.to_owned(),
            copied,
        }));
        let snapshot = copy
            .await
            .map_err(|_ended| DevError::new(StatusCode::GONE, "the world ended"))??;
        self.make(snapshot.wanted(), Some(Box::new(snapshot))).await
    }

    /// Gives a world an order.
    ///
    /// # Errors
    /// When there is no such world, or it refuses.
    pub(super) async fn act(&self, id: &str, ordered: Ordered) -> Result<Reply, DevError> {
        self.answered(id, |done| Order::Act { ordered, done }).await
    }

    /// A world as answers show it.
    ///
    /// # Errors
    /// When there is no such world.
    pub(super) async fn described(&self, id: &str) -> Result<Reply, DevError> {
        self.answered(id, Order::Describe).await
    }

    async fn answered(
        &self,
        id: &str,
        order: impl FnOnce(Done) -> Order,
    ) -> Result<Reply, DevError> {
        let orders = self.orders(id)?;
        let (done, result) = oneshot::channel();
        // A world that has just ended drops the order.
        drop(orders.try_send(order(done)));
        match timeout(ORDER_DEADLINE, result).await {
            Ok(Ok(result)) => result,
            Ok(Err(_ended)) => Err(self.orders(id).err().unwrap_or_else(|| {
                DevError::new(StatusCode::GONE, format!("the world {id} ended meanwhile"))
            })),
            Err(_elapsed) => {
                let why = format!("the world {id} did not answer within a minute");
                Err(DevError::new(StatusCode::GATEWAY_TIMEOUT, why))
            }
        }
    }

    /// Ends a world.
    ///
    /// # Errors
    /// When there is no such world.
    pub(super) async fn end(&self, id: &str, why: &str) -> Result<Value, DevError> {
        let orders = self.orders(id)?;
        let (ended, end) = oneshot::channel();
        let why = why.to_owned();
        drop(orders.try_send(Order::End {
            why: why.clone(),
            ended,
        }));
        // It fails when the world has ended by itself meanwhile.
        drop(end.await);
        note_end(&self.worlds, id, &why);
        Ok(json!({ "id": id, "ended_at": shown(machine_now()), "why": why }))
    }

    /// Ends all worlds.
    pub(super) async fn end_all(&self, why: &str) {
        for id in self.ids() {
            // It may have ended by itself.
            drop(self.end(&id, why).await);
        }
    }

    /// Returns true while no world runs.
    pub(super) fn is_empty(&self) -> bool {
        lock(&self.worlds).running.is_empty()
    }

    /// The memory for the bodies of requests.
    pub(super) fn memory(&self) -> &BodyMemory {
        &self.memory
    }

    /// The worlds with such names.
    pub(super) fn named(&self, are: impl Fn(&Names) -> bool) -> Vec<NamedWorld> {
        let table = lock(&self.worlds);
        let worlds = table.running.values().filter_map(|slot| {
            let names = slot.names.as_ref().filter(|names| are(names))?;
            Some(NamedWorld {
                front: Arc::clone(&slot.front),
                names: Arc::clone(names),
                address: slot.address.clone(),
                key: self.vendor.clone(),
            })
        });
        worlds.collect()
    }

    /// The worlds that run.
    pub(super) fn ids(&self) -> Vec<String> {
        lock(&self.worlds).running.keys().cloned().collect()
    }

    /// The journal of a world, or of one that ended lately.
    ///
    /// # Errors
    /// When there is no such world, or its journal is not kept any more.
    pub(super) fn journal(&self, id: &str) -> Result<ShownJournal, DevError> {
        let table = lock(&self.worlds);
        if let Some(slot) = table.running.get(id) {
            return Ok(slot.kept.shown(None));
        }
        let ended_world = table.find_ended(id)?;
        let journal = ended_world.kept.as_ref();
        journal
            .map(|journal| journal.shown(Some((ended_world.at.clone(), ended_world.why.clone()))))
            .ok_or_else(|| ended_world.refusal())
    }

    fn orders(&self, id: &str) -> Result<Orders, DevError> {
        let table = lock(&self.worlds);
        match table.running.get(id) {
            Some(slot) => Ok(slot.orders.clone()),
            None => Err(table.find_ended(id)?.refusal()),
        }
    }
}

impl WorldTable {
    /// Checks that another world may begin, with these names.
    fn check_room(&self, names: Option<&Names>) -> Result<(), DevError> {
        if self.running.len() >= WORLDS_MAX {
            let why = format!("there are {WORLDS_MAX} worlds already; end some first");
            return Err(DevError::new(StatusCode::SERVICE_UNAVAILABLE, why));
        }
        let Some(subdomain) = names.and_then(|names| names.subdomain.as_ref()) else {
            return Ok(());
        };
        let owner = self.running.iter().find(|(_, slot)| {
            let names = slot.names.as_ref();
            names.is_some_and(|names| names.subdomain.as_ref() == Some(subdomain))
        });
        match owner {
            Some((owner, _)) => {
                let why = format!(
                    "subdomain: the world {owner} has «{subdomain}» already; end that world first, or choose another subdomain"
                );
                Err(DevError::new(StatusCode::CONFLICT, why))
            }
            None => Ok(()),
        }
    }

    /// A world that ended; otherwise there was none.
    fn find_ended(&self, id: &str) -> Result<&EndedWorld, DevError> {
        let ended_world = self.ended.iter().find(|ended| ended.id == id);
        ended_world.ok_or_else(|| DevError::unknown(format!("there is no world {id}")))
    }
}

impl EndedWorld {
    fn refusal(&self) -> DevError {
        let Self { id, at, why, .. } = self;
        let why = format!("the world {id} ended at {at}: {why}");
        DevError::new(StatusCode::GONE, why)
    }
}

impl KeptJournal {
    fn shown(&self, ended: Option<(String, String)>) -> ShownJournal {
        ShownJournal {
            journal: self.journal.clone(),
            title: self.title.clone(),
            seed: self.seed,
            clock: self.clock,
            ids: self.ids.clone(),
            base_url: self.base_url.clone(),
            ended,
        }
    }
}

/// The world has ended: nothing listens for it any more.
fn note_end(worlds: &Mutex<WorldTable>, id: &str, why: &str) {
    let mut table = lock(worlds);
    let Some(slot) = table.running.remove(id) else {
        return;
    };
    slot.listening.abort();
    if table.ended.len() == ENDED_MAX {
        table.ended.pop_front();
    }
    slot.kept.journal.shorten(ENDED_ENTRIES_MAX);
    table.ended.push_back(EndedWorld {
        id: id.to_owned(),
        at: shown(machine_now()),
        why: why.to_owned(),
        kept: Some(slot.kept),
    });
    // The newest ones keep their journal.
    let old = table.ended.len().checked_sub(ENDED_JOURNALS_MAX + 1);
    if let Some(oldest) = old.and_then(|place| table.ended.get_mut(place)) {
        oldest.kept = None;
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    let first = words.and_then(|words| words.lines().next());
    format!("it failed: {}", first.unwrap_or("for an unknown reason"))
}

fn lock(worlds: &Mutex<WorldTable>) -> MutexGuard<'_, WorldTable> {
    worlds.lock().unwrap_or_else(PoisonError::into_inner)
}
