//! The bridge: its parts, and the way of a job to the part that does it.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use tokio::sync::{Mutex, Notify};
use tokio::time::Instant;

use crate::lanes::{Lanes, Outcome};
use crate::service::Service;
use crate::settings::Settings;
use crate::state::{Change, Job, Kind};
use crate::store::Store;

/// The bridge.
pub(crate) struct Bridge {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) service: Service,
    pub(crate) lanes: Lanes,
    /// One refresh for all calls whose token was refused.
    pub(crate) refresh: Mutex<Option<Instant>>,
    /// The number of refreshes that were refused, one after the other.
    pub(crate) refusals: Cell<u32>,
    pub(crate) has_code: Notify,
    /// The secret of the channel that signs, by its number.
    pub(crate) signing_secret: Cell<usize>,
    /// The time that a delivery to a customer takes.
    pub(crate) takes: Cell<Duration>,
}

impl Bridge {
    /// Goes on from what is stored.
    ///
    /// # Errors
    /// When the store cannot be read, or there is no HTTP client.
    pub(crate) async fn start(settings: Settings) -> Result<Rc<Self>> {
        let bridge = Rc::new(Self {
            store: Store::open(&settings.directory)?,
            service: Service::new(&settings.url)?,
            settings,
            lanes: Lanes::default(),
            refresh: Mutex::default(),
            refusals: Cell::new(0),
            has_code: Notify::new(),
            signing_secret: Cell::new(0),
            takes: Cell::new(Duration::ZERO),
        });
        bridge.remember_secrets().await;
        let begin = Rc::clone(&bridge);
        tokio::task::spawn_local(async move { begin.install_forever().await });
        bridge.wake_all();
        Ok(bridge)
    }

    /// Makes the changes, and begins the jobs among them when they are on the disk.
    pub(crate) async fn commit(self: &Rc<Self>, changes: Vec<Change>) {
        self.store.commit(&changes).await;
        for change in changes {
            if let Change::Begin(job) = change {
                self.wake(job.lane);
            }
        }
    }

    /// Does a job, after so many failures.
    pub(crate) async fn work(self: &Rc<Self>, job: &Job, tries: u32) -> Outcome {
        match job.lane.kind {
            Kind::Deliver => self.deliver(job, tries).await,
            Kind::Post => self.post(job, tries).await,
            Kind::Report => self.report(job, tries).await,
            Kind::Contact => self.update_contact(job, tries).await,
        }
    }
}
