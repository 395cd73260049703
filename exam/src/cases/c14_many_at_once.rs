//! Case 14: many callbacks at once.

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 14,
        roles: BRIDGES,
        title: "It takes 200 callbacks of 20 conversations at once",
        stimulus: "Ten replies in each of 20 conversations, all at once.",
        expectation: "Each is answered within 5 seconds, and done once, in order within its conversation.",
        sources: &[Source::Documents],
        mistake: "The program works on one request after the other, or on all of them without order.",
        advice: "Store the callback, answer, and let one worker at a time deliver in each conversation.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.require_crowd(10, "200 callbacks came at once")?;
    Ok(Verdict::holds())
}
