//! Jobs that send callbacks again, and the worker that does them, one page after the other.

use std::time::Duration;

use actix::{Addr, Arbiter};
use futures_util::FutureExt;
use futures_util::future::{AbortHandle, abortable};

use crate::dispatcher::{Dispatcher, Replay};
use crate::domain::audit::By;
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::keys;
use crate::domain::replays::cancel::CancelReplay;
use crate::domain::replays::create::CreateReplay;
use crate::domain::replays::note_progress::NoteProgress;
use crate::domain::replays::{ReplayJob, Replays, ReplaysRejection};
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::system::System;
use crate::system::deliveries::DeliveryFilter;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::store::tables::{KeyRange, ScanOrder, StoredRow};
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::shared::Kernel;
use switchboard_runtime::shared::admission::queue_counts::QueueTarget;
use switchboard_runtime::shared::admission::{Admission, QueuePermit};
use switchboard_runtime::shared::hook_version::version_of;

/// The number of messages that are queued again with one group.
const PAGE: usize = 256;
/// The pause of the worker when the queue is full, or something could not be stored.
const PAUSE: Duration = Duration::from_secs(1);

impl System {
    /// Sends everything again that the filter means and that was given up or cancelled until now. `None` when the
    /// filter names a conversation that is not there, or contradicts itself.
    ///
    /// # Errors
    /// When too many jobs run, or nothing can be stored now.
    pub async fn create_replay(
        &self,
        by: By,
        filter: &DeliveryFilter,
    ) -> Result<Option<ReplayJob>, CommandError<ReplaysRejection>> {
        let Some(filter) = self.rows_meant(filter).await? else {
            return Ok(None);
        };
        let job = execute(self.kernel(), &(), CreateReplay { by, filter }).await?;
        Ok(Some(job))
    }

    /// Ends a job. What it has queued stays queued.
    ///
    /// # Errors
    /// When there is no such job, it has ended, or nothing can be stored now.
    pub async fn cancel_replay(
        &self,
        by: By,
        number: u64,
    ) -> Result<ReplayJob, CommandError<ReplaysRejection>> {
        execute(self.kernel(), &(), CancelReplay { by, number }).await
    }

    /// The jobs that are remembered, newest first.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn replays(&self) -> Result<Vec<ReplayJob>, UnavailableError> {
        let jobs = self.look::<Replays>(&()).await?;
        Ok(jobs.map_or_else(Vec::new, |jobs| jobs.iter().cloned().collect()))
    }
}

/// The result of a page.
enum Done {
    /// The job has nothing more to do, or was ended.
    Job,
    /// There is more.
    Page,
    /// Not now.
    Later,
}

/// Does the jobs, those of an earlier process first.
pub(super) fn start_worker(kernel: &Kernel, dispatcher: &Addr<Dispatcher>) -> AbortHandle {
    let worker = Worker {
        kernel: kernel.clone(),
        dispatcher: dispatcher.clone(),
    };
    let (worker, handle) = abortable(async move { worker.work().await });
    // It runs until it is aborted, so its result is of no use.
    Arbiter::current().spawn(worker.map(drop));
    handle
}

struct Worker {
    kernel: Kernel,
    dispatcher: Addr<Dispatcher>,
}

impl Worker {
    async fn work(&self) {
        loop {
            match self.job().await {
                Ok(None) => self.kernel.shared.replay_begun.notified().await,
                Ok(Some(job)) => match self.page(&job).await {
                    Ok(Done::Page | Done::Job) => {}
                    Ok(Done::Later) => self.kernel.clock.sleep(PAUSE).await,
                    Err(UnavailableError::Stopping) => return,
                    Err(error) => {
                        tracing::warn!(replay = job.number, %error, "a replay waits");
                        self.kernel.clock.sleep(PAUSE).await;
                    }
                },
                Err(error) => {
                    tracing::warn!(%error, "replays cannot be read");
                    self.kernel.clock.sleep(PAUSE).await;
                }
            }
        }
    }

    /// The job to go on with.
    async fn job(&self) -> Result<Option<ReplayJob>, UnavailableError> {
        let jobs = self.kernel.load::<Replays>(()).await?;
        Ok(jobs.and_then(|(jobs, _)| jobs.running().cloned()))
    }

    async fn page(&self, job: &ReplayJob) -> Result<Done, UnavailableError> {
        self.kernel.caught_up().await;
        let rows = self.rows(job)?;
        if rows.is_empty() {
            return self.note(job, None, 0, 0).await;
        }
        let (mut meant, mut permits, mut skipped) = (Vec::new(), Vec::new(), 0);
        let mut behind = None;
        for (key, value) in rows {
            if let Some(message) = message_of(&key).filter(|_| died_before(&value, job.began_at)) {
                match self.permit(&message.0).await? {
                    Reserved::Place(permit) => {
                        meant.push(message);
                        permits.push(permit);
                    }
                    Reserved::NotConnected => skipped += 1,
                    // What was promised goes out; the rest when there is room again.
                    Reserved::Full => break,
                }
            }
            behind = Some(key);
        }
        let Some(behind) = behind else {
            return Ok(Done::Later);
        };
        let count = meant.len();
        let replays = self.replay(meant, permits).await?;
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        skipped += count.saturating_sub(replays);
        self.note(job, Some(behind), replays, skipped).await
    }

    /// The next rows of the job.
    fn rows(&self, job: &ReplayJob) -> Result<Vec<StoredRow>, UnavailableError> {
        for prefix in job.filter.prefixes() {
            let mut range = KeyRange::prefix(&prefix);
            // A place among the rows of the fate before is before all of this one.
            if let Some(behind) = job.behind.as_ref().filter(|behind| **behind > prefix) {
                range = range.behind(behind.clone(), ScanOrder::Ascending);
            }
            // Behind a row of the next fate nothing of this one is left.
            if range.is_void() {
                continue;
            }
            let rows =
                self.kernel
                    .index
                    .scan(tables::UNDELIVERED, &range, ScanOrder::Ascending, PAGE)?;
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
        Ok(Vec::new())
    }

    async fn permit(&self, queue: &QueueId) -> Result<Reserved, UnavailableError> {
        let Some(version) = version_of(&self.kernel, &queue.scope) else {
            return Ok(Reserved::NotConnected);
        };
        let place = QueueTarget {
            scope: &queue.scope,
            conversation: queue.conversation,
            version,
        };
        match Admission::enter(&self.kernel, &place).await {
            Ok(permit) => Ok(Reserved::Place(permit)),
            Err(CommandError::Rejected(_)) => Ok(Reserved::Full),
            Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
        }
    }

    async fn replay(
        &self,
        meant: Vec<(QueueId, OutNumber)>,
        permits: Vec<QueuePermit>,
    ) -> Result<u64, UnavailableError> {
        if meant.is_empty() {
            return Ok(0);
        }
        let command = Replay {
            messages: meant,
            delivered: false,
        };
        let answer = self.dispatcher.send(command).await;
        let (done, submitted) = answer.map_err(|_ended| UnavailableError::Stopping)??;
        let Some(group) = submitted else {
            return Ok(0);
        };
        let durable = self.kernel.journal.durable(group.last, group.epoch);
        durable
            .await
            .map_err(|_lost| UnavailableError::Interrupted)?;
        let mut replays = 0;
        for (permit, done) in permits.into_iter().zip(done) {
            if done {
                permit.keep();
                replays += 1;
            }
        }
        Ok(replays)
    }

    async fn note(
        &self,
        job: &ReplayJob,
        behind: Option<Vec<u8>>,
        replayed: u64,
        skipped: u64,
    ) -> Result<Done, UnavailableError> {
        let through = behind.is_none();
        let progress = NoteProgress {
            number: job.number,
            behind,
            replayed,
            skipped,
        };
        match execute(&self.kernel, &(), progress).await {
            Ok(()) if through => Ok(Done::Job),
            Ok(()) => Ok(Done::Page),
            // An operator has ended it meanwhile.
            Err(CommandError::Rejected(_)) => Ok(Done::Job),
            Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
        }
    }
}

enum Reserved {
    Place(QueuePermit),
    NotConnected,
    Full,
}

/// The message of a row of the list of what did not arrive.
fn message_of(key: &[u8]) -> Option<(QueueId, OutNumber)> {
    let (scope, conversation, number) = keys::read_queue_row(key.get(1..)?)?;
    let queue = QueueId {
        scope,
        conversation,
    };
    Some((queue, OutNumber(number)))
}

fn died_before(value: &[u8], moment: UnixMillis) -> bool {
    <[u8; 8]>::try_from(value)
        .is_ok_and(|bytes| UnixMillis::new(u64::from_be_bytes(bytes)) <= moment)
}
