//! Habits of people as they are ordered.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use switchboard_actors::domain::text::MessageText;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};

use crate::world::{Habit, HabitAct, Person};

/// The longest time between a message and the act of a person, in seconds of the world's time: thirty days.
const AFTER_MAX: f64 = 2_592_000.0;
/// The largest number of acts of a habit.
const TIMES_MAX: i64 = 1_000_000;

/// The keys of the body.
const KEYS: [&str; 4] = ["do", "after", "text", "times"];

/// A habit as it is ordered: what was written, for people, and what it means.
#[derive(Clone, Debug, Serialize)]
pub(super) struct HabitOrder {
    #[serde(rename = "do")]
    what: &'static str,
    after: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<u32>,
    #[serde(skip)]
    pub(super) habit: Habit,
}

impl HabitOrder {
    /// Reads a body. What is wrong is reported, all of it; then this gives `None`.
    pub(super) fn read(body: &ObjectReader<'_, '_>) -> Option<Self> {
        let body = &body.with_nulls(Nulls::Absent);
        body.refuse_unknown(&KEYS);
        let [answers, reads] = HabitAct::NAMES;
        let what = body.required_choice("do", &[(answers, answers), (reads, reads)]);
        let after = body.required_number("after", 0.0..=AFTER_MAX);
        let times = body.optional_integer("times", 1..=TIMES_MAX);
        let text = text(body, what);
        let (what, after) = (what?, after?);
        let times = times.and_then(|times| times.try_into().ok());
        let act = match &text {
            Some(text) => HabitAct::Answers(text.clone()),
            None => HabitAct::Reads,
        };
        Some(Self {
            what,
            after,
            text,
            times,
            habit: Habit {
                act,
                after: Duration::from_secs_f64(after),
                times,
            },
        })
    }
}

/// The text of a habit that has one. What is wrong is reported.
fn text(body: &ObjectReader<'_, '_>, what: Option<&str>) -> Option<String> {
    let [answers, reads] = HabitAct::NAMES;
    let reject = |code, why: &str| body.reject("text", code, why.to_owned());
    match (what, body.has("text")) {
        (Some(what), true) if what == reads => {
            reject(ViolationCode::InvalidValue, "the habit «reads» has no text");
            return None;
        }
        (Some(what), false) if what == answers => {
            reject(
                ViolationCode::FieldMissing,
                "the habit «answers» needs text",
            );
        }
        (Some(_) | None, _) => {}
    }
    let text = body.optional_parsed::<MessageText>("text");
    text.and(body.optional_string("text")).map(str::to_owned)
}

/// A habit as answers show it; `left` is how often it is kept yet, if not until it is ended.
pub(super) fn shown(who: &Person, habit: &Habit) -> Value {
    let (role, name) = match who {
        Person::Customer(name) => ("customer", name),
        Person::User(name) => ("user", name),
    };
    let mut document = json!({
        role: name,
        "do": habit.act.name(),
        "after": habit.after.as_secs_f64(),
        "left": habit.times,
    });
    if let (HabitAct::Answers(text), Some(fields)) = (&habit.act, document.as_object_mut()) {
        fields.insert("text".to_owned(), text.clone().into());
    }
    document
}
