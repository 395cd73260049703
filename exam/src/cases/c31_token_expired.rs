//! Case 31: an expired token is refreshed once.

use serde_json::json;

use crate::case::Case;
use crate::role::BOTH;
use crate::rule::{Rule, Source};
use crate::stage::{GIVE_CODE, Stage};
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 31,
        roles: BOTH,
        title: "It refreshes an expired token once, and repeats the call",
        stimulus: "The service answers a call of the account side with 401.",
        expectation: "The program refreshes its token exactly once, and repeats the call.",
        sources: &[Source::Complaints],
        mistake: "The program logs the 401 and forgets the call, or refreshes in a loop.",
        advice: "On 401, refresh once, store both new tokens before you use them, and repeat the call.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start(GIVE_CODE)?;
    stage.prove_account_calls()?;
    let before = stage.refreshes()?.len();
    stage.fault(&json!({ "on": "answers", "do": "token_expired", "match": "/api/v4/" }))?;
    let refusal = stage.until_account_call("hanna", |it| it.status == Some(401))?;
    let Some(refused_call) = refusal else {
        return not_tried(stage.no_call());
    };
    let repeat = stage.until(|stage| {
        let calls = stage.account_calls()?;
        let later = calls.iter().skip_while(|it| it.status != Some(401)).skip(1);
        let mut same = later.filter(|call| call.what == refused_call.what && call.is_accepted());
        Ok(same.next().map(|_| ()))
    })?;
    let refreshes = stage.refreshes()?.len().saturating_sub(before);
    match (repeat, refreshes) {
        (Some(()), 1) => Ok(Verdict::holds()),
        (Some(()), 0) => breaks("It repeated the call without a new token."),
        (None, 0) => breaks("It did not refresh its token within 20 s after 401."),
        (None, 1) => breaks(format!(
            "It refreshed its token, and did not repeat «{}» within 20 s.",
            refused_call.what
        )),
        (_, count) => breaks(format!(
            "It refreshed its token {count} times after one 401."
        )),
    }
}
