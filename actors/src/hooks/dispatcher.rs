//! The dispatcher of hooks: feeds the dispatch machine, performs its effects, and makes the attempts.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use actix::{
    Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message, WrapFuture,
};
use futures_util::FutureExt;
use tokio::sync::oneshot;

use crate::domain::audit::By;
use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::effect::{DispatchEvent, Effect};
use crate::domain::dispatch::endpoint::{EndpointSettings, Switch};
use crate::domain::dispatch::event::{Event, Returned};
use crate::domain::dispatch::outcome::{AttemptFailure, Outcome};
use crate::domain::dispatch::record::{AttemptTrace, HoldReason, LoggedChange};
use crate::domain::dispatch::retry::Jitter;
use crate::domain::dispatch::rules::AttemptRules;
use crate::domain::dispatch::{Dispatch, DispatchLimits};
use crate::domain::hooks::hook::{HookNumber, WebhookId};
use crate::domain::hooks::queue::HookDelivery;
use crate::domain::hooks::routing::{HookQueueId, Hooks};
use crate::domain::hooks::schedule::SCHEDULE;
use crate::domain::id::AccountId;
use crate::domain::time::UnixMillis;
use crate::domain::webhooks::disable::DisableWebhook;
use crate::domain::webhooks::subscription::DisableReason;
use crate::error::UnavailableError;
use crate::hooks::attempt::{self, HookJob};
use crate::hooks::cancelling::Cancelling;
use crate::hooks::hints::HookHints;
use crate::hooks::registry::Receiver;
use crate::hooks::store::HookStore;
use crate::port::CallbackSender;
use crate::shared::Kernel;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::store::committer::Submitted;

/// The maximum number of queues examined before other work of the thread gets its turn.
const BURST: usize = 256;
/// The pause before a failed write is tried again.
pub(super) const AGAIN: Duration = Duration::from_millis(100);
/// The most hooks that may wait for one webhook; it is switched off when there are more.
const QUEUED_MAX: usize = 100_000;

/// The dispatcher of hooks.
pub(crate) struct HookDispatcher {
    pub(super) kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    hints: Arc<HookHints>,
    machine: Dispatch<Hooks>,
    pub(super) store: HookStore,
    pub(super) cancelling: VecDeque<Cancelling>,
    receivers: BTreeMap<WebhookId, Receiver>,
    settings: BTreeMap<WebhookId, EndpointSettings>,
    /// The number of hooks that wait for each webhook.
    waiting: BTreeMap<WebhookId, usize>,
    timer: Option<actix::SpawnHandle>,
    /// True when hooks wait until they are asked for.
    is_held: bool,
    /// True when it will be tried soon to store what could not be stored.
    is_saving: bool,
    drained: Vec<oneshot::Sender<()>>,
}

/// There may be something new.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct WakeHooks;

/// Stores what could not be stored before.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
struct SaveAgain;

/// Hooks that were held may go.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct BeginHooks;

/// Sends nothing more, and answers when nothing is in flight.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct DrainHooks(pub(crate) oneshot::Sender<()>);

/// Ends the dispatcher without waiting for attempts in flight: they are repeated after the next start.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct LeaveHooks;

/// These are the webhooks of an account from now on.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(super) struct AccountReceivers {
    pub(super) account: AccountId,
    pub(super) receivers: Vec<Receiver>,
}

/// The webhooks of all accounts are known.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(super) struct AllReceivers;

/// Sends a hook again that is final, also one that was delivered. None when it is not.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "Result<Option<Submitted>, UnavailableError>")]
pub(crate) struct ReplayHook {
    pub(crate) queue: HookQueueId,
    pub(crate) number: HookNumber,
}

/// Ends the wait of a hook for its next attempt. None when it does not wait.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "Result<Option<Submitted>, UnavailableError>")]
pub(crate) struct EndHookWait {
    pub(crate) queue: HookQueueId,
    pub(crate) number: HookNumber,
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
            machine: Dispatch::new(limits),
            store: HookStore::new(kernel.clone()),
            cancelling: VecDeque::new(),
            receivers: BTreeMap::new(),
            settings: BTreeMap::new(),
            waiting: BTreeMap::new(),
            timer: None,
            is_held: kernel.shared.config.hold_callbacks,
            is_saving: false,
            drained: Vec::new(),
            kernel,
        }
    }

    fn step(&mut self, event: Event<Hooks>, ctx: &mut Context<Self>) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            let effects = self.machine.step(event, self.kernel.clock.now());
            let answers = effects.into_iter();
            let answers: Vec<_> = answers
                .flat_map(|effect| self.perform(effect, ctx))
                .collect();
            // Last in, first out: reversed, so that the machine gets the answers of one step in their order.
            events.extend(answers.into_iter().rev());
        }
        self.save_later(ctx);
        if self.machine.is_drained() {
            for drained in self.drained.drain(..) {
                // The caller may have stopped waiting.
                drained.send(()).unwrap_or_default();
            }
        }
    }

    /// Performs an effect; the machine gets the returned events next.
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
                let head = readable(head).flatten();
                return vec![Event::NextHead {
                    queue,
                    question,
                    head,
                }];
            }
            Effect::PageIn { endpoint, room } => return self.page_in(endpoint, room),
            Effect::CancelGroup { group, except } => {
                let except = except
                    .into_iter()
                    .map(|(queue, number)| (queue, HookNumber(number.0)));
                self.cancel(group, except.collect(), ctx);
            }
            Effect::ArmTimer { at } => self.arm(at, ctx),
            Effect::Publish(event) => self.publish(event, ctx),
        }
        Vec::new()
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
        let exchange = AssertUnwindSafe(exchange).catch_unwind();
        let returning = exchange
            .into_actor(self)
            .map(move |result, dispatcher: &mut Self, ctx| {
                let (outcome, trace) = result.unwrap_or_else(|_panic| interrupted(began));
                let random = dispatcher.kernel.entropy.bytes();
                let [a, b, c, d, ..] = random;
                let returned = Returned {
                    queue,
                    number,
                    attempt,
                    outcome,
                    trace,
                    jitter: Jitter(u32::from_le_bytes([a, b, c, d])),
                };
                dispatcher.step(Event::Returned(Box::new(returned)), ctx);
            });
        ctx.spawn(returning);
    }

    fn record(&mut self, queue: HookQueueId, number: OutNumber, entry: &LoggedChange) {
        let number = HookNumber(number.0);
        let result = self.store.record(queue, number);
        let mut record = readable(result).unwrap_or_default();
        if record.state.is_final() {
            return;
        }
        record.apply(entry);
        if record.state.is_final() {
            let waiting = self.waiting.entry(queue.webhook).or_default();
            *waiting = waiting.saturating_sub(1);
        }
        self.store.write(HookDelivery {
            queue,
            number,
            record,
        });
    }

    fn page_in(&mut self, endpoint: WebhookId, room: usize) -> Vec<Event<Hooks>> {
        let page = self.store.page(endpoint, room);
        let Some(page) = readable(page) else {
            return vec![Event::Paged {
                endpoint,
                complete: true,
            }];
        };
        let heads = page.queues.into_iter();
        let mut events: Vec<_> = heads
            .map(|(queue, head)| Event::MessageQueued {
                queue,
                endpoint,
                head,
            })
            .collect();
        events.push(Event::Paged {
            endpoint,
            complete: page.is_complete,
        });
        events
    }

    fn arm(&mut self, at: UnixMillis, ctx: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
        let sleep = self.kernel.clock.sleep(at.since(self.kernel.clock.now()));
        let ring = sleep
            .into_actor(self)
            .map(|(), dispatcher: &mut Self, ctx| {
                dispatcher.timer = None;
                dispatcher.step(Event::Tick, ctx);
            });
        self.timer = Some(ctx.spawn(ring));
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

    /// Switches a webhook off: at once here, and in its account as soon as that can be stored.
    fn disable(&mut self, webhook: WebhookId, why: DisableReason, ctx: &mut Context<Self>) {
        if let Some(receiver) = self.receivers.get(&webhook) {
            tracing::error!(account = %webhook.account, webhook = webhook.number.0, host = receiver.host, %why, "a webhook was switched off; it gets no hook until it is switched on again");
        }
        if let Some(settings) = self.settings.get_mut(&webhook) {
            settings.switch = Switch::Disabled(HoldReason::GivenUp);
        }
        let kernel = self.kernel.clone();
        let storing = async move {
            let command = DisableWebhook {
                by: By::Service,
                id: webhook.number,
                why,
            };
            while let Err(error) = execute(&kernel, &webhook.account, command.clone()).await {
                // It is gone, or off already: whoever did that was first.
                let crate::error::CommandError::Unavailable(error) = error else {
                    return;
                };
                if error == UnavailableError::Stopping {
                    return;
                }
                tracing::warn!(account = %webhook.account, webhook = webhook.number.0, %error, "it cannot be stored yet that a webhook is off");
                kernel.clock.sleep(AGAIN).await;
            }
        };
        ctx.spawn(storing.into_actor(self));
    }

    /// Takes in what was heard since the last time.
    fn take_hints(&mut self, ctx: &mut Context<Self>) {
        if self.is_held {
            return;
        }
        let names = self.hints.take_queues(BURST);
        for queue in names.replays {
            self.look(queue, true, ctx);
        }
        for queue in names.queues {
            let waiting = self.waiting.entry(queue.webhook).or_default();
            *waiting = waiting.saturating_add(1);
            if *waiting == QUEUED_MAX {
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
            ctx.notify(WakeHooks);
        }
    }

    /// The count may be too high, since a hook is counted with each hint: it is checked before a webhook is switched off.
    fn recount(&mut self, webhook: WebhookId, ctx: &mut Context<Self>) {
        let count = readable(self.store.count(webhook, QUEUED_MAX)).unwrap_or_default();
        self.waiting.insert(webhook, count);
        if count >= QUEUED_MAX {
            self.disable(webhook, DisableReason::Waiting, ctx);
            self.tell_machine(webhook, ctx);
        }
    }

    /// The queue may have something to send.
    fn look(&mut self, queue: HookQueueId, is_replay: bool, ctx: &mut Context<Self>) {
        let endpoint = queue.webhook;
        if !self.settings.contains_key(&endpoint) {
            return;
        }
        // A queue in memory goes on by itself.
        if !is_replay && self.machine.head_status(&queue).is_some() {
            return;
        }
        let head = self.store.head(queue);
        let Some(head) = readable(head).flatten() else {
            return;
        };
        let event = if is_replay {
            Event::QueueReplayed {
                queue,
                endpoint,
                head,
            }
        } else {
            Event::MessageQueued {
                queue,
                endpoint,
                head,
            }
        };
        self.step(event, ctx);
    }

    /// Takes in the webhooks of an account.
    fn take_receivers(
        &mut self,
        account: AccountId,
        receivers: Vec<Receiver>,
        ctx: &mut Context<Self>,
    ) {
        let before: BTreeSet<WebhookId> = self
            .receivers
            .keys()
            .filter(|id| id.account == account)
            .copied()
            .collect();
        let now: BTreeSet<WebhookId> = receivers.iter().map(|receiver| receiver.id).collect();
        for gone in before.difference(&now) {
            self.receivers.remove(gone);
            self.settings.remove(gone);
            self.waiting.remove(gone);
            self.step(Event::GroupClosed { group: *gone }, ctx);
        }
        for receiver in receivers {
            let id = receiver.id;
            let is_known = self.receivers.get(&id) == Some(&receiver);
            let is_on = receiver.is_on;
            self.receivers.insert(id, receiver);
            if is_known {
                continue;
            }
            let settings = self.settings.entry(id).or_default();
            settings.revision = settings.revision.saturating_add(1);
            settings.switch = if is_on {
                Switch::On
            } else {
                Switch::Disabled(HoldReason::GivenUp)
            };
            self.tell_machine(id, ctx);
        }
    }

    /// Has the machine read the queues of a webhook again.
    fn renew(&mut self, endpoint: WebhookId, ctx: &mut Context<Self>) {
        let group = endpoint;
        self.step(Event::GroupMoved { group, endpoint }, ctx);
    }

    fn tell_machine(&mut self, endpoint: WebhookId, ctx: &mut Context<Self>) {
        if let Some(settings) = self.settings.get(&endpoint).copied() {
            self.step(Event::EndpointChanged { endpoint, settings }, ctx);
        }
    }

    fn save_later(&mut self, ctx: &mut Context<Self>) {
        if self.store.has_unsaved() && !self.is_saving {
            self.is_saving = true;
            ctx.notify_later(SaveAgain, AGAIN);
        }
    }
}

/// The result of an attempt that ended without one.
fn interrupted(began: UnixMillis) -> (Outcome, AttemptTrace) {
    let trace = AttemptTrace {
        began,
        address: None,
        answered_ms: None,
        took_ms: 0,
        excerpt: "the attempt was interrupted".to_owned(),
    };
    (Outcome::Failed(AttemptFailure::Unknown), trace)
}

/// The value of a read; a failure is logged, and the hook stays in its queue.
fn readable<T>(read: Result<T, UnavailableError>) -> Option<T> {
    read.inspect_err(|error| tracing::error!(%error, "the queue of hooks cannot be read"))
        .ok()
}

impl Actor for HookDispatcher {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        ctx.set_mailbox_capacity(1_024);
        self.take_hints(ctx);
    }
}

impl Handler<WakeHooks> for HookDispatcher {
    type Result = ();

    fn handle(&mut self, _: WakeHooks, ctx: &mut Context<Self>) {
        self.hints.woken();
        self.take_hints(ctx);
    }
}

impl Handler<AccountReceivers> for HookDispatcher {
    type Result = ();

    fn handle(&mut self, message: AccountReceivers, ctx: &mut Context<Self>) {
        self.take_receivers(message.account, message.receivers, ctx);
    }
}

impl Handler<AllReceivers> for HookDispatcher {
    type Result = ();

    /// What waits for a webhook that is gone is cancelled: an earlier process ended before that was done.
    fn handle(&mut self, _: AllReceivers, ctx: &mut Context<Self>) {
        let webhooks = readable(self.store.webhooks()).unwrap_or_default();
        for webhook in webhooks {
            if self.receivers.contains_key(&webhook) {
                let count = readable(self.store.count(webhook, QUEUED_MAX));
                self.waiting.insert(webhook, count.unwrap_or_default());
            } else {
                self.cancel(webhook, BTreeSet::new(), ctx);
            }
        }
    }
}

impl Handler<SaveAgain> for HookDispatcher {
    type Result = ();

    fn handle(&mut self, _: SaveAgain, ctx: &mut Context<Self>) {
        self.is_saving = false;
        for queue in self.store.save_again() {
            self.look(queue, false, ctx);
        }
        self.save_later(ctx);
    }
}

impl Handler<BeginHooks> for HookDispatcher {
    type Result = ();

    fn handle(&mut self, _: BeginHooks, ctx: &mut Context<Self>) {
        self.is_held = false;
        self.take_hints(ctx);
    }
}

impl Handler<DrainHooks> for HookDispatcher {
    type Result = ();

    fn handle(&mut self, DrainHooks(drained): DrainHooks, ctx: &mut Context<Self>) {
        self.drained.push(drained);
        self.step(Event::Draining, ctx);
    }
}

impl Handler<LeaveHooks> for HookDispatcher {
    type Result = ();

    fn handle(&mut self, _: LeaveHooks, ctx: &mut Context<Self>) {
        ctx.stop();
    }
}

impl Handler<ReplayHook> for HookDispatcher {
    type Result = Result<Option<Submitted>, UnavailableError>;

    fn handle(&mut self, message: ReplayHook, _: &mut Context<Self>) -> Self::Result {
        let (queue, number) = (message.queue, message.number);
        let mut record = self.store.record(queue, number)?;
        if !record.replay(true) {
            return Ok(None);
        }
        let at = self.kernel.clock.now();
        let delivery = HookDelivery {
            queue,
            number,
            record,
        };
        self.store.requeue(delivery, at).map(Some)
    }
}

impl Handler<EndHookWait> for HookDispatcher {
    type Result = Result<Option<Submitted>, UnavailableError>;

    fn handle(&mut self, message: EndHookWait, _: &mut Context<Self>) -> Self::Result {
        let (queue, number) = (message.queue, message.number);
        let mut record = self.store.record(queue, number)?;
        if !record.end_wait() {
            return Ok(None);
        }
        let delivery = HookDelivery {
            queue,
            number,
            record,
        };
        self.store.end_wait(delivery).map(Some)
    }
}
