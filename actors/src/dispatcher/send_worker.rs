//! Workers make the attempts beside the dispatcher: most of the work of a callback is to read the message, sign it and
//! speak HTTP. The order of the callbacks is decided elsewhere.
//!
//! Each endpoint belongs to one worker, so its connections stay on one thread. Each job is answered exactly once. If
//! a worker ends or an attempt panics, the answer is that the outcome is unknown.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll, Waker};

use actix::fut::ActorFuture;
use actix::{ArbiterHandle, AsyncContext, Context};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::sync::mpsc;

use crate::dispatcher::{Dispatcher, sending};
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::dispatch::endpoint::EndpointId;
use crate::domain::dispatch::outcome::{AttemptFailure, Outcome};
use crate::domain::dispatch::record::AttemptTrace;
use crate::domain::time::UnixMillis;
use switchboard_runtime::port::CallbackSender;
use switchboard_runtime::shared::Kernel;

/// The number of attempts that come back before other work of the thread gets its turn.
const BURST: usize = 64;

/// An attempt to be made.
#[derive(Clone, Debug)]
pub(super) struct SendJob {
    pub(super) queue: QueueId,
    pub(super) endpoint: EndpointId,
    pub(super) number: OutNumber,
    pub(super) attempt: u32,
}

/// An attempt that came back.
#[derive(Debug)]
pub(super) struct JobDone {
    pub(super) job: SendJob,
    /// The time at which the message was accepted; `None` when that is not known.
    pub(super) accepted: Option<UnixMillis>,
    pub(super) outcome: Outcome,
    pub(super) trace: AttemptTrace,
}

/// A job that is answered when it is dropped, if it was not before.
struct OpenJob {
    job: Option<SendJob>,
    answers: mpsc::Sender<JobDone>,
    began: UnixMillis,
}

impl OpenJob {
    fn answer(mut self, accepted: Option<UnixMillis>, outcome: Outcome, trace: AttemptTrace) {
        if let Some(job) = self.job.take() {
            let answer = JobDone {
                job,
                accepted,
                outcome,
                trace,
            };
            report(&self.answers, answer);
        }
    }
}

impl Drop for OpenJob {
    fn drop(&mut self) {
        if let Some(job) = self.job.take() {
            report(&self.answers, unknown(job, self.began));
        }
    }
}

/// There is room for as many answers as there are jobs. Without a dispatcher, the answers are not needed.
fn report(answers: &mpsc::Sender<JobDone>, done: JobDone) {
    answers.try_send(done).unwrap_or_default();
}

/// The answer to an attempt with an unknown outcome.
fn unknown(job: SendJob, began: UnixMillis) -> JobDone {
    JobDone {
        job,
        accepted: None,
        outcome: Outcome::Failed(AttemptFailure::Unknown),
        trace: AttemptTrace::unsent(began, "the attempt was interrupted"),
    }
}

/// The workers, as the dispatcher sees them.
pub(super) struct SendWorkers {
    workers: Vec<mpsc::Sender<SendJob>>,
    answers: mpsc::Receiver<JobDone>,
    /// The outcomes of the jobs that no worker took.
    returned: VecDeque<JobDone>,
    /// Attempts in progress.
    in_flight: usize,
    waker: Option<Waker>,
}

impl SendWorkers {
    /// Starts a worker on each of these threads, at least one. `slots`: the limit of attempts in progress at once.
    pub(super) fn open(
        kernel: &Kernel,
        sender: &Arc<dyn CallbackSender>,
        threads: &[ArbiterHandle],
        slots: usize,
    ) -> Self {
        let (answering, answers) = mpsc::channel(slots.max(1));
        let mut workers = Vec::with_capacity(threads.len());
        for thread in threads {
            let (jobs, job_queue) = mpsc::channel(slots.max(1));
            let (kernel, sender, answering) =
                (kernel.clone(), Arc::clone(sender), answering.clone());
            // A thread that has ended takes no jobs, and those for it come back as unknown.
            thread.spawn_fn(move || drop(actix::spawn(work(kernel, sender, job_queue, answering))));
            workers.push(jobs);
        }
        Self {
            workers,
            answers,
            returned: VecDeque::new(),
            in_flight: 0,
            waker: None,
        }
    }

    /// Has this attempt made.
    pub(super) fn submit(&mut self, kernel: &Kernel, job: SendJob, ctx: &mut Context<Dispatcher>) {
        let mut hasher = DefaultHasher::new();
        job.endpoint.channel.hash(&mut hasher);
        let count = u64::try_from(self.workers.len()).unwrap_or(1).max(1);
        let place = usize::try_from(hasher.finish() % count).unwrap_or_default();
        let leftover = match self.workers.get(place) {
            Some(worker) => worker
                .try_send(job)
                .err()
                .map(mpsc::error::TrySendError::into_inner),
            None => Some(job),
        };
        if let Some(job) = leftover {
            self.returned.push_back(unknown(job, kernel.clock.now()));
            if let Some(waker) = &self.waker {
                waker.wake_by_ref();
            }
        }
        self.in_flight += 1;
        if self.in_flight == 1 {
            ctx.spawn(ResultStream);
        }
    }

    fn poll(&mut self, task: &mut Task<'_>) -> Poll<Option<JobDone>> {
        if let Some(returned) = self.returned.pop_front() {
            return Poll::Ready(Some(returned));
        }
        match &mut self.waker {
            Some(waker) => waker.clone_from(task.waker()),
            None => self.waker = Some(task.waker().clone()),
        }
        self.answers.poll_recv(task)
    }
}

/// Takes in what comes back. It is in the actor's context as long as anything is in progress.
struct ResultStream;

impl ActorFuture<Dispatcher> for ResultStream {
    type Output = ();

    fn poll(
        self: Pin<&mut Self>,
        dispatcher: &mut Dispatcher,
        ctx: &mut Context<Dispatcher>,
        task: &mut Task<'_>,
    ) -> Poll<()> {
        for _ in 0..BURST {
            match dispatcher.workers.poll(task) {
                Poll::Ready(Some(done)) => {
                    // Counted down behind the step, which may have submitted the next job: one of these is enough.
                    dispatcher.done(done, ctx);
                    dispatcher.workers.in_flight -= 1;
                    if dispatcher.workers.in_flight == 0 {
                        return Poll::Ready(());
                    }
                }
                // There is a worker as long as there are jobs.
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
        task.waker().wake_by_ref();
        Poll::Pending
    }
}

/// A worker: makes the attempts of its jobs, until no further job can come.
async fn work(
    kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    mut jobs: mpsc::Receiver<SendJob>,
    answers: mpsc::Sender<JobDone>,
) {
    let mut in_flight = FuturesUnordered::new();
    std::future::poll_fn(|task| {
        loop {
            let has_new_job = match jobs.poll_recv(task) {
                Poll::Ready(Some(job)) => {
                    let open_job = OpenJob {
                        job: Some(job),
                        answers: answers.clone(),
                        began: kernel.clock.now(),
                    };
                    let attempt = attempt(kernel.clone(), Arc::clone(&sender), open_job);
                    // An attempt that panics is answered by its open job, and does not affect the others.
                    in_flight.push(AssertUnwindSafe(attempt).catch_unwind());
                    true
                }
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Pending => false,
            };
            let has_ended = matches!(in_flight.poll_next_unpin(task), Poll::Ready(Some(_)));
            if !has_new_job && !has_ended {
                return Poll::Pending;
            }
        }
    })
    .await;
}

async fn attempt(kernel: Kernel, sender: Arc<dyn CallbackSender>, open_job: OpenJob) {
    let Some(job) = &open_job.job else { return };
    let (accepted, outcome, trace) = sending::make(&kernel, &sender, job).await;
    open_job.answer(accepted, outcome, trace);
}
