//! Messages in progress: one worker per place in flight, and each conversation always on the same worker.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use tokio::sync::mpsc;

use super::super::output::CliError;
use super::line::Message;
use super::post::{PostOutcome, Poster};

/// Messages that wait at a worker behind the one in progress.
const WAITING_MAX: usize = 4;

/// A line is over.
pub(super) struct LineDone {
    pub(super) line: u64,
    /// The result, or the reason why nothing more can be posted.
    pub(super) result: Result<PostOutcome, CliError>,
}

/// The workers.
pub(super) struct Workers {
    workers: Vec<mpsc::Sender<(u64, Message)>>,
    done: mpsc::Receiver<LineDone>,
}

impl Workers {
    /// As many workers as messages are to be in progress at once.
    pub(super) fn new(poster: Poster, count: usize) -> Self {
        let poster = Rc::new(poster);
        // A worker never waits to report a result: the channel has room for everything that can be in progress.
        let room = count.saturating_mul(WAITING_MAX.saturating_add(2));
        let (results, done) = mpsc::channel(room);
        let workers = (0..count).map(|_| {
            let (worker, waiting) = mpsc::channel(WAITING_MAX);
            actix_web::rt::spawn(post_all(Rc::clone(&poster), waiting, results.clone()));
            worker
        });
        Self {
            workers: workers.collect(),
            done,
        }
    }

    /// Puts a message on the worker of its conversation, and waits while that is full.
    pub(super) async fn give(&self, line: u64, message: Message) {
        let mut hasher = DefaultHasher::new();
        message.conversation.hash(&mut hasher);
        let workers = u64::try_from(self.workers.len()).unwrap_or(u64::MAX);
        let at = hasher.finish().checked_rem(workers).unwrap_or_default();
        let worker = usize::try_from(at).ok().and_then(|at| self.workers.get(at));
        if let Some(worker) = worker {
            // A worker that has ended has already reported why.
            worker.send((line, message)).await.unwrap_or_default();
        }
    }

    /// A line that is over by now.
    pub(super) fn done(&mut self) -> Option<LineDone> {
        self.done.try_recv().ok()
    }

    /// Nothing more will be given.
    pub(super) fn close(&mut self) {
        self.workers.clear();
    }

    /// Waits for another line to be over; `None` when all are. To be called after [`Self::close`].
    pub(super) async fn last(&mut self) -> Option<LineDone> {
        self.done.recv().await
    }
}

async fn post_all(
    poster: Rc<Poster>,
    mut waiting: mpsc::Receiver<(u64, Message)>,
    results: mpsc::Sender<LineDone>,
) {
    while let Some((line, message)) = waiting.recv().await {
        let result = poster.post(&message).await;
        let is_failure = result.is_err();
        let report = results.send(LineDone { line, result }).await;
        // What comes behind a message that could not be posted must not overtake it.
        if is_failure || report.is_err() {
            return;
        }
    }
}
