//! The thread that writes: it joins the commits that wait into one durable transaction.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use redb::{Database, ReadableTable as _, Table, WriteTransaction};
use tokio::sync::{oneshot, watch};

use crate::log::log;
use crate::state::{Change, Job};
use crate::store::file::{
    ACCOUNT_KEY, BODIES, CALLBACK_TIMES, CALLBACKS, JOBS, JobRow, LAST_JOB_KEY, META, VALUES,
};

/// The most commits that share a transaction.
const JOINED_MAX: usize = 500;
/// No commit joins a transaction that has so many bytes.
const JOINED_BYTES: usize = 8 << 20;
/// The most callbacks that a transaction forgets, so that the commits behind it do not wait long.
const PRUNED_MAX: usize = 2_000;

/// An order for the thread.
pub(super) enum Order {
    /// To make all changes, unless a callback among them was taken before: then none. The answer says which.
    Changes {
        changes: Arc<[Change]>,
        answer: oneshot::Sender<bool>,
    },
    /// To forget callbacks of before this second. The answer is their number; 0 when none is left.
    Prune {
        before: i64,
        answer: oneshot::Sender<usize>,
    },
}

impl Order {
    /// Returns whether it changes nothing: it only waits for what came before it.
    fn is_flush(&self) -> bool {
        matches!(self, Self::Changes { changes, .. } if changes.is_empty())
    }

    /// The answer to an order that had nothing to change.
    fn done(self) -> Reply {
        match self {
            Self::Changes { answer, .. } => Reply::Changes(answer, true),
            Self::Prune { answer, .. } => Reply::Prune(answer, 0),
        }
    }

    /// The bytes that it brings, about.
    fn size(&self) -> usize {
        let Self::Changes { changes, .. } = self else {
            return 0;
        };
        let sizes = changes.iter().map(|change| match change {
            Change::Begin(job) => job.body.len(),
            Change::Put { value, .. } => value.len(),
            Change::Callback { .. }
            | Change::End(_)
            | Change::Delete { .. }
            | Change::Account(_) => 0,
        });
        sizes.sum()
    }
}

/// The answer to an order, which leaves when its transaction is on the disk.
enum Reply {
    Changes(oneshot::Sender<bool>, bool),
    Prune(oneshot::Sender<usize>, usize),
}

impl Reply {
    fn send(self) {
        // The one that waits for it may have gone.
        match self {
            Self::Changes(answer, is_made) => drop(answer.send(is_made)),
            Self::Prune(answer, count) => drop(answer.send(count)),
        }
    }
}

/// The thread.
pub(super) struct Writer {
    database: Arc<Database>,
    failure: watch::Sender<Option<String>>,
}

impl Writer {
    pub(super) fn new(database: Arc<Database>, failure: watch::Sender<Option<String>>) -> Self {
        Self { database, failure }
    }

    /// Writes until the store is dropped, or cannot be written.
    pub(super) fn run(self, orders: &Receiver<Order>) {
        while let Ok(first) = orders.recv() {
            match self.write(join(first, orders)) {
                Ok(replies) => replies.into_iter().for_each(Reply::send),
                Err(error) => {
                    // The memory may be ahead of the disk, and nothing may be promised any more.
                    let why = format!("the store cannot be written: {error}");
                    log(&why);
                    self.failure.send_replace(Some(why));
                    return;
                }
            }
        }
    }

    fn write(&self, orders: Vec<Order>) -> Result<Vec<Reply>, redb::Error> {
        if orders.iter().all(Order::is_flush) {
            // What came before them is on the disk already.
            return Ok(orders.into_iter().map(Order::done).collect());
        }
        let transaction = self.database.begin_write()?;
        let mut replies = Vec::with_capacity(orders.len());
        {
            let mut tables = Tables::open(&transaction)?;
            for order in orders {
                replies.push(match order {
                    Order::Changes { changes, answer } => {
                        Reply::Changes(answer, tables.make(&changes)?)
                    }
                    Order::Prune { before, answer } => Reply::Prune(answer, tables.prune(before)?),
                });
            }
        }
        transaction.commit()?;
        Ok(replies)
    }
}

/// The orders that share a transaction.
fn join(first: Order, others: &Receiver<Order>) -> Vec<Order> {
    let mut size = first.size();
    let mut orders = vec![first];
    while orders.len() < JOINED_MAX
        && size < JOINED_BYTES
        && let Ok(order) = others.try_recv()
    {
        size += order.size();
        orders.push(order);
    }
    orders
}

struct Tables<'t> {
    meta: Table<'t, &'static str, &'static str>,
    jobs: Table<'t, u64, JobRow<'static>>,
    bodies: Table<'t, u64, &'static str>,
    callbacks: Table<'t, &'static str, i64>,
    callback_times: Table<'t, (i64, &'static str), ()>,
    values: Table<'t, (&'static str, &'static str), &'static str>,
}

impl<'t> Tables<'t> {
    fn open(transaction: &'t WriteTransaction) -> Result<Self, redb::Error> {
        Ok(Self {
            meta: transaction.open_table(META)?,
            jobs: transaction.open_table(JOBS)?,
            bodies: transaction.open_table(BODIES)?,
            callbacks: transaction.open_table(CALLBACKS)?,
            callback_times: transaction.open_table(CALLBACK_TIMES)?,
            values: transaction.open_table(VALUES)?,
        })
    }

    /// Makes all changes and returns true, or none of them.
    fn make(&mut self, changes: &[Change]) -> Result<bool, redb::Error> {
        for change in changes {
            if let Change::Callback { identity, .. } = change
                && self.callbacks.get(identity.as_str())?.is_some()
            {
                return Ok(false);
            }
        }
        for change in changes {
            self.make_one(change)?;
        }
        Ok(true)
    }

    fn make_one(&mut self, change: &Change) -> Result<(), redb::Error> {
        match change {
            Change::Callback { identity, at } => {
                self.callbacks.insert(identity.as_str(), *at)?;
                self.callback_times.insert((*at, identity.as_str()), ())?;
            }
            Change::Begin(job) => self.begin(job)?,
            Change::End(id) => {
                self.jobs.remove(*id)?;
                self.bodies.remove(*id)?;
            }
            Change::Put { table, key, value } => {
                let place = (table.as_str(), key.as_str());
                self.values.insert(place, value.as_str())?;
            }
            Change::Delete { table, key } => {
                self.values.remove((table.as_str(), key.as_str()))?;
            }
            Change::Account(account) => {
                // It is made of texts and numbers, which are JSON.
                let text = serde_json::to_string(account).unwrap_or_default();
                self.meta.insert(ACCOUNT_KEY, text.as_str())?;
            }
        }
        Ok(())
    }

    fn begin(&mut self, job: &Job) -> Result<(), redb::Error> {
        let size = u64::try_from(job.body.len()).unwrap_or(u64::MAX);
        let kind = job.lane.kind.number();
        let row = (kind, job.lane.name.as_str(), job.rank, job.at, size);
        self.jobs.insert(job.id, row)?;
        self.bodies.insert(job.id, job.body.as_str())?;
        let last = match self.meta.get(LAST_JOB_KEY)? {
            Some(text) => text.value().parse().unwrap_or(0),
            None => 0,
        };
        if job.id > last {
            self.meta
                .insert(LAST_JOB_KEY, job.id.to_string().as_str())?;
        }
        Ok(())
    }

    fn prune(&mut self, before: i64) -> Result<usize, redb::Error> {
        let mut old = Vec::new();
        for row in self.callback_times.range(..(before, ""))?.take(PRUNED_MAX) {
            let (key, _) = row?;
            let (at, identity) = key.value();
            old.push((at, identity.to_owned()));
        }
        for (at, identity) in &old {
            self.callback_times.remove((*at, identity.as_str()))?;
            self.callbacks.remove(identity.as_str())?;
        }
        Ok(old.len())
    }
}
