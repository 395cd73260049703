//! Case 7: a text of a mebibyte does not end the program.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 7,
        roles: BRIDGES,
        title: "It lives after a text of a mebibyte",
        stimulus: "A callback whose text has a mebibyte.",
        expectation: "It answers 2xx, or 413, and goes on.",
        sources: &[Source::Protocol],
        mistake: "The program has no limit and no answer for what its messenger cannot take.",
        advice: "Set a limit for bodies, answer 413 above it, and report what the messenger refuses with the status -1.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "huge" }))?;
    let reply = stage.reply("Red ones.")?;
    stage.wait_quiet()?;
    let attempts = stage.attempts(&reply.id)?;
    let outcome = attempts
        .first()
        .map_or("", |attempt| attempt.outcome.as_str());
    let is_refused = outcome.contains("413");
    if attempts.len() > 1 && !is_refused {
        return breaks(format!("A callback with a text of a mebibyte: {outcome}."));
    }
    stage.require_work("After a text of a mebibyte")?;
    Ok(Verdict::holds())
}
