//! The running parts of hooks: their dispatcher and their feed.

use std::sync::Arc;

use actix::{Actor, Addr, Arbiter};
use futures_util::FutureExt;
use futures_util::future::{AbortHandle, abortable};
use rustix::process::setpriority_process;
use tokio::sync::oneshot;

use crate::domain::notice::Notice;
use crate::hooks::dispatcher::{HookDispatcher, HookHints};
use crate::hooks::feed::HookFeedTask;
use switchboard_engine::runtime::threads::Threads;
use switchboard_engine::store::index::config::Listener;
use switchboard_engine::store::index::sink::Indexing;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::port::CallbackSender;
use switchboard_runtime::shared::Kernel;
use switchboard_runtime::shared::dispatch_shell::{Begin, Drain, Leave};

/// The niceness of the thread of hooks.
const NICENESS: i32 = 10;

/// Lets requests have the processor first: a hook may be made a little later, since no request waits for it.
fn yield_to_requests() {
    // Of the calling thread alone, on Linux.
    if let Err(error) = setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "hooks have the priority of requests");
    }
}

/// The running parts.
pub(crate) struct RunningHooks {
    pub(crate) dispatcher: Addr<HookDispatcher>,
    feed: AbortHandle,
}

impl RunningHooks {
    /// Starts them, on a thread of their own if the system has threads; the thread, if there is one.
    pub(crate) fn start(
        kernel: &Kernel,
        sender: Arc<dyn CallbackSender>,
        index: &Indexing<Notice>,
    ) -> (Self, Option<Arbiter>) {
        let hints = Arc::new(HookHints::new(Arc::clone(&kernel.shared.feed)));
        let listener: Arc<dyn Listener<Notice>> = Arc::<HookHints>::clone(&hints);
        index.listen(listener);
        let arbiter = match kernel.shared.config.threads {
            Threads::Here | Threads::Stepped => None,
            Threads::Own(_) | Threads::Join(_) => Some(Arbiter::new()),
        };
        if let Some(arbiter) = &arbiter {
            arbiter.spawn_fn(yield_to_requests);
        }
        let place = arbiter
            .as_ref()
            .map_or_else(Arbiter::current, Arbiter::handle);
        let (here, heard) = (kernel.clone(), Arc::clone(&hints));
        let make = move || HookDispatcher::new(here, sender, heard);
        let dispatcher = if arbiter.is_some() {
            HookDispatcher::start_in_arbiter(&place, move |_| make())
        } else {
            make().start()
        };
        hints.waker.attach(dispatcher.clone());
        let task = HookFeedTask::new(kernel.clone(), hints, dispatcher.clone());
        let (task, feed) = abortable(task.run());
        // It runs until it is aborted, so its result is of no use.
        place.spawn(task.map(drop));
        (Self { dispatcher, feed }, arbiter)
    }

    /// Lets hooks go that were held back.
    pub(crate) async fn begin(&self, kernel: &Kernel) -> Result<(), UnavailableError> {
        kernel.shared.feed.hooks.begin();
        let begun = self.dispatcher.send(Begin).await;
        begun.map_err(|_ended| UnavailableError::Stopping)
    }

    /// Sends no hook from now on, and ends when none is in flight.
    pub(crate) async fn drain(&self) -> bool {
        self.feed.abort();
        let (drained, waiting) = oneshot::channel();
        self.dispatcher.send(Drain(drained)).await.is_ok() && waiting.await.is_ok()
    }

    /// Ends both at once.
    pub(crate) fn end(&self) {
        self.feed.abort();
        if self.dispatcher.try_send(Leave).is_err() {
            tracing::debug!("the dispatcher of hooks has ended before, or ends with its thread");
        }
    }
}
