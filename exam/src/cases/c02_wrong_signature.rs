//! Case 2: a callback with the signature of another body does nothing.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::Judgement;

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 2,
        roles: BRIDGES,
        title: "It does nothing for a callback with a wrong signature",
        stimulus: "A callback with the signature of another body; then the same one with its own.",
        expectation: "The first one does nothing; an answer other than 2xx is best. The second one is done once.",
        sources: &[Source::Documents],
        mistake: "The program does not verify, or it verifies after the work.",
        advice: "Verify first, compare in constant time, and answer 403.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "bad_signature" }))?;
    stage.judge_refused_first_attempt("with the signature of another body")
}
