//! The habits of a world, and what is due of them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use switchboard_actors::domain::id::{ConversationId, MessageId};
use switchboard_actors::domain::time::UnixMillis;
use tokio::sync::{Notify, watch};

use super::{Habit, HabitAct, Person};

/// The beginning of the ids of messages that are written out of habit.
pub(super) const BY_HABIT: &str = "by-habit-";
/// The number of tries of an act that the system does not take now.
const TRIES_MAX: u8 = 5;
/// After so long it is tried again.
const TRIED_AGAIN: Duration = Duration::from_secs(1);

/// The habits of the people of a world. Clones are the same habits.
#[derive(Clone, Default)]
pub(in crate::world) struct Habits(Rc<Shared>);

#[derive(Default)]
struct Shared {
    kept: RefCell<KeptHabits>,
    /// Wakes who follows the habits.
    changed: Notify,
    /// The number of acts so far.
    acted: watch::Sender<usize>,
    observer: RefCell<Option<Rc<Observer>>>,
}

type Observer = dyn Fn(UnixMillis, &Person, &str);

/// The part of the habits that a snapshot has.
#[derive(Clone, Debug, Default)]
pub(in crate::world) struct KeptHabits {
    /// By person and name.
    habits: BTreeMap<(Person, &'static str), Standing>,
    due: Vec<Due>,
    /// The number of the last event that was heard.
    heard: u64,
    /// The number of acts that ever became due: it names a message.
    counted: u64,
}

#[derive(Clone, Debug)]
struct Standing {
    habit: Habit,
    /// Events behind this number concern it.
    since: u64,
}

/// Something that a person is going to do.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) number: u64,
    pub(super) at: UnixMillis,
    pub(super) who: Person,
    pub(super) act: HabitAct,
    pub(super) about: About,
    tries: u8,
}

/// The message and conversation that a person acts about.
#[derive(Clone, Copy, Debug)]
pub(super) struct About {
    pub(super) conversation: ConversationId,
    pub(super) message: MessageId,
}

/// The person whom a message reaches.
#[derive(Clone, Debug)]
pub(super) enum Whom {
    /// All users.
    Users,
    /// The customer who has these names.
    Customer(Vec<String>),
}

/// A message that has reached people.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    /// The number of the event by which it did.
    pub(super) by: u64,
    pub(super) whom: Whom,
    pub(super) about: About,
    pub(super) at: UnixMillis,
    /// True when a person wrote it out of habit: habits do not answer it.
    pub(super) is_habit: bool,
}

impl Habits {
    /// As they were at a snapshot.
    pub(in crate::world) fn from_snapshot(kept: KeptHabits) -> Self {
        let habits = Self::default();
        *habits.0.kept.borrow_mut() = kept;
        habits
    }

    /// As they are now, for a snapshot.
    pub(in crate::world) fn kept(&self) -> KeptHabits {
        self.0.kept.borrow().clone()
    }

    pub(super) fn keep(&self, who: Person, habit: Habit, since: u64) {
        let mut state = self.0.kept.borrow_mut();
        if state.is_over() {
            state.heard = since;
        }
        let name = (who, habit.act.name());
        state.habits.insert(name, Standing { habit, since });
        drop(state);
        self.0.changed.notify_one();
    }

    pub(super) fn end(&self, of: impl Fn(&Person) -> bool) {
        let mut state = self.0.kept.borrow_mut();
        state.habits.retain(|(who, _), _| !of(who));
        state.due.retain(|due| !of(&due.who));
        drop(state);
        self.0.changed.notify_one();
    }

    pub(super) fn list(&self) -> Vec<(Person, Habit)> {
        let state = self.0.kept.borrow();
        state
            .habits
            .iter()
            .map(|((who, _), standing)| (who.clone(), standing.habit.clone()))
            .collect()
    }

    pub(super) fn due_list(&self) -> Vec<(UnixMillis, Person, HabitAct)> {
        let state = self.0.kept.borrow();
        let mut due: Vec<_> = state
            .due
            .iter()
            .map(|due| (due.at, due.who.clone(), due.act.clone()))
            .collect();
        due.sort_by_key(|(at, ..)| *at);
        due
    }

    pub(super) fn watch(&self, observer: impl Fn(UnixMillis, &Person, &str) + 'static) {
        *self.0.observer.borrow_mut() = Some(Rc::new(observer));
    }

    /// Returns the number of acts that are due.
    pub(in crate::world) fn due(&self) -> usize {
        self.0.kept.borrow().due.len()
    }

    /// Returns whether no act is due.
    pub(in crate::world) fn is_quiet(&self) -> bool {
        self.due() == 0
    }

    /// Returns the number of acts so far.
    pub(in crate::world) fn acted(&self) -> usize {
        *self.0.acted.borrow()
    }

    /// Waits until people have acted more often than this.
    pub(in crate::world) async fn acted_after(&self, known: usize) {
        let mut acted = self.0.acted.subscribe();
        // The sender lives as long as this clone of it.
        drop(acted.wait_for(|so_far| *so_far > known).await);
    }

    /// Returns whether there are no habits, and no act is due.
    pub(super) fn is_over(&self) -> bool {
        self.0.kept.borrow().is_over()
    }

    /// Waits until habits are kept or ended.
    pub(super) async fn changed(&self) {
        self.0.changed.notified().await;
    }

    /// The number of the last event that was heard.
    pub(super) fn heard(&self) -> u64 {
        self.0.kept.borrow().heard
    }

    /// Everything up to this event was heard.
    pub(super) fn hears(&self, number: u64) {
        self.0.kept.borrow_mut().heard = number;
    }

    /// A message has reached people.
    pub(super) fn reaches(&self, reached: &Reached) {
        self.0.kept.borrow_mut().reaches(reached);
    }

    /// Returns the act that is due first.
    pub(super) fn next(&self) -> Option<Due> {
        let state = self.0.kept.borrow();
        let first = state.due.iter().min_by_key(|due| (due.at, due.number));
        first.cloned()
    }

    /// Something was done, or is given up.
    pub(super) fn done(&self, due: &Due, now: UnixMillis, what: &str) {
        let number = due.number;
        self.0
            .kept
            .borrow_mut()
            .due
            .retain(|it| it.number != number);
        let observer = self.0.observer.borrow().clone();
        if let Some(observer) = observer {
            observer(now, &due.who, what);
        }
        let acted = &self.0.acted;
        acted.send_modify(|count| *count = count.saturating_add(1));
    }

    /// The system does not take it now. False: it was tried often enough.
    pub(super) fn later(&self, due: &Due, now: UnixMillis) -> bool {
        let mut state = self.0.kept.borrow_mut();
        let mut waiting = state.due.iter_mut();
        let Some(waiting) = waiting.find(|it| it.number == due.number) else {
            // It was ended meanwhile.
            return false;
        };
        waiting.tries = waiting.tries.saturating_add(1);
        waiting.at = now.plus(TRIED_AGAIN);
        waiting.tries < TRIES_MAX
    }
}

impl Whom {
    fn is(&self, person: &Person) -> bool {
        match (self, person) {
            (Self::Users, Person::User(_)) => true,
            (Self::Customer(names), Person::Customer(name)) => names.contains(name),
            (Self::Users, Person::Customer(_)) | (Self::Customer(_), Person::User(_)) => false,
        }
    }
}

impl KeptHabits {
    fn is_over(&self) -> bool {
        self.habits.is_empty() && self.due.is_empty()
    }

    fn reaches(&mut self, reached: &Reached) {
        for ((who, _), Standing { habit, since }) in &mut self.habits {
            let is_to_act = match habit.act {
                HabitAct::Answers(_) => !reached.is_habit,
                HabitAct::Reads
                | HabitAct::TakesOver
                | HabitAct::Notes(_)
                | HabitAct::Snoozes(_) => true,
            };
            if !reached.whom.is(who) || reached.by <= *since || !is_to_act {
                continue;
            }
            habit.times = habit.times.map(|times| times.saturating_sub(1));
            self.counted = self.counted.saturating_add(1);
            self.due.push(Due {
                number: self.counted,
                at: reached.at.plus(habit.after),
                who: who.clone(),
                act: habit.act.clone(),
                about: reached.about,
                tries: 0,
            });
        }
        let habits = &mut self.habits;
        habits.retain(|_, standing| standing.habit.times != Some(0));
    }
}

impl fmt::Debug for Habits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Habits").field(&self.0.kept).finish()
    }
}
