//! The dispatcher of relays: performs the effects of its dispatch machine, and makes the attempts.

mod command;
mod hints;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use futures_util::FutureExt;

use crate::domain::dispatch::DispatchLimits;
use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::effect::{DispatchEvent, Effect};
use crate::domain::dispatch::endpoint::{EndpointSettings, Switch};
use crate::domain::dispatch::event::{Event, Returned};
use crate::domain::dispatch::outcome::{AttemptFailure, Outcome};
use crate::domain::dispatch::record::{
    AttemptTrace, CancelReason, DeliveryState, HoldReason, LoggedChange,
};
use crate::domain::dispatch::retry::Jitter;
use crate::domain::relays::{RelayQueueId, RelayTarget, Relayed};
use crate::domain::time::UnixMillis;
use crate::relays::attempt;
use crate::relays::job::{AttemptResult, RelayJob};
use crate::relays::rows::RelayRows;
use crate::stored_queues::{StoredQueues, readable};
use switchboard_relay::switch::RelaySwitch;
use switchboard_runtime::port::CallbackSender;
use switchboard_runtime::shared::Kernel;
use switchboard_runtime::shared::dispatch_shell::{Carrier, DispatchShell, Wake};
use switchboard_runtime::shared::relay_book::LastAnswer;

pub use command::TargetHealth;
pub(crate) use command::{EndRelayWait, RelayHealths, ReplayRelayed};
pub(super) use hints::RelayHints;

/// The maximum number of queues examined before other work of the thread gets its turn.
const BURST: usize = 256;
/// A bridge that is down is probed for ever: the relay is there for that.
const NEVER: Duration = Duration::from_secs(100 * 365 * 86_400);

/// The dispatcher of relays.
pub(crate) struct RelayDispatcher {
    kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    hints: Arc<RelayHints>,
    shell: DispatchShell<Relayed>,
    store: StoredQueues<RelayRows>,
    /// Grows with each turn of a switch: the health of the targets is learned anew then.
    revision: u64,
    /// True once the machine knows the targets.
    knows_targets: bool,
}

impl RelayDispatcher {
    pub(super) fn new(
        kernel: Kernel,
        sender: Arc<dyn CallbackSender>,
        hints: Arc<RelayHints>,
    ) -> Self {
        let limits = DispatchLimits {
            give_up: NEVER,
            ..kernel.shared.config.dispatch
        };
        Self {
            sender,
            hints,
            shell: DispatchShell::new(kernel.clone(), limits),
            store: StoredQueues::new(kernel.clone()),
            revision: 0,
            knows_targets: false,
            kernel,
        }
    }

    /// Has the machine know the targets, each as its relay's switch says.
    fn pass_settings(&mut self, ctx: &mut Context<Self>) {
        let is_start = !std::mem::replace(&mut self.knows_targets, true);
        self.revision = self.revision.saturating_add(1);
        let book = Arc::clone(&self.kernel.shared.relays);
        for relay in book.iter() {
            let state = self
                .kernel
                .index
                .load::<RelaySwitch>(&relay.settings.channel);
            let is_paused = match state {
                Ok(state) => state.is_some_and(|(switch, _)| switch.is_paused),
                Err(error) => {
                    tracing::error!(channel = %relay.settings.channel, %error, "the switch of a relay cannot be read; the relay stays as it is");
                    relay.is_paused()
                }
            };
            relay.pause(is_paused);
            for (place, _) in relay.settings.targets() {
                let endpoint = relay.settings.target(place);
                if is_start {
                    self.suspect(endpoint, ctx);
                }
                let settings = EndpointSettings {
                    switch: if is_paused {
                        Switch::Paused
                    } else {
                        Switch::On
                    },
                    in_flight_max: relay.settings.bounds.in_flight_max,
                    revision: self.revision,
                    ..EndpointSettings::default()
                };
                self.step(Event::EndpointChanged { endpoint, settings }, ctx);
            }
        }
    }

    /// Has the machine begin with a probe: what was learned of the target ended with the process before. A target that is down
    /// costs a hook no attempt so, however often the service restarts meanwhile.
    fn suspect(&mut self, endpoint: RelayTarget, ctx: &mut Context<Self>) {
        let settings = EndpointSettings {
            switch: Switch::Disabled(HoldReason::Failing),
            ..EndpointSettings::default()
        };
        self.step(Event::EndpointChanged { endpoint, settings }, ctx);
    }

    fn send(
        &mut self,
        queue: RelayQueueId,
        number: OutNumber,
        attempt: u32,
        ctx: &mut Context<Self>,
    ) {
        let is_replay = attempt > 1
            && readable::<RelayRows, _>(self.store.record(queue, number))
                .is_some_and(|it| it.replays > 0);
        let job = RelayJob {
            queue,
            number,
            attempt,
            is_replay,
        };
        let began = self.kernel.clock.now();
        let exchange = attempt::make(self.kernel.clone(), Arc::clone(&self.sender), job);
        // An attempt that panics has an unknown outcome, and does not affect the others.
        let outcome = AssertUnwindSafe(exchange).catch_unwind();
        let returning = outcome
            .into_actor(self)
            .map(move |result, dispatcher: &mut Self, ctx| {
                let result = result.unwrap_or_else(|_panic| interrupted(began));
                dispatcher.take_result(job, result, ctx);
            });
        ctx.spawn(returning);
    }

    fn take_result(&mut self, job: RelayJob, result: AttemptResult, ctx: &mut Context<Self>) {
        let (queue, number) = (job.queue, job.number);
        if result.is_stale {
            let why = CancelReason::Discarded;
            self.step(Event::Discard { queue, number, why }, ctx);
        } else if let Some(target) = self.kernel.shared.relays.target(queue.target) {
            target.note_answer(LastAnswer {
                at: self.kernel.clock.now(),
                status: result.outcome.status(),
                failure: result.outcome.failure().map(AttemptFailure::as_str),
            });
        }
        let returned = Returned {
            queue,
            number,
            attempt: job.attempt,
            outcome: result.outcome,
            trace: result.trace,
            jitter: Jitter::from_random(self.kernel.entropy.bytes()),
        };
        self.step(Event::Returned(Box::new(returned)), ctx);
    }

    fn record(&mut self, queue: RelayQueueId, number: OutNumber, entry: &LoggedChange) {
        if let Some(state) = self.store.change(queue, number, entry) {
            self.count(queue.target, &state);
        }
    }

    fn count(&self, target: RelayTarget, state: &DeliveryState) {
        let Some(counts) = self.kernel.shared.relays.target(target) else {
            return;
        };
        match state {
            DeliveryState::Queued | DeliveryState::Waiting { .. } | DeliveryState::Held { .. } => {
                return;
            }
            DeliveryState::Delivered { .. } => counts.delivered.add(),
            DeliveryState::Dead { .. } => counts.dead.add(),
            DeliveryState::Cancelled { .. } => counts.dropped.add(),
        }
        counts.leaves();
    }

    fn publish(&self, event: DispatchEvent<Relayed>) {
        let channel = |target: &RelayTarget| {
            let relay = self.kernel.shared.relays.get(target.relay);
            relay.map(|relay| relay.settings.channel.to_string())
        };
        match event {
            DispatchEvent::EndpointOpened { endpoint } => {
                tracing::warn!(
                    channel = channel(&endpoint),
                    place = endpoint.place,
                    "a target of a relay fails; what comes for it is kept"
                );
            }
            DispatchEvent::EndpointRecovered { endpoint } => {
                tracing::info!(
                    channel = channel(&endpoint),
                    place = endpoint.place,
                    "a target of a relay takes hooks again"
                );
            }
            DispatchEvent::EndpointDisabled { endpoint, why } => {
                tracing::error!(
                    channel = channel(&endpoint),
                    place = endpoint.place,
                    ?why,
                    "a target of a relay is left alone until the relay is resumed; what comes for it is kept"
                );
            }
            DispatchEvent::MessageDied {
                queue,
                number,
                reason,
            } => {
                tracing::warn!(channel = channel(&queue.target), place = queue.target.place, number = number.0, why = %reason, "a relayed hook was given up; it can be replayed");
            }
            DispatchEvent::EndpointStillFails { .. } | DispatchEvent::MessageWaits { .. } => {}
        }
    }

    /// The queue may have something to send.
    fn look(&mut self, queue: RelayQueueId, is_replay: bool, ctx: &mut Context<Self>) {
        let endpoint = queue.target;
        if self.kernel.shared.relays.target(endpoint).is_none() {
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

    /// Passes on what was heard since the last time.
    fn pass_hints(&mut self, ctx: &mut Context<Self>) {
        if self.hints.take_turn() || !self.knows_targets {
            self.pass_settings(ctx);
        }
        let names = self.hints.take_queues(BURST);
        for queue in names.replays {
            self.look(queue, true, ctx);
        }
        for queue in names.queues {
            self.look(queue, false, ctx);
        }
        if names.has_overflowed {
            let book = Arc::clone(&self.kernel.shared.relays);
            for relay in book.iter() {
                for (place, _) in relay.settings.targets() {
                    let endpoint = relay.settings.target(place);
                    let group = endpoint;
                    self.step(Event::GroupMoved { group, endpoint }, ctx);
                }
            }
        }
        if self.hints.has_queues() {
            ctx.notify(Wake);
        }
    }
}

/// The result of an attempt that ended without one.
fn interrupted(began: UnixMillis) -> AttemptResult {
    AttemptResult {
        outcome: Outcome::Failed(AttemptFailure::Unknown),
        trace: AttemptTrace::unsent(began, "the attempt was interrupted"),
        is_stale: false,
    }
}

impl Carrier for RelayDispatcher {
    type Names = Relayed;

    fn shell(&mut self) -> &mut DispatchShell<Relayed> {
        &mut self.shell
    }

    fn perform(&mut self, effect: Effect<Relayed>, ctx: &mut Context<Self>) -> Vec<Event<Relayed>> {
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
            // Targets go with the configuration, at a start: their rows stay, and wait for their return.
            Effect::CancelGroup { .. } => {}
            Effect::ArmTimer { at } => self.arm(at, ctx),
            Effect::Publish(event) => self.publish(event),
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

switchboard_runtime::carrier_actor!(RelayDispatcher);
