//! A shell for tests: keeps what the machine said, counts messages per queue, and moves the time by hand.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::delivery_queue::{OutNumber, QueueHead, QueueId};
use crate::effect::{DispatchEvent, Effect};
use crate::endpoint::{EndpointId, EndpointSettings, EndpointState, Switch};
use crate::event::{Event, Returned};
use crate::outcome::Outcome;
use crate::record::{AttemptTrace, HoldReason, LoggedChange, Tally};
use crate::retry::Jitter;
use crate::schedule::SlotClass;
use crate::{Dispatch, DispatchLimits};
use switchboard_values::hook_version::HookVersion;
use switchboard_values::id::{AccountId, ConversationId, ScopeId};
use switchboard_values::time::UnixMillis;

const VERSION: HookVersion = HookVersion::V2;

#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) queue: QueueId,
    pub(super) number: OutNumber,
    pub(super) attempt: u32,
    pub(super) slot: SlotClass,
}

pub(super) struct Harness {
    pub(super) machine: Dispatch,
    pub(super) ms: u64,
    pub(super) timer: Option<u64>,
    pub(super) took_ms: u32,
    pub(super) inherited: bool,
    pub(super) sends: Vec<Sent>,
    pub(super) records: Vec<(QueueId, OutNumber, LoggedChange)>,
    pub(super) published: Vec<DispatchEvent>,
    /// The last message of each queue.
    last: BTreeMap<QueueId, u64>,
    /// The newest message of each queue that is final.
    done: BTreeMap<QueueId, u64>,
}

/// The endpoint of a channel.
pub(super) fn endpoint(channel: &str) -> EndpointId {
    EndpointId {
        channel: channel.parse().unwrap(),
        version: VERSION,
    }
}

/// A queue of the channel's only account.
pub(super) fn queue(channel: &str, number: u32) -> QueueId {
    let mut conversation = [9; 16];
    conversation[..4].copy_from_slice(&number.to_be_bytes());
    let account = AccountId::from_bytes([1; 16]);
    QueueId {
        scope: ScopeId::new(channel.parse().unwrap(), account),
        conversation: ConversationId::from_bytes(conversation),
    }
}

impl Harness {
    pub(super) fn new(limits: DispatchLimits) -> Self {
        Self {
            machine: Dispatch::new(limits),
            ms: 1_700_000_000_000,
            timer: None,
            took_ms: 20,
            inherited: false,
            sends: Vec::new(),
            records: Vec::new(),
            published: Vec::new(),
            last: BTreeMap::new(),
            done: BTreeMap::new(),
        }
    }

    /// Queues `messages` messages in a queue that had none.
    pub(super) fn enqueue(&mut self, queue: QueueId, messages: u64) -> Vec<Effect> {
        self.last.insert(queue.clone(), messages);
        let head = self.head(1);
        let endpoint = EndpointId::new(&queue.scope, VERSION);
        self.feed(Event::MessageQueued {
            queue,
            endpoint,
            head,
        })
    }

    /// Gives every attempt in flight back; says how many there were.
    pub(super) fn answer_all(&mut self, outcome: impl Fn(&QueueId) -> Outcome) -> usize {
        let sends = std::mem::take(&mut self.sends);
        for sent in &sends {
            self.give_back(sent, outcome(&sent.queue));
        }
        sends.len()
    }

    pub(super) fn give_back(&mut self, sent: &Sent, outcome: Outcome) {
        let returned = Returned {
            queue: sent.queue.clone(),
            number: sent.number,
            attempt: sent.attempt,
            outcome,
            trace: AttemptTrace {
                began: UnixMillis::new(self.ms),
                address: None,
                answered_ms: None,
                took_ms: self.took_ms,
                excerpt: String::new(),
            },
            jitter: Jitter(1 << 31),
        };
        self.feed(Event::Returned(Box::new(returned)));
    }

    pub(super) fn switch(&mut self, channel: &str, switch: Switch) {
        self.feed(Event::EndpointChanged {
            endpoint: endpoint(channel),
            settings: EndpointSettings {
                switch,
                ..EndpointSettings::default()
            },
        });
    }

    /// The process was off for this long; before that it had probed the endpoint of channel «a» in vain.
    pub(super) fn restarted_after(&mut self, off: Duration, probed: Duration) {
        let since = UnixMillis::new(self.ms);
        self.ms += u64::try_from((off + probed).as_millis()).unwrap();
        self.feed(Event::EndpointChanged {
            endpoint: endpoint("a"),
            settings: EndpointSettings {
                failing_since: Some(since),
                probed,
                ..EndpointSettings::default()
            },
        });
    }

    pub(super) fn tick(&mut self) {
        self.timer = None;
        self.feed(Event::Tick);
    }

    /// Goes to the moment the timer is set to.
    pub(super) fn ring(&mut self) {
        if let Some(at) = self.timer {
            self.ms = self.ms.max(at);
            self.tick();
        }
    }

    pub(super) fn ring_until_sent(&mut self) {
        while self.sends.is_empty() && self.timer.is_some() {
            self.ring();
        }
    }

    pub(super) fn machine_ticks_after(&mut self, secs: u64) {
        self.ms += secs * 1_000;
        self.tick();
    }

    /// Answers and rings until nothing is in flight and no timer is set, for a day at most.
    pub(super) fn run_until_quiet(&mut self, outcome: impl Fn(&QueueId) -> Outcome) {
        let end = self.ms + 86_400_000;
        while self.ms < end && (!self.sends.is_empty() || self.timer.is_some()) {
            self.answer_all(&outcome);
            if self.sends.is_empty() {
                self.ring();
            }
        }
    }

    /// Returns whether exactly one conversation of channel «a» is held.
    pub(super) fn holds_one_conversation(&self) -> bool {
        matches!(
            self.machine.health(&endpoint("a")),
            EndpointState::Failing {
                conversation: Some(_),
                ..
            }
        )
    }

    pub(super) fn deaths(&self) -> usize {
        let died =
            |published: &&DispatchEvent| matches!(published, DispatchEvent::MessageDied { .. });
        self.published.iter().filter(died).count()
    }

    pub(super) fn tidings_of_end(&self) -> Option<HoldReason> {
        self.published.iter().find_map(|published| {
            if let DispatchEvent::EndpointDisabled { why, .. } = published {
                Some(*why)
            } else {
                None
            }
        })
    }

    pub(super) fn feed(&mut self, event: Event) -> Vec<Effect> {
        let effects = self.machine.step(event, UnixMillis::new(self.ms));
        for effect in effects.clone() {
            self.perform(effect);
        }
        effects
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Send {
                queue,
                number,
                attempt,
                slot,
                ..
            } => self.sends.push(Sent {
                queue,
                number,
                attempt,
                slot,
            }),
            Effect::Record {
                queue,
                number,
                entry,
            } => {
                if entry.state.is_final() {
                    self.done.insert(queue.clone(), number.0);
                }
                self.records.push((queue, number, *entry));
            }
            Effect::AskNext { queue, question } => {
                let next = self.done[&queue] + 1;
                let head = (next <= self.last[&queue]).then(|| self.head(next));
                self.feed(Event::NextHead {
                    queue,
                    question,
                    head,
                });
            }
            Effect::ArmTimer { at } => self.timer = Some(at.get()),
            Effect::Publish(published) => self.published.push(published),
            Effect::PageIn { endpoint, .. } => {
                let complete = true;
                self.feed(Event::Paged { endpoint, complete });
            }
            Effect::CancelGroup { .. } => {}
        }
    }

    fn head(&self, number: u64) -> QueueHead {
        QueueHead {
            number: OutNumber(number),
            since: UnixMillis::new(self.ms),
            tally: Tally::default(),
            replay: false,
            inherited: self.inherited,
        }
    }
}
