//! Waiting for a state, in the world's time.

use std::pin::pin;
use std::time::Duration;

use futures_util::future::select;
use switchboard_actors::domain::dispatch::record::{DeliveryRecord, DeliveryState, HoldReason};
use switchboard_actors::domain::id::MessageId;
use switchboard_actors::domain::time::UnixMillis;

use crate::journal::Since;
use crate::world::World;

/// A state that only the clock may bring about is checked so often.
const LOOKS_EVERY: Duration = Duration::from_secs(1);
/// A state that depends on callbacks is checked after each attempt, and so often.
const LOOKS_SELDOM: Duration = Duration::from_secs(60);

/// The condition that a test waits for.
pub struct Until {
    what: String,
    /// True when only attempts of callbacks can bring it about.
    by_callbacks: bool,
    /// `Err`: how it is instead.
    check: Box<Check>,
}

type Check = dyn Fn(&World) -> Result<(), String>;

impl Until {
    /// So many callbacks have arrived, since the beginning of the world.
    #[must_use]
    pub fn callbacks(count: usize) -> Self {
        Self::by_callbacks(format!("{count} callbacks have arrived"), move |world| {
            let arrived = world.callbacks().len();
            met(arrived >= count, || format!("so far {arrived}"))
        })
    }

    /// There were so many attempts to deliver this message.
    #[must_use]
    pub fn attempts(message: MessageId, count: usize) -> Self {
        let what = format!("there were {count} attempts to deliver {message}");
        Self::by_callbacks(what, move |world| {
            let attempts = world.receiver().attempts();
            let of_it = attempts.iter().filter(|it| it.message == message);
            let total = of_it.count();
            met(total >= count, || format!("so far {total}"))
        })
    }

    /// The receiver has taken this message.
    #[must_use]
    pub fn delivered(message: MessageId) -> Self {
        let what = format!("{message} is delivered");
        Self::in_state(what, message, |state| {
            matches!(state, DeliveryState::Delivered { .. })
        })
    }

    /// The delivery of this message was given up.
    #[must_use]
    pub fn given_up(message: MessageId) -> Self {
        let what = format!("the delivery of {message} is given up");
        Self::in_state(what, message, |state| {
            matches!(state, DeliveryState::Dead { .. })
        })
    }

    /// So many hooks have arrived, since the beginning of the world.
    #[must_use]
    pub fn hooks(count: usize) -> Self {
        Self::by_callbacks(format!("{count} hooks have arrived"), move |world| {
            let arrived = world.hooks().len();
            met(arrived >= count, || format!("so far {arrived}"))
        })
    }

    /// There were so many attempts to deliver hooks.
    #[must_use]
    pub fn hook_attempts(count: usize) -> Self {
        let what = format!("there were {count} attempts to deliver hooks");
        Self::by_callbacks(what, move |world| {
            let attempts = world.receiver().hooks().attempts().len();
            met(attempts >= count, || format!("so far {attempts}"))
        })
    }

    /// The delivery of so many hooks was given up.
    #[must_use]
    pub fn hooks_given_up(count: usize) -> Self {
        let what = format!("the delivery of {count} hooks is given up");
        Self::by_callbacks(what, move |world| {
            let dead = world.hooks_given_up();
            met(dead >= count, || format!("so far {dead}"))
        })
    }

    /// No callback or hook is queued or under way, and no habit is due.
    #[must_use]
    pub fn quiet() -> Self {
        let what = "no callback or hook is queued or under way, and no habit is due".to_owned();
        Self::by_callbacks(what, |world| {
            met(world.is_quiet(), || {
                let metrics = world.metrics();
                let (queued, flying) = (metrics.queued, metrics.in_flight);
                let (due, hooks) = (world.habits.due(), world.hook_counts().queued);
                format!(
                    "{queued} are queued, {flying} of them under way, {due} habits are due, {hooks} hooks wait"
                )
            })
        })
    }

    /// Anything else. It is checked once per second of the world's time.
    #[must_use]
    pub fn holds(what: &str, check: impl Fn(&World) -> bool + 'static) -> Self {
        Self {
            what: what.to_owned(),
            by_callbacks: false,
            check: Box::new(move |world| met(check(world), || "it is not so".to_owned())),
        }
    }

    fn by_callbacks(what: String, check: impl Fn(&World) -> Result<(), String> + 'static) -> Self {
        Self {
            what,
            by_callbacks: true,
            check: Box::new(check),
        }
    }

    fn in_state(what: String, message: MessageId, is: fn(&DeliveryState) -> bool) -> Self {
        Self::by_callbacks(what, move |world| {
            let Some(record) = world.delivery_record(message) else {
                return Err("no user has written it".to_owned());
            };
            met(is(&record.state), || world.state_in_words(&record))
        })
    }
}

fn in_words(why: HoldReason) -> &'static str {
    match why {
        HoldReason::Failing => "the endpoint fails, and is probed",
        HoldReason::Conversation => {
            "only messages of this conversation fail; they are tried one at a time"
        }
        HoldReason::PauseAsked => "the endpoint asked for a pause",
        HoldReason::Gone => "the endpoint answered 410",
        HoldReason::GivenUp => "the endpoint did not succeed for days, and is not probed any more",
        HoldReason::NoAddress => "the channel has no address",
        HoldReason::Paused => "an operator paused the channel",
    }
}

fn met(is_so: bool, instead: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(instead()) }
}

impl World {
    /// Lets time pass until something is so, at most for the [patience](World::set_patience) of the world. It takes no
    /// time when it is so already.
    ///
    /// # Panics
    /// When it does not come to be so, as soon as that is certain.
    #[track_caller]
    pub fn wait(&self, until: Until) {
        let deadline = self.now().plus(self.patience.get());
        self.rest();
        loop {
            let ended_before = self.receiver.end_count();
            let Err(instead) = (until.check)(self) else {
                return;
            };
            if until.by_callbacks && self.is_quiet() {
                let why = "nothing is queued or under way that could change it";
                self.fail_waiting(&until, &instead, why);
            }
            let time_left = deadline.since(self.now());
            if time_left.is_zero() {
                let why = format!("the patience of {:?} is over", self.patience.get());
                self.fail_waiting(&until, &instead, &why);
            }
            self.pass_some(time_left, ended_before, until.by_callbacks);
        }
    }

    /// Lets time pass until something may have changed.
    #[track_caller]
    fn pass_some(&self, left: Duration, seen: usize, by_callbacks: bool) {
        if !by_callbacks {
            return self.pass(left.min(LOOKS_EVERY));
        }
        let (receiver, habits) = (self.receiver.clone(), self.habits.clone());
        let acted = habits.acted();
        let attempt = pin!(receiver.ended_after(seen));
        let act = pin!(habits.acted_after(acted));
        let either = select(attempt, act);
        let most = left.min(LOOKS_SELDOM);
        self.try_run(async |_| {
            let wait = tokio::time::timeout(most, either).await;
            wait.is_ok()
        });
        self.rest();
    }

    #[track_caller]
    fn fail_waiting(&self, until: &Until, instead: &str, why: &str) -> ! {
        let mut lines = format!("expected that {}: {instead}; {why}", until.what);
        let replies = self.memory.borrow().replies.clone();
        for (message, text) in replies {
            if let Some(record) = self.delivery_record(message)
                && !matches!(record.state, DeliveryState::Delivered { .. })
            {
                let state = self.state_in_words(&record);
                lines.push_str(&format!("\n  reply {text:?} {state}"));
            }
        }
        for (at, who, act) in self.due_habits() {
            let at = self.since_start(at);
            lines.push_str(&format!("\n  {who} {act} at {at}, out of habit"));
        }
        self.fail(&lines)
    }

    /// Returns the state of a message's delivery, in words; `None`: no user wrote it.
    ///
    /// # Panics
    /// When the delivery cannot be read.
    #[must_use]
    #[track_caller]
    pub fn delivery_in_words(&self, message: MessageId) -> Option<String> {
        let record = self.delivery_record(message)?;
        Some(self.state_in_words(&record))
    }

    /// Returns the state of a message's delivery; `None`: no user wrote it.
    ///
    /// # Panics
    /// When the delivery cannot be read.
    #[must_use]
    #[track_caller]
    pub fn delivery_record(&self, message: MessageId) -> Option<DeliveryRecord> {
        let result = self.run(async |system| system.delivery(message).await);
        let delivery = self.expect("the delivery can be read", result);
        delivery.map(|delivery| delivery.record)
    }

    fn state_in_words(&self, record: &DeliveryRecord) -> String {
        let attempts = record.tally.made;
        let state = match &record.state {
            DeliveryState::Queued => "waits for its turn".to_owned(),
            DeliveryState::Waiting { until, why } => {
                let until = self.since_start(*until);
                format!("waits for its next attempt at {until}, since the last was: {why}")
            }
            DeliveryState::Held { why } => format!("is held: {}", in_words(*why)),
            DeliveryState::Delivered { at } => {
                format!("is delivered, at {}", self.since_start(*at))
            }
            DeliveryState::Dead { why, .. } => format!("is given up: {}", why.as_str()),
            DeliveryState::Cancelled { why, .. } => format!("is cancelled: {why}"),
        };
        format!("{state} (attempts so far: {attempts})")
    }

    fn since_start(&self, at: UnixMillis) -> String {
        let began = self.journal.all().first().map(|entry| entry.at);
        Since(at.since(began.unwrap_or(at))).to_string()
    }
}
