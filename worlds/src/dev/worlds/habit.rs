//! Habits of people as they are ordered.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use switchboard_actors::domain::text::MessageText;

use crate::dev::worlds::refusal::Refusal;
use crate::world::{Habit, HabitAct, Person};

/// How long after a message a person acts at most, in seconds of the world's time: thirty days.
const AFTER_MAX: f64 = 2_592_000.0;
/// How often a habit may be kept at most.
const TIMES_MAX: u32 = 1_000_000;

/// A habit as it is ordered.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HabitOrder {
    #[serde(rename = "do")]
    what: String,
    after: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<u32>,
}

impl HabitOrder {
    /// What it orders.
    ///
    /// # Errors
    /// What is wrong, with what there is.
    pub(super) fn habit(&self) -> Result<Habit, Refusal> {
        let Self {
            what,
            after,
            text,
            times,
        } = self;
        if !(0.0..=AFTER_MAX).contains(after) {
            let why = format!("after is from 0 to {AFTER_MAX} seconds, not {after}");
            return Err(Refusal::wrong(why));
        }
        if times.is_some_and(|times| !(1..=TIMES_MAX).contains(&times)) {
            return Err(Refusal::wrong(format!("times is from 1 to {TIMES_MAX}")));
        }
        let [answers, reads] = HabitAct::NAMES;
        let act = match (what.as_str(), text) {
            (what, Some(text)) if what == answers => {
                let checked = text.parse::<MessageText>().map(drop);
                checked.map_err(|why| Refusal::wrong(format!("text: {why}")))?;
                HabitAct::Answers(text.clone())
            }
            (what, None) if what == reads => HabitAct::Reads,
            (what, None) if what == answers => {
                let why = format!("the habit «{answers}» needs text");
                return Err(Refusal::wrong(why));
            }
            (what, Some(_)) if what == reads => {
                let why = format!("the habit «{reads}» has no text");
                return Err(Refusal::wrong(why));
            }
            (what, _) => {
                let known = HabitAct::NAMES.join(", ");
                let why = format!("people have no habit «{what}»; there are: {known}");
                return Err(Refusal::wrong(why));
            }
        };
        Ok(Habit {
            act,
            after: Duration::from_secs_f64(*after),
            times: *times,
        })
    }
}

/// A habit as answers show it; `left` is how often it is kept yet, if not until it is ended.
pub(super) fn shown(who: &Person, habit: &Habit) -> Value {
    let (role, name) = match who {
        Person::Customer(name) => ("customer", name),
        Person::User(name) => ("user", name),
    };
    let mut shown = json!({
        role: name,
        "do": habit.act.name(),
        "after": habit.after.as_secs_f64(),
        "left": habit.times,
    });
    if let (HabitAct::Answers(text), Some(fields)) = (&habit.act, shown.as_object_mut()) {
        fields.insert("text".to_owned(), text.clone().into());
    }
    shown
}
