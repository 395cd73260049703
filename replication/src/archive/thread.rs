//! The thread that archives, and how the service speaks with it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use switchboard_engine::runtime::clock::{Clock as _, SystemClock};
use switchboard_engine::time::UnixMillis;
use tokio::sync::watch;

use super::begin::Beginning;
use super::erase::Eraser;
use super::error::ArchiveError;
use super::file_shipper::FileShipper;
use super::orders::Orders;
use super::repair::Repair;
use super::shipper::{MergeAt, Shipper};
use super::source::Source;
use super::status::{ArchiveStatus, RepairStatus, StatusSender};
use crate::store::Store;

/// The pause after the first failure; it doubles.
const PAUSE_MIN: Duration = Duration::from_secs(1);
/// The longest pause after failures.
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// The time that a thread may take to end once its requests are given up.
const ENDS_WITHIN: Duration = Duration::from_secs(1);

/// The settings of an archive that runs.
pub struct Archiving {
    /// The store of the archive.
    pub store: Arc<dyn Store>,
    /// The address of the archive, for people.
    pub to: String,
    /// A name that no other process has.
    pub process: String,
    /// True when other nodes of a shared log archive there, one at a time.
    pub is_shared: bool,
    /// The time that the service waits for more before it stores an entry.
    pub every: Duration,
    /// The size at which entries are merged into a volume.
    pub merge_at: MergeAt,
}

/// The running archive. Clones share it; the last one ends it.
#[derive(Clone, Debug)]
pub struct Archiver {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    orders: Arc<Orders>,
    status: watch::Receiver<ArchiveStatus>,
    store: Arc<dyn Store>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.orders.stop();
    }
}

impl Archiver {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn start(archiving: Archiving, source: Source) -> std::io::Result<Self> {
        let orders = Arc::<Orders>::default();
        let store = Arc::clone(&archiving.store);
        let (sender, status) = watch::channel(ArchiveStatus::starting(archiving.to.clone()));
        let work = Work {
            archiving,
            source,
            orders: Arc::clone(&orders),
            status: sender,
        };
        std::thread::Builder::new()
            .name("archive".to_owned())
            .spawn(move || work.run())?;
        Ok(Self {
            inner: Arc::new(Inner {
                orders,
                status,
                store,
            }),
        })
    }

    /// The progress of the archive.
    pub fn status(&self) -> ArchiveStatus {
        self.inner.status.borrow().clone()
    }

    /// Archives what there is, and waits so long for it at most; whether everything is archived.
    pub async fn now(&self, patience: Duration) -> bool {
        let mut status = self.inner.status.clone();
        // A round that has begun may have looked before the newest records were there: the one behind it has not.
        let due = status.borrow().rounds.saturating_add(2);
        let completion = async {
            loop {
                self.inner.orders.archive_now();
                let round = status.wait_for(|it| it.rounds >= due || it.refusal.is_some());
                let step = tokio::time::timeout(Duration::from_millis(100), round);
                if let Ok(status) = step.await {
                    return status.is_ok_and(|it| it.refusal.is_none());
                }
            }
        };
        tokio::time::timeout(patience, completion)
            .await
            .unwrap_or(false)
    }

    /// Ends with the reason when this process must not go on.
    pub async fn refusal(&self) -> String {
        let mut status = self.inner.status.clone();
        let refusal = status.wait_for(|it| it.refusal.is_some()).await;
        match refusal.map(|status| status.refusal.clone()) {
            Ok(Some(why)) => why,
            // The thread has ended without a reason: there is none to wait for.
            Ok(None) | Err(_) => std::future::pending().await,
        }
    }

    /// Orders a repair, unless one goes on.
    pub fn repair(&self) {
        let status = self.inner.status.borrow().repair.clone();
        if !matches!(status.as_deref(), Some(RepairStatus::Running)) {
            self.inner.orders.repair();
        }
    }

    /// Ends with the repair that was ordered.
    pub async fn wait_for_repair(&self, patience: Duration) {
        let mut status = self.inner.status.clone();
        let orders = Arc::clone(&self.inner.orders);
        let end = status.wait_for(move |it| {
            let runs = matches!(it.repair.as_deref(), Some(RepairStatus::Running));
            !runs && !orders.is_repair_due()
        });
        // The answer has the state after that, whatever it is.
        drop(tokio::time::timeout(patience, end).await);
    }

    /// Ends the thread. A request that is not answered by this time is given up. What is not archived yet is archived after
    /// the next start.
    pub async fn stop(&self, patience: Duration) {
        self.inner.orders.stop();
        if self.has_ended(patience).await {
            return;
        }
        tracing::warn!("the store of the archive does not answer; the next start goes on");
        self.inner.store.abandon();
        if !self.has_ended(ENDS_WITHIN).await {
            tracing::warn!("the thread of the archive ends with its present request");
        }
    }

    /// Returns whether the thread ends within this time.
    async fn has_ended(&self, patience: Duration) -> bool {
        let mut status = self.inner.status.clone();
        // The thread has the only sender.
        let end = status.wait_for(|_| false);
        tokio::time::timeout(patience, end).await.is_ok()
    }
}

/// The thread's own.
struct Work {
    archiving: Archiving,
    source: Source,
    orders: Arc<Orders>,
    status: StatusSender,
}

impl Work {
    fn run(self) {
        let mut pause = PAUSE_MIN;
        // A claim is made once; behind it, only the work is tried again.
        loop {
            if self.orders.is_repair_due() {
                self.repair();
            }
            match self.connected() {
                Ok(()) if self.orders.is_stopped() => return,
                // A repair is due.
                Ok(()) => pause = PAUSE_MIN,
                Err(trouble) => {
                    if matches!(trouble, ArchiveError::Overtaken(_)) {
                        pause = PAUSE_MIN;
                    }
                    if !self.goes_on(&trouble, &mut pause) {
                        return;
                    }
                }
            }
        }
    }

    /// Repairs the archive, and says how that went.
    fn repair(&self) {
        let set = |repair: RepairStatus| {
            self.status
                .send_modify(|it| it.repair = Some(Arc::new(repair)));
        };
        set(RepairStatus::Running);
        // A waiting request sees one or the other at each moment.
        self.orders.take_repair();
        let repair = Repair {
            beginning: self.beginning(),
        };
        match repair.run() {
            Ok(repaired) => {
                tracing::info!(
                    archive = self.archiving.to,
                    objects = repaired.objects,
                    files = repaired.files,
                    "what the archive lacked is written again"
                );
                set(RepairStatus::Done(repaired));
            }
            Err(trouble) => {
                tracing::warn!(archive = self.archiving.to, "not repaired: {trouble}");
                set(RepairStatus::Failed(trouble.to_string()));
            }
        }
    }

    /// Notes a failure and waits; false: there is no further attempt.
    fn goes_on(&self, trouble: &ArchiveError, pause: &mut Duration) -> bool {
        if self.orders.is_stopped() {
            return false;
        }
        let reason = trouble.to_string();
        if matches!(trouble, ArchiveError::Refused(_)) {
            self.status.send_modify(|it| it.refusal = Some(reason));
            return false;
        }
        if self.status.borrow().trouble.as_ref() != Some(&reason) {
            tracing::warn!(
                archive = self.archiving.to,
                "the archive does not go on: {reason}; the service tries again"
            );
        }
        self.status.send_modify(|it| it.trouble = Some(reason));
        let goes_on = !self.orders.pause(*pause);
        *pause = (*pause * 2).min(PAUSE_MAX);
        goes_on
    }

    fn beginning(&self) -> Beginning<'_> {
        let Archiving {
            store,
            to,
            process,
            is_shared,
            ..
        } = &self.archiving;
        Beginning {
            store: &**store,
            to,
            source: &self.source,
            process,
            is_shared: *is_shared,
            now: now(),
        }
    }

    /// Claims the next position, and archives until it is asked to stop or to repair.
    fn connected(&self) -> Result<(), ArchiveError> {
        let beginning = self.beginning();
        let end = beginning.begin()?;
        let mut shipper = Shipper::new(&beginning, end, self.archiving.merge_at)?;
        let mut files = None;
        let mut pause = PAUSE_MIN;
        while !self.orders.is_interrupted() {
            match self.step(&mut shipper, &mut files) {
                Err(trouble @ (ArchiveError::Refused(_) | ArchiveError::Overtaken(_))) => {
                    return Err(trouble);
                }
                Err(trouble) => {
                    if !self.goes_on(&trouble, &mut pause) {
                        return Ok(());
                    }
                }
                Ok(()) => {
                    pause = PAUSE_MIN;
                    self.orders.wait(self.archiving.every);
                }
            }
        }
        Ok(())
    }

    /// Erases in the archive what was erased, once, and archives what there is.
    fn step<'w>(
        &'w self,
        shipper: &mut Shipper<'_>,
        files: &mut Option<FileShipper<'w>>,
    ) -> Result<(), ArchiveError> {
        let store = &*self.archiving.store;
        let files = match files {
            Some(files) => files,
            None => {
                let eraser = Eraser {
                    store,
                    source: &self.source,
                    now: now(),
                };
                let erasures = eraser.follow()?;
                if erasures > 0 {
                    let archive = &self.archiving.to;
                    tracing::info!(
                        archive,
                        erasures,
                        "what was erased is erased in the archive"
                    );
                }
                files.insert(FileShipper::new(store, &self.source.files)?)
            }
        };
        self.round(shipper, files)
    }

    /// Archives what there is. Records go on when a file cannot be copied.
    fn round(
        &self,
        shipper: &mut Shipper<'_>,
        files: &mut FileShipper<'_>,
    ) -> Result<(), ArchiveError> {
        let start = (SystemClock.now(), Instant::now());
        let is_over = || self.orders.is_interrupted();
        // After a failure it may be a file that is missing.
        let (was_failing, is_first) = {
            let status = self.status.borrow();
            (status.trouble.is_some(), status.rounds == 0)
        };
        let mut files_outcome = Ok(());
        let mut copy_files = || {
            if let Err(error) = files.ship(is_over) {
                files_outcome = Err(error);
            }
        };
        if is_first || was_failing {
            copy_files();
        }
        let records_outcome = shipper.ship(now, is_over, copy_files);
        let is_current = files_outcome.is_ok() && records_outcome.is_ok() && !is_over();
        let end = &shipper.end().log;
        self.status.send_modify(|status| {
            status.epoch = end.epoch;
            status.position = end.position.0;
            status.last = end.last.0;
            status.files = files.count();
            if is_current {
                status.current_at = Some(start.0);
                status.current_since = start.1;
                status.trouble = None;
                status.rounds = status.rounds.saturating_add(1);
            }
        });
        if is_current && was_failing {
            tracing::info!(archive = self.archiving.to, "the archive goes on");
        }
        records_outcome.and(files_outcome)
    }
}

fn now() -> UnixMillis {
    SystemClock.now()
}
