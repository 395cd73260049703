//! Case 9: a callback that comes again is done once.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::Judgement;

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 9,
        roles: BRIDGES,
        title: "It does a callback once that comes again",
        stimulus: "The same callback again, after it was answered with 200.",
        expectation: "One message at the customer, one delivery.",
        sources: &[Source::Protocol],
        mistake: "The program does its work for each request.",
        advice: "Store the id of the message (`message.message.id`) with a unique key before the work, and answer 200 at once when it is there already.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "duplicate" }))?;
    let reply = stage.reply("Red ones.")?;
    stage.judge_done_once(&reply, "A callback came twice")
}
