//! The relays that the configuration names, with what is counted of them. A restart forgets the counts, but not what waits.

pub mod pace;
pub mod upward;

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::pace::UpwardPace;
use self::upward::{UpwardCounts, UpwardRead};
use crate::shared::meters::{self, Counter};
use switchboard_domain::id::ChannelId;
use switchboard_domain::relays::{BRIDGE, COUNTERPART, RelayId, RelayTarget};
use switchboard_domain::time::UnixMillis;
use switchboard_engine::histogram::{Histogram, HistogramSnapshot};
use switchboard_relay::refusal::HookRefusal;
use switchboard_relay::settings::RelaySettings;

/// The bounds of the histogram of answers to the counterpart, which gives five seconds.
const ANSWER_BOUNDS: [Duration; 9] = [
    Duration::from_millis(5),
    Duration::from_millis(10),
    Duration::from_millis(25),
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(250),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(3),
];
/// The most wrong signatures of one day that are remembered.
const WRONG_OF_DAY_MAX: usize = 100;
const DAY_MILLIS: u64 = 86_400_000;

/// The relays.
#[derive(Debug, Default)]
pub struct RelayBook {
    relays: Vec<KnownRelay>,
}

/// A relay with its counts.
#[derive(Debug)]
pub struct KnownRelay {
    /// The settings.
    pub settings: RelaySettings,
    /// The id.
    pub id: RelayId,
    /// True while an operator has paused it.
    is_paused: AtomicBool,
    targets: Vec<TargetCounts>,
    taken: Counter,
    /// Hooks that were there already.
    pub repeated: Counter,
    late: Counter,
    refused: [Counter; HookRefusal::WORDS.len()],
    answers: Histogram,
    wrong: Mutex<WrongSignatures>,
    /// The requests of the bridge.
    pub upward: UpwardCounts,
    /// The pace at which they go up.
    pub pace: UpwardPace,
}

/// The counts of a target.
#[derive(Debug)]
pub struct TargetCounts {
    /// Its place among the targets of its relay.
    pub place: u8,
    waiting: AtomicI64,
    /// Hooks that the target has.
    pub delivered: Counter,
    /// Hooks that were given up.
    pub dead: Counter,
    /// Hooks that were too old to be of use.
    pub dropped: Counter,
    /// Hooks that the target gets no copy of.
    pub skipped: Counter,
    last_answer: Mutex<Option<LastAnswer>>,
}

/// The last answer of a target, or why there was none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastAnswer {
    /// The time.
    pub at: UnixMillis,
    /// The status; none without an answer.
    pub status: Option<u16>,
    /// The reason that no answer came.
    pub failure: Option<&'static str>,
}

/// The counts of a target at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetRead {
    /// Its place among the targets of its relay.
    pub place: u8,
    /// Hooks that wait or are under way.
    pub waiting: u64,
    /// Hooks that it has since the start.
    pub delivered: u64,
    /// Hooks that were given up since the start.
    pub dead: u64,
    /// Hooks of typing that were too old to be of use.
    pub dropped: u64,
    /// Hooks of which it got no copy, because too many waited.
    pub skipped: u64,
    /// Its last answer since the start.
    pub last_answer: Option<LastAnswer>,
}

/// The counts of a relay at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayRead {
    /// The channel.
    pub channel: ChannelId,
    /// True while an operator has paused it.
    pub is_paused: bool,
    /// Hooks that were stored since the start.
    pub taken: u64,
    /// Hooks that were there already.
    pub repeated: u64,
    /// Hooks that were written before one that came earlier.
    pub late: u64,
    /// Hooks that were refused, by reason.
    pub refused: Vec<(&'static str, u64)>,
    /// The time until the answer.
    pub answers: HistogramSnapshot,
    /// The targets.
    pub targets: Vec<TargetRead>,
    /// The requests of the bridge.
    pub upward: UpwardRead,
}

/// A hook with a wrong signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongSignature {
    /// The time.
    pub at: UnixMillis,
    /// The address of the sender.
    pub from: Option<IpAddr>,
    /// The probable mistake.
    pub reason: String,
    /// The length of the body.
    pub bytes: usize,
}

/// The first wrong signatures of a day.
#[derive(Debug, Default)]
struct WrongSignatures {
    day: u64,
    of_day: usize,
    newest: VecDeque<WrongSignature>,
}

impl RelayBook {
    /// The book of these relays.
    pub fn new(relays: Vec<RelaySettings>) -> Self {
        let relays = relays.into_iter().map(KnownRelay::new).collect();
        Self { relays }
    }

    /// Returns whether there is no relay.
    pub fn is_empty(&self) -> bool {
        self.relays.is_empty()
    }

    /// All relays.
    pub fn iter(&self) -> impl Iterator<Item = &KnownRelay> {
        self.relays.iter()
    }

    /// The relay with this id.
    pub fn get(&self, id: RelayId) -> Option<&KnownRelay> {
        self.relays.iter().find(|relay| relay.id == id)
    }

    /// The relay of this channel.
    pub fn of_channel(&self, channel: &ChannelId) -> Option<&KnownRelay> {
        self.relays
            .iter()
            .find(|it| it.settings.channel == *channel)
    }

    /// The counts of a target.
    pub fn target(&self, target: RelayTarget) -> Option<&TargetCounts> {
        self.get(target.relay)?.target(target.place)
    }
}

impl KnownRelay {
    fn new(settings: RelaySettings) -> Self {
        Self {
            id: settings.id(),
            is_paused: AtomicBool::new(false),
            targets: settings
                .targets()
                .map(|(place, _)| TargetCounts::new(place))
                .collect(),
            taken: Counter::default(),
            repeated: Counter::default(),
            late: Counter::default(),
            refused: Default::default(),
            answers: Histogram::new(&ANSWER_BOUNDS),
            wrong: Mutex::default(),
            upward: UpwardCounts::default(),
            pace: UpwardPace::new(settings.bounds.upward_per_second),
            settings,
        }
    }

    /// The counts of the target at a place.
    pub fn target(&self, place: u8) -> Option<&TargetCounts> {
        self.targets.iter().find(|target| target.place == place)
    }

    /// Returns whether an operator has paused it.
    pub fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::Relaxed)
    }

    /// Notes whether an operator has paused it.
    pub fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }

    /// Returns whether too many hooks wait for the target at this place.
    pub fn is_full(&self, place: u8) -> bool {
        let bounds = &self.settings.bounds;
        let most = match place {
            BRIDGE | COUNTERPART => bounds.waiting_max,
            _ => bounds.copies_waiting_max,
        };
        self.target(place)
            .is_none_or(|target| target.waiting() >= most)
    }

    /// Counts a hook that is stored for these places now.
    pub fn note_taken(&self, places: &[u8], is_late: bool) {
        self.taken.add();
        if is_late {
            self.late.add();
        }
        for place in places {
            if let Some(target) = self.target(*place) {
                target.waits(1);
            }
        }
    }

    /// Counts a post that is stored now.
    pub fn note_post(&self) {
        if let Some(target) = self.target(COUNTERPART) {
            target.waits(1);
        }
    }

    /// Counts a hook that is refused.
    pub fn note_refused(&self, why: HookRefusal) {
        meters::count(&self.refused, &HookRefusal::WORDS, why.as_str());
    }

    /// Counts the time until an answer.
    pub fn note_answer(&self, after: Duration) {
        self.answers.record(after);
    }

    /// Returns whether a wrong signature of this moment is among those that are remembered. It counts as one of its day then.
    pub fn wants_wrong(&self, now: UnixMillis) -> bool {
        let mut wrong = self.wrong();
        let day = now.get() / DAY_MILLIS;
        if wrong.day != day {
            wrong.day = day;
            wrong.of_day = 0;
        }
        if wrong.of_day >= WRONG_OF_DAY_MAX {
            return false;
        }
        wrong.of_day += 1;
        true
    }

    /// Remembers a hook with a wrong signature, which [`Self::wants_wrong`] wanted.
    pub fn keep_wrong(&self, hook: WrongSignature) {
        let mut wrong = self.wrong();
        if wrong.newest.len() >= WRONG_OF_DAY_MAX {
            wrong.newest.pop_front();
        }
        wrong.newest.push_back(hook);
    }

    /// The wrong signatures that are remembered, the newest first.
    pub fn wrong_signatures(&self) -> Vec<WrongSignature> {
        self.wrong().newest.iter().rev().cloned().collect()
    }

    fn wrong(&self) -> MutexGuard<'_, WrongSignatures> {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The counts of this moment.
    pub fn read(&self) -> RelayRead {
        RelayRead {
            channel: self.settings.channel.clone(),
            is_paused: self.is_paused(),
            taken: self.taken.get(),
            repeated: self.repeated.get(),
            late: self.late.get(),
            refused: meters::named(&self.refused, &HookRefusal::WORDS),
            answers: self.answers.snapshot(),
            targets: self.targets.iter().map(TargetCounts::read).collect(),
            upward: self.upward.read(),
        }
    }
}

impl TargetCounts {
    fn new(place: u8) -> Self {
        Self {
            place,
            waiting: AtomicI64::new(0),
            delivered: Counter::default(),
            dead: Counter::default(),
            dropped: Counter::default(),
            skipped: Counter::default(),
            last_answer: Mutex::default(),
        }
    }

    /// The number of hooks that wait or are under way.
    pub fn waiting(&self) -> u64 {
        u64::try_from(self.waiting.load(Ordering::Relaxed)).unwrap_or_default()
    }

    /// Counts so many hooks that wait.
    pub fn waits(&self, count: u64) {
        let more = i64::try_from(count).unwrap_or(i64::MAX);
        self.waiting.fetch_add(more, Ordering::Relaxed);
    }

    /// Counts a hook that waits no longer. That may be before it is counted as one that waits: the dispatcher hears of a hook when it is
    /// on disk, as the one who counts it does.
    pub fn leaves(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    /// Remembers the last answer.
    pub fn note_answer(&self, answer: LastAnswer) {
        *self.last_answer() = Some(answer);
    }

    fn last_answer(&self) -> MutexGuard<'_, Option<LastAnswer>> {
        self.last_answer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> TargetRead {
        TargetRead {
            place: self.place,
            waiting: self.waiting(),
            delivered: self.delivered.get(),
            dead: self.dead.get(),
            dropped: self.dropped.get(),
            skipped: self.skipped.get(),
            last_answer: self.last_answer().clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_relay::settings::RelayBounds;

    fn relay() -> KnownRelay {
        KnownRelay::new(RelaySettings {
            channel: "shop".parse().unwrap(),
            secret: "secret".parse().unwrap(),
            previous_secret: None,
            from: "/relay/shop".parse().unwrap(),
            to: "https://bridge.test/in".parse().unwrap(),
            copies: vec!["https://staging.test/in".parse().unwrap()],
            account_hooks: None,
            posts_to: None,
            bounds: RelayBounds {
                waiting_max: 2,
                copies_waiting_max: 1,
                ..RelayBounds::default()
            },
        })
    }

    #[test]
    fn a_full_copy_does_not_fill_the_bridge() {
        let relay = relay();
        relay.note_taken(&[0, 1], false);
        assert!(!relay.is_full(0) && relay.is_full(1));
        relay.note_taken(&[0], false);
        assert!(relay.is_full(0));
        relay.target(0).unwrap().leaves();
        assert!(!relay.is_full(0));
        // A hook may be delivered before it is counted as one that waits.
        let copies = relay.target(1).unwrap();
        (0..3).for_each(|_| copies.leaves());
        assert_eq!(copies.waiting(), 0);
        copies.waits(2);
        assert_eq!(copies.waiting(), 0);
        copies.waits(1);
        assert_eq!(copies.waiting(), 1);
        // There is no such target.
        assert!(relay.is_full(2));
    }

    #[test]
    fn a_day_has_a_hundred_wrong_signatures() {
        let relay = relay();
        let day = |day: u64| UnixMillis::new(day * DAY_MILLIS + 5);
        let hundred = (0..1_000).filter(|_| relay.wants_wrong(day(1))).count();
        assert_eq!(hundred, WRONG_OF_DAY_MAX);
        assert!(relay.wants_wrong(day(2)));
        for bytes in 0..150 {
            relay.keep_wrong(WrongSignature {
                at: day(2),
                from: None,
                reason: "another secret".to_owned(),
                bytes,
            });
        }
        let wrong = relay.wrong_signatures();
        assert_eq!((wrong.len(), wrong[0].bytes), (WRONG_OF_DAY_MAX, 149));
    }
}
