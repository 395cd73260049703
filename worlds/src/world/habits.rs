//! Habits of people: what they do by themselves, some time after a message has reached them.
//!
//! A customer's message reaches every account user as soon as it is accepted. A user's message reaches its customer as soon
//! as the receiver of callbacks has taken it. A habit follows the clock of the world, and fires at its
//! moment in whatever lets time pass. What is due counts as work, so a world is not [quiet](World::is_quiet) before.
//!
//! A habit never answers an answer that was a habit, and reads it: two people who always answer would not come to an end.
//!
//! Habits belong to people, not to the system: they outlast restarts and power cuts, and a snapshot has them, with what is
//! due.

mod act;
mod follow;
mod kept;

use std::fmt;
use std::time::Duration;

use switchboard_actors::domain::text::MessageText;
use switchboard_actors::domain::time::UnixMillis;

use crate::world::{Customer, User, World};

pub(super) use follow::Follower;
pub(super) use kept::{Habits, KeptHabits};

/// An act that a person does by themselves after each message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Habit {
    /// The act.
    pub act: HabitAct,
    /// The time between the arrival of the message and the act.
    pub after: Duration,
    /// The number of acts that remain; `None`: until the habit is ended.
    pub times: Option<u32>,
}

/// An act of a person about a message that has reached them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HabitAct {
    /// They answer it with this text.
    Answers(String),
    /// They read it: a user reads the conversation; of what a customer reads, the integration reports it.
    Reads,
    /// A user becomes the responsible user of its conversation.
    TakesOver,
    /// A user writes this note for the team into its conversation.
    Notes(String),
    /// A user snoozes its conversation for so long, or until the customer writes.
    Snoozes(Duration),
}

/// The owner of a habit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Person {
    /// The customer with this name, or of the conversation that has this id of the integration.
    Customer(String),
    /// The account user with this name.
    User(String),
}

impl Habit {
    fn new(act: HabitAct, after: Duration) -> Self {
        let times = None;
        Self { act, after, times }
    }

    /// Answers each message after so long.
    #[must_use]
    pub fn answers(after: Duration, text: &str) -> Self {
        Self::new(HabitAct::Answers(text.to_owned()), after)
    }

    /// Reads each message after so long.
    #[must_use]
    pub fn reads(after: Duration) -> Self {
        Self::new(HabitAct::Reads, after)
    }

    /// Takes each conversation over, so long after a message.
    #[must_use]
    pub fn takes_over(after: Duration) -> Self {
        Self::new(HabitAct::TakesOver, after)
    }

    /// Writes a note for the team, so long after each message.
    #[must_use]
    pub fn notes(after: Duration, text: &str) -> Self {
        Self::new(HabitAct::Notes(text.to_owned()), after)
    }

    /// Snoozes each conversation for a time, so long after a message.
    #[must_use]
    pub fn snoozes(after: Duration, time: Duration) -> Self {
        Self::new(HabitAct::Snoozes(time), after)
    }

    /// So often only.
    #[must_use]
    pub fn times(self, times: u32) -> Self {
        let times = Some(times);
        Self { times, ..self }
    }
}

impl HabitAct {
    /// The names of all of them; those that customers have come first.
    pub const NAMES: [&str; 5] = ["answers", "reads", "takes_over", "notes", "snoozes"];

    /// Its name: a person has one habit of each name at most.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let [answers, reads, takes_over, notes, snoozes] = Self::NAMES;
        match self {
            Self::Answers(_) => answers,
            Self::Reads => reads,
            Self::TakesOver => takes_over,
            Self::Notes(_) => notes,
            Self::Snoozes(_) => snoozes,
        }
    }

    /// Returns whether customers do it, too.
    #[must_use]
    pub fn is_of_customers(&self) -> bool {
        matches!(self, Self::Answers(_) | Self::Reads)
    }
}

impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { act, after, times } = self;
        write!(f, "{act} after {after:?}")?;
        match times {
            Some(times) => write!(f, ", {times} times"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for HabitAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answers(text) => write!(f, "answers {text:?}"),
            Self::Reads => f.write_str("reads"),
            Self::TakesOver => f.write_str("takes over"),
            Self::Notes(text) => write!(f, "notes {text:?}"),
            Self::Snoozes(time) => write!(f, "snoozes for {time:?}"),
        }
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Customer(name) => write!(f, "customer {name}"),
            Self::User(name) => write!(f, "user {name}"),
        }
    }
}

impl World {
    /// From now on this person has this habit, instead of an earlier one of the same name.
    ///
    /// # Panics
    /// When the text is empty or too long, the user cannot be declared, or only users have such a habit.
    #[track_caller]
    pub fn keep_habit(&self, who: &Person, habit: Habit) {
        if let HabitAct::Answers(text) | HabitAct::Notes(text) = &habit.act {
            let text = text.parse::<MessageText>();
            drop(self.expect("this can be a text", text));
        }
        match who {
            Person::User(name) => self.user(name).declare(),
            Person::Customer(_) if habit.act.is_of_customers() => {}
            Person::Customer(_) => self.fail(&format!("only users have this habit: {habit}")),
        }
        let habit_in_words = habit.to_string();
        self.note(&who.to_string(), &format!("has a habit: {habit_in_words}"));
        // What happened before does not concern it.
        let since = self.run(async |system| system.last_event());
        self.habits.keep(who.clone(), habit, since);
        self.rest();
    }

    /// All habits of this person end, with what is due of them.
    #[track_caller]
    pub fn end_habits_of(&self, who: &Person) {
        self.note(&who.to_string(), "has no habits any more");
        self.habits.end(|of| of == who);
    }

    /// All habits end, with what is due of them.
    #[track_caller]
    pub fn end_habits(&self) {
        self.note("test", "ends all habits");
        self.habits.end(|_| true);
    }

    /// The habits that people have.
    #[must_use]
    pub fn habits(&self) -> Vec<(Person, Habit)> {
        self.habits.list()
    }

    /// Returns the acts that people are going to do out of habit: time, person and act; the one that is due first comes
    /// first.
    #[must_use]
    pub fn due_habits(&self) -> Vec<(UnixMillis, Person, HabitAct)> {
        self.habits.due_list()
    }

    /// Calls this each time a person has acted out of habit: when, who, and what. The journal of the world has it too.
    pub fn watch_habits(&self, observer: impl Fn(UnixMillis, &Person, &str) + 'static) {
        self.habits.watch(observer);
    }
}

impl Customer<'_> {
    /// From now on, the customer answers each message after so long.
    ///
    /// # Panics
    /// As [`World::keep_habit`].
    #[track_caller]
    pub fn answers(self, after: Duration, text: &str) {
        self.keeps(Habit::answers(after, text));
    }

    /// From now on, the customer reads each message after so long, and the integration reports it.
    #[track_caller]
    pub fn reads(self, after: Duration) {
        self.keeps(Habit::reads(after));
    }

    /// From now on, the customer has this habit, instead of an earlier one of the same name.
    ///
    /// # Panics
    /// As [`World::keep_habit`].
    #[track_caller]
    pub fn keeps(self, habit: Habit) {
        self.world.keep_habit(&self.person(), habit);
    }

    /// The customer has no habits any more.
    #[track_caller]
    pub fn ends_habits(self) {
        self.world.end_habits_of(&self.person());
    }

    fn person(self) -> Person {
        Person::Customer(self.name.to_owned())
    }
}

impl User<'_> {
    /// From now on, the user answers each customer's message after so long.
    ///
    /// # Panics
    /// As [`World::keep_habit`].
    #[track_caller]
    pub fn answers(self, after: Duration, text: &str) {
        self.keeps(Habit::answers(after, text));
    }

    /// From now on, the user reads each customer's message after so long.
    ///
    /// # Panics
    /// As [`World::keep_habit`].
    #[track_caller]
    pub fn reads(self, after: Duration) {
        self.keeps(Habit::reads(after));
    }

    /// From now on, the user takes each conversation over, so long after a customer's message.
    ///
    /// # Panics
    /// As [`World::keep_habit`].
    #[track_caller]
    pub fn takes_over(self, after: Duration) {
        self.keeps(Habit::takes_over(after));
    }

    /// From now on, the user writes a note for the team, so long after each customer's message.
    ///
    /// # Panics
    /// As [`World::keep_habit`].
    #[track_caller]
    pub fn notes(self, after: Duration, text: &str) {
        self.keeps(Habit::notes(after, text));
    }

    /// From now on, the user snoozes each conversation for a time, so long after a customer's message.
    ///
    /// # Panics
    /// As [`World::keep_habit`].
    #[track_caller]
    pub fn snoozes(self, after: Duration, time: Duration) {
        self.keeps(Habit::snoozes(after, time));
    }

    /// From now on, the user has this habit, instead of an earlier one of the same name.
    ///
    /// # Panics
    /// As [`World::keep_habit`].
    #[track_caller]
    pub fn keeps(self, habit: Habit) {
        self.world.keep_habit(&self.person(), habit);
    }

    /// The user has no habits any more.
    #[track_caller]
    pub fn ends_habits(self) {
        self.world.end_habits_of(&self.person());
    }

    fn person(self) -> Person {
        Person::User(self.name.to_owned())
    }
}
