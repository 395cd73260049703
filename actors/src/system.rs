//! The system: typed functions for everything that can be done and seen. Messages and mailboxes stay inside.

mod account_quotas;
mod assigning;
pub mod callbacks;
pub mod chat;
pub mod credentials;
pub mod deliveries;
pub mod endpoints;
pub mod erasures;
pub mod fetches;
pub mod hooks;
pub mod inbox;
pub mod leads;
pub mod live;
pub mod metrics;
mod notifications;
pub mod oauth;
pub mod operator;
pub mod pushes;
pub mod questions;
pub mod relays;
pub mod replays;
pub mod roles;
mod scheduled_replies;
mod snoozes;
pub mod standby;
mod start;
mod timers;
mod typing_throttle;
pub mod user_access;
pub mod users;
pub mod verify;
#[doc(hidden)]
pub mod whole;

pub use start::StopReport;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use actix::{Addr, Arbiter};
use futures_util::future::AbortHandle;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use switchboard_engine::runtime::owner::{GetState, Owned};
use switchboard_engine::store::frontier::Frontier;

use crate::dispatcher::Dispatcher;
use crate::domain::derive::InstallationId;
use crate::domain::time::UnixMillis;
use crate::hooks::{HookDispatcher, RunningHooks};
use crate::relays::{RelayDispatcher, RunningRelays};
use crate::salesbots::{Asker, BeginAsking, LeaveAsking};
use crate::system::typing_throttle::TypingThrottle;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::admission::Admission;
use switchboard_runtime::shared::dispatch_shell::{Begin, Leave};
use switchboard_runtime::shared::{Kernel, Shared};

/// A running system. Cheap to clone; all clones are the same system.
#[derive(Clone)]
pub struct System {
    kernel: Kernel,
    running: Arc<Running>,
}

/// The parts that stop when the system stops, or when the last clone of a system that was not shut down is dropped.
struct Running {
    dispatcher: Addr<Dispatcher>,
    hooks: RunningHooks,
    relays: RunningRelays,
    asker: Addr<Asker>,
    janitor: AbortHandle,
    feed: AbortHandle,
    replaying: AbortHandle,
    waking: AbortHandle,
    scheduling: AbortHandle,
    notifying: AbortHandle,
    assigning: AbortHandle,
    /// Test callbacks that may still be sent at once.
    tests: Arc<Semaphore>,
    /// Callbacks about who is typing that may still be sent at once.
    typing: Arc<Semaphore>,
    typing_throttle: TypingThrottle,
    /// The arbiters that the system started for itself.
    arbiters: Mutex<Vec<Arbiter>>,
    /// The thread that counts the queue after the start.
    counting: Mutex<Option<JoinHandle<()>>>,
    admission: Arc<Admission>,
}

impl Running {
    /// Ends what runs; returns the threads, which end soon.
    fn end(&self) -> Vec<Arbiter> {
        self.janitor.abort();
        self.feed.abort();
        self.replaying.abort();
        self.waking.abort();
        self.scheduling.abort();
        self.notifying.abort();
        self.assigning.abort();
        self.admission.stop();
        self.hooks.end();
        self.relays.end();
        if self.asker.try_send(LeaveAsking).is_err() {
            tracing::debug!("the asker has ended before, or ends with its thread");
        }
        if self.dispatcher.try_send(Leave).is_err() {
            tracing::debug!("the dispatcher has ended before, or ends with its thread");
        }
        let mut held_arbiters = self.arbiters.lock().unwrap_or_else(PoisonError::into_inner);
        let arbiters = std::mem::take(&mut *held_arbiters);
        for arbiter in &arbiters {
            arbiter.stop();
        }
        arbiters
    }

    /// The thread that counts the queue, if it may still be running.
    fn counting(&self) -> Option<JoinHandle<()>> {
        let mut counting = self.counting.lock().unwrap_or_else(PoisonError::into_inner);
        counting.take()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// The counts of a system, for metrics and for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemCounts {
    /// Actors in memory.
    pub actors: usize,
    /// Actors that died by a panic.
    pub deaths: u64,
    /// The last record that is on disk.
    pub durable: u64,
}

impl System {
    /// Lets callbacks go that [`crate::SystemConfig::hold_callbacks`] held back.
    ///
    /// # Errors
    /// When the system is stopping.
    pub async fn send_callbacks(&self) -> Result<(), UnavailableError> {
        self.running
            .dispatcher
            .send(Begin)
            .await
            .map_err(|_ended| UnavailableError::Stopping)?;
        let result = self.running.asker.send(BeginAsking).await;
        result.map_err(|_ended| UnavailableError::Stopping)?;
        self.running.hooks.begin(&self.kernel).await?;
        self.running.relays.begin().await
    }

    /// Sets the address at which programs reach accounts, for the links in hooks and questions; the first call counts.
    pub fn set_public_url(&self, url: &str) {
        let url = url.trim_end_matches('/');
        self.kernel
            .shared
            .public_url
            .set(url.into())
            .unwrap_or_default();
    }

    pub(crate) fn asker(&self) -> &Addr<Asker> {
        &self.running.asker
    }

    pub(crate) fn hook_dispatcher(&self) -> &Addr<HookDispatcher> {
        &self.running.hooks.dispatcher
    }

    pub(crate) fn relay_dispatcher(&self) -> Option<&Addr<RelayDispatcher>> {
        self.running.relays.dispatcher.as_ref()
    }

    /// Now, as the system's clock has it.
    #[must_use]
    pub fn now(&self) -> UnixMillis {
        self.kernel.clock.now()
    }

    /// Sixteen fresh random bytes that cannot be guessed.
    #[must_use]
    pub fn random(&self) -> [u8; 16] {
        self.kernel.entropy.bytes()
    }

    /// The number of the installation.
    #[must_use]
    pub fn installation(&self) -> InstallationId {
        self.kernel.shared.ids.installation()
    }

    /// The end of the journal for those who copy it while it is written.
    #[must_use]
    pub fn journal_frontier(&self) -> Frontier {
        self.kernel.frontier.clone()
    }

    /// Returns whether something can be stored now.
    ///
    /// # Errors
    /// Why not.
    pub fn writable(&self) -> Result<(), UnavailableError> {
        Ok(self.kernel.journal.writable()?)
    }

    /// Returns whether a part of the index was found damaged. What lies in it is refused from then on; the next start on the same
    /// data makes the index again from the journal.
    #[must_use]
    pub fn is_index_damaged(&self) -> bool {
        self.kernel.index.is_damaged()
    }

    /// Waits until a part of the index is found damaged.
    pub async fn index_damaged(&self) {
        self.kernel.index.damaged().await;
    }

    /// Writes the groups that are queued, and wakes their waiters, with [`crate::Threads::Stepped`]. Returns whether there were any.
    pub fn write_waiting(&self) -> bool {
        self.kernel.journal.step()
    }

    /// With [`crate::Threads::Stepped`], ends when something new waits to be put on disk, for the one task that
    /// [does that](Self::write_waiting). Otherwise it does not end.
    pub async fn write_wanted(&self) {
        self.kernel.journal.submitted().await;
    }

    /// The counts of the system.
    #[must_use]
    pub fn counts(&self) -> SystemCounts {
        SystemCounts {
            actors: self.kernel.shared.directories.live(),
            deaths: self.kernel.shared.directories.deaths(),
            durable: self.kernel.journal.durable_upto().0,
        }
    }

    /// The parts that owners share, for test kits that look at all that is stored, whatever the rights of a user.
    #[doc(hidden)]
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The state `id`: asked of its owner when there is one in memory, read from the store otherwise. `None` when
    /// nothing was ever stored.
    pub(crate) async fn look<S: Owned<Shared>>(
        &self,
        id: &S::Id,
    ) -> Result<Option<S>, UnavailableError> {
        if let Some(owner) = S::directory(&self.kernel.shared).peek(id)
            && let Ok(Some(pending)) = timeout(
                self.kernel.shared.config.ask_deadline,
                owner.send(GetState::default()),
            )
            .await
            .map_err(|_elapsed| UnavailableError::Busy)?
        {
            return pending.stored(&self.kernel.journal).await.map(Some);
        }
        Ok(self
            .kernel
            .load::<S>(id.clone())
            .await?
            .map(|(state, _)| state))
    }
}
