//! Orders that add bots, people and faults.

use serde_json::{Value, json};

use super::shown;
use crate::bounds::{BOTS_MAX, NAME_MAX, PEOPLE_MAX, SENT_FILE_MAX};
use crate::clock::Moment;
use crate::orders::{NewBot, OrderError, Problems, Registered};
use crate::state::Machine;
use crate::state::bot::Bot;
use crate::state::buckets::Rates;
use crate::state::faults::{Fault, FaultKind};
use crate::state::people::{Known, Person};

/// The largest id of a person or a bot: 52 bits.
const ID_MAX: i64 = (1 << 52) - 1;
const SECRET_MAX: usize = 64;
const RATE_MAX: i64 = 1_000_000;
/// The longest wait or time of a fault: a year, in seconds.
const FAULT_SECONDS_MAX: i64 = 366 * 86_400;

/// Returns the id of a token, if it has the form of one: the id, a colon and a secret.
pub(crate) fn token_id(token: &str) -> Option<i64> {
    let (id, secret) = token.split_once(':')?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let has_secret = (1..=SECRET_MAX).contains(&secret.len()) && secret.bytes().all(is_plain);
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let id: i64 = id.parse().ok().filter(|_| has_secret && is_number)?;
    (1..=ID_MAX).contains(&id).then_some(id)
}

pub(super) fn check_name(problems: &mut Problems, path: &str, text: Option<&str>) {
    let length = text.map_or(1, str::len);
    if !(1..=NAME_MAX).contains(&length) {
        problems.add(
            path,
            format!("it has {length} bytes: 1 to {NAME_MAX} are possible"),
        );
    }
}

impl Machine {
    pub(crate) fn register(&mut self, order: NewBot, now: Moment) -> Result<Value, OrderError> {
        let mut problems = Problems { errors: Vec::new() };
        check_name(&mut problems, "username", order.username.as_deref());
        check_name(&mut problems, "name", order.name.as_deref());
        let Some(id) = token_id(&order.token) else {
            problems.add(
                "token",
                format!("it is no token: an id, a colon, and 1 to {SECRET_MAX} letters, digits, «_» and «-», as in 42:AAAA"),
            );
            return problems.none(Value::Null);
        };
        if !self.bots.contains_key(&id) && self.bots.len() >= BOTS_MAX {
            problems.add(
                "",
                format!("there are {BOTS_MAX} bots: reset the double first"),
            );
        }
        problems.none(())?;
        let bot = self
            .bots
            .entry(id)
            .or_insert_with(|| Bot::new(id, order.token.clone(), &mut self.chance));
        // A token that is given again replaces the one before, as after a revocation.
        bot.token = order.token;
        bot.queue.expire(now);
        bot.reads_all = order.can_read_all_group_messages;
        bot.username = order.username.unwrap_or_else(|| bot.username.clone());
        bot.name = order.name.unwrap_or_else(|| bot.name.clone());
        shown(Registered {
            id,
            username: bot.username.clone(),
        })
    }

    pub(super) fn add_person(&mut self, mut person: Person) -> Result<Value, OrderError> {
        let mut problems = Problems { errors: Vec::new() };
        check_name(&mut problems, "first_name", Some(&person.first_name));
        check_name(&mut problems, "last_name", person.last_name.as_deref());
        check_name(&mut problems, "username", person.username.as_deref());
        check_name(
            &mut problems,
            "language_code",
            person.language_code.as_deref(),
        );
        let id = person.id.unwrap_or_else(|| self.people.free_id());
        if !(1..=ID_MAX).contains(&id) {
            problems.add("id", format!("{id} is no id: 1 to {ID_MAX} are possible"));
        }
        if person
            .photo_size
            .is_some_and(|size| size == 0 || size > SENT_FILE_MAX)
        {
            problems.add(
                "photo_size",
                format!("1 to {SENT_FILE_MAX} bytes are possible"),
            );
        }
        if !self.people.list.contains_key(&id) && self.people.list.len() >= PEOPLE_MAX {
            problems.add(
                "",
                format!("there are {PEOPLE_MAX} people: reset the double first"),
            );
        }
        problems.none(())?;
        person.id = Some(id);
        let entry = Known {
            person: person.clone(),
            is_deactivated: false,
        };
        self.people.list.insert(id, entry);
        shown(person)
    }

    pub(super) fn set_rates(&mut self, rates: Rates) -> Result<Value, OrderError> {
        let mut problems = Problems { errors: Vec::new() };
        let fields = [
            ("chat_per_second", rates.chat_per_second),
            ("chat_burst", rates.chat_burst),
            ("group_per_minute", rates.group_per_minute),
            ("all_per_second", rates.all_per_second),
        ];
        for (path, rate) in fields {
            if !(0..=RATE_MAX).contains(&rate) {
                problems.add(path, format!("0 to {RATE_MAX} are possible"));
            }
        }
        problems.none(())?;
        self.rates = rates;
        shown(rates)
    }

    pub(super) fn add_fault(&mut self, fault: Fault, now: Moment) -> Result<Value, OrderError> {
        let mut problems = Problems { errors: Vec::new() };
        match &fault.kind {
            FaultKind::Status {
                code, description, ..
            } => {
                if !(400..=599).contains(code) {
                    problems.add("kind/status/code", format!("{code} is none of 400 to 599"));
                }
                check_name(
                    &mut problems,
                    "kind/status/description",
                    description.as_deref(),
                );
            }
            FaultKind::Slow { millis } => {
                if !(0..=FAULT_SECONDS_MAX * 1_000).contains(millis) {
                    problems.add("kind/slow/millis", "0 to a year are possible");
                }
            }
            FaultKind::Closed
            | FaultKind::AnswerLost
            | FaultKind::HalfAnswer
            | FaultKind::FileTooBig
            | FaultKind::FileLinkExpired => {}
        }
        if fault
            .seconds
            .is_some_and(|it| !(1..=FAULT_SECONDS_MAX).contains(&it))
        {
            problems.add("seconds", "1 second to a year are possible");
        }
        if fault.count == Some(0) {
            problems.add("count", "at least one call fails");
        }
        if let Some(method) = &fault.method {
            let lower = method.to_ascii_lowercase();
            let is_known = crate::state::calls::METHODS.contains(&lower.as_str());
            if !is_known && lower != "file" {
                problems.add(
                    "method",
                    format!("{method:?} is no method of the double, nor «file»"),
                );
            }
        }
        if let Some(bot) = fault.bot.filter(|id| !self.bots.contains_key(id)) {
            problems.add("bot", format!("no bot {bot} is registered"));
        }
        problems.none(())?;
        let number = self.faults.add(fault, now);
        let id = number.map_err(|why| OrderError::one("", why))?;
        Ok(json!({"id": id}))
    }
}
