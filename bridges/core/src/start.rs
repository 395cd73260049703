//! The start of a bridge, its commits, and the way of a job to the part that does it.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Result, bail};
use tokio::sync::{Mutex, Notify};
use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::clock::unix_seconds;
use crate::lanes::{Lanes, Outcome};
use crate::log::log;
use crate::messenger::Messenger;
use crate::service::Service;
use crate::settings::Settings;
use crate::state::{Change, Job, Kind, Lane};
use crate::stop::Stop;
use crate::store::Store;

/// The pause between two looks for callbacks that are too old.
const PRUNE_EVERY: Duration = Duration::from_secs(86_400);

impl<M: Messenger> Bridge<M> {
    /// Goes on from what is stored. With `connect` among the settings, it connects the account to the channel.
    ///
    /// # Errors
    /// When the store cannot be used, there is no HTTP client, or the service refuses to connect the account.
    pub async fn start(mut settings: Settings, messenger: M) -> Result<Rc<Self>> {
        if settings.scope_id.is_empty() {
            settings.scope_id = format!("{}_{}", settings.channel_id, settings.account_id);
        }
        let bridge = Rc::new(Self {
            store: Store::open(&settings.directory)?,
            service: Service::new(&settings.url, settings.requests_per_second)?,
            is_connected: Cell::new(!settings.connect),
            settings,
            messenger,
            lanes: Lanes::default(),
            stop: Stop::default(),
            has_changed: Notify::new(),
            refresh: Mutex::default(),
            refusals: Cell::new(0),
            has_code: Notify::new(),
            signing_secret: Cell::new(0),
        });
        tokio::select! {
            why = bridge.store.failure() => bail!(why),
            outcome = bridge.begin() => outcome?,
        }
        Ok(bridge)
    }

    async fn begin(self: &Rc<Self>) -> Result<()> {
        self.remember_secrets().await;
        if self.settings.connect {
            self.connect_first().await?;
        }
        let installer = Rc::clone(self);
        tokio::task::spawn_local(async move { installer.install_forever().await });
        let pruner = Rc::clone(self);
        tokio::task::spawn_local(async move { pruner.prune_forever().await });
        self.wake_all();
        Ok(())
    }

    async fn prune_forever(&self) {
        loop {
            let count = self.store.prune(unix_seconds()).await;
            if count > 0 {
                log(format!(
                    "{count} callbacks of more than 30 days ago are forgotten"
                ));
            }
            sleep(PRUNE_EVERY).await;
        }
    }

    /// Makes all of the changes or none, and returns when they are on the disk. Then the jobs among them begin. It returns
    /// false, and has made none, when a callback among them was taken before.
    ///
    /// Once it is called and awaited for the first time, it goes on even if it is dropped.
    pub async fn commit(self: &Rc<Self>, changes: Vec<Change>) -> bool {
        let bridge = Rc::clone(self);
        let task = tokio::task::spawn_local(async move {
            let lanes: Vec<Lane> = changes.iter().filter_map(lane).collect();
            let is_made = bridge.store.commit(changes).await;
            if is_made {
                bridge.has_changed.notify_waiters();
                for lane in lanes {
                    bridge.wake(lane);
                }
            }
            is_made
        });
        match task.await {
            Ok(is_made) => is_made,
            // The runtime ends.
            Err(_) => std::future::pending().await,
        }
    }

    /// Ends a job that leaves nothing to remember.
    pub async fn end(self: &Rc<Self>, job: &Job) -> Outcome {
        self.commit(vec![Change::End(job.id)]).await;
        Outcome::Over
    }

    /// Returns whether the account is connected to the channel, as far as the bridge knows.
    pub fn is_connected(&self) -> bool {
        self.is_connected.get()
    }

    /// Does a job, after so many attempts.
    pub(crate) async fn work(self: &Rc<Self>, job: &Job, tries: u32) -> Outcome {
        match job.lane.kind {
            Kind::Deliver | Kind::Contact => M::work(self, job, tries).await,
            Kind::Post => self.post(job, tries).await,
            Kind::Report => self.report(job, tries).await,
        }
    }
}

/// The lane of a job that begins.
fn lane(change: &Change) -> Option<Lane> {
    match change {
        Change::Begin(job) => Some(job.lane.clone()),
        Change::Callback { .. }
        | Change::End(_)
        | Change::Put { .. }
        | Change::Delete { .. }
        | Change::Account(_) => None,
    }
}
