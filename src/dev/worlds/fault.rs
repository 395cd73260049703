//! What goes wrong in a world on order.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::dev::worlds::refusal::Refusal;

/// How often a fault may strike at most.
const TIMES_MAX: u32 = 1_000_000;
/// How many faults a world has at most.
const FAULTS_MAX: usize = 100;
/// How late writes may begin at most, in seconds.
const SLOW_MAX: f64 = 60.0;

/// A fault as it is ordered.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultOrder {
    on: String,
    #[serde(rename = "do")]
    what: String,
    #[serde(default = "once")]
    times: u32,
    #[serde(rename = "match", default)]
    matching: Option<String>,
    #[serde(default)]
    status: Option<u16>,
    #[serde(default)]
    retry_after: Option<u32>,
    #[serde(default)]
    seconds: Option<f64>,
}

fn once() -> u32 {
    1
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    Answer(AnswerFault),
    Callback(CallbackFault),
    Engine(EngineFault),
}

/// What happens to an answer of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerFault {
    Status(u16),
    RateLimited(u32),
    BadGatewayHtml,
    Truncated,
    LostBeforeCommit,
    LostAfterCommit,
}

/// What happens to a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallbackFault {
    Status(u16),
    Drop,
    AnswerLost,
    Duplicate,
    BadSignature,
    UnknownField,
}

impl CallbackFault {
    /// As it is ordered.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Status(_) => "status",
            Self::Drop => "drop",
            Self::AnswerLost => "answer_lost",
            Self::Duplicate => "duplicate",
            Self::BadSignature => "bad_signature",
            Self::UnknownField => "unknown_field",
        }
    }
}

/// What happens to the disk or the power of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum EngineFault {
    DiskFull,
    PowerCut,
    SlowSync(Duration),
}

/// Where faults strike, and the faults that there are.
const KNOWN: [(&str, &[&str]); 3] = [
    (
        "answers",
        &[
            "status",
            "rate_limited",
            "bad_gateway_html",
            "truncated",
            "lost_before_commit",
            "lost_after_commit",
        ],
    ),
    (
        "callbacks",
        &[
            "status",
            "drop",
            "answer_lost",
            "duplicate",
            "bad_signature",
            "unknown_field",
        ],
    ),
    ("engine", &["disk_full", "power_cut", "slow_sync"]),
];

impl FaultOrder {
    /// What it orders.
    ///
    /// # Errors
    /// What is wrong, with what there is.
    fn fault(&self) -> Result<Fault, Refusal> {
        let places = || KNOWN.map(|(on, _)| on).join(", ");
        let (_, known) = KNOWN.iter().find(|(on, _)| *on == self.on).ok_or_else(|| {
            Refusal::wrong(format!(
                "no faults on «{}»; there are: {}",
                self.on,
                places()
            ))
        })?;
        if !(1..=TIMES_MAX).contains(&self.times) {
            return Err(Refusal::wrong(format!("times is from 1 to {TIMES_MAX}")));
        }
        Ok(match (self.on.as_str(), self.what.as_str()) {
            ("answers", "status") => Fault::Answer(AnswerFault::Status(self.status()?)),
            ("answers", "rate_limited") => {
                Fault::Answer(AnswerFault::RateLimited(self.retry_after.unwrap_or(1)))
            }
            ("answers", "bad_gateway_html") => Fault::Answer(AnswerFault::BadGatewayHtml),
            ("answers", "truncated") => Fault::Answer(AnswerFault::Truncated),
            ("answers", "lost_before_commit") => Fault::Answer(AnswerFault::LostBeforeCommit),
            ("answers", "lost_after_commit") => Fault::Answer(AnswerFault::LostAfterCommit),
            ("callbacks", "status") => Fault::Callback(CallbackFault::Status(self.status()?)),
            ("callbacks", "drop") => Fault::Callback(CallbackFault::Drop),
            ("callbacks", "answer_lost") => Fault::Callback(CallbackFault::AnswerLost),
            ("callbacks", "duplicate") => Fault::Callback(CallbackFault::Duplicate),
            ("callbacks", "bad_signature") => Fault::Callback(CallbackFault::BadSignature),
            ("callbacks", "unknown_field") => Fault::Callback(CallbackFault::UnknownField),
            ("engine", "disk_full") => Fault::Engine(EngineFault::DiskFull),
            ("engine", "power_cut") => Fault::Engine(EngineFault::PowerCut),
            ("engine", "slow_sync") => Fault::Engine(EngineFault::SlowSync(self.slow()?)),
            (on, what) => {
                let known = known.join(", ");
                let why = format!("{on} have no fault «{what}»; there are: {known}");
                return Err(Refusal::wrong(why));
            }
        })
    }

    fn status(&self) -> Result<u16, Refusal> {
        self.status
            .filter(|status| (200..=599).contains(status))
            .ok_or_else(|| Refusal::wrong("the fault «status» needs status, from 200 to 599"))
    }

    fn slow(&self) -> Result<Duration, Refusal> {
        let seconds = self.seconds.filter(|it| (0.0..=SLOW_MAX).contains(it));
        seconds.map(Duration::from_secs_f64).ok_or_else(|| {
            Refusal::wrong(format!(
                "the fault «slow_sync» needs seconds, from 0 to {SLOW_MAX}"
            ))
        })
    }
}

/// The faults of a world. Clones are the same faults.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(Arc<Mutex<Ordered>>);

#[derive(Debug, Default)]
struct Ordered {
    faults: Vec<OrderedFault>,
    last: u64,
}

#[derive(Clone, Debug)]
struct OrderedFault {
    id: u64,
    on: String,
    what: String,
    matching: Option<String>,
    fault: Fault,
    /// How often it strikes yet; `None`: it lasts until all faults are ended.
    left: Option<u32>,
}

impl Faults {
    /// Takes an order; gives what it orders, and the fault as answers show it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn order(&self, order: &FaultOrder) -> Result<(Fault, Value), Refusal> {
        let fault = order.fault()?;
        let mut ordered = self.ordered();
        if ordered.faults.len() >= FAULTS_MAX {
            let why = format!("a world has {FAULTS_MAX} faults at most; end them first");
            return Err(Refusal::wrong(why));
        }
        ordered.last = ordered.last.saturating_add(1);
        let ordered_fault = OrderedFault {
            id: ordered.last,
            on: order.on.clone(),
            what: order.what.clone(),
            matching: order.matching.clone(),
            fault,
            left: match fault {
                Fault::Engine(EngineFault::PowerCut) => Some(0),
                Fault::Engine(_) => None,
                Fault::Answer(_) | Fault::Callback(_) => Some(order.times),
            },
        };
        let shown = ordered_fault.shown();
        if ordered_fault.left != Some(0) {
            ordered.faults.push(ordered_fault);
        }
        Ok((fault, shown))
    }

    /// The faults that may strike yet.
    pub(super) fn shown(&self) -> Value {
        let faults: Vec<_> = self
            .ordered()
            .faults
            .iter()
            .map(OrderedFault::shown)
            .collect();
        json!({ "faults": faults })
    }

    /// Ends all.
    pub(super) fn end(&self) {
        self.ordered().faults.clear();
    }

    /// The fault of this answer, which is used up by it.
    pub(super) fn of_answer(&self, what: &str) -> Option<AnswerFault> {
        self.strike(what, |fault| match fault {
            Fault::Answer(fault) => Some(fault),
            Fault::Callback(_) | Fault::Engine(_) => None,
        })
    }

    /// The fault of a callback with this body, which is used up by it.
    pub(super) fn of_callback(&self, body: &str) -> Option<CallbackFault> {
        self.strike(body, |fault| match fault {
            Fault::Callback(fault) => Some(fault),
            Fault::Answer(_) | Fault::Engine(_) => None,
        })
    }

    fn strike<F>(&self, text: &str, of: impl Fn(Fault) -> Option<F>) -> Option<F> {
        let mut ordered = self.ordered();
        let matches = |it: &OrderedFault| {
            let matching = it.matching.as_deref();
            matching.is_none_or(|matching| text.contains(matching))
        };
        let place = ordered
            .faults
            .iter()
            .position(|it| matches(it) && of(it.fault).is_some())?;
        let struck = ordered.faults.get_mut(place)?;
        let fault = of(struck.fault);
        struck.left = struck.left.map(|left| left.saturating_sub(1));
        if struck.left == Some(0) {
            ordered.faults.remove(place);
        }
        fault
    }

    fn ordered(&self) -> MutexGuard<'_, Ordered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OrderedFault {
    fn shown(&self) -> Value {
        json!({
            "id": self.id,
            "on": self.on,
            "do": self.what,
            "match": self.matching,
            "left": self.left,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(text: &str) -> FaultOrder {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn every_known_fault_can_be_ordered() {
        for (on, known) in KNOWN {
            for what in known {
                let order = order(&format!(
                    "{{\"on\":\"{on}\",\"do\":\"{what}\",\"status\":503,\"seconds\":0.5}}"
                ));
                Faults::default().order(&order).unwrap();
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_what_there_is() {
        for (text, words) in [
            (r#"{"on":"moon","do":"drop"}"#, "answers, callbacks, engine"),
            (r#"{"on":"callbacks","do":"explode"}"#, "drop, answer_lost"),
            (r#"{"on":"callbacks","do":"status"}"#, "200 to 599"),
            (r#"{"on":"callbacks","do":"drop","times":0}"#, "from 1"),
            (
                r#"{"on":"engine","do":"slow_sync","seconds":-1}"#,
                "from 0 to 60",
            ),
        ] {
            let refusal = Faults::default().order(&order(text)).unwrap_err();
            assert!(refusal.detail.contains(words), "{refusal:?}");
        }
    }

    #[test]
    fn a_fault_strikes_what_it_matches_as_often_as_ordered() {
        let faults = Faults::default();
        let twice = order(r#"{"on":"callbacks","do":"drop","times":2,"match":"tulips"}"#);
        faults.order(&twice).unwrap();
        assert_eq!(faults.of_callback("roses"), None);
        assert_eq!(faults.of_answer("tulips"), None);
        for _ in 0..2 {
            assert_eq!(faults.of_callback("red tulips"), Some(CallbackFault::Drop));
        }
        assert_eq!(faults.of_callback("red tulips"), None);
        assert_eq!(faults.shown(), json!({ "faults": [] }));
    }
}
