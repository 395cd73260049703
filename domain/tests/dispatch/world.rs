//! The model: what happens to the machine, and what its store knows.

mod shell;

use std::collections::{BTreeMap, BTreeSet};

use switchboard_domain::dispatch::delivery_queue::{OutNumber, QueueHead, QueueId};
use switchboard_domain::dispatch::effect::Effect;
use switchboard_domain::dispatch::endpoint::{EndpointId, EndpointSettings, EndpointState, Switch};
use switchboard_domain::dispatch::event::{Event, Returned};
use switchboard_domain::dispatch::outcome::Class;
use switchboard_domain::dispatch::record::{CancelReason, DeliveryRecord};
use switchboard_domain::dispatch::schedule::SlotClass;
use switchboard_domain::dispatch::{Dispatch, DispatchLimits};
use switchboard_domain::hook_version::HookVersion;
use switchboard_domain::id::{AccountId, ConversationId, ScopeId};
use switchboard_domain::time::UnixMillis;

const LIMITS: fn() -> DispatchLimits = || DispatchLimits {
    slots: 6,
    slots_slow: 2,
    queues: 8,
    queues_per_endpoint: 5,
    page: 3,
    ..DispatchLimits::default()
};
const IN_FLIGHT_MAX: u16 = 3;
/// Everything is delivered within this time after the receivers are well: an hour of a pause that was asked
/// for, and the turns of all that waits.
const HEALED_WITHIN_MS: u64 = 3 * 3_600_000;

/// The present behaviour of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    Well,
    Fails,
    Hangs,
    Flaky,
    Refuses,
    Moved,
    TooMany,
    Away,
    Gone,
    Aborts,
    /// It does not take what one conversation has to say.
    Poisoned,
    /// It is of version 1, which has no form for half of the callbacks: they do not leave.
    NotExpressible,
}

struct Message {
    record: DeliveryRecord,
    since: UnixMillis,
    /// The run of the process that queued it.
    run: u32,
    sent: bool,
    /// Its receiver confirmed it, and the machine received the outcome.
    settled: bool,
    /// Its end was lost with a crash: what stood behind it may have left.
    lost: bool,
}

/// An answer of the shell that is on its way.
enum Answer {
    /// The next head as it was when the machine asked: much may have happened since.
    Next(Event),
    /// A page of at most so many queues, read when it is delivered to the machine.
    Page(EndpointId, usize),
}

struct Flight {
    endpoint: EndpointId,
    slot: SlotClass,
    back_at: u64,
    returned: Returned,
}

pub(super) struct World {
    history: u64,
    random: u64,
    machine: Dispatch,
    run: u32,
    /// The true time, which only goes on; the wall clock shows `time + skew`.
    time: u64,
    skew: u64,
    /// The skew when the machine last received the time.
    told_skew: u64,
    timer: Option<u64>,
    store: BTreeMap<QueueId, BTreeMap<OutNumber, Message>>,
    /// The records before the changes that are not on disk yet, the oldest first.
    unsynced: Vec<(QueueId, OutNumber, DeliveryRecord)>,
    versions: BTreeMap<ScopeId, HookVersion>,
    settings: BTreeMap<EndpointId, EndpointSettings>,
    moods: BTreeMap<EndpointId, Mood>,
    /// Failures in a row since the last success, by what came back.
    failures: BTreeMap<EndpointId, u32>,
    /// The queues that did not arrive since the last success, by what came back; none when an operator changed
    /// something since.
    blamed: BTreeMap<EndpointId, BTreeSet<QueueId>>,
    flights: Vec<Flight>,
    answers: Vec<Answer>,
    cursors: BTreeMap<EndpointId, Option<QueueId>>,
    told: BTreeMap<EndpointId, BTreeSet<QueueId>>,
}

impl World {
    pub(super) fn new(history: u64) -> Self {
        let mut world = Self {
            history,
            random: history.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995,
            machine: Dispatch::new(LIMITS()),
            run: 0,
            time: 1_000_000_000,
            skew: 700_000_000,
            told_skew: 700_000_000,
            timer: None,
            store: BTreeMap::new(),
            unsynced: Vec::new(),
            versions: BTreeMap::new(),
            settings: BTreeMap::new(),
            moods: BTreeMap::new(),
            failures: BTreeMap::new(),
            blamed: BTreeMap::new(),
            flights: Vec::new(),
            answers: Vec::new(),
            cursors: BTreeMap::new(),
            told: BTreeMap::new(),
        };
        for channel in ["a", "b"] {
            for version in HookVersion::ALL {
                let channel = channel.parse().unwrap();
                let id = EndpointId { channel, version };
                let settings = EndpointSettings {
                    in_flight_max: IN_FLIGHT_MAX,
                    ..EndpointSettings::default()
                };
                world.settings.insert(id.clone(), settings);
                world.moods.insert(id, Mood::Well);
            }
        }
        world.starts();
        world
    }

    /// One thing that can happen at any time.
    pub(super) fn something_happens(&mut self) {
        match self.below(40) {
            0..=13 => self.enqueues(),
            14..=21 => self.goes_on(),
            22..=25 => self.answers(),
            26..=27 => self.rests(),
            28..=30 => self.changes_mood(),
            31 => self.crashes(),
            32 => self.sets_the_clock(),
            33 => self.discards(),
            34 => self.replays(),
            35 => self.moves_a_scope(),
            36 => self.disconnects(),
            37..=38 => self.changes_settings(),
            _ => self.unsynced.clear(),
        }
    }

    /// All receivers are well and switched on from now on: everything is sent before long.
    pub(super) fn heals(&mut self) {
        self.moods.values_mut().for_each(|mood| *mood = Mood::Well);
        let end = self.time + HEALED_WITHIN_MS;
        while self.open_messages() > 0 {
            self.switches_on();
            assert!(
                self.time < end
                    && (self.timer.is_some()
                        || !self.flights.is_empty()
                        || !self.answers.is_empty()),
                "history {}: {} messages are stuck at {}: {}",
                self.history,
                self.open_messages(),
                self.time,
                self.stuck(),
            );
            self.answers();
            self.goes_on();
        }
    }

    /// Describes the messages that are stuck.
    fn stuck(&self) -> String {
        let waits = (self.timer, self.flights.len(), self.answers.len());
        let ids = self.settings.keys();
        let health: Vec<_> = ids.map(|id| (id, self.machine.health(id))).collect();
        let mut text = format!("timer, flights, answers {waits:?}; {health:?}");
        for (queue, messages) in &self.store {
            for (number, message) in messages {
                if !message.record.state.is_final() {
                    let state = message.record.state;
                    text.push_str(&format!("\n{queue:?} {number:?} {state:?}"));
                }
            }
        }
        text
    }

    /// An operator switches on what is off, also what an answer from before disabled just now.
    fn switches_on(&mut self) {
        let settings = self.settings.clone().into_iter();
        for (id, _) in settings.filter(|(_, settings)| settings.switch != Switch::On) {
            let switch = Switch::On;
            self.set(&id, |settings| EndpointSettings { switch, ..settings });
        }
    }

    fn enqueues(&mut self) {
        let queue = self.any_queue();
        let (since, run) = (self.wall(), self.run);
        let messages = self.store.entry(queue.clone()).or_default();
        let last = messages.keys().next_back().map_or(0, |number| number.0);
        let message = Message {
            record: DeliveryRecord::default(),
            since,
            run,
            sent: false,
            settled: false,
            lost: false,
        };
        messages.insert(OutNumber(last + 1), message);
        self.tell_of(queue);
    }

    fn tell_of(&mut self, queue: QueueId) {
        let endpoint = self.endpoint(&queue.scope);
        if let Some(head) = self.head(&queue) {
            self.feed(Event::MessageQueued {
                queue,
                endpoint,
                head,
            });
        }
    }

    /// Time goes on to the next thing that is due: the timer, or an attempt that comes back.
    fn goes_on(&mut self) {
        let back = self.flights.iter().map(|flight| flight.back_at).min();
        let Some(next) = self.timer.into_iter().chain(back).min() else {
            return;
        };
        self.time = self.time.max(next);
        let due = self
            .flights
            .iter()
            .position(|flight| flight.back_at <= self.time);
        match due {
            Some(index) => {
                let flight = self.flights.swap_remove(index);
                self.comes_back(flight);
            }
            None => {
                self.timer = None;
                self.feed(Event::Tick);
            }
        }
    }

    fn comes_back(&mut self, flight: Flight) {
        let class = flight.returned.outcome.class();
        let failures = self.failures.entry(flight.endpoint.clone()).or_default();
        if class == Class::Delivered {
            *failures = 0;
        } else if class == Class::Failing {
            *failures += 1;
        }
        self.blames(&flight, class);
        let failures = self.failures.get(&flight.endpoint).copied().unwrap_or(0);
        let before = self.health_before(&flight.endpoint);
        let (queue, number) = (flight.returned.queue.clone(), flight.returned.number);
        let effects = self.step(Event::Returned(Box::new(flight.returned)));
        let after = self.machine.health(&flight.endpoint);
        self.check_breaker(&flight.endpoint, after);
        let charged = effects.iter().any(|effect| {
            matches!(effect, Effect::Record { entry, .. } if entry.attempt.as_ref().is_some_and(|a| a.charged))
        });
        if charged {
            let well = |health: EndpointState| {
                let one_held = matches!(
                    health,
                    EndpointState::Failing {
                        conversation: Some(_),
                        ..
                    }
                );
                health.takes_messages() && !one_held
            };
            assert!(
                before.is_none_or(well) && well(after),
                "history {}: {before:?} {after:?}",
                self.history
            );
            assert!(
                class != Class::Failing || failures < 5,
                "history {}",
                self.history
            );
        }
        if class == Class::Delivered {
            self.message(&queue, number).settled = true;
        }
        self.perform(effects);
        if class == Class::NotExpressible {
            let state = self.message(&queue, number).record.state;
            assert!(
                state.is_final() && !charged,
                "history {}: no further attempt gives {number:?} a form: {state:?}",
                self.history
            );
            assert!(
                before.is_none_or(|before| before == after),
                "history {}: {before:?} {after:?}, though the endpoint was not asked",
                self.history
            );
        }
    }

    /// Returns the present state of the endpoint: the machine has the state of its last event, and a pause may be over
    /// since. None when it cannot be said, as the clock was set since then.
    fn health_before(&self, endpoint: &EndpointId) -> Option<EndpointState> {
        let health = self.machine.health(endpoint);
        let EndpointState::Paused { until } = health else {
            return Some(health);
        };
        if self.told_skew != self.skew {
            return None;
        }
        Some(if until <= self.wall() {
            EndpointState::Healthy
        } else {
            health
        })
    }

    fn blames(&mut self, flight: &Flight, class: Class) {
        let queue = flight.returned.queue.clone();
        match class {
            Class::Delivered => {
                self.blamed.insert(flight.endpoint.clone(), BTreeSet::new());
            }
            Class::TooMany | Class::Gone | Class::NotExpressible => {}
            Class::Failing
            | Class::Away
            | Class::Misconfigured
            | Class::NotFound
            | Class::Refused
            | Class::Rejected
            | Class::Aborted => {
                if let Some(blamed) = self.blamed.get_mut(&flight.endpoint) {
                    blamed.insert(queue);
                }
            }
        }
    }

    /// One conversation alone never has an endpoint held for all others.
    fn check_breaker(&self, endpoint: &EndpointId, health: EndpointState) {
        if let (EndpointState::Open { .. }, Some(blamed)) = (health, self.blamed.get(endpoint)) {
            let history = self.history;
            assert!(blamed.len() > 1, "history {history}: held for {blamed:?}");
        }
    }

    /// The shell answers a question of the machine.
    fn answers(&mut self) {
        if self.answers.is_empty() {
            return;
        }
        match self.answers.remove(0) {
            Answer::Next(event) => self.feed(event),
            Answer::Page(endpoint, room) => self.pages(&endpoint, room),
        }
    }

    fn pages(&mut self, endpoint: &EndpointId, room: usize) {
        let mut queues: Vec<_> = self.store.keys().cloned().collect();
        queues.retain(|queue| {
            let version = self.version(&queue.scope);
            let own = *queue.scope.channel() == endpoint.channel && version == endpoint.version;
            own && self.head(queue).is_some()
        });
        let cursor = self.cursors.get(endpoint).cloned().flatten();
        let behind = queues
            .iter()
            .filter(|queue| cursor.as_ref().is_none_or(|c| *queue > c));
        let page: Vec<_> = behind.take(room).cloned().collect();
        self.cursors.insert(endpoint.clone(), page.last().cloned());
        let state = self.told.entry(endpoint.clone()).or_default();
        state.extend(page.iter().cloned());
        let complete = queues.iter().all(|queue| state.contains(queue));
        if complete {
            state.clear();
        }
        for queue in page {
            self.tell_of(queue);
        }
        let endpoint = endpoint.clone();
        self.feed(Event::Paged { endpoint, complete });
    }

    fn rests(&mut self) {
        let millis = [10, 500, 5_000, 60_000, 900_000][self.below(5)];
        let end = self.time + millis;
        while self.timer.is_some_and(|at| at <= end)
            || self.flights.iter().any(|f| f.back_at <= end)
        {
            self.goes_on();
        }
        self.time = end;
    }

    fn changes_mood(&mut self) {
        let moods = [
            Mood::Well,
            Mood::Fails,
            Mood::Hangs,
            Mood::Flaky,
            Mood::Refuses,
            Mood::Moved,
            Mood::TooMany,
            Mood::Away,
            Mood::Gone,
            Mood::Aborts,
            Mood::Poisoned,
            Mood::NotExpressible,
        ];
        let mood = moods[self.below(moods.len())];
        let id = self.any_endpoint();
        self.moods.insert(id, mood);
    }

    /// The process dies: everything in memory is gone, and the newest records that were not on disk.
    fn crashes(&mut self) {
        let count = self.below(self.unsynced.len() + 1);
        for (queue, number, before) in self.unsynced.split_off(count).into_iter().rev() {
            let message = self.message(&queue, number);
            message.lost |= message.record.state.is_final();
            message.record = before;
            message.settled = false;
        }
        self.unsynced.clear();
        self.run += 1;
        self.flights.clear();
        self.answers.clear();
        self.cursors.clear();
        self.told.clear();
        self.failures.clear();
        self.timer = None;
        self.machine = Dispatch::new(LIMITS());
        self.starts();
    }

    fn starts(&mut self) {
        for (endpoint, settings) in self.settings.clone() {
            self.blamed.insert(endpoint.clone(), BTreeSet::new());
            self.feed(Event::EndpointChanged { endpoint, settings });
        }
    }

    fn sets_the_clock(&mut self) {
        self.skew = [0, 100_000_000, 699_000_000, 700_000_000][self.below(4)];
    }

    fn discards(&mut self) {
        let queue = self.any_queue();
        if let Some(number) = self.store.get(&queue).and_then(|messages| {
            let mut open = messages.iter().filter(|(_, m)| !m.record.state.is_final());
            open.next_back().or(None).map(|(number, _)| *number)
        }) {
            let why = CancelReason::Discarded;
            self.feed(Event::Discard { queue, number, why });
        }
    }

    fn replays(&mut self) {
        let queue = self.any_queue();
        let messages = self.store.entry(queue.clone()).or_default();
        if messages
            .values_mut()
            .any(|message| message.record.replay(false))
        {
            self.unsynced.clear();
            let endpoint = self.endpoint(&queue.scope);
            if let Some(head) = self.head(&queue) {
                self.feed(Event::QueueReplayed {
                    queue,
                    endpoint,
                    head,
                });
            }
        }
    }

    fn moves_a_scope(&mut self) {
        let scope = self.any_queue().scope;
        let version = HookVersion::ALL[self.below(2)];
        self.versions.insert(scope.clone(), version);
        let endpoint = EndpointId::new(&scope, version);
        self.feed(Event::GroupMoved {
            group: scope,
            endpoint,
        });
    }

    fn disconnects(&mut self) {
        let scope = self.any_queue().scope;
        self.unsynced.clear();
        self.feed(Event::GroupClosed { group: scope });
    }

    fn changes_settings(&mut self) {
        let id = self.any_endpoint();
        let (off, renewed) = (self.below(4) == 0, self.below(2));
        let switch = if off { Switch::NoAddress } else { Switch::On };
        self.set(&id, |settings| EndpointSettings {
            switch,
            revision: settings.revision + u64::try_from(renewed).unwrap(),
            ..settings
        });
    }

    fn set(&mut self, id: &EndpointId, change: impl Fn(EndpointSettings) -> EndpointSettings) {
        let settings = change(self.settings[id]);
        self.settings.insert(id.clone(), settings);
        self.failures.remove(id);
        self.blamed.remove(id);
        let endpoint = id.clone();
        self.feed(Event::EndpointChanged { endpoint, settings });
    }

    fn head(&self, queue: &QueueId) -> Option<QueueHead> {
        let messages = self.store.get(queue)?;
        let mut open = messages.iter().filter(|(_, m)| !m.record.state.is_final());
        let (number, message) = open.next()?;
        Some(QueueHead {
            number: *number,
            since: message.since,
            tally: message.record.tally,
            replay: message.record.replays > 0,
            inherited: message.run < self.run,
        })
    }

    fn message(&mut self, queue: &QueueId, number: OutNumber) -> &mut Message {
        self.store.get_mut(queue).unwrap().get_mut(&number).unwrap()
    }

    fn open_messages(&self) -> usize {
        let messages = self.store.values().flat_map(BTreeMap::values);
        messages.filter(|m| !m.record.state.is_final()).count()
    }

    fn endpoint(&self, scope: &ScopeId) -> EndpointId {
        EndpointId::new(scope, self.version(scope))
    }

    fn version(&self, scope: &ScopeId) -> HookVersion {
        self.versions.get(scope).copied().unwrap_or(HookVersion::V2)
    }

    fn wall(&self) -> UnixMillis {
        UnixMillis::new(self.time + self.skew)
    }

    fn any_queue(&mut self) -> QueueId {
        let channel = ["a", "b"][self.below(2)].parse().unwrap();
        let account = AccountId::from_bytes([u8::try_from(self.below(2)).unwrap() + 1; 16]);
        let conversation = [u8::try_from(self.below(3)).unwrap() + 1; 16];
        QueueId {
            scope: ScopeId::new(channel, account),
            conversation: ConversationId::from_bytes(conversation),
        }
    }

    fn any_endpoint(&mut self) -> EndpointId {
        let index = self.below(self.settings.len());
        self.settings.keys().nth(index).cloned().unwrap()
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.random() % u64::try_from(end).unwrap()).unwrap()
    }

    /// The generator known as `SplitMix64`.
    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let first = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let second = (first ^ (first >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        second ^ (second >> 31)
    }
}
