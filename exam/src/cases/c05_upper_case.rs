//! Case 5: digits of a signature in upper case.

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::{Request, Stage, sign};
use crate::verdict::{Judgement, Verdict};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 5,
        roles: BRIDGES,
        title: "It is known whether it takes signatures in upper case",
        stimulus: "A callback whose signature has its digits in upper case.",
        expectation: "Either answer is right: this rule says which one it is.",
        sources: &[Source::Inference],
        mistake: "None.",
        advice: "Nothing has to be done.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let callback = stage.own_callback("Signed in upper case.")?;
    let body = callback.body.to_string();
    let signature = sign(stage.fact("/channel/secret"), body.as_bytes()).to_uppercase();
    let request = Request::new("POST", stage.path()).json(body);
    let answer = stage.exchange(&request.header("X-Signature", signature));
    let is_done = answer.is_success() && stage.until_handled(&callback.reply)?.is_some();
    let word = if is_done { "takes" } else { "refuses" };
    let remark = Some(format!("It {word} signatures in upper case."));
    Ok(Verdict::Holds { remark })
}
