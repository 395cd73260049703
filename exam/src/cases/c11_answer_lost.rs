//! Case 11: a callback whose answer was lost is done once.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 11,
        roles: BRIDGES,
        title: "It does a callback once whose answer was lost",
        stimulus: "A callback whose answer of 200 is lost; then its second attempt.",
        expectation: "One message at the customer, one delivery. The second attempt is answered with 2xx.",
        sources: &[Source::Protocol],
        mistake: "The program refuses an id that it knows, so the service tries again and again.",
        advice: "Store the id of the message (`message.message.id`) with a unique key before the work, and answer 200 at once when it is there already.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "answer_lost" }))?;
    let reply = stage.reply("Red ones.")?;
    stage.wait_quiet()?;
    let attempts = stage.attempts(&reply.id)?;
    if attempts.len() > 2 {
        let outcome = attempts
            .get(1)
            .map_or("", |attempt| attempt.outcome.as_str());
        return breaks(format!(
            "The second attempt of a callback whose answer was lost: {outcome}."
        ));
    }
    stage.judge_done_once(
        &reply,
        "The answer to a callback was lost, and it came again",
    )
}
