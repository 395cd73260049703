//! Finds the actor that owns a state: starts it on first use, forgets it when it is idle, replaces it when it died.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix::dev::Request;
use actix::{Actor, Addr, Context, Handler, Message};

use crate::error::UnavailableError;
use crate::runtime::kernel::{Kernel, Product};
use crate::runtime::live_state::LiveState;
use crate::runtime::owner::{Owned, Owner, Retire};
use crate::store::Seq;
use crate::stream::StreamKey;
use crate::time::UnixMillis;

/// The number of parts of the directory, so that threads seldom wait for each other.
const PARTS: usize = 64;
/// So many deaths of an owner within `DEATHS_WITHIN` have its state refused.
const DEATHS_MAX: usize = 3;
/// The period in which deaths count.
const DEATHS_WITHIN: Duration = Duration::from_secs(60);
/// The time for which a state is refused, and again after every further death within the period.
const REFUSED_FOR: Duration = Duration::from_secs(10);

#[expect(
    clippy::disallowed_types,
    reason = "looked up by key, on the hot path; its order is never seen"
)]
type Slots<S, P> = std::collections::HashMap<StreamKey, Slot<S, P>>;

/// The actors that own states of one kind.
pub struct Directory<S: Owned<P>, P: Product> {
    parts: Box<[Mutex<Slots<S, P>>]>,
    live: AtomicUsize,
    instances: AtomicU64,
    deaths: AtomicU64,
    mailbox: usize,
}

/// The owners that release memory, by the time of their last use.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Owners last used before this time leave memory.
    pub leave: UnixMillis,
    /// Owners last used within this range have just become quiet, and release their last events.
    pub passivate: Range<UnixMillis>,
    /// Up to which record the index finds events.
    pub indexed: Seq,
    /// The number of owners that are too many, if any.
    pub surplus: Option<Surplus>,
}

/// Owners that leave memory because there are too many: the longest unused first.
#[derive(Clone, Copy, Debug)]
pub struct Surplus {
    /// The number of owners from which on some leave.
    pub owners: usize,
    /// Of how many, in all directories: each gives up its share.
    pub of: usize,
    /// Owners that were used at this time or later stay, however many there are.
    pub unused_since: UnixMillis,
}

impl Surplus {
    /// Returns the number of these owners that leave.
    fn share(self, owners: usize) -> usize {
        let share = self.owners.saturating_mul(owners).div_ceil(self.of.max(1));
        share.min(owners)
    }
}

struct Slot<S: Owned<P>, P: Product> {
    addr: Addr<Owner<S, P>>,
    instance: u64,
    used: UnixMillis,
    /// Its state, once it is loaded.
    live: Option<Arc<LiveState<S>>>,
    /// The times at which its predecessors died, as far as that was a short time ago.
    deaths: Vec<UnixMillis>,
    /// Until then no owner is started in place of the dead one; `None` while the owner is not known to be dead.
    refused_until: Option<UnixMillis>,
}

impl<S: Owned<P>, P: Product> Slot<S, P> {
    /// The owners of a directory in the order of their last use.
    fn age(&self) -> (UnixMillis, u64) {
        (self.used, self.instance)
    }
}

impl<S: Owned<P>, P: Product> Directory<S, P> {
    /// An empty directory whose actors have mailboxes for `mailbox` messages.
    pub fn new(mailbox: usize) -> Self {
        Self {
            parts: (0..PARTS).map(|_| Mutex::default()).collect(),
            live: AtomicUsize::new(0),
            instances: AtomicU64::new(0),
            deaths: AtomicU64::new(0),
            mailbox,
        }
    }

    /// Sends a message to the owner of the state `id`, which is started if there is none.
    pub fn send<M>(
        &self,
        id: &S::Id,
        kernel: &Kernel<P>,
        message: M,
    ) -> Result<Request<Owner<S, P>, M>, UnavailableError>
    where
        M: Message<Result: Send> + Send + 'static,
        Owner<S, P>: Actor<Context = Context<Owner<S, P>>> + Handler<M>,
    {
        self.with_owner(id, kernel, |owner| owner.send(message))
    }

    /// Starts an owner of the state `id` if there is none.
    pub fn ensure(&self, id: &S::Id, kernel: &Kernel<P>) -> Result<(), UnavailableError> {
        self.with_owner(id, kernel, |_owner| ())
    }

    /// Passes the address to `act` under the lock of its part: a copy of the address would take memory of its own.
    /// Sending only puts the message into the mailbox and wakes the owner, which handles it later.
    fn with_owner<T>(
        &self,
        id: &S::Id,
        kernel: &Kernel<P>,
        act: impl FnOnce(&Addr<Owner<S, P>>) -> T,
    ) -> Result<T, UnavailableError> {
        let stream = S::stream(id);
        let now = kernel.clock.now();
        let mut slots = self.part(&stream);
        let mut deaths = Vec::new();
        if let Some(slot) = slots.get_mut(&stream) {
            if slot.addr.connected() {
                slot.used = now;
                return Ok(act(&slot.addr));
            }
            deaths = self.record_death(slot, &stream, now)?;
        } else {
            self.live.fetch_add(1, Ordering::Relaxed);
        }
        let instance = self.instances.fetch_add(1, Ordering::Relaxed);
        let addr = self.start(id.clone(), instance, kernel);
        let outcome = act(&addr);
        slots.insert(
            stream,
            Slot {
                addr,
                instance,
                used: now,
                live: None,
                deaths,
                refused_until: None,
            },
        );
        Ok(outcome)
    }

    /// The owner of the state `id`, if it is in memory.
    pub fn peek(&self, id: &S::Id) -> Option<Addr<Owner<S, P>>> {
        let stream = S::stream(id);
        self.part(&stream)
            .get(&stream)
            .filter(|slot| slot.addr.connected())
            .map(|slot| slot.addr.clone())
    }

    /// Takes note of the state that an owner has loaded, if the owner in the directory is still this one.
    pub(crate) fn attach(&self, stream: &StreamKey, instance: u64, live: &Arc<LiveState<S>>) {
        let mut slots = self.part(stream);
        if let Some(slot) = slots.get_mut(stream)
            && slot.instance == instance
        {
            slot.live = Some(Arc::clone(live));
        }
    }

    /// Takes an owner out, if the owner in the directory is still this one.
    pub fn remove(&self, stream: &StreamKey, instance: u64) {
        let mut slots = self.part(stream);
        if slots
            .get(stream)
            .is_some_and(|slot| slot.instance == instance)
        {
            slots.remove(stream);
            self.live.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Has unused owners leave memory, or release what they do not need.
    pub fn sweep(&self, sweep: &Sweep) {
        let newest = sweep.surplus.and_then(|surplus| self.newest_of(surplus));
        for part in &self.parts {
            let slots = part.lock().unwrap_or_else(PoisonError::into_inner);
            let leaves = |slot: &Slot<S, P>| slot.used < sweep.leave || Some(slot.age()) <= newest;
            let is_quiet =
                |slot: &&Slot<S, P>| leaves(slot) || sweep.passivate.contains(&slot.used);
            let mut quiet: Vec<&Slot<S, P>> = slots.values().filter(is_quiet).collect();
            // The same order in each run of a simulation.
            quiet.sort_unstable_by_key(|slot| slot.instance);
            for slot in quiet {
                // A full mailbox means that the owner is not idle at all.
                if leaves(slot) {
                    slot.addr.try_send(Retire).unwrap_or_default();
                } else if let Some(live) = &slot.live {
                    live.passivate(sweep.indexed);
                }
            }
        }
    }

    /// The age of the most recently used of those owners that are too many.
    fn newest_of(&self, surplus: Surplus) -> Option<(UnixMillis, u64)> {
        let count = surplus.share(self.live());
        let last = count.checked_sub(1)?;
        let mut unused = Vec::new();
        for part in &self.parts {
            let slots = part.lock().unwrap_or_else(PoisonError::into_inner);
            let ages = slots.values().map(Slot::age);
            unused.extend(ages.filter(|(used, _)| *used < surplus.unused_since));
        }
        if unused.len() <= count {
            return unused.into_iter().max();
        }
        let (_, newest, _) = unused.select_nth_unstable(last);
        Some(*newest)
    }

    /// Forgets all owners: they end when their mailboxes are empty.
    pub fn clear(&self) {
        for part in &self.parts {
            part.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        self.live.store(0, Ordering::Relaxed);
    }

    /// Returns the number of owners in memory.
    pub fn live(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    /// Returns the number of owners that died by a panic.
    pub fn deaths(&self) -> u64 {
        self.deaths.load(Ordering::Relaxed)
    }

    fn part(&self, stream: &StreamKey) -> MutexGuard<'_, Slots<S, P>> {
        let place = usize::try_from(stream.key().0 % 64).unwrap_or_default();
        #[expect(
            clippy::indexing_slicing,
            reason = "there are 64 parts, and the place is a remainder of 64"
        )]
        self.parts[place]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, id: S::Id, instance: u64, kernel: &Kernel<P>) -> Addr<Owner<S, P>> {
        kernel.owner_started.notify_one();
        let arbiter = kernel.shards.thread_of(&S::stream(&id));
        let mailbox = self.mailbox;
        let kernel = kernel.clone();
        Owner::start_in_arbiter(&arbiter, move |ctx: &mut Context<Owner<S, P>>| {
            ctx.set_mailbox_capacity(mailbox);
            Owner::new(kernel, id, instance)
        })
    }

    /// Counts a death, once; a state whose owners keep dying is refused for a while.
    fn record_death(
        &self,
        slot: &mut Slot<S, P>,
        stream: &StreamKey,
        now: UnixMillis,
    ) -> Result<Vec<UnixMillis>, UnavailableError> {
        if let Some(until) = slot.refused_until {
            return if now < until {
                Err(UnavailableError::Busy)
            } else {
                Ok(std::mem::take(&mut slot.deaths))
            };
        }
        slot.deaths
            .retain(|death| now.since(*death) < DEATHS_WITHIN);
        slot.deaths.push(now);
        self.deaths.fetch_add(1, Ordering::Relaxed);
        let deaths = slot.deaths.len();
        let stream = stream.named(S::KIND.name());
        tracing::error!(stream, deaths, "an actor died");
        if deaths >= DEATHS_MAX {
            slot.refused_until = Some(now.plus(REFUSED_FOR));
            return Err(UnavailableError::Busy);
        }
        Ok(std::mem::take(&mut slot.deaths))
    }
}
