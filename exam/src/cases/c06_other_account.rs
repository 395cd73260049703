//! Case 6: a callback of another account does nothing.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::Judgement;

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 6,
        roles: BRIDGES,
        title: "It does nothing for a callback of another account",
        stimulus: "A callback with a right signature and the `account_id` of an account that the program does not know; then the same one with the right account.",
        expectation: "The first one does nothing in any account. The second one is done once.",
        sources: &[Source::Protocol],
        mistake: "The program takes the account from its settings and never looks at `account_id`.",
        advice: "Compare `account_id` with the accounts that are connected, and answer 404 to others.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "other_scope" }))?;
    stage.judge_refused_first_attempt("of another account")
}
