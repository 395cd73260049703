//! The thread that archives, and how the service speaks with it.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use switchboard_engine::runtime::clock::{Clock as _, SystemClock};
use tokio::sync::watch;

use crate::archive::begin::{Beginning, Source, Trouble};
use crate::archive::erase::Eraser;
use crate::archive::files::FileShipper;
use crate::archive::shipper::{MergeAt, Shipper};
use crate::archive::status::{ArchiveStatus, StatusSender};
use crate::archive::store::Store;

/// How often the directory of files is looked through.
const FILES_EVERY: Duration = Duration::from_secs(60);
/// The pause after the first failure; it doubles.
const PAUSE_MIN: Duration = Duration::from_secs(1);
/// The longest pause after failures.
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// What archives where.
pub(crate) struct Archiving {
    pub(crate) store: Box<dyn Store>,
    /// Where the archive is, for people.
    pub(crate) to: String,
    /// A name that no other process has.
    pub(crate) process: String,
    /// The data directory.
    pub(crate) directory: PathBuf,
    /// How long the service waits for more before it stores an entry.
    pub(crate) every: Duration,
    pub(crate) merge_at: MergeAt,
}

/// The running archive. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Archiver {
    orders: Arc<Orders>,
    status: watch::Receiver<ArchiveStatus>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

/// What the thread is asked.
#[derive(Debug, Default)]
struct Orders {
    wanted: Mutex<Wanted>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    stop: bool,
    /// Everything is to be archived without a pause, files too.
    now: bool,
}

impl Orders {
    fn give(&self, order: impl FnOnce(&mut Wanted)) {
        order(&mut self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// Waits for an order, so long at most, and takes it.
    fn wait(&self, pause: Duration) -> Wanted {
        let wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .changed
            .wait_timeout_while(wanted, pause, |wanted| !wanted.stop && !wanted.now);
        let (mut wanted, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let taken = *wanted;
        wanted.now = false;
        taken
    }
}

impl Archiver {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn start(archiving: Archiving, source: Source) -> std::io::Result<Self> {
        let orders = Arc::<Orders>::default();
        let (sender, status) = watch::channel(ArchiveStatus::starting(archiving.to.clone()));
        let work = Work {
            archiving,
            source,
            orders: Arc::clone(&orders),
            status: sender,
        };
        let thread = std::thread::Builder::new()
            .name("archive".to_owned())
            .spawn(move || work.run())?;
        Ok(Self {
            orders,
            status,
            thread: Arc::new(Mutex::new(Some(thread))),
        })
    }

    /// How far the archive is.
    pub(crate) fn status(&self) -> ArchiveStatus {
        self.status.borrow().clone()
    }

    /// Archives what there is, files too, and waits so long for it at most.
    pub(crate) async fn now(&self, patience: Duration) -> ArchiveStatus {
        let mut status = self.status.clone();
        // A round that has begun may have looked before the newest records were there: the one behind it has not.
        let due = status.borrow().rounds.saturating_add(2);
        let waited = async {
            loop {
                self.orders.give(|wanted| wanted.now = true);
                let done = status.wait_for(|it| it.rounds >= due || it.refused.is_some());
                let step = tokio::time::timeout(Duration::from_millis(100), done);
                if let Ok(ended) = step.await {
                    drop(ended);
                    return;
                }
            }
        };
        // The status says whether it was in time.
        drop(tokio::time::timeout(patience, waited).await);
        self.status()
    }

    /// Ends with the reason when this process must not go on.
    pub(crate) async fn refused(&self) -> String {
        let mut status = self.status.clone();
        let refused = status.wait_for(|it| it.refused.is_some()).await;
        match refused.map(|status| status.refused.clone()) {
            Ok(Some(why)) => why,
            // The thread has ended without a reason: there is none to wait for.
            Ok(None) | Err(_) => std::future::pending().await,
        }
    }

    /// Ends the thread once its present request is answered. What is not archived yet is archived after the next start.
    pub(crate) fn stop(&self) {
        self.orders.give(|wanted| wanted.stop = true);
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread of the archive has panicked");
        }
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
        loop {
            let trouble = match self.connected(&mut pause) {
                Ok(()) => return,
                Err(trouble) => trouble,
            };
            let told = trouble.to_string();
            if matches!(trouble, Trouble::Refused(_)) {
                self.status.send_modify(|it| it.refused = Some(told));
                return;
            }
            if self.status.borrow().trouble.as_ref() != Some(&told) {
                tracing::warn!(
                    archive = self.archiving.to,
                    "the archive does not go on: {told}; the service tries again"
                );
            }
            self.status.send_modify(|it| it.trouble = Some(told));
            if self.orders.wait(pause).stop {
                return;
            }
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }

    /// Archives until it is asked to stop.
    fn connected(&self, pause: &mut Duration) -> Result<(), Trouble> {
        let Archiving {
            store,
            to,
            process,
            directory,
            every,
            merge_at,
        } = &self.archiving;
        let beginning = Beginning {
            store: &**store,
            to,
            source: &self.source,
            directory,
            process,
            now: now(),
        };
        let end = beginning.begin()?;
        let eraser = Eraser {
            store: &**store,
            source: &self.source,
            now: now(),
        };
        let followed = eraser.follow()?;
        if followed > 0 {
            tracing::info!(
                archive = to,
                erasures = followed,
                "what was erased is erased in the archive"
            );
        }
        let mut shipper = Shipper::new(&beginning, end, *merge_at)?;
        let mut files = FileShipper::new(&**store, directory.join("media"))?;
        let mut files_due = Instant::now();
        loop {
            if files_due <= Instant::now() {
                files.ship()?;
                files_due = Instant::now() + FILES_EVERY;
            }
            // After the files: no record is archived before the file that it refers to, unless it came just now.
            self.ship(&mut shipper, &files)?;
            *pause = PAUSE_MIN;
            let wanted = self.orders.wait(*every);
            if wanted.stop {
                return Ok(());
            }
            if wanted.now {
                files_due = Instant::now();
            }
        }
    }

    fn ship(&self, shipper: &mut Shipper<'_>, files: &FileShipper<'_>) -> Result<(), Trouble> {
        let looked = (SystemClock.now(), Instant::now());
        let shipped = shipper.ship(now);
        let end = shipper.end();
        let was_failing = self.status.borrow().trouble.is_some();
        self.status.send_modify(|status| {
            status.epoch = end.epoch;
            status.place = end.place.0;
            status.last = end.last.0;
            status.files = files.count();
            if shipped.is_ok() {
                status.current_at = Some(looked.0);
                status.current_since = looked.1;
                status.trouble = None;
                status.rounds = status.rounds.saturating_add(1);
            }
        });
        if shipped.is_ok() && was_failing {
            tracing::info!(archive = self.archiving.to, "the archive goes on");
        }
        shipped
    }
}

/// The time, in milliseconds since 1970.
fn now() -> i64 {
    i64::try_from(SystemClock.now().get()).unwrap_or(i64::MAX)
}
