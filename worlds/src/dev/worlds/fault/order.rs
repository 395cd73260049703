//! Faults as they are ordered. Their names stand here and nowhere else.

use std::time::Duration;

use serde::Serialize;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};

use super::kinds::{AnswerFault, CallbackFault, EngineFault, Fault, HookFault, Pacing, WayFault};
use crate::chance::Chance;
use crate::dev::worlds::clock::machine_now;

/// The largest number of strikes of a fault.
const TIMES_MAX: i64 = 1_000_000;
/// The longest delay of something slow, in seconds.
const SLOW_MAX: f64 = 60.0;
/// The longest delay of a callback, a hook or a question, in seconds of the world's time, and the most by which a clock is
/// wrong: a day.
const DELAY_MAX: f64 = 86_400.0;

/// The seed of a fault with probability, unless the order has another one.
const SEED: u64 = 1;

/// The keys of the body.
const KEYS: [&str; 9] = [
    "on",
    "do",
    "times",
    "match",
    "status",
    "retry_after",
    "seconds",
    "probability",
    "seed",
];

/// A fault as it is ordered: what was written, for people, and what it means.
#[derive(Clone, Debug, Serialize)]
pub(in crate::dev::worlds) struct FaultOrder {
    pub(super) on: &'static str,
    #[serde(rename = "do")]
    pub(super) what: &'static str,
    pub(super) times: u32,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub(super) matching: Option<String>,
    #[serde(flatten)]
    details: FaultDetails,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip)]
    pub(super) fault: Fault,
    /// The chance drawn each time before it strikes; `None`: it strikes each time.
    #[serde(skip)]
    pub(super) chance: Option<Chance>,
}

/// The details that some faults need besides their name.
#[derive(Clone, Copy, Debug, Serialize)]
struct FaultDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

/// A body whose fault has this name.
pub(super) struct NamedFault<'r, 'a> {
    body: &'r ObjectReader<'r, 'a>,
    name: &'static str,
    details: FaultDetails,
}

/// A function that reads the fault ordered by such a name; it returns `None` after it has reported the problems.
pub(super) type Meaning = fn(&NamedFault<'_, '_>) -> Option<Fault>;
/// The faults of a place, by name.
pub(super) type Names = &'static [(&'static str, Meaning)];

/// The places where faults strike, each with its names of faults.
pub(super) const KNOWN: [(&str, Names); 7] = [
    ("answers", &ANSWERS),
    ("media", &MEDIA),
    ("oauth", &OAUTH),
    ("callbacks", &CALLBACKS),
    ("hooks", &HOOKS),
    ("questions", &QUESTIONS),
    ("engine", &ENGINE),
];

const ANSWERS: [(&str, Meaning); 13] = [
    ("status", |it| {
        Some(Fault::Answer(AnswerFault::Status(it.status()?)))
    }),
    ("rate_limited", |it| {
        let seconds = it.details.retry_after.unwrap_or(1);
        Some(Fault::Answer(AnswerFault::RateLimited(seconds)))
    }),
    ("token_expired", |it| {
        let first = match it.details.seconds {
            Some(_) => machine_now().plus(it.seconds(SLOW_MAX)?),
            None => UnixMillis::ZERO,
        };
        Some(Fault::Answer(AnswerFault::TokenExpired(first)))
    }),
    ("account_unpaid", |_| {
        Some(Fault::Answer(AnswerFault::AccountUnpaid))
    }),
    ("over_chat_limit", |_| {
        Some(Fault::Answer(AnswerFault::OverChatLimit))
    }),
    ("bad_gateway_html", |_| {
        Some(Fault::Answer(AnswerFault::BadGatewayHtml))
    }),
    ("ip_blocked_html", |_| {
        Some(Fault::Answer(AnswerFault::IpBlockedHtml))
    }),
    ("slow", |it| {
        Some(Fault::Answer(AnswerFault::Slow(it.seconds(SLOW_MAX)?)))
    }),
    ("truncated", |_| Some(Fault::Answer(AnswerFault::Truncated))),
    ("clock_ahead", |it| {
        let by = it.seconds(DELAY_MAX)?;
        Some(Fault::Answer(AnswerFault::ClockAhead(by)))
    }),
    ("clock_behind", |it| {
        let by = it.seconds(DELAY_MAX)?;
        Some(Fault::Answer(AnswerFault::ClockBehind(by)))
    }),
    ("lost_before_commit", |_| {
        Some(Fault::Answer(AnswerFault::LostBeforeCommit))
    }),
    ("lost_after_commit", |_| {
        Some(Fault::Answer(AnswerFault::LostAfterCommit))
    }),
];

const MEDIA: [(&str, Meaning); 4] = [
    ("status", |it| {
        Some(Fault::Media(AnswerFault::Status(it.status()?)))
    }),
    ("slow", |it| {
        Some(Fault::Media(AnswerFault::Slow(it.seconds(SLOW_MAX)?)))
    }),
    ("truncated", |_| Some(Fault::Media(AnswerFault::Truncated))),
    ("wrong_type", |_| Some(Fault::Media(AnswerFault::WrongType))),
];

const OAUTH: [(&str, Meaning); 2] = [
    ("revoked", |_| Some(Fault::Oauth(AnswerFault::Revoked))),
    ("refresh_race", |_| {
        Some(Fault::Oauth(AnswerFault::RefreshRace))
    }),
];

const CALLBACKS: [(&str, Meaning); 15] = [
    ("status", |it| callback(WayFault::Status(it.status()?))),
    ("drop", |_| callback(WayFault::Drop)),
    ("delay", |it| {
        callback(WayFault::Delay(it.seconds(DELAY_MAX)?))
    }),
    ("reorder", |_| callback(WayFault::Reorder)),
    ("answer_lost", |_| callback(WayFault::AnswerLost)),
    ("duplicate", |_| callback(WayFault::Duplicate)),
    ("twice_at_once", |_| callback(WayFault::TwiceAtOnce)),
    ("bad_signature", |_| {
        Some(Fault::Callback(CallbackFault::BadSignature))
    }),
    ("old_secret", |_| {
        Some(Fault::Callback(CallbackFault::OldSecret))
    }),
    ("other_scope", |_| {
        Some(Fault::Callback(CallbackFault::OtherScope))
    }),
    ("unknown_field", |_| {
        Some(Fault::Callback(CallbackFault::UnknownField))
    }),
    ("unknown_type", |_| {
        Some(Fault::Callback(CallbackFault::UnknownType))
    }),
    ("huge", |_| Some(Fault::Callback(CallbackFault::Huge))),
    ("split", |_| {
        Some(Fault::Callback(CallbackFault::Paced(Pacing::Split)))
    }),
    ("drip", |it| {
        let over = it.seconds(SLOW_MAX)?;
        Some(Fault::Callback(CallbackFault::Paced(Pacing::Drip(over))))
    }),
];

const HOOKS: [(&str, Meaning); 8] = [
    ("status", |it| hook(WayFault::Status(it.status()?))),
    ("drop", |_| hook(WayFault::Drop)),
    ("late", |it| hook(WayFault::Delay(it.seconds(DELAY_MAX)?))),
    ("reordered", |_| hook(WayFault::Reorder)),
    ("answer_lost", |_| hook(WayFault::AnswerLost)),
    ("duplicate", |_| hook(WayFault::Duplicate)),
    ("twice_at_once", |_| hook(WayFault::TwiceAtOnce)),
    ("other_account", |_| {
        Some(Fault::Hook(HookFault::OtherAccount))
    }),
];

const QUESTIONS: [(&str, Meaning); 6] = [
    ("status", |it| question(WayFault::Status(it.status()?))),
    ("drop", |_| question(WayFault::Drop)),
    ("late", |it| {
        question(WayFault::Delay(it.seconds(DELAY_MAX)?))
    }),
    ("answer_lost", |_| question(WayFault::AnswerLost)),
    ("duplicate", |_| question(WayFault::Duplicate)),
    ("twice_at_once", |_| question(WayFault::TwiceAtOnce)),
];

const ENGINE: [(&str, Meaning); 3] = [
    ("disk_full", |_| Some(Fault::Engine(EngineFault::DiskFull))),
    ("power_cut", |_| Some(Fault::Engine(EngineFault::PowerCut))),
    ("slow_sync", |it| {
        Some(Fault::Engine(EngineFault::SlowSync(it.seconds(SLOW_MAX)?)))
    }),
];

fn callback(fault: WayFault) -> Option<Fault> {
    Some(Fault::Callback(CallbackFault::Way(fault)))
}

fn hook(fault: WayFault) -> Option<Fault> {
    Some(Fault::Hook(HookFault::Way(fault)))
}

fn question(fault: WayFault) -> Option<Fault> {
    Some(Fault::Question(fault))
}

impl FaultOrder {
    /// Reads a body. What is wrong is reported, all of it; then this gives `None`.
    pub(in crate::dev::worlds) fn read(body: &ObjectReader<'_, '_>) -> Option<Self> {
        let body = &body.with_nulls(Nulls::Absent);
        body.refuse_unknown(&KEYS);
        let names = body.required_choice("on", &KNOWN.map(|(on, names)| (on, (on, names))));
        let times = body.optional_integer("times", 1..=TIMES_MAX);
        let matching = body.optional_string("match").map(str::to_owned);
        let details = FaultDetails::read(body);
        let probability = body.optional_number("probability", f64::MIN..=f64::MAX);
        let seed = body.optional_integer("seed", 0..=i64::MAX);
        let meant = names.and_then(|(on, names)| Some((on, meant(body, names, details)?)));
        let Some((on, (what, fault))) = meant else {
            // The probability of whatever is meant.
            chance(body, probability, seed, None);
            return None;
        };
        Some(Self {
            on,
            what,
            times: times.and_then(|it| it.try_into().ok()).unwrap_or(1),
            matching,
            details,
            probability,
            seed: seed.and_then(|seed| seed.try_into().ok()),
            fault,
            chance: chance(body, probability, seed, Some(fault)),
        })
    }
}

/// The name of the fault and what it means.
fn meant(
    body: &ObjectReader<'_, '_>,
    names: Names,
    details: FaultDetails,
) -> Option<(&'static str, Fault)> {
    let names: Vec<_> = names.iter().map(|known| (known.0, *known)).collect();
    let (name, meaning) = body.required_choice("do", &names)?;
    let named_fault = NamedFault {
        body,
        name,
        details,
    };
    Some((name, meaning(&named_fault)?))
}

/// Returns the chance drawn before the fault strikes, after it has reported the problems.
fn chance(
    body: &ObjectReader<'_, '_>,
    probability: Option<f64>,
    seed: Option<i64>,
    fault: Option<Fault>,
) -> Option<Chance> {
    let reject = |key: &str, why: String| body.reject(key, ViolationCode::InvalidValue, why);
    let Some(probability) = probability else {
        if seed.is_some() && !body.has("probability") {
            let why = "selects when a fault with probability strikes; give probability, too";
            reject("seed", why.to_owned());
        }
        return None;
    };
    if matches!(fault, Some(Fault::Engine(_))) {
        let why = "a fault on engine happens when it is ordered: it has no probability";
        reject("probability", why.to_owned());
    }
    let seed = seed.and_then(|seed| seed.try_into().ok()).unwrap_or(SEED);
    let chance = Chance::new(probability, seed);
    if chance.is_none() {
        let why = format!("is more than 0 and at most 1, not {probability}");
        reject("probability", why);
    }
    chance
}

impl FaultDetails {
    fn read(body: &ObjectReader<'_, '_>) -> Self {
        let status = body.optional_integer("status", 200..=599);
        let retry_after = body.optional_integer("retry_after", 0..=i64::from(u32::MAX));
        Self {
            status: status.and_then(|status| status.try_into().ok()),
            retry_after: retry_after.and_then(|it| it.try_into().ok()),
            seconds: body.optional_number("seconds", 0.0..=DELAY_MAX),
        }
    }
}

impl NamedFault<'_, '_> {
    fn status(&self) -> Option<u16> {
        self.needed("status", self.details.status, "200 to 599")
    }

    fn seconds(&self, most: f64) -> Option<Duration> {
        let range = format!("0 to {most}");
        let seconds = self.needed("seconds", self.details.seconds, &range)?;
        if seconds > most {
            let why = format!(
                "expected a number from {range} with the fault «{}»",
                self.name
            );
            self.body
                .reject("seconds", ViolationCode::InvalidValue, why);
            return None;
        }
        Some(Duration::from_secs_f64(seconds))
    }

    /// A detail that the fault cannot do without.
    fn needed<T>(&self, key: &str, value: Option<T>, range: &str) -> Option<T> {
        // One of another form was reported.
        if !self.body.has(key) {
            let why = format!("the fault «{}» needs it, from {range}", self.name);
            self.body.reject(key, ViolationCode::FieldMissing, why);
        }
        value
    }
}
