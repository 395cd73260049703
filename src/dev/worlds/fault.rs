//! What goes wrong in a world on order.

mod kinds;
mod order;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

pub(super) use self::kinds::{AnswerFault, CallbackFault, EngineFault, Fault};
pub(super) use self::order::FaultOrder;
use crate::dev::worlds::refusal::Refusal;

/// How many faults a world has at most.
const FAULTS_MAX: usize = 100;

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
                Fault::Answer(_) | Fault::Media(_) | Fault::Callback(_) => Some(order.times),
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
        json!({ "faults": self.list() })
    }

    /// The faults that may strike yet, as a list.
    pub(super) fn list(&self) -> Vec<Value> {
        let ordered = self.ordered();
        ordered.faults.iter().map(OrderedFault::shown).collect()
    }

    /// Ends all.
    pub(super) fn end(&self) {
        self.ordered().faults.clear();
    }

    /// The fault of this answer, which is used up by it; that of a file is ordered as one of media or of answers.
    pub(super) fn of_answer(&self, what: &str, is_media: bool) -> Option<AnswerFault> {
        let struck = self.strike(what, |fault| match fault {
            Fault::Answer(fault) => Some(fault),
            Fault::Media(fault) => is_media.then_some(fault),
            Fault::Callback(_) | Fault::Engine(_) => None,
        });
        struck.map(|(fault, _)| fault)
    }

    /// The fault of a callback with this body, which is used up by it, and its name.
    pub(super) fn of_callback(&self, body: &str) -> Option<(CallbackFault, String)> {
        self.strike(body, |fault| match fault {
            Fault::Callback(fault) => Some(fault),
            Fault::Answer(_) | Fault::Media(_) | Fault::Engine(_) => None,
        })
    }

    fn strike<F>(&self, text: &str, of: impl Fn(Fault) -> Option<F>) -> Option<(F, String)> {
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
        let fault = of(struck.fault).map(|fault| (fault, struck.what.clone()));
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
    use super::order::KNOWN;
    use super::*;

    fn order(text: &str) -> FaultOrder {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn every_known_fault_can_be_ordered() {
        for (on, known) in KNOWN {
            for (what, _) in known {
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
            (
                r#"{"on":"moon","do":"drop"}"#,
                "answers, media, callbacks, engine",
            ),
            (r#"{"on":"callbacks","do":"explode"}"#, "drop, delay"),
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
        assert_eq!(faults.of_answer("tulips", false), None);
        for _ in 0..2 {
            let struck = faults.of_callback("red tulips").map(|(fault, _)| fault);
            assert_eq!(struck, Some(CallbackFault::Drop));
        }
        assert_eq!(faults.of_callback("red tulips"), None);
        assert_eq!(faults.shown(), json!({ "faults": [] }));
    }
}
