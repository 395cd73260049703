//! The dispatcher of hooks: performs the effects of its dispatch machine, and makes the attempts.

mod cancelling;
mod command;
mod hints;
mod receivers;

use std::collections::{BTreeMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use futures_util::FutureExt;

use crate::domain::dispatch::DispatchLimits;
use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::effect::{DispatchEvent, Effect};
use crate::domain::dispatch::endpoint::EndpointSettings;
use crate::domain::dispatch::event::{Event, Returned};
use crate::domain::dispatch::outcome::{AttemptFailure, Outcome};
use crate::domain::dispatch::record::{AttemptTrace, LoggedChange};
use crate::domain::dispatch::retry::Jitter;
use crate::domain::dispatch::rules::AttemptRules;
use crate::domain::hooks::hook::{HookNumber, WebhookId};
use crate::domain::hooks::routing::{HookQueueId, Hooks};
use crate::domain::hooks::schedule::SCHEDULE;
use crate::domain::time::UnixMillis;
use crate::domain::webhooks::subscription::DisableReason;
use crate::hooks::attempt::{self, HookJob};
use crate::hooks::registry::Receiver;
use crate::hooks::store::{HookRows, HookStore};
use crate::stored_queues::{count, readable};
use switchboard_runtime::port::CallbackSender;
use switchboard_runtime::shared::Kernel;
use switchboard_runtime::shared::dispatch_shell::{Carrier, DispatchShell, Wake};

use cancelling::Cancelling;
pub use command::WebhookCounts;
pub(super) use command::{AccountReceivers, AllReceivers};
pub(crate) use command::{CountHooks, CountWebhooks, EndHookWait, ReplayHook};
pub(super) use hints::HookHints;

/// The maximum number of queues examined before other work of the thread gets its turn.
const BURST: usize = 256;

/// The dispatcher of hooks.
pub(crate) struct HookDispatcher {
    kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    hints: Arc<HookHints>,
    shell: DispatchShell<Hooks>,
    store: HookStore,
    cancelling: VecDeque<Cancelling>,
    receivers: BTreeMap<WebhookId, Receiver>,
    settings: BTreeMap<WebhookId, EndpointSettings>,
    /// The number of hooks that wait for each webhook.
    waiting: BTreeMap<WebhookId, usize>,
}

impl HookDispatcher {
    pub(crate) fn new(
        kernel: Kernel,
        sender: Arc<dyn CallbackSender>,
        hints: Arc<HookHints>,
    ) -> Self {
        let limits = DispatchLimits {
            rules: AttemptRules::Scheduled(SCHEDULE),
            ..kernel.shared.config.dispatch
        };
        Self {
            sender,
            hints,
            shell: DispatchShell::new(kernel.clone(), limits),
            store: HookStore::new(kernel.clone()),
            cancelling: VecDeque::new(),
            receivers: BTreeMap::new(),
            settings: BTreeMap::new(),
            waiting: BTreeMap::new(),
            kernel,
        }
    }

    /// The number of hooks that wait for one webhook when it is switched off.
    fn waiting_max(&self) -> usize {
        self.kernel.shared.config.hooks_waiting_max
    }

    fn send(
        &mut self,
        queue: HookQueueId,
        number: OutNumber,
        attempt: u32,
        ctx: &mut Context<Self>,
    ) {
        let receiver = self.receivers.get(&queue.webhook);
        let job = HookJob {
            queue,
            number: HookNumber(number.0),
            attempt,
            url: receiver.map(|receiver| Arc::clone(&receiver.url)),
        };
        let began = self.kernel.clock.now();
        let exchange = attempt::make(self.kernel.clone(), Arc::clone(&self.sender), job);
        // An attempt that panics has an unknown outcome, and does not affect the others.
        let outcome = AssertUnwindSafe(exchange).catch_unwind();
        let returning = outcome
            .into_actor(self)
            .map(move |result, dispatcher: &mut Self, ctx| {
                let (outcome, trace) = result.unwrap_or_else(|_panic| interrupted(began));
                let returned = Returned {
                    queue,
                    number,
                    attempt,
                    outcome,
                    trace,
                    jitter: Jitter::from_random(dispatcher.kernel.entropy.bytes()),
                };
                dispatcher.step(Event::Returned(Box::new(returned)), ctx);
            });
        ctx.spawn(returning);
    }

    fn record(&mut self, queue: HookQueueId, number: OutNumber, entry: &LoggedChange) {
        let state = self.store.change(queue, number, entry);
        if state.is_some_and(|state| state.is_final()) {
            let waiting = self.waiting.entry(queue.webhook).or_default();
            *waiting = waiting.saturating_sub(1);
        }
    }

    /// The number of hooks that wait for a webhook, counted up to the most that may.
    fn count(&self, webhook: WebhookId) -> usize {
        let count = count::<HookRows>(&self.kernel, webhook, self.waiting_max());
        readable::<HookRows, _>(count).unwrap_or_default()
    }

    fn publish(&mut self, event: DispatchEvent<Hooks>, ctx: &mut Context<Self>) {
        match event {
            DispatchEvent::EndpointDisabled { endpoint, .. } => {
                self.disable(endpoint, DisableReason::Failures, ctx);
            }
            DispatchEvent::MessageDied {
                queue,
                number,
                reason,
            } => {
                let receiver = self.receivers.get(&queue.webhook);
                let host = receiver.map(|receiver| receiver.host.as_str());
                tracing::warn!(account = %queue.webhook.account, webhook = queue.webhook.number.0, host, hook = number.0, why = %reason, "a hook was given up");
            }
            DispatchEvent::EndpointOpened { .. }
            | DispatchEvent::EndpointRecovered { .. }
            | DispatchEvent::EndpointStillFails { .. }
            | DispatchEvent::MessageWaits { .. } => {}
        }
    }

    /// Passes on what was heard since the last time.
    fn pass_hints(&mut self, ctx: &mut Context<Self>) {
        let names = self.hints.take_queues(BURST);
        for queue in names.replays {
            self.look(queue, true, ctx);
        }
        let waiting_max = self.waiting_max();
        for queue in names.queues {
            let waiting = self.waiting.entry(queue.webhook).or_default();
            *waiting = waiting.saturating_add(1);
            if *waiting == waiting_max {
                self.recount(queue.webhook, ctx);
            }
            self.look(queue, false, ctx);
        }
        if names.has_overflowed {
            let endpoints: Vec<_> = self.settings.keys().copied().collect();
            for endpoint in endpoints {
                self.renew(endpoint, ctx);
            }
        }
        if self.hints.has_queues() {
            ctx.notify(Wake);
        }
    }

    /// The queue may have something to send.
    fn look(&mut self, queue: HookQueueId, is_replay: bool, ctx: &mut Context<Self>) {
        let endpoint = queue.webhook;
        if !self.settings.contains_key(&endpoint) {
            return;
        }
        // A queue in memory goes on by itself.
        if !is_replay && self.shell.machine.head_status(&queue).is_some() {
            return;
        }
        if let Some(event) = self.store.look(queue, is_replay) {
            self.step(event, ctx);
        }
    }
}

/// The result of an attempt that ended without one.
fn interrupted(began: UnixMillis) -> (Outcome, AttemptTrace) {
    let trace = AttemptTrace::unsent(began, "the attempt was interrupted");
    (Outcome::Failed(AttemptFailure::Unknown), trace)
}

impl Carrier for HookDispatcher {
    type Names = Hooks;

    fn shell(&mut self) -> &mut DispatchShell<Hooks> {
        &mut self.shell
    }

    fn perform(&mut self, effect: Effect<Hooks>, ctx: &mut Context<Self>) -> Vec<Event<Hooks>> {
        match effect {
            Effect::Send {
                queue,
                number,
                attempt,
                ..
            } => self.send(queue, number, attempt, ctx),
            Effect::Record {
                queue,
                number,
                entry,
            } => self.record(queue, number, &entry),
            Effect::AskNext { queue, question } => {
                let head = self.store.head(queue);
                return vec![Event::NextHead {
                    queue,
                    question,
                    head,
                }];
            }
            Effect::PageIn { endpoint, room } => return self.store.page_in(endpoint, room),
            Effect::CancelGroup { group, except } => {
                self.cancel(group, except.into_iter().collect(), ctx);
            }
            Effect::ArmTimer { at } => self.arm(at, ctx),
            Effect::Publish(event) => self.publish(event, ctx),
        }
        Vec::new()
    }

    fn has_unsaved(&self) -> bool {
        self.store.has_unsaved()
    }

    fn save(&mut self, ctx: &mut Context<Self>) {
        for queue in self.store.save_again() {
            self.look(queue, false, ctx);
        }
    }

    fn note_wake_up(&self) {
        self.hints.waker.woken();
    }

    fn take_in(&mut self, ctx: &mut Context<Self>) {
        self.pass_hints(ctx);
    }
}

switchboard_runtime::carrier_actor!(HookDispatcher);
