//! Case 1: the signature is that of the bytes that arrived.

use crate::case::Case;
use crate::rule::{BRIDGES, Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 1,
        roles: BRIDGES,
        title: "It verifies the signature of the bytes that arrived",
        stimulus: "A callback whose JSON has the escapes `\\/`, `\\u0432` and an emoji as a surrogate pair, with a right signature.",
        expectation: "It answers 2xx.",
        sources: &[Source::Documents, Source::Complaints],
        mistake: "The program parses the body, writes it as JSON again, and signs that.",
        advice: "Read the raw body once, verify it, and parse it afterwards.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let callback = stage.own_callback("escaped", "x")?;
    let escapes = r#""text":"https:\/\/example.com\/\u0432\ud83c\udf37""#;
    let body = callback.body.to_string().replace(r#""text":"x""#, escapes);
    let request = stage.callback_request(body);
    let answer = stage.exchange(&request);
    if answer.is_success() {
        return Ok(Verdict::holds());
    }
    breaks(format!(
        "It {} to a callback with a right signature, whose JSON has escapes.",
        answer.shown()
    ))
}
