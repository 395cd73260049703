//! Case 1: the signature is that of the bytes that arrived.

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 1,
        roles: BRIDGES,
        title: "It verifies the signature of the bytes that arrived",
        stimulus: "A callback whose JSON has the escapes `\\/`, `\\u0432` and an emoji as a surrogate pair, with a right signature.",
        expectation: "It answers 2xx, and does what the callback says.",
        sources: &[Source::Documents, Source::Complaints],
        mistake: "The program parses the body, writes it as JSON again, and signs that.",
        advice: "Read the raw body once, verify it, and parse it afterwards.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let callback = stage.own_callback("https://example.com/в🌷")?;
    let escapes = r"https:\/\/example.com\/\u0432\ud83c\udf37";
    let body = callback.body.to_string();
    let request = stage.callback_request(body.replace(&callback.reply.text, escapes));
    let answer = stage.exchange(&request);
    let is_done = answer.is_success() && stage.until_handled(&callback.reply)?.is_some();
    if is_done {
        return Ok(Verdict::holds());
    }
    let end = if answer.is_success() {
        ", and did nothing"
    } else {
        ""
    };
    breaks(format!(
        "It {} to a callback with a right signature, whose JSON has escapes{end}.",
        answer.shown()
    ))
}
