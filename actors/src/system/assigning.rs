//! The assigner: gives conversations that wait to users who are here, and takes them from those who are gone.
//!
//! What waits is in the index, and the presence that users chose is in the journal. So a start finds the work again, and only the
//! signs of devices are lost; until they return, no user counts as absent.

mod step;

use std::collections::BTreeMap;
use std::sync::Weak;
use std::time::Duration;

use actix::Arbiter;
use futures_util::FutureExt;
use futures_util::future::{AbortHandle, abortable, select};

use crate::domain::id::{AccountId, ChannelId};
use crate::domain::keys;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::system::assigning::step::Step;
use crate::system::live::{Audience, LiveEvent, What};
use crate::system::{Running, System};
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::live::assigning::Work;
use switchboard_runtime::shared::Kernel;

/// The pause before work that could not be done is tried again.
const PAUSE: Duration = Duration::from_secs(5);
/// The longest sleep. The clock of a machine can be set forward, and a sleep does not feel it.
const LONGEST_SLEEP: Duration = Duration::from_secs(600);
/// The number of connections that are read at once.
const BATCH: usize = 128;

/// Assigns until it is aborted.
pub(super) fn start_assigner(kernel: &Kernel, running: Weak<Running>) -> AbortHandle {
    let assigner = Assigner {
        kernel: kernel.clone(),
        running,
        limits: BTreeMap::new(),
        give_backs: BTreeMap::new(),
        grace_end: kernel.shared.assigning.grace_end(),
        retry_at: None,
    };
    let (task, handle) = abortable(assigner.run());
    // It runs until it is aborted, so its result is of no use.
    Arbiter::current().spawn(task.map(drop));
    handle
}

struct Assigner {
    kernel: Kernel,
    running: Weak<Running>,
    /// The channels that assign automatically, with their limits.
    limits: BTreeMap<ChannelId, usize>,
    /// The times at which the next user of an account gives back.
    give_backs: BTreeMap<AccountId, UnixMillis>,
    /// The end of the time in which no user counts as absent; `None` when it is over.
    grace_end: Option<UnixMillis>,
    /// The time at which work that could not be done is tried again.
    retry_at: Option<UnixMillis>,
}

impl Assigner {
    async fn run(mut self) {
        loop {
            match self.work().await {
                Ok(()) => {}
                Err(UnavailableError::Stopping) => return,
                Err(error) => {
                    tracing::warn!(%error, "conversations wait: they cannot be assigned now");
                    self.retry_at = Some(self.kernel.clock.now().plus(PAUSE));
                }
            }
            let woken = self.kernel.shared.assigning.woken();
            match self.wait() {
                None => woken.await,
                Some(wait) => {
                    let sleep = self.kernel.clock.sleep(wait);
                    select(Box::pin(woken), sleep).await;
                }
            }
        }
    }

    /// Does all the work that there is.
    async fn work(&mut self) -> Result<(), UnavailableError> {
        let running = self.running.upgrade().ok_or(UnavailableError::Stopping)?;
        let kernel = self.kernel.clone();
        let system = System { kernel, running };
        let assigning = &self.kernel.shared.assigning;
        self.retry_at = None;
        system.show_sign_changes().await?;
        if self.grace_end.is_some() && assigning.grace_end().is_none() {
            self.grace_end = None;
            assigning.look_at_channels();
        }
        if assigning.take_channels()
            && let Err(error) = self.read_channels(&system).await
        {
            self.kernel.shared.assigning.look_at_channels();
            return Err(error);
        }
        self.begin_give_backs();
        while let Some((account, work)) = self.kernel.shared.assigning.take() {
            self.step(&system, account, work).await?;
            // Others live on this thread too.
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    async fn step(
        &mut self,
        system: &System,
        account: AccountId,
        work: Work,
    ) -> Result<(), UnavailableError> {
        let assigning = &self.kernel.shared.assigning;
        if self.limits.is_empty() {
            self.give_backs.remove(&account);
            return Ok(());
        }
        let step = match Step::new(system, account, &self.limits).await {
            Ok(step) => step,
            Err(error) => {
                assigning.put_back(account, work);
                return Err(error);
            }
        };
        if work.all_users {
            match step.next_give_back() {
                Some(at) => self.give_backs.insert(account, at),
                None => self.give_backs.remove(&account),
            };
        }
        match step.carry_out(work.clone()).await {
            Ok(Some(rest)) => assigning.put_back(account, rest),
            Ok(None) => {}
            Err(error) => {
                assigning.put_back(account, work);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Reads which channels assign automatically; all that waits in their accounts is examined.
    async fn read_channels(&mut self, system: &System) -> Result<(), UnavailableError> {
        let channels = system.stored_channels().await?;
        let on = channels.iter().filter(|it| it.settings.auto_assign);
        let limits = on.map(|it| (it.id.clone(), it.settings.assignment_limit.count()));
        self.limits = limits.collect();
        self.give_backs.clear();
        let shared = &self.kernel.shared;
        shared.assigning.switch(!self.limits.is_empty());
        self.kernel.caught_up().await;
        for channel in self.limits.keys() {
            let mut range = KeyRange::prefix(&keys::channel_prefix(channel));
            loop {
                let index = &self.kernel.index;
                let rows = index.scan(tables::SCOPES, &range, ScanOrder::Ascending, BATCH)?;
                for scope in rows
                    .iter()
                    .filter_map(|(key, _)| keys::parse_scope_row(key))
                {
                    shared.assigning.look_at_all(scope.account());
                }
                let Some((last, _)) = rows.last().filter(|_| rows.len() == BATCH) else {
                    break;
                };
                range = range.behind(last.clone(), ScanOrder::Ascending);
                tokio::task::yield_now().await;
            }
        }
        Ok(())
    }

    /// Examines the accounts in which a user gives back by now.
    fn begin_give_backs(&mut self) {
        let now = self.kernel.clock.now();
        let assigning = &self.kernel.shared.assigning;
        self.give_backs.retain(|account, at| {
            let is_due = *at <= now;
            if is_due {
                assigning.look_at_users(*account);
            }
            !is_due
        });
    }

    /// The wait until something is due; `None` when nothing will be.
    fn wait(&self) -> Option<Duration> {
        let next_sign_end = self.kernel.shared.assigning.next_sign_end();
        let times = [self.grace_end, self.retry_at, next_sign_end];
        let give_backs = self.give_backs.values().copied();
        let next = times.into_iter().flatten().chain(give_backs).min()?;
        Some(next.since(self.kernel.clock.now()).min(LONGEST_SLEEP))
    }
}

impl System {
    /// Passes to the listeners who is here since the last call, and who is not any more.
    async fn show_sign_changes(&self) -> Result<(), UnavailableError> {
        let assigning = &self.kernel().shared.assigning;
        for holder in assigning.take_sign_changes() {
            assigning.look_at_queue(holder.account);
            let users = self.users(holder.account).await?;
            let Some(user) = users.get(holder.user).filter(|user| user.active) else {
                continue;
            };
            if user.away.is_none() {
                let presence = self.presence(holder.account, user);
                self.kernel().shared.feed.publish(LiveEvent {
                    number: None,
                    audience: Audience::Account(holder.account),
                    what: What::Presence(holder.user, presence),
                });
            }
        }
        Ok(())
    }
}
