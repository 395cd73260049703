//! The memory of a bridge: one file, in which each commit is a part of a durable transaction.
//!
//! What a bridge has answered or sent has to survive a kill, so a change is on the disk before `commit` returns. Commits at once
//! share one transaction: the thread that writes joins all that wait. In memory are the jobs without their bodies, the
//! installation, and the values that are on their way to the disk.

mod file;
mod values;
mod writer;

use std::cell::{Cell, Ref, RefCell};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use anyhow::{Context as _, Result};
use redb::Database;
use tokio::sync::{oneshot, watch};

use crate::clock::unix_seconds;
use crate::index::{Entry, Index, Waiting};
use crate::log::log;
use crate::state::{Account, Change, Job, Lane};
use values::Overlay;
use writer::{Order, Writer};

/// The time in which a callback that is sent another time is known, in seconds.
const CALLBACK_SECONDS: i64 = 30 * 86_400;

/// The memory.
pub struct Store {
    database: Arc<Database>,
    /// `None` only while the store is dropped.
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    index: RefCell<Index>,
    account: RefCell<Account>,
    overlay: RefCell<Overlay>,
    last_job: Cell<u64>,
    failure: watch::Sender<Option<String>>,
}

impl Store {
    /// Reads what is there, and begins to write.
    ///
    /// # Errors
    /// When the directory cannot be written, another process uses the store, or a newer version has written it.
    pub fn open(directory: &Path) -> Result<Self> {
        let path = directory.join(file::NAME);
        let database = file::open(&path)?;
        let memory = file::read(&database)
            .with_context(|| format!("the store {} cannot be read", path.display()))?;
        let database = Arc::new(database);
        let (orders, receiver) = channel();
        let failure = watch::Sender::new(None);
        let writer = Writer::new(Arc::clone(&database), failure.clone());
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || writer.run(&receiver))
            .context("the store has no thread that writes")?;
        Ok(Self {
            database,
            orders: Some(orders),
            thread: Some(thread),
            index: RefCell::new(memory.index),
            account: RefCell::new(memory.account),
            overlay: RefCell::default(),
            last_job: Cell::new(memory.last_job),
            failure,
        })
    }

    /// The installation, for a look that waits for nothing.
    pub fn account(&self) -> Ref<'_, Account> {
        self.account.borrow()
    }

    /// The jobs that wait.
    pub fn waiting(&self) -> Waiting {
        self.index.borrow().waiting()
    }

    /// A new job. It begins when a commit with it is on the disk.
    pub fn job(&self, lane: Lane, rank: i64, body: String) -> Job {
        let id = self.last_job.get() + 1;
        self.last_job.set(id);
        Job {
            id,
            lane,
            rank,
            at: unix_seconds(),
            body,
        }
    }

    /// The job of a lane that is done next.
    pub(crate) fn first_job(&self, lane: &Lane) -> Option<Job> {
        let (id, entry) = self.index.borrow().first(lane)?;
        let body = self.read(|database| file::body(database, id))?;
        Some(Job {
            id,
            lane: entry.lane,
            rank: entry.rank,
            at: entry.at,
            // It was written with the job.
            body: body.unwrap_or_default(),
        })
    }

    pub(crate) fn has_job(&self, lane: &Lane) -> bool {
        self.index.borrow().first(lane).is_some()
    }

    pub(crate) fn is_waiting(&self, job: u64) -> bool {
        self.index.borrow().has(job)
    }

    pub(crate) fn lanes(&self) -> Vec<Lane> {
        self.index.borrow().lanes()
    }

    /// Makes all of the changes or none, and returns when they are on the disk. It returns false, and has made none, when a
    /// callback among them was taken before.
    ///
    /// A caller has to await it to its end: jobs are in memory only then.
    pub(crate) async fn commit(&self, changes: Vec<Change>) -> bool {
        // Which of two commits with the same callback is done is known only afterwards.
        let is_certain = !changes
            .iter()
            .any(|it| matches!(it, Change::Callback { .. }));
        let mark = is_certain.then(|| {
            self.remember_account(&changes);
            self.overlay.borrow_mut().add(&changes)
        });
        let changes: Arc<[Change]> = changes.into();
        let (answer, verdict) = oneshot::channel();
        self.order(Order::Changes {
            changes: Arc::clone(&changes),
            answer,
        });
        let is_made = self.outcome(verdict).await;
        if let Some(mark) = mark {
            self.overlay.borrow_mut().remove(&changes, mark);
        } else if is_made {
            self.remember_account(&changes);
        }
        if is_made {
            self.remember_jobs(&changes);
        }
        is_made
    }

    fn remember_account(&self, changes: &[Change]) {
        for change in changes {
            if let Change::Account(account) = change {
                self.account.replace(Account::clone(account));
            }
        }
    }

    fn remember_jobs(&self, changes: &[Change]) {
        let mut index = self.index.borrow_mut();
        for change in changes {
            match change {
                Change::Begin(job) => index.begin(job.id, Entry::from_job(job)),
                Change::End(id) => index.end(*id),
                Change::Callback { .. }
                | Change::Put { .. }
                | Change::Delete { .. }
                | Change::Account(_) => {}
            }
        }
    }

    /// Changes what is remembered of the installation.
    pub async fn change_account(&self, change: impl FnOnce(&mut Account)) {
        let mut account = self.account().clone();
        change(&mut account);
        self.commit(vec![Change::Account(Box::new(account))]).await;
    }

    /// Returns when everything until now is on the disk.
    pub async fn flush(&self) {
        self.commit(Vec::new()).await;
    }

    /// Forgets callbacks that are too old to be sent another time, and returns their number.
    pub(crate) async fn prune(&self, now: i64) -> usize {
        let mut total = 0;
        loop {
            let (answer, count) = oneshot::channel();
            self.order(Order::Prune {
                before: now - CALLBACK_SECONDS,
                answer,
            });
            let count = self.outcome(count).await;
            if count == 0 {
                return total;
            }
            total += count;
        }
    }

    /// Returns when the store can neither be read nor written any more, with the reason. Nothing that waits for it gets an
    /// answer: the process has to end, and its next start reads the disk.
    pub async fn failure(&self) -> String {
        let mut receiver = self.failure.subscribe();
        // The sender is a part of this store.
        let failure = receiver.wait_for(Option::is_some).await;
        failure.ok().and_then(|it| it.clone()).unwrap_or_default()
    }

    fn has_failed(&self) -> bool {
        self.failure.borrow().is_some()
    }

    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // Without a writer, the answer is dropped with the order.
            drop(orders.send(order));
        }
    }

    /// Awaits the answer of the writer. After a failure there is none, so that nothing is promised.
    async fn outcome<T>(&self, answer: oneshot::Receiver<T>) -> T {
        match answer.await {
            Ok(outcome) if !self.has_failed() => return outcome,
            Ok(_) => {}
            Err(_) => self.fail("the thread that writes the store has ended"),
        }
        std::future::pending().await
    }

    /// The first failure is the one to report.
    pub(crate) fn fail(&self, why: &str) {
        if !self.has_failed() {
            log(why);
            self.failure.send_replace(Some(why.to_owned()));
        }
    }

    /// Reads from the disk. A failure is that of the store.
    fn read<T>(&self, read: impl FnOnce(&Database) -> Result<T, redb::Error>) -> Option<T> {
        match read(&self.database) {
            Ok(value) => Some(value),
            Err(error) => {
                self.fail(&format!("the store cannot be read: {error}"));
                None
            }
        }
    }
}

impl Drop for Store {
    /// Writes what is on its way, so that another store can be opened in the same directory.
    fn drop(&mut self) {
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
