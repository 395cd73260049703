//! Faults that a world has on order.

mod kinds;
mod order;
mod sent;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::dev::worlds::error::DevError;

pub(super) use self::kinds::{
    AnswerFault, CallbackFault, EngineFault, Fault, HookFault, Pacing, WayFault,
};
pub(super) use self::order::FaultOrder;
use self::sent::SentToken;

/// The largest number of faults in a world.
const FAULTS_MAX: usize = 100;

/// The faults of a world. Clones are the same faults.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(Arc<Mutex<FaultTable>>);

#[derive(Debug, Default)]
struct FaultTable {
    faults: Vec<OrderedFault>,
    last: u64,
}

#[derive(Clone, Debug)]
struct OrderedFault {
    id: u64,
    on: &'static str,
    what: &'static str,
    matching: Option<String>,
    fault: Fault,
    probability: Option<f64>,
    /// The chance drawn each time before it strikes.
    chance: Option<Chance>,
    /// The number of strikes that remain; `None`: it lasts until all faults are ended.
    left: Option<u32>,
    /// The credential that it has struck first, for a fault that strikes no other.
    credential: Option<Credential>,
}

/// A fingerprint of the header `Authorization` of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Credential(u64);

impl Credential {
    fn new(authorization: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        authorization.hash(&mut hasher);
        Self(hasher.finish())
    }
}

impl Faults {
    /// Takes an order; gives what it orders, and the fault as answers show it. Whether callbacks go out to a program is known
    /// to the caller.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn order(
        &self,
        order: &FaultOrder,
        goes_out: bool,
    ) -> Result<(Fault, Value), DevError> {
        let fault = order.fault;
        if fault.needs_socket() && !goes_out {
            let why = format!(
                "the fault «{}» strikes what is sent to a program, and the receiver in memory has no socket: set a webhook first",
                order.what
            );
            return Err(DevError::wrong(why));
        }
        let mut list = self.lock();
        if list.faults.len() >= FAULTS_MAX {
            let why = format!("a world has {FAULTS_MAX} faults at most; end them first");
            return Err(DevError::wrong(why));
        }
        list.last = list.last.saturating_add(1);
        let ordered_fault = OrderedFault {
            id: list.last,
            on: order.on,
            what: order.what,
            matching: order.matching.clone(),
            fault,
            probability: order.probability,
            chance: order.chance.clone(),
            left: match fault {
                Fault::Engine(EngineFault::PowerCut) => Some(0),
                Fault::Engine(_) => None,
                Fault::Answer(_)
                | Fault::Media(_)
                | Fault::Oauth(_)
                | Fault::Callback(_)
                | Fault::Hook(_)
                | Fault::Question(_) => Some(order.times),
            },
            credential: None,
        };
        let document = ordered_fault.shown();
        if ordered_fault.left != Some(0) {
            list.faults.push(ordered_fault);
        }
        Ok((fault, document))
    }

    /// The faults that may strike yet.
    pub(super) fn shown(&self) -> Value {
        json!({ "faults": self.list() })
    }

    /// The faults that may strike yet, as a list.
    pub(super) fn list(&self) -> Vec<Value> {
        let list = self.lock();
        list.faults.iter().map(OrderedFault::shown).collect()
    }

    /// Ends all.
    pub(super) fn end(&self) {
        self.lock().faults.clear();
    }

    /// The fault of the answer to this request, which is used up by it; that of a file is ordered as one of media or of
    /// answers, and that of a request with a token as one of OAuth or of answers.
    pub(super) fn of_answer(
        &self,
        what: &str,
        is_media: bool,
        authorization: Option<&str>,
        body: &[u8],
    ) -> Option<AnswerFault> {
        let token = SentToken::find(what, authorization, body);
        let credential = authorization.map(Credential::new);
        let has = |matching: &str| match matching.strip_suffix('$') {
            Some(end) => what.ends_with(end),
            None => what.contains(matching),
        };
        let struck = self.strike(has, credential, |fault| match fault {
            Fault::Answer(fault) => Some(fault),
            Fault::Media(fault) => is_media.then_some(fault),
            Fault::Oauth(AnswerFault::RefreshRace) => {
                (token == Some(SentToken::Refresh)).then_some(AnswerFault::RefreshRace)
            }
            Fault::Oauth(fault) => token.is_some().then_some(fault),
            Fault::Callback(_) | Fault::Hook(_) | Fault::Question(_) | Fault::Engine(_) => None,
        });
        struck.map(|(fault, _)| fault)
    }

    /// The fault of a callback with this body, which is used up by it, and its name.
    pub(super) fn of_callback(&self, body: &str) -> Option<(CallbackFault, String)> {
        let has = |matching: &str| body.contains(matching);
        self.strike(has, None, |fault| match fault {
            Fault::Callback(fault) => Some(fault),
            Fault::Answer(_)
            | Fault::Media(_)
            | Fault::Oauth(_)
            | Fault::Hook(_)
            | Fault::Question(_)
            | Fault::Engine(_) => None,
        })
    }

    /// The fault of a hook, which is used up by it, and its name; `has` returns whether the hook has a text.
    pub(super) fn of_hook(&self, has: impl Fn(&str) -> bool) -> Option<(HookFault, String)> {
        self.strike(has, None, |fault| match fault {
            Fault::Hook(fault) => Some(fault),
            Fault::Answer(_)
            | Fault::Media(_)
            | Fault::Oauth(_)
            | Fault::Callback(_)
            | Fault::Question(_)
            | Fault::Engine(_) => None,
        })
    }

    /// The fault of a question with this body, which is used up by it, and its name.
    pub(super) fn of_question(&self, body: &str) -> Option<(WayFault, String)> {
        let has = |matching: &str| body.contains(matching);
        self.strike(has, None, |fault| match fault {
            Fault::Question(fault) => Some(fault),
            Fault::Answer(_)
            | Fault::Media(_)
            | Fault::Oauth(_)
            | Fault::Callback(_)
            | Fault::Hook(_)
            | Fault::Engine(_) => None,
        })
    }

    fn strike<F>(
        &self,
        has: impl Fn(&str) -> bool,
        credential: Option<Credential>,
        of: impl Fn(Fault) -> Option<F>,
    ) -> Option<(F, String)> {
        let mut list = self.lock();
        let matches = |it: &OrderedFault| {
            let is_same = it.credential.is_none() || it.credential == credential;
            is_same && it.matching.as_deref().is_none_or(&has)
        };
        // One that does not strike this time lets the next one strike.
        let place = list
            .faults
            .iter_mut()
            .position(|it| matches(it) && of(it.fault).is_some() && it.strikes())?;
        let struck = list.faults.get_mut(place)?;
        let fault = of(struck.fault).map(|fault| (fault, struck.what.to_owned()));
        struck.left = struck.left.map(|left| left.saturating_sub(1));
        if struck.fault.strikes_one_credential() {
            struck.credential = credential;
        }
        if struck.left == Some(0) {
            list.faults.remove(place);
        }
        fault
    }

    fn lock(&self) -> MutexGuard<'_, FaultTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OrderedFault {
    fn strikes(&mut self) -> bool {
        self.chance.as_mut().is_none_or(Chance::strikes)
    }

    fn shown(&self) -> Value {
        json!({
            "id": self.id,
            "on": self.on,
            "do": self.what,
            "match": self.matching,
            "probability": self.probability,
            "left": self.left,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::order::KNOWN;
    use super::*;

    use crate::dev::worlds::clock::machine_now;
    use switchboard_actors::domain::time::UnixMillis;
    use switchboard_actors::wire::json::object::Nulls;
    use switchboard_actors::wire::json::{self, BodyError};

    fn read(text: &str) -> Result<FaultOrder, BodyError> {
        json::read(text.as_bytes(), Nulls::Refused, FaultOrder::read)
    }

    fn order(text: &str) -> FaultOrder {
        read(text).unwrap()
    }

    #[test]
    fn every_known_fault_can_be_ordered() {
        for (on, known) in KNOWN {
            for (what, _) in known {
                let order = order(&format!(
                    "{{\"on\":\"{on}\",\"do\":\"{what}\",\"status\":503,\"seconds\":0.5}}"
                ));
                Faults::default().order(&order, true).unwrap();
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_path() {
        for (text, expected) in [
            (
                r#"{"on":"moon","do":"drop"}"#,
                "on: expected one of answers, media, oauth, callbacks, hooks, questions, engine",
            ),
            (
                r#"{"on":"callbacks","do":"dorp"}"#,
                "do: expected one of status, drop, ",
            ),
            (
                r#"{"on":"oauth","do":"drop"}"#,
                "do: expected one of revoked, refresh_race",
            ),
            (
                r#"{"on":"callbacks","do":"status"}"#,
                "status: the fault «status» needs it, from 200 to 599",
            ),
            (
                r#"{"on":"callbacks","do":"status","status":"x"}"#,
                "status: expected a whole number, found",
            ),
            (
                r#"{"on":"callbacks","do":"drop","times":0}"#,
                "times: expected a whole number from 1",
            ),
            (
                r#"{"on":"engine","do":"slow_sync","seconds":-1}"#,
                "seconds: expected a number from 0 to",
            ),
            (
                r#"{"on":"engine","do":"slow_sync","seconds":61}"#,
                "seconds: expected a number from 0 to 60 with the fault «slow_sync»",
            ),
            (
                r#"{"on":"callbacks","do":"drop","probability":0}"#,
                "probability: is more than 0 and at most 1",
            ),
            (
                r#"{"on":"callbacks","do":"drop","probability":1.5}"#,
                "at most 1, not 1.5",
            ),
            (
                r#"{"on":"callbacks","do":"drop","seed":7}"#,
                "give probability",
            ),
            (
                r#"{"on":"engine","do":"power_cut","probability":0.5}"#,
                "has no probability",
            ),
        ] {
            let error = read(text).unwrap_err();
            let BodyError::Invalid(violations) = error else {
                panic!("{text}: {error}");
            };
            let [one] = violations.kept() else {
                panic!("{text}: {violations:?}");
            };
            assert!(one.to_string().contains(expected), "{text}: {one}");
        }
        let pieces = order(r#"{"on":"callbacks","do":"split"}"#);
        let refusal = Faults::default().order(&pieces, false).unwrap_err();
        assert!(
            refusal.detail.contains("set a webhook first"),
            "{refusal:?}"
        );
    }

    /// Everything at once: each wrong field once, whether the fault is known or not.
    #[test]
    fn all_that_is_wrong_is_named_at_once() {
        for (text, expected) in [
            (
                r#"{"on":"moon","do":"drop","times":"x","probability":2,"colour":1}"#,
                ["colour", "on", "probability", "times"].as_slice(),
            ),
            (
                r#"{"do":7,"match":1,"seconds":"x","seed":-1,"status":1000}"#,
                &["match", "on", "seconds", "seed", "status"],
            ),
            (
                r#"{"on":"answers","do":"slow","times":0,"seed":1}"#,
                &["seconds", "seed", "times"],
            ),
        ] {
            let BodyError::Invalid(violations) = read(text).unwrap_err() else {
                panic!("{text}");
            };
            let mut paths: Vec<_> = violations
                .kept()
                .iter()
                .map(|it| it.path.as_str())
                .collect();
            paths.sort_unstable();
            assert_eq!(paths, expected, "{violations:?}");
        }
    }

    #[test]
    fn a_fault_strikes_what_it_matches_as_often_as_ordered() {
        let faults = Faults::default();
        let twice = order(r#"{"on":"callbacks","do":"drop","times":2,"match":"tulips"}"#);
        faults.order(&twice, true).unwrap();
        assert_eq!(faults.of_callback("roses"), None);
        assert_eq!(faults.of_answer("tulips", false, None, b""), None);
        for _ in 0..2 {
            let struck = faults.of_callback("red tulips").map(|(fault, _)| fault);
            assert_eq!(struck, Some(CallbackFault::Way(WayFault::Drop)));
        }
        assert_eq!(faults.of_callback("red tulips"), None);
        assert_eq!(faults.shown(), json!({ "faults": [] }));
    }

    /// The same seed strikes the same ones again; what is not struck lets the next fault strike.
    #[test]
    fn a_fault_strikes_with_its_probability() {
        let struck = |seed: u64| {
            let faults = Faults::default();
            for text in [
                format!(
                    r#"{{"on":"callbacks","do":"drop","times":50,"probability":0.5,"seed":{seed}}}"#
                ),
                r#"{"on":"callbacks","do":"huge","times":1000}"#.to_owned(),
            ] {
                faults.order(&order(&text), true).unwrap();
            }
            let struck = (0..200).map(|_| faults.of_callback("tulips").unwrap().0);
            struck.collect::<Vec<_>>()
        };
        let drops = |struck: &[CallbackFault]| {
            let drops = struck
                .iter()
                .filter(|it| **it == CallbackFault::Way(WayFault::Drop));
            drops.count()
        };
        let (once, other) = (struck(7), struck(8));
        assert_eq!(once, struck(7));
        assert_ne!(once, other);
        assert_eq!(drops(&once), 50, "as often as ordered");
        assert!((5..30).contains(&drops(&once[..30])), "{once:?}");
    }

    #[test]
    fn faults_of_oauth_strike_requests_with_tokens() {
        let faults = Faults::default();
        for what in ["refresh_race", "revoked"] {
            let text = format!(r#"{{"on":"oauth","do":"{what}"}}"#);
            faults.order(&order(&text), true).unwrap();
        }
        let strike = |what, authorization, body: &str| {
            faults.of_answer(what, false, authorization, body.as_bytes())
        };
        let tokens = |grant: &str| {
            let body = json!({ "grant_type": grant }).to_string();
            strike("POST /oauth2/access_token", None, &body)
        };
        assert_eq!(strike("POST /oauth2/access_token", None, "{}"), None);
        let code = tokens("authorization_code");
        assert_eq!(code, Some(AnswerFault::Revoked));
        assert_eq!(strike("GET /api/v4/leads", Some("Bearer a.b.c"), ""), None);
        assert_eq!(tokens("refresh_token"), Some(AnswerFault::RefreshRace));
    }

    #[test]
    fn an_expired_token_is_refused_and_a_new_one_is_not() {
        let faults = Faults::default();
        let text = r#"{"on":"answers","do":"token_expired","times":2}"#;
        faults.order(&order(text), true).unwrap();
        let strike = |token: &str| faults.of_answer("GET /api/v4/leads", false, Some(token), b"");
        let refusal = Some(AnswerFault::TokenExpired(UnixMillis::ZERO));
        assert_eq!(strike("Bearer old"), refusal);
        assert_eq!(strike("Bearer new"), None);
        assert_eq!(strike("Bearer old"), refusal);
        assert_eq!(strike("Bearer old"), None, "twice, as ordered");
    }

    #[test]
    fn refusals_of_an_expired_token_can_wait_for_one_moment() {
        let faults = Faults::default();
        let text = r#"{"on":"answers","do":"token_expired","times":2,"seconds":60}"#;
        faults.order(&order(text), true).unwrap();
        let strike = || faults.of_answer("GET /api/v4/leads", false, Some("Bearer old"), b"");
        let Some(AnswerFault::TokenExpired(first)) = strike() else {
            panic!("no refusal");
        };
        assert!(first > machine_now());
        assert_eq!(strike(), Some(AnswerFault::TokenExpired(first)));
        let too_late = read(r#"{"on":"answers","do":"token_expired","seconds":61}"#);
        assert!(matches!(too_late, Err(BodyError::Invalid(_))));
    }
}
