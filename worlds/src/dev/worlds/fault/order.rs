//! Faults as they are ordered. Their names stand here and nowhere else.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::kinds::{AnswerFault, CallbackFault, EngineFault, Fault, Pacing};
use crate::chance::Chance;
use crate::dev::worlds::refusal::Refusal;

/// How often a fault may strike at most.
const TIMES_MAX: u32 = 1_000_000;
/// How long what is slow may take at most, in seconds.
const SLOW_MAX: f64 = 60.0;
/// How late a callback may arrive at most, in seconds of the world's time: a day.
const DELAY_MAX: f64 = 86_400.0;

/// The seed of a fault with probability, unless the order has another one.
const SEED: u64 = 1;

/// A fault as it is ordered.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::dev::worlds) struct FaultOrder {
    pub(super) on: String,
    #[serde(rename = "do")]
    pub(super) what: String,
    #[serde(default = "once")]
    pub(super) times: u32,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub(super) matching: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

fn once() -> u32 {
    1
}

/// What an order with such a name means.
type Meaning = fn(&FaultOrder) -> Result<Fault, Refusal>;
/// The faults of a place, by name.
type Names = &'static [(&'static str, Meaning)];

/// Where faults strike, and the faults that there are.
pub(super) const KNOWN: [(&str, Names); 5] = [
    ("answers", &ANSWERS),
    ("media", &MEDIA),
    ("oauth", &OAUTH),
    ("callbacks", &CALLBACKS),
    ("engine", &ENGINE),
];

const ANSWERS: [(&str, Meaning); 10] = [
    ("status", |it| {
        Ok(Fault::Answer(AnswerFault::Status(it.status()?)))
    }),
    ("rate_limited", |it| {
        let seconds = it.retry_after.unwrap_or(1);
        Ok(Fault::Answer(AnswerFault::RateLimited(seconds)))
    }),
    ("token_expired", |_| {
        Ok(Fault::Answer(AnswerFault::TokenExpired))
    }),
    ("account_unpaid", |_| {
        Ok(Fault::Answer(AnswerFault::AccountUnpaid))
    }),
    ("bad_gateway_html", |_| {
        Ok(Fault::Answer(AnswerFault::BadGatewayHtml))
    }),
    ("ip_blocked_html", |_| {
        Ok(Fault::Answer(AnswerFault::IpBlockedHtml))
    }),
    ("slow", |it| {
        Ok(Fault::Answer(AnswerFault::Slow(it.seconds(SLOW_MAX)?)))
    }),
    ("truncated", |_| Ok(Fault::Answer(AnswerFault::Truncated))),
    ("lost_before_commit", |_| {
        Ok(Fault::Answer(AnswerFault::LostBeforeCommit))
    }),
    ("lost_after_commit", |_| {
        Ok(Fault::Answer(AnswerFault::LostAfterCommit))
    }),
];

const MEDIA: [(&str, Meaning); 4] = [
    ("status", |it| {
        Ok(Fault::Media(AnswerFault::Status(it.status()?)))
    }),
    ("slow", |it| {
        Ok(Fault::Media(AnswerFault::Slow(it.seconds(SLOW_MAX)?)))
    }),
    ("truncated", |_| Ok(Fault::Media(AnswerFault::Truncated))),
    ("wrong_type", |_| Ok(Fault::Media(AnswerFault::WrongType))),
];

const OAUTH: [(&str, Meaning); 2] = [
    ("revoked", |_| Ok(Fault::Oauth(AnswerFault::Revoked))),
    ("refresh_race", |_| {
        Ok(Fault::Oauth(AnswerFault::RefreshRace))
    }),
];

const CALLBACKS: [(&str, Meaning); 15] = [
    ("status", |it| {
        Ok(Fault::Callback(CallbackFault::Status(it.status()?)))
    }),
    ("drop", |_| Ok(Fault::Callback(CallbackFault::Drop))),
    ("delay", |it| {
        Ok(Fault::Callback(CallbackFault::Delay(
            it.seconds(DELAY_MAX)?,
        )))
    }),
    ("reorder", |_| Ok(Fault::Callback(CallbackFault::Reorder))),
    ("answer_lost", |_| {
        Ok(Fault::Callback(CallbackFault::AnswerLost))
    }),
    ("duplicate", |_| {
        Ok(Fault::Callback(CallbackFault::Duplicate))
    }),
    ("twice_at_once", |_| {
        Ok(Fault::Callback(CallbackFault::TwiceAtOnce))
    }),
    ("bad_signature", |_| {
        Ok(Fault::Callback(CallbackFault::BadSignature))
    }),
    ("old_secret", |_| {
        Ok(Fault::Callback(CallbackFault::OldSecret))
    }),
    ("other_scope", |_| {
        Ok(Fault::Callback(CallbackFault::OtherScope))
    }),
    ("unknown_field", |_| {
        Ok(Fault::Callback(CallbackFault::UnknownField))
    }),
    ("unknown_type", |_| {
        Ok(Fault::Callback(CallbackFault::UnknownType))
    }),
    ("huge", |_| Ok(Fault::Callback(CallbackFault::Huge))),
    ("split", |_| {
        Ok(Fault::Callback(CallbackFault::Paced(Pacing::Split)))
    }),
    ("drip", |it| {
        let over = it.seconds(SLOW_MAX)?;
        Ok(Fault::Callback(CallbackFault::Paced(Pacing::Drip(over))))
    }),
];

const ENGINE: [(&str, Meaning); 3] = [
    ("disk_full", |_| Ok(Fault::Engine(EngineFault::DiskFull))),
    ("power_cut", |_| Ok(Fault::Engine(EngineFault::PowerCut))),
    ("slow_sync", |it| {
        Ok(Fault::Engine(EngineFault::SlowSync(it.seconds(SLOW_MAX)?)))
    }),
];

impl FaultOrder {
    /// What it orders.
    ///
    /// # Errors
    /// What is wrong, with what there is.
    pub(super) fn fault(&self) -> Result<Fault, Refusal> {
        let on = &self.on;
        let known = KNOWN.iter().find(|(place, _)| place == on);
        let (_, known) = known.ok_or_else(|| {
            let places = KNOWN.map(|(place, _)| place).join(", ");
            Refusal::wrong(format!("no faults on «{on}»; there are: {places}"))
        })?;
        if !(1..=TIMES_MAX).contains(&self.times) {
            return Err(Refusal::wrong(format!("times is from 1 to {TIMES_MAX}")));
        }
        let meant = known.iter().find(|(name, _)| *name == self.what);
        let (_, meaning) = meant.ok_or_else(|| {
            let (what, names) = (&self.what, known.iter().map(|(name, _)| *name));
            let known = names.collect::<Vec<_>>().join(", ");
            Refusal::wrong(format!("{on} have no fault «{what}»; there are: {known}"))
        })?;
        meaning(self)
    }

    /// What is drawn each time before it strikes; `None`: it strikes each time.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub(super) fn chance(&self, fault: Fault) -> Result<Option<Chance>, Refusal> {
        let Some(probability) = self.probability else {
            return match self.seed {
                Some(_) => Err(Refusal::wrong(
                    "seed selects when a fault with probability strikes; give probability, too",
                )),
                None => Ok(None),
            };
        };
        if matches!(fault, Fault::Engine(_)) {
            let why = "a fault on engine happens when it is ordered: it has no probability";
            return Err(Refusal::wrong(why));
        }
        let chance = Chance::new(probability, self.seed.unwrap_or(SEED));
        chance.map(Some).ok_or_else(|| {
            Refusal::wrong(format!(
                "probability is more than 0 and at most 1, not {probability}"
            ))
        })
    }

    fn status(&self) -> Result<u16, Refusal> {
        self.status
            .filter(|status| (200..=599).contains(status))
            .ok_or_else(|| Refusal::wrong("the fault «status» needs status, from 200 to 599"))
    }

    fn seconds(&self, most: f64) -> Result<Duration, Refusal> {
        let seconds = self.seconds.filter(|it| (0.0..=most).contains(it));
        seconds.map(Duration::from_secs_f64).ok_or_else(|| {
            let what = &self.what;
            Refusal::wrong(format!(
                "the fault «{what}» needs seconds, from 0 to {most}"
            ))
        })
    }
}
