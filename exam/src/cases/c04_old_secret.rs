//! Case 4: a callback that is signed with another secret does nothing.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::Judgement;

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 4,
        roles: BRIDGES,
        title: "It does nothing for a callback that is signed with another secret",
        stimulus: "A callback that is signed with a secret which the channel no longer has; then the same one with the right signature.",
        expectation: "The first one does nothing; an answer other than 2xx is best. The second one is done once.",
        sources: &[Source::Documents],
        mistake: "The program accepts each secret that it has ever known.",
        advice: "Forget a secret when its rotation is over.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "old_secret" }))?;
    stage.judge_refused_first_attempt("that is signed with another secret")
}
