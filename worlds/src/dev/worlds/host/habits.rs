//! Habits of the people of a world.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Host;
use super::people::{check_name, check_user};
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::habit::{HabitOrder, shown};
use crate::world::Person;

impl Host {
    /// The journal has what people do out of habit, and who waits looks again then.
    pub(super) fn watch_habits(&self) {
        let (journal, under_way) = (self.journal.clone(), Arc::clone(&self.under_way));
        self.world.watch_habits(move |at, who, what| {
            journal.note(at, &who.to_string(), what);
            under_way.begun.notify_one();
        });
    }

    pub(super) fn keep_habit(
        &mut self,
        who: &Person,
        order: &HabitOrder,
    ) -> Result<Value, DevError> {
        let habit = order.habit.clone();
        match who {
            // The tested program may have given any id.
            Person::Customer(name) if self.conversation(Some(name)).is_some() => {}
            Person::Customer(name) => check_name(name)?,
            Person::User(name) => {
                check_user(name)?;
                self.knows(name);
            }
        }
        let answer = shown(who, &habit);
        self.world.keep_habit(who, habit);
        Ok(answer)
    }

    /// Ends the habits of this person, or of all.
    pub(super) fn end_habits(&self, who: Option<&Person>) -> Value {
        match who {
            Some(who) => self.world.end_habits_of(who),
            None => self.world.end_habits(),
        }
        self.shown_habits()
    }

    pub(super) fn shown_habits(&self) -> Value {
        json!({ "habits": self.listed_habits() })
    }

    pub(super) fn listed_habits(&self) -> Vec<Value> {
        let habits = self.world.habits();
        habits
            .iter()
            .map(|(who, habit)| shown(who, habit))
            .collect()
    }
}
