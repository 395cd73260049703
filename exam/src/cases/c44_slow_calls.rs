//! Case 44: a hook is answered before the work.

use serde_json::json;

use crate::case::Case;
use crate::role::BOTS;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 44,
        roles: BOTS,
        title: "It answers a hook within 2 seconds although its work takes longer",
        stimulus: "Each call of the account side takes 4 seconds, and a customer writes.",
        expectation: "The hook is answered within 2 seconds.",
        sources: &[Source::Documents],
        mistake: "The program does its work inside of the request. The hook comes again, and is switched off after 100 such answers.",
        advice: "Store the hook, answer 200, and work on it afterwards.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_answers()?;
    let before = stage.account_calls()?.len();
    let fault =
        json!({ "on": "answers", "do": "slow", "seconds": 4, "times": 1000, "match": "/api/v4/" });
    stage.fault(&fault)?;
    let text = "Are you quick?";
    stage.writes("hanna", text)?;
    let hook = stage.until_hook("add_message", |hook| hook.field("/text") == text)?;
    let call = stage.until(|stage| Ok((stage.account_calls()?.len() > before).then_some(())))?;
    if call.is_none() {
        return not_tried(
            "the program made no call of the account side for a message: nothing could be slow",
        );
    }
    if !hook.is_delivered() {
        return breaks(format!(
            "The service took 4 s for the program's calls, and waited for the answer to the hook in vain: {}.",
            hook.outcome
        ));
    }
    Ok(Verdict::holds())
}
