//! Case 32: two calls share one refresh.

use serde_json::json;

use crate::case::Case;
use crate::role::BOTH;
use crate::rule::{Rule, Source};
use crate::stage::{GIVE_CODE, Stage};
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

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

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start(GIVE_CODE)?;
    stage.prove_account_calls()?;
    let before = stage.refreshes()?.len();
    let fault = json!({ "on": "answers", "do": "token_expired", "times": 2, "match": "/api/v4/" });
    stage.fault(&fault)?;
    stage.says("hanna", "Good morning")?;
    stage.says("ida", "Good evening")?;
    let refusals = stage.until(|stage| {
        let calls = stage.account_calls()?;
        let count = calls.iter().filter(|call| call.status == Some(401)).count();
        Ok((count >= 2).then_some(()))
    })?;
    if refusals.is_none() {
        return not_tried(
            "the program did not make two calls of the account side for two new customers at once",
        );
    }
    let repeats = stage.until(|stage| {
        let calls = stage.account_calls()?;
        let last = calls.iter().rposition(|call| call.status == Some(401));
        let later = calls.iter().skip(last.map_or(0, |last| last + 1));
        Ok((later.filter(|call| call.is_accepted()).count() >= 2).then_some(()))
    })?;
    let refreshes = stage.refreshes()?;
    let new = refreshes.iter().skip(before);
    let failures = new.clone().filter(|refresh| !refresh.is_accepted()).count();
    match (new.count(), failures) {
        (1, 0) if repeats.is_some() => Ok(Verdict::holds()),
        (1, 0) => breaks("It refreshed once, and did not repeat both calls within 20 s."),
        (0, _) => breaks("It did not refresh its token within 20 s."),
        (count, 0) => breaks(format!("It refreshed {count} times for two calls at once.")),
        (count, _) => breaks(format!(
            "It refreshed {count} times for two calls at once, and the service refused {failures} of them: \
             the refresh token was spent."
        )),
    }
}
