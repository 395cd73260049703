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
/// The longest snooze, in seconds of the world's time: a year.
const SNOOZE_MAX: f64 = 31_536_000.0;
/// The largest number of acts of a habit.
const TIMES_MAX: i64 = 1_000_000;

/// The keys of the body.
const KEYS: [&str; 5] = ["do", "after", "text", "seconds", "times"];

/// A kind of habit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Answers,
    Reads,
    TakesOver,
    Notes,
    Snoozes,
}

impl Kind {
    /// All of them, those that customers have first.
    const ALL: [(&str, Self); 5] = {
        let [answers, reads, takes_over, notes, snoozes] = HabitAct::NAMES;
        [
            (answers, Self::Answers),
            (reads, Self::Reads),
            (takes_over, Self::TakesOver),
            (notes, Self::Notes),
            (snoozes, Self::Snoozes),
        ]
    };
    /// The number of kinds that customers have.
    const OF_CUSTOMERS: usize = 2;

    fn has_text(self) -> bool {
        matches!(self, Self::Answers | Self::Notes)
    }

    fn has_seconds(self) -> bool {
        self == Self::Snoozes
    }
}

/// A habit as it is ordered: what was written, for people, and what it means.
#[derive(Clone, Debug, Serialize)]
pub(super) struct HabitOrder {
    #[serde(rename = "do")]
    what: &'static str,
    after: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<u32>,
    #[serde(skip)]
    pub(super) habit: Habit,
}

impl HabitOrder {
    /// Reads a body. What is wrong is reported, all of it; then this gives `None`.
    pub(super) fn read(role: &str, body: &ObjectReader<'_, '_>) -> Option<Self> {
        let body = &body.with_nulls(Nulls::Absent);
        body.refuse_unknown(&KEYS);
        let count = match role {
            "customers" => Kind::OF_CUSTOMERS,
            _ => Kind::ALL.len(),
        };
        let kind = body.required_choice("do", Kind::ALL.get(..count).unwrap_or_default());
        let after = body.required_number("after", 0.0..=AFTER_MAX);
        let times = body.optional_integer("times", 1..=TIMES_MAX);
        check_part(body, kind, "text", Kind::has_text);
        check_part(body, kind, "seconds", Kind::has_seconds);
        let text = body.optional_parsed::<MessageText>("text");
        let text = text.and(body.optional_string("text")).map(str::to_owned);
        let seconds = body.optional_number("seconds", 1.0..=SNOOZE_MAX);
        let (kind, after) = (kind?, after?);
        let act = act(kind, text.as_deref(), seconds)?;
        let times = times.and_then(|times| times.try_into().ok());
        Some(Self {
            what: act.name(),
            after,
            text,
            seconds,
            times,
            habit: Habit {
                act,
                after: Duration::from_secs_f64(after),
                times,
            },
        })
    }
}

/// Reports a part of a habit that is missing, or that such a habit does not have.
fn check_part(
    body: &ObjectReader<'_, '_>,
    kind: Option<Kind>,
    part: &str,
    has: impl Fn(Kind) -> bool,
) {
    let Some(kind) = kind else { return };
    let names = Kind::ALL.iter().find(|(_, other)| *other == kind);
    let name = names.map_or("", |(name, _)| name);
    match (has(kind), body.has(part)) {
        (true, false) => {
            let why = format!("the habit «{name}» needs {part}");
            body.reject(part, ViolationCode::FieldMissing, why);
        }
        (false, true) => {
            let why = format!("the habit «{name}» has no {part}");
            body.reject(part, ViolationCode::InvalidValue, why);
        }
        (true, true) | (false, false) => {}
    }
}

fn act(kind: Kind, text: Option<&str>, seconds: Option<f64>) -> Option<HabitAct> {
    Some(match kind {
        Kind::Answers => HabitAct::Answers(text?.to_owned()),
        Kind::Reads => HabitAct::Reads,
        Kind::TakesOver => HabitAct::TakesOver,
        Kind::Notes => HabitAct::Notes(text?.to_owned()),
        Kind::Snoozes => HabitAct::Snoozes(Duration::from_secs_f64(seconds?)),
    })
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
    let part = match &habit.act {
        HabitAct::Answers(text) | HabitAct::Notes(text) => Some(("text", json!(text))),
        HabitAct::Snoozes(time) => Some(("seconds", json!(time.as_secs_f64()))),
        HabitAct::Reads | HabitAct::TakesOver => None,
    };
    if let (Some((name, value)), Some(fields)) = (part, document.as_object_mut()) {
        fields.insert(name.to_owned(), value);
    }
    document
}
