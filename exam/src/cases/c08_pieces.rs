//! Case 8: a request may arrive in pieces.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 8,
        roles: BRIDGES,
        title: "It reads requests that arrive in pieces",
        stimulus: "A callback in pieces of 100 bytes; then one whose bytes take 3 seconds.",
        expectation: "Both are done once, in their first attempt.",
        sources: &[Source::Protocol],
        mistake: "The program reads once from the socket, and takes what is there for the whole.",
        advice: "Read as many bytes as `Content-Length` says, and allow at least 10 seconds for them.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "split" }))?;
    let split = stage.reply("In pieces.")?;
    stage.wait_quiet()?;
    stage.fault(&json!({ "on": "callbacks", "do": "drip", "seconds": 3 }))?;
    let slow = stage.reply("Byte by byte.")?;
    stage.wait_quiet()?;
    for (reply, story) in [
        (&split, "A callback arrived in pieces of 100 bytes"),
        (&slow, "A callback arrived byte by byte within 3 s"),
    ] {
        let attempts = stage.attempts(&reply.id)?;
        if attempts.len() > 1 {
            let outcome = attempts
                .first()
                .map_or("", |attempt| attempt.outcome.as_str());
            return breaks(format!("{story}: {outcome}."));
        }
        stage.judge_done_once(reply, story)?;
    }
    Ok(Verdict::holds())
}
