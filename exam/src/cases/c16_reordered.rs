//! Case 16: callbacks may arrive in another order.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 16,
        roles: BRIDGES,
        title: "It loses nothing when callbacks arrive in another order",
        stimulus: "A reply arrives before the one that was written before it.",
        expectation: "Both are done once.",
        sources: &[Source::Documents],
        mistake: "The program drops a message that is older than the last one.",
        advice: "Deliver what is new by its id, in the order of `msec_timestamp` where the messenger has an order.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "reorder" }))?;
    let first = stage.reply("First.")?;
    let second = stage.reply("Second.")?;
    for reply in [&first, &second] {
        stage.judge_done_once(reply, "Two callbacks arrived in the wrong order")?;
    }
    Ok(Verdict::holds())
}
