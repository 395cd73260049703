//! The dispatcher of callbacks: performs the effects of its dispatch machine.
//!
//! The durable queue is the table `Queued`; what became of a message is a record of its queue's stream. This actor is the
//! only writer of queue streams. It hears of new messages after they are on disk and found through the index.

mod cancelling;
mod command;
mod composing;
mod endpoints;
mod lost_ends;
mod publishing;
mod queue_store;
mod recheck;
mod send_worker;
mod sending;
mod status;
mod taking_hints;
mod test_attempt;
mod wake_hints;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use actix::{ArbiterHandle, Context};

use crate::domain::dispatch::callbacks::Callbacks;
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::dispatch::effect::Effect;
use crate::domain::dispatch::endpoint::{EndpointId, EndpointSettings};
use crate::domain::dispatch::event::{Event, Returned};
use crate::domain::dispatch::record::{DeliveryState, LoggedChange};
use crate::domain::dispatch::retry::Jitter;
use crate::domain::endpoint::{EndpointRecord, StoredEndpoints};
use crate::domain::hook_version::HookVersion;
use crate::domain::id::ScopeId;
use crate::domain::installation::channels::Channels;
use crate::domain::time::UnixMillis;
use switchboard_engine::runtime::writer::Writer;
use switchboard_runtime::shared::dispatch_shell::{Carrier, DispatchShell};
use switchboard_runtime::shared::hook_version::{self, version_of};
use switchboard_runtime::shared::{Kernel, Shared};

pub(crate) use command::{Discard, Enable, EndWait, Replay};
pub(crate) use composing::{ComposeError, compose};
use queue_store::{Cancelling, QueueStore};
use send_worker::{JobDone, SendJob, SendWorkers};
pub(crate) use status::{EndpointsStatus, GetEndpoints, GetQueues, QueueStatus};
pub(crate) use wake_hints::WakeHints;

use switchboard_runtime::port::CallbackSender;

/// The dispatcher of callbacks.
pub(crate) struct Dispatcher {
    kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    hints: Arc<WakeHints>,
    shell: DispatchShell<Callbacks>,
    queue_store: QueueStore,
    workers: SendWorkers,
    /// Disconnected scopes of which something is still to be cancelled.
    cancelling: VecDeque<Cancelling>,
    /// The time of the disconnect that the machine is being notified of.
    disconnected_at: Option<UnixMillis>,
    /// The endpoints as they were last passed to the machine.
    endpoints: BTreeMap<EndpointId, EndpointSettings>,
    /// The history of the endpoints, as it is stored when it changes for the better or the worse.
    known: BTreeMap<EndpointId, EndpointRecord>,
    stored_endpoints: Writer<StoredEndpoints, Shared>,
    channels: Arc<Channels>,
    /// Scopes of which it is not certain yet that they are not connected.
    rechecked: BTreeSet<ScopeId>,
    /// True when a task waits for the ends of deliveries that are on their way to the disk.
    watching_ends: bool,
}

impl Dispatcher {
    /// A dispatcher whose attempts are made on these threads.
    pub(crate) fn new(
        kernel: Kernel,
        sender: Arc<dyn CallbackSender>,
        hints: Arc<WakeHints>,
        threads: &[ArbiterHandle],
    ) -> Self {
        let limits = kernel.shared.config.dispatch;
        let workers = SendWorkers::open(&kernel, &sender, threads, limits.slots);
        Self {
            kernel: kernel.clone(),
            sender,
            hints,
            shell: DispatchShell::new(kernel.clone(), limits),
            stored_endpoints: Writer::new(kernel.clone()),
            queue_store: QueueStore::new(kernel),
            workers,
            cancelling: VecDeque::new(),
            disconnected_at: None,
            endpoints: BTreeMap::new(),
            known: BTreeMap::new(),
            channels: Arc::default(),
            rechecked: BTreeSet::new(),
            watching_ends: false,
        }
    }

    /// An attempt came back.
    fn done(&mut self, done: JobDone, ctx: &mut Context<Self>) {
        let job = done.job;
        let endpoint = job.endpoint;
        self.came_back(&endpoint, &done.outcome, &done.trace, done.accepted);
        let returned = Returned {
            queue: job.queue,
            number: job.number,
            attempt: job.attempt,
            outcome: done.outcome,
            trace: done.trace,
            jitter: Jitter::from_random(self.kernel.entropy.bytes()),
        };
        self.step(Event::Returned(Box::new(returned)), ctx);
        self.publish(&endpoint);
    }

    fn record(&mut self, queue: &QueueId, number: OutNumber, entry: &LoggedChange) {
        let result = self.queue_store.record(queue.conversation, number);
        let mut record = self.readable(result).unwrap_or_default();
        if record.state.is_final() {
            return;
        }
        record.apply(entry);
        match record.state {
            DeliveryState::Delivered { .. } => {
                self.kernel.shared.meters.delivered.add();
                // What waited for long, or since before the start, is news now.
                self.kernel.shared.recent.keep(queue, number);
            }
            DeliveryState::Dead { why, .. } => self.kernel.shared.meters.dead(why),
            DeliveryState::Cancelled { why, .. } => self.kernel.shared.meters.cancelled(why),
            DeliveryState::Queued | DeliveryState::Waiting { .. } | DeliveryState::Held { .. } => {}
        }
        self.queue_store.write(queue, number, record);
    }

    fn page_in(
        &mut self,
        endpoint: EndpointId,
        room: usize,
        ctx: &mut Context<Self>,
    ) -> Vec<Event> {
        let kernel = self.kernel.clone();
        let cancelling: Vec<&ScopeId> = self.cancelling.iter().map(|it| &it.scope).collect();
        let version_of = |scope: &ScopeId| {
            let waits = cancelling.contains(&scope);
            version_of(&kernel, scope).filter(|_| !waits)
        };
        let page = self
            .queue_store
            .page(&endpoint.channel, endpoint.version, room, version_of);
        let Some(page) = self.readable(page) else {
            return vec![Event::Paged {
                endpoint,
                complete: true,
            }];
        };
        // A disconnected scope of which something is left: the process ended before it was cancelled.
        for scope in page.mute {
            if !self.is_cancelling(&scope) && hook_version::is_disconnected(&self.kernel, &scope) {
                let now = self.kernel.clock.now();
                self.cancel_scope(scope, Vec::new(), now, ctx);
            } else {
                self.recheck(&scope, ctx);
            }
        }
        let complete = page.complete;
        let heads = page
            .queues
            .into_iter()
            .map(|(queue, (head, _))| Event::MessageQueued {
                queue,
                endpoint: endpoint.clone(),
                head,
            });
        let mut events: Vec<Event> = heads.collect();
        events.push(Event::Paged { endpoint, complete });
        events
    }

    /// The version that a scope speaks now; `None` when it is not connected, or what was queued before it was
    /// disconnected is not cancelled yet.
    fn version_of(&self, scope: &ScopeId) -> Option<HookVersion> {
        let version = version_of(&self.kernel, scope)?;
        (!self.is_cancelling(scope)).then_some(version)
    }

    /// The value of a read; a failure is logged, and the message stays in the queue.
    fn readable<T>(
        &self,
        read: Result<T, switchboard_runtime::error::UnavailableError>,
    ) -> Option<T> {
        read.inspect_err(|error| tracing::error!(%error, "the queue of callbacks cannot be read"))
            .ok()
    }
}

impl Carrier for Dispatcher {
    type Names = Callbacks;

    fn shell(&mut self) -> &mut DispatchShell<Callbacks> {
        &mut self.shell
    }

    fn perform(&mut self, effect: Effect, ctx: &mut Context<Self>) -> Vec<Event> {
        match effect {
            Effect::Send {
                queue,
                endpoint,
                number,
                attempt,
                ..
            } => {
                let job = SendJob {
                    queue,
                    endpoint,
                    number,
                    attempt,
                };
                self.workers.submit(&self.kernel, job, ctx);
            }
            Effect::Record {
                queue,
                number,
                entry,
            } => self.record(&queue, number, &entry),
            Effect::AskNext { queue, question } => {
                // What is left of a disconnected scope is about to be cancelled.
                let head = if self.is_cancelling(&queue.scope) {
                    None
                } else {
                    let head = self.queue_store.head(&queue);
                    self.readable(head).flatten().map(|(head, _)| head)
                };
                return vec![Event::NextHead {
                    queue,
                    question,
                    head,
                }];
            }
            Effect::PageIn { endpoint, room } => return self.page_in(endpoint, room, ctx),
            Effect::CancelGroup { group, except } => {
                let now = self.kernel.clock.now();
                let at = self.disconnected_at.take().unwrap_or(now);
                self.cancel_scope(group, except, at, ctx);
            }
            Effect::ArmTimer { at } => self.arm(at, ctx),
            Effect::Publish(dispatch_event) => {
                publishing::publish(&dispatch_event, &self.kernel.shared.feed);
                self.keep_event(&dispatch_event);
            }
        }
        Vec::new()
    }

    fn has_unsaved(&self) -> bool {
        self.queue_store.has_unsaved()
    }

    fn save(&mut self, ctx: &mut Context<Self>) {
        for queue in self.queue_store.save_again() {
            self.queue_changed(&queue, ctx);
        }
        self.watch_ends(ctx);
    }

    fn note_wake_up(&self) {
        self.hints.waker.woken();
    }

    fn take_in(&mut self, ctx: &mut Context<Self>) {
        self.pass_hints(ctx);
    }

    fn rest(&mut self, ctx: &mut Context<Self>) {
        self.watch_ends(ctx);
    }
}

switchboard_runtime::carrier_actor!(Dispatcher);
