//! The simulated network with the receivers behind it: slow, failing, forgetful, and what they got.

pub(crate) mod hooks;

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use switchboard_actors::domain::dispatch::outcome::{Class, Outcome};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::id::MessageId;
use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt};
use switchboard_engine::testkit::Dice;
use switchboard_worlds::receiver::{Behaviour, ReceiverBehaviour};
use switchboard_worlds::simulation::{Coverage, Machine};

use self::hooks::SentHook;
use crate::plants::Plant;

/// An attempt that was made.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) message: MessageId,
    pub(crate) attempt: u32,
    /// The process that made the attempt, counted from the first one.
    pub(crate) process: u32,
    /// The number of times that the receiver got it.
    pub(crate) arrived: u32,
    pub(crate) class: Class,
}

/// The network. Clones are the same network.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    machine: Machine,
    coverage: Coverage,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    dice: Dice,
    moods: BTreeMap<String, ReceiverBehaviour>,
    sent: Vec<Sent>,
    hooks: Vec<SentHook>,
    process: u32,
    /// True when writes may have failed in this process.
    records_lost: bool,
    /// Requests in progress, by receiver.
    in_flight: BTreeMap<String, Vec<MessageId>>,
    /// Receivers that the dispatcher said it only probes, with what was in progress then.
    probed: BTreeMap<String, Vec<MessageId>>,
    wrong: Option<String>,
    plant: Option<Plant>,
}

impl Network {
    pub(crate) fn new(
        seed: u64,
        plant: Option<Plant>,
        machine: Machine,
        coverage: Coverage,
    ) -> Self {
        Self {
            machine,
            coverage,
            state: Arc::new(Mutex::new(State {
                dice: Dice::new(seed),
                moods: BTreeMap::new(),
                sent: Vec::new(),
                hooks: Vec::new(),
                process: 0,
                records_lost: false,
                in_flight: BTreeMap::new(),
                probed: BTreeMap::new(),
                wrong: None,
                plant,
            })),
        }
    }

    /// Another process: what it knows of attempts may be older than the attempts.
    pub(crate) fn begin_process(&self) {
        let mut state = self.state.lock().unwrap();
        state.process += 1;
        state.records_lost = false;
        state.probed.clear();
        state.in_flight.clear();
    }

    /// A write may fail from now on: what is known of attempts may be older than the attempts.
    pub(crate) fn may_lose_records(&self) {
        self.state.lock().unwrap().records_lost = true;
    }

    /// Sets the behaviour of the receiver of this channel's callbacks from now on.
    pub(crate) fn set_behaviour(&self, receiver: &str, behaviour: ReceiverBehaviour) {
        let mut state = self.state.lock().unwrap();
        state.moods.insert(receiver.to_owned(), behaviour);
    }

    /// All receivers are well from now on.
    pub(crate) fn heal(&self) {
        self.state.lock().unwrap().moods.clear();
    }

    pub(crate) fn sent(&self) -> Vec<Sent> {
        self.state.lock().unwrap().sent.clone()
    }

    /// The dispatcher says that it only probes this receiver, or that it does not.
    pub(crate) fn observe(&self, receiver: &str, probed: bool) {
        let mut state = self.state.lock().unwrap();
        let probed = probed || state.plant == Some(Plant::FloodedProbes);
        if !probed {
            state.probed.remove(receiver);
        } else if !state.probed.contains_key(receiver) {
            let in_flight = state.in_flight.get(receiver).cloned().unwrap_or_default();
            state.probed.insert(receiver.to_owned(), in_flight);
            self.coverage.count("breaker open");
        }
    }

    /// The first thing that was wrong.
    pub(crate) fn wrong(&self) -> Option<String> {
        self.state.lock().unwrap().wrong.clone()
    }

    fn leaves(&self, attempt: &Attempt) -> (String, Behaviour) {
        let mut state = self.state.lock().unwrap();
        let receiver = receiver_of(&attempt.url);
        let behaviour = *state
            .moods
            .get(&receiver)
            .unwrap_or(&ReceiverBehaviour::Well);
        let encounter = behaviour.meets(&mut state.dice);
        self.coverage.count(behaviour.name());
        let swallowed = state.plant == Some(Plant::SwallowedCallbacks);
        let arrived = if swallowed { 0 } else { encounter.arrivals };
        let number = match state.plant {
            Some(Plant::ForgottenNumbers) => 1,
            _ => attempt.attempt,
        };
        state.check_number(attempt.message, number);
        let overtakes = state.plant == Some(Plant::OvertakingCallbacks);
        let place = state.sent.len() - usize::from(overtakes && !state.sent.is_empty());
        let call = Sent {
            message: attempt.message,
            attempt: number,
            process: state.process,
            arrived,
            class: encounter.outcome.class(),
        };
        state.sent.insert(place, call);
        let in_flight = state.in_flight.entry(receiver.clone()).or_default();
        in_flight.push(attempt.message);
        state.check_probes(&receiver);
        (receiver, encounter)
    }

    fn lands(&self, receiver: &str, message: MessageId, outcome: &Outcome) {
        let mut state = self.state.lock().unwrap();
        for list in [State::in_flight_of, State::probed_of] {
            if let Some(messages) = list(&mut state, receiver)
                && let Some(place) = messages.iter().position(|it| *it == message)
            {
                messages.remove(place);
            }
        }
        // Whatever is no failure may end the probing.
        if !matches!(outcome.class(), Class::Failing | Class::Away) {
            state.probed.remove(receiver);
        }
    }
}

impl State {
    fn in_flight_of(&mut self, receiver: &str) -> Option<&mut Vec<MessageId>> {
        self.in_flight.get_mut(receiver)
    }

    fn probed_of(&mut self, receiver: &str) -> Option<&mut Vec<MessageId>> {
        self.probed.get_mut(receiver)
    }

    /// A repeat never looks like a first attempt, and the number rises as long as nothing was lost.
    fn check_number(&mut self, message: MessageId, number: u32) {
        let before = self.sent.iter().rev().find(|sent| sent.message == message);
        let Some(before) = before else { return };
        let rises = number > before.attempt || self.records_lost || before.process != self.process;
        if number < 2 || !rises {
            self.wrong.get_or_insert(format!(
                "attempt {number} of {message} follows attempt {}",
                before.attempt
            ));
        }
    }

    /// A receiver that is probed gets one request at a time.
    fn check_probes(&mut self, receiver: &str) {
        let Some(before) = self.probed.get(receiver) else {
            return;
        };
        let in_flight = self.in_flight.get(receiver).map_or(0, Vec::len);
        if in_flight > before.len() + 1 {
            self.wrong.get_or_insert(format!(
                "{receiver} is probed with {} requests at once",
                in_flight - before.len()
            ));
        }
    }
}

impl CallbackSender for Network {
    fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        if !self.machine.step("send", u64::from(attempt.attempt)) {
            return Box::pin(std::future::pending());
        }
        let (receiver, met) = self.leaves(&attempt);
        let (message, number) = (attempt.message, attempt.attempt);
        self.machine
            .tell(|| format!("{message} attempt {number}: {met}"));
        let network = self.clone();
        Box::pin(async move {
            let (outcome, trace) = met.answer(attempt.at).await;
            let took = u64::from(trace.took_ms);
            network.machine.step("answer", took);
            network.lands(&receiver, attempt.message, &outcome);
            (outcome, trace)
        })
    }

    fn send_hook(
        &self,
        attempt: HookAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        if !self.machine.step("hook", u64::from(attempt.attempt)) {
            return Box::pin(std::future::pending());
        }
        self.make(attempt)
    }
}

/// The address up to its version: that is what an endpoint is.
fn receiver_of(url: &str) -> String {
    let mut parts = url.splitn(5, '/');
    let mut part = || parts.next().unwrap_or_default();
    let (_, _, host, version) = (part(), part(), part(), part());
    format!("{host}/{version}")
}
