//! The running part of relays: their dispatcher, and the count of what waits.

use std::sync::Arc;

use actix::{Actor, Addr, Arbiter};
use tokio::sync::oneshot;

use crate::domain::notice::Notice;
use crate::relays::dispatcher::{RelayDispatcher, RelayHints};
use crate::relays::rows::RelayRows;
use crate::stored_queues::{count, readable};
use switchboard_engine::runtime::threads::Threads;
use switchboard_engine::store::index::config::Listener;
use switchboard_engine::store::index::sink::Indexing;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::port::CallbackSender;
use switchboard_runtime::shared::Kernel;
use switchboard_runtime::shared::dispatch_shell::{Begin, Drain, Leave};

/// The running part of relays; a system without relays has none.
pub(crate) struct RunningRelays {
    pub(crate) dispatcher: Option<Addr<RelayDispatcher>>,
}

impl RunningRelays {
    /// Starts it, on a thread of its own if the system has threads; the thread, if there is one.
    pub(crate) fn start(
        kernel: &Kernel,
        sender: Arc<dyn CallbackSender>,
        index: &Indexing<Notice>,
    ) -> (Self, Option<Arbiter>) {
        if kernel.shared.relays.is_empty() {
            return (Self { dispatcher: None }, None);
        }
        count_waiting(kernel);
        let hints = Arc::new(RelayHints::default());
        let listener: Arc<dyn Listener<Notice>> = Arc::<RelayHints>::clone(&hints);
        index.listen(listener);
        let arbiter = match kernel.shared.config.threads {
            Threads::Here | Threads::Stepped => None,
            Threads::Own(_) | Threads::Join(_) => Some(Arbiter::new()),
        };
        let (here, heard) = (kernel.clone(), Arc::clone(&hints));
        let make = move || RelayDispatcher::new(here, sender, heard);
        let dispatcher = match &arbiter {
            Some(arbiter) => RelayDispatcher::start_in_arbiter(&arbiter.handle(), move |_| make()),
            None => make().start(),
        };
        hints.waker.attach(dispatcher.clone());
        let dispatcher = Some(dispatcher);
        (Self { dispatcher }, arbiter)
    }

    /// Lets hooks go that were held back.
    pub(crate) async fn begin(&self) -> Result<(), UnavailableError> {
        let Some(dispatcher) = &self.dispatcher else {
            return Ok(());
        };
        let begun = dispatcher.send(Begin).await;
        begun.map_err(|_ended| UnavailableError::Stopping)
    }

    /// Sends no hook from now on, and ends when none is in flight.
    pub(crate) async fn drain(&self) -> bool {
        let Some(dispatcher) = &self.dispatcher else {
            return true;
        };
        let (drained, waiting) = oneshot::channel();
        dispatcher.send(Drain(drained)).await.is_ok() && waiting.await.is_ok()
    }

    /// Ends it at once.
    pub(crate) fn end(&self) {
        let Some(dispatcher) = &self.dispatcher else {
            return;
        };
        if dispatcher.try_send(Leave).is_err() {
            tracing::debug!("the dispatcher of relays has ended before, or ends with its thread");
        }
    }
}

/// Counts the hooks that wait, up to the bounds of their relays. Nothing is taken yet, so nothing is counted twice.
fn count_waiting(kernel: &Kernel) {
    for relay in kernel.shared.relays.iter() {
        let bounds = &relay.settings.bounds;
        let longest = bounds.waiting_max.max(bounds.copies_waiting_max);
        let most = usize::try_from(longest).unwrap_or(usize::MAX);
        for (place, _) in relay.settings.targets() {
            let count = count::<RelayRows>(kernel, relay.settings.target(place), most);
            let waiting = readable::<RelayRows, _>(count).unwrap_or_default();
            if let Some(target) = relay.target(place) {
                target.waits(u64::try_from(waiting).unwrap_or(u64::MAX));
            }
        }
    }
}
