//! The shell of the dispatch machine: feeds it events, performs its effects, knows nothing of what they mean.
//!
//! The durable queue is the table `Queued`; what became of a message is a record of its lane's stream. This actor is the
//! only writer of lane streams. It hears of new messages after they are on disk and found through the index.

mod hints;
mod queue;
mod sending;
mod tidings;
mod trial;
mod version;

use std::collections::BTreeMap;
use std::sync::Arc;

use actix::{
    Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message, WrapFuture,
};
use tokio::sync::oneshot;

use crate::domain::chat::channel::HookVersion;
use crate::domain::dispatch::effect::Effect;
use crate::domain::dispatch::endpoint::{EndpointId, EndpointSettings};
use crate::domain::dispatch::event::{Event, Returned};
use crate::domain::dispatch::lane::{LaneId, OutNumber};
use crate::domain::dispatch::record::{DeliveryRecord, Entry};
use crate::domain::dispatch::{Dispatch, Limits};
use crate::domain::id::ScopeId;
use crate::domain::installation::channels::Channels;
use crate::domain::time::UnixMillis;
use crate::runtime::env::Env;

pub(crate) use hints::Hints;
use queue::Queue;
pub(crate) use trial::Trial;
use version::version_of;

use crate::port::CallbackSender;

/// How many steps are made before other work of the thread gets its turn.
const BURST: usize = 256;

/// How many records are kept beyond those of the lanes that the machine may hold.
const RECORDS_SPARE: usize = 1_024;

/// The shell of the dispatch machine.
pub(crate) struct Dispatcher {
    env: Env,
    sender: Arc<dyn CallbackSender>,
    hints: Arc<Hints>,
    machine: Dispatch,
    queue: Queue,
    /// The records of messages in memory for which attempts were made.
    records: BTreeMap<LaneId, (OutNumber, DeliveryRecord)>,
    /// With more records than this, those are forgotten that the machine does not hold the lanes of.
    records_max: usize,
    /// The endpoints as the machine was last told of them.
    endpoints: BTreeMap<EndpointId, EndpointSettings>,
    channels: Arc<Channels>,
    started_at: UnixMillis,
    timer: Option<actix::SpawnHandle>,
    /// Whether callbacks wait until they are asked for.
    held: bool,
    drained: Vec<oneshot::Sender<()>>,
}

/// There may be something new: notices were heard, the timer rang.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Wake;

/// Callbacks that were held may go.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Begin;

/// Sends nothing more, and answers when nothing is in flight.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Drain(pub(crate) oneshot::Sender<()>);

/// Ends the dispatcher, whatever is in flight: its attempt is made again after the next start.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Leave;

impl Dispatcher {
    pub(crate) fn new(
        env: Env,
        sender: Arc<dyn CallbackSender>,
        hints: Arc<Hints>,
        limits: Limits,
    ) -> Self {
        let (started_at, held) = (env.clock.now(), env.config.hold_callbacks);
        Self {
            env: env.clone(),
            sender,
            hints,
            machine: Dispatch::new(limits),
            queue: Queue::new(env),
            records: BTreeMap::new(),
            records_max: limits.lanes.saturating_add(RECORDS_SPARE),
            endpoints: BTreeMap::new(),
            channels: Arc::default(),
            started_at,
            timer: None,
            held,
            drained: Vec::new(),
        }
    }

    /// Tells the machine of channels that are new or have changed.
    fn look_at_channels(&mut self, ctx: &mut Context<Self>) {
        let channels = self.env.facts.channels();
        if Arc::ptr_eq(&channels, &self.channels) {
            return;
        }
        let earlier = std::mem::replace(&mut self.channels, Arc::clone(&channels));
        for channel in channels.iter() {
            let earlier = earlier.get(&channel.id);
            for version in HookVersion::ALL {
                let changed = earlier.is_none_or(|earlier| channel.sends_unlike(earlier, version));
                let endpoint = EndpointId {
                    channel: channel.id.clone(),
                    version,
                };
                let before = self.endpoints.get(&endpoint).copied();
                if !changed && before.is_some() {
                    continue;
                }
                let mut settings = before.unwrap_or_default();
                settings.revision = settings.revision.saturating_add(1);
                settings.switch = channel.switch(version);
                self.endpoints.insert(endpoint.clone(), settings);
                self.step(Event::EndpointChanged { endpoint, settings }, ctx);
            }
        }
    }

    /// Takes in what was heard since the last time.
    fn take_hints(&mut self, ctx: &mut Context<Self>) {
        if self.held {
            return;
        }
        self.look_at_channels(ctx);
        for scope in self.hints.take_disconnected() {
            self.step(Event::ScopeDisconnected { scope }, ctx);
        }
        for scope in self.hints.take_connected() {
            if let Some(version) = self.version_of(&scope) {
                self.step(Event::ScopeMoved { scope, version }, ctx);
            }
        }
        for lane in self.hints.take_lanes(BURST) {
            self.tell_lane(&lane, ctx);
        }
        if self.hints.has_lanes() {
            ctx.notify(Wake);
        }
    }

    fn tell_lane(&mut self, lane: &LaneId, ctx: &mut Context<Self>) {
        // A lane in memory goes on by itself.
        if self.machine.sight(lane).is_some() {
            return;
        }
        let Some(version) = self.version_of(&lane.scope) else {
            return;
        };
        let head = self.queue.head(lane, self.started_at);
        if let Some((head, record)) = self.readable(head).flatten() {
            self.keep_record(lane, head.number, record);
            self.step(
                Event::LaneQueued {
                    lane: lane.clone(),
                    version,
                    head,
                },
                ctx,
            );
        }
    }

    fn step(&mut self, event: Event, ctx: &mut Context<Self>) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            let effects = self.machine.step(event, self.env.clock.now());
            let answers: Vec<Event> = effects
                .into_iter()
                .flat_map(|effect| self.perform(effect, ctx))
                .collect();
            // Last in, first out: the answers of one step are told in their order.
            events.extend(answers.into_iter().rev());
        }
        if self.machine.is_drained() {
            for drained in self.drained.drain(..) {
                // Whoever asked may have given up waiting.
                drained.send(()).unwrap_or_default();
            }
        }
    }

    /// Performs an effect; what it answers is told to the machine next.
    fn perform(&mut self, effect: Effect, ctx: &mut Context<Self>) -> Vec<Event> {
        match effect {
            Effect::Send {
                lane,
                version,
                number,
                attempt,
                ..
            } => {
                self.send(lane, version, number, attempt, ctx);
                Vec::new()
            }
            Effect::Record {
                lane,
                number,
                entry,
            } => {
                self.record(lane, number, &entry);
                Vec::new()
            }
            Effect::AskNext { lane, question } => {
                let head = self.queue.head(&lane, self.started_at);
                let head = self.readable(head).flatten().map(|(head, record)| {
                    self.keep_record(&lane, head.number, record);
                    head
                });
                vec![Event::NextHead {
                    lane,
                    question,
                    head,
                }]
            }
            Effect::PageIn { endpoint, room } => self.page_in(endpoint, room),
            Effect::CancelScope { scope, except } => {
                self.cancel_scope(&scope, &except);
                Vec::new()
            }
            Effect::ArmTimer { at } => {
                self.arm(at, ctx);
                Vec::new()
            }
            Effect::Tell(tidings) => {
                tidings::tell(&tidings, &self.env.feed);
                Vec::new()
            }
        }
    }

    fn send(
        &mut self,
        lane: LaneId,
        version: HookVersion,
        number: OutNumber,
        attempt: u32,
        ctx: &mut Context<Self>,
    ) {
        let exchange = sending::exchange(&self.env, &self.sender, &lane, version, number, attempt);
        let sent =
            exchange
                .into_actor(self)
                .map(move |(outcome, trace), dispatcher: &mut Self, ctx| {
                    let random = dispatcher.env.entropy.bytes();
                    let jitter = sending::jitter(random);
                    let returned = Returned {
                        lane,
                        number,
                        attempt,
                        outcome,
                        trace,
                        jitter,
                    };
                    dispatcher.step(Event::Returned(Box::new(returned)), ctx);
                });
        ctx.spawn(sent);
    }

    fn record(&mut self, lane: LaneId, number: OutNumber, entry: &Entry) {
        let mut record = match self.records.remove(&lane) {
            Some((of, record)) if of == number => record,
            Some(_) | None => DeliveryRecord::default(),
        };
        record.apply(entry);
        self.queue.write(&lane, number, &record);
        if !record.state.is_final() {
            self.records.insert(lane, (number, record));
            self.forget_records();
        }
    }

    /// Records of lanes that the machine has put aside are read again when it takes them up.
    fn forget_records(&mut self) {
        if self.records.len() > self.records_max {
            let machine = &self.machine;
            self.records.retain(|lane, _| machine.sight(lane).is_some());
        }
    }

    fn keep_record(&mut self, lane: &LaneId, number: OutNumber, record: DeliveryRecord) {
        if record != DeliveryRecord::default() {
            self.records.insert(lane.clone(), (number, record));
        }
    }

    fn page_in(&mut self, endpoint: EndpointId, room: usize) -> Vec<Event> {
        let env = self.env.clone();
        let page = self.queue.page(
            &endpoint.channel,
            endpoint.version,
            room,
            self.started_at,
            |scope| version_of(&env, scope),
        );
        let Some((lanes, complete)) = self.readable(page) else {
            return vec![Event::Paged {
                endpoint,
                complete: true,
            }];
        };
        let mut events = Vec::new();
        for (lane, head, record) in lanes {
            self.keep_record(&lane, head.number, record);
            events.push(Event::LaneQueued {
                lane,
                version: endpoint.version,
                head,
            });
        }
        events.push(Event::Paged { endpoint, complete });
        events
    }

    fn cancel_scope(
        &mut self,
        scope: &ScopeId,
        except: &[(crate::domain::id::ConversationId, OutNumber)],
    ) {
        let cancelled = self.queue.cancel_scope(scope, except, self.env.clock.now());
        if let Some(count) = self.readable(cancelled) {
            tracing::info!(%scope, count, "callbacks cancelled: the account was disconnected");
        }
    }

    fn arm(&mut self, at: UnixMillis, ctx: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
        let sleep = self.env.clock.sleep(at.since(self.env.clock.now()));
        let ring = sleep
            .into_actor(self)
            .map(|(), dispatcher: &mut Self, ctx| {
                dispatcher.timer = None;
                dispatcher.step(Event::Tick, ctx);
            });
        self.timer = Some(ctx.spawn(ring));
    }

    /// The version that a scope speaks now; `None` when it is not connected.
    fn version_of(&self, scope: &ScopeId) -> Option<HookVersion> {
        version_of(&self.env, scope)
    }

    /// What could be read; what could not is logged, and stays in the queue.
    fn readable<T>(&self, read: Result<T, crate::error::Unavailable>) -> Option<T> {
        read.inspect_err(|error| tracing::error!(%error, "the queue of callbacks cannot be read"))
            .ok()
    }
}

impl Actor for Dispatcher {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        ctx.set_mailbox_capacity(1_024);
        self.take_hints(ctx);
    }
}

impl Handler<Wake> for Dispatcher {
    type Result = ();

    fn handle(&mut self, _: Wake, ctx: &mut Context<Self>) {
        self.hints.woken();
        self.take_hints(ctx);
    }
}

impl Handler<Begin> for Dispatcher {
    type Result = ();

    fn handle(&mut self, _: Begin, ctx: &mut Context<Self>) {
        self.held = false;
        self.take_hints(ctx);
    }
}

impl Handler<Drain> for Dispatcher {
    type Result = ();

    fn handle(&mut self, Drain(drained): Drain, ctx: &mut Context<Self>) {
        self.drained.push(drained);
        self.step(Event::Draining, ctx);
    }
}

impl Handler<Leave> for Dispatcher {
    type Result = ();

    fn handle(&mut self, _: Leave, ctx: &mut Context<Self>) {
        ctx.stop();
    }
}
