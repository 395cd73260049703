//! Case 10: a callback that comes twice at the same moment is done once.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::Judgement;

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 10,
        roles: BRIDGES,
        title: "It does a callback once that comes twice at the same moment",
        stimulus: "The same callback twice, at the same moment.",
        expectation: "One message at the customer, one delivery.",
        sources: &[Source::Protocol],
        mistake: "The program looks whether it knows the message, does the work, and remembers it afterwards: both requests find nothing.",
        advice: "Let the store decide: insert the id with a unique key, and work only if the insert was new.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "twice_at_once" }))?;
    let reply = stage.reply("Red ones.")?;
    stage.judge_done_once(&reply, "A callback came twice at the same moment")
}
