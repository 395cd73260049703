//! Case 33: a program that has lost its access stops.

use std::time::Duration;

use serde_json::json;

use crate::case::Case;
use crate::role::BOTH;
use crate::rule::{Rule, Source};
use crate::stage::{GIVE_CODE, Stage};
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

/// The time in which a program that hammers shows it.
const QUIET: Duration = Duration::from_secs(3);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 33,
        roles: BOTH,
        title: "It stops when its access is revoked",
        stimulus: "The account revokes the access: the call is answered with 401, and the refresh with `invalid_grant`.",
        expectation: "The program stops the calls of the account side, says so, and does not hammer. It goes on with messages.",
        sources: &[Source::Complaints],
        mistake: "The program refreshes in a loop.",
        advice: "After `invalid_grant`, stop until a person has consented again, and try at most once a minute.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start(GIVE_CODE)?;
    stage.prove_account_calls()?;
    stage.fault(&json!({ "on": "oauth", "do": "revoked" }))?;
    stage.says("hanna", "Good morning")?;
    let refusal = stage.until(|stage| {
        let refreshes = stage.refreshes()?;
        let is_refused = refreshes.iter().any(|refresh| refresh.status == Some(400));
        Ok(is_refused.then_some(()))
    })?;
    if refusal.is_none() {
        return not_tried("the program did not try to refresh its token within 20 s after 401");
    }
    // What hammers does so at once.
    std::thread::sleep(QUIET);
    let refreshes = stage.refreshes()?;
    let tries = refreshes
        .iter()
        .filter(|refresh| refresh.status == Some(400))
        .count();
    if tries > 2 {
        return breaks(format!(
            "It tried {tries} times within 3 s to refresh a revoked token."
        ));
    }
    stage.require_work("After its access was revoked")?;
    Ok(Verdict::holds())
}
