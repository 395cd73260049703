//! Case 32: two calls share one refresh.

use serde_json::json;

use crate::case::Case;
use crate::role::BOTH;
use crate::rule::{Rule, Source};
use crate::stage::{GIVE_CODE, ProgramRequest, Stage};
use crate::verdict::{Judgement, StopError, Verdict, breaks, not_tried};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 32,
        roles: BOTH,
        title: "It refreshes once when two calls are refused at the same moment",
        stimulus: "Two customers write at the same moment, and both calls of the account side are answered with 401.",
        expectation: "Exactly one refresh, and no `invalid_grant`. Both calls are repeated.",
        sources: &[Source::Complaints],
        mistake: "Each call refreshes by itself. The second refresh token is spent, and the program has lost its access.",
        advice: "Let one refresh run at a time, let others wait for it, and look again whether the token is new before you refresh.",
    },
    judge,
};

/// The customers who write at the same moment, for each try: a busy machine may let one call follow the other.
const PAIRS: [[&str; 2]; 4] = [
    ["hanna", "ida"],
    ["jonas", "klara"],
    ["lena", "mika"],
    ["nora", "otto"],
];

/// The moments of two calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    /// Both had the old token.
    AtOnce,
    /// The second had the new token already.
    InTurn,
}

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start(GIVE_CODE)?;
    stage.prove_account_calls()?;
    for pair in PAIRS {
        if let Some(verdict) = try_pair(stage, pair)? {
            return Ok(verdict);
        }
        // What the last pair left behind refuses nothing of the next one.
        stage.end_faults()?;
    }
    let count = PAIRS.len();
    not_tried(format!(
        "the second of two calls had the new token of the first one already, {count} times"
    ))
}

/// Lets two customers write while the token is refused. `None`: the calls of one followed those of the other, and show nothing.
fn try_pair(stage: &mut Stage, pair: [&str; 2]) -> Result<Option<Verdict>, StopError> {
    let begin = stage.program_requests()?.len();
    // Both calls are refused at one moment, although a busy machine makes the second one later.
    let fault = json!({
        "on": "answers", "do": "token_expired", "times": 2, "match": "/api/v4/", "seconds": 3,
    });
    stage.fault(&fault)?;
    for customer in pair {
        stage.says(customer, "Good morning")?;
    }
    match stage.until(|stage| Ok(calls(&stage.requests_after(begin)?)))? {
        Some(Calls::AtOnce) => {}
        Some(Calls::InTurn) => return Ok(None),
        None => {
            return not_tried(
                "the program did not make two calls of the account side for two new customers at once",
            );
        }
    }
    let are_repeated = stage.until(|stage| {
        let requests = stage.requests_after(begin)?;
        let last = requests.iter().rposition(is_refused);
        let later = requests.iter().skip(last.map_or(0, |last| last + 1));
        Ok((later.filter(|it| is_done(it)).count() >= 2).then_some(()))
    })?;
    verdict(&stage.requests_after(begin)?, are_repeated.is_some())
}

fn is_refused(request: &ProgramRequest) -> bool {
    request.is_account_call() && request.status == Some(401)
}

fn is_done(request: &ProgramRequest) -> bool {
    request.is_account_call() && request.is_accepted()
}

/// Returns whether two calls were made at once, as soon as it is known.
fn calls(requests: &[ProgramRequest]) -> Option<Calls> {
    if requests.iter().filter(|it| is_refused(it)).count() >= 2 {
        return Some(Calls::AtOnce);
    }
    let is_refreshed = |it: &ProgramRequest| it.is_refresh() && it.is_accepted();
    let refresh = requests.iter().position(is_refreshed)?;
    let later = requests.iter().skip(refresh);
    (later.filter(|it| is_done(it)).count() >= 2).then_some(Calls::InTurn)
}

fn verdict(requests: &[ProgramRequest], are_repeated: bool) -> Result<Option<Verdict>, StopError> {
    let refreshes = requests.iter().filter(|it| it.is_refresh());
    let failures = refreshes.clone().filter(|it| !it.is_accepted()).count();
    match (refreshes.count(), failures) {
        (1, 0) if are_repeated => Ok(Some(Verdict::holds())),
        // Both had a token from before the last refresh, and the program had the new one already.
        (0, _) if are_repeated => Ok(None),
        (1, 0) => breaks("It refreshed once, and did not repeat both calls within 20 s."),
        (0, _) => breaks("It did not refresh its token within 20 s."),
        (count, 0) => breaks(format!("It refreshed {count} times for two calls at once.")),
        (count, _) => breaks(format!(
            "It refreshed {count} times for two calls at once, and the service refused {failures} of them: \
             the refresh token was spent."
        )),
    }
}
