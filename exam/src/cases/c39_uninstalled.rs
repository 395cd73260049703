//! Case 39: an account uninstalls the program.

use std::time::Duration;

use crate::case::Case;
use crate::role::BOTH;
use crate::rule::{Rule, Source};
use crate::stage::{Call, GIVE_CODE, Stage};
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

/// The time in which a program that goes on shows it.
const QUIET: Duration = Duration::from_secs(2);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 39,
        roles: BOTH,
        title: "It stops when an account uninstalls it, and only then",
        stimulus: "The report that the account has uninstalled the client, with a wrong signature, and then with the right one.",
        expectation: "The wrong one changes nothing. After the right one the program writes nothing for the account.",
        sources: &[Source::Documents],
        mistake: "The program does not verify the report, and strangers can switch it off.",
        advice: "Verify the HMAC-SHA256 of `client_uuid|account_id` with the secret of the client, and then stop for that account.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start(GIVE_CODE)?;
    stage.prove_calls()?;
    let answer = stage.report_uninstall(Some("0"))?;
    if answer.status.is_none() {
        return breaks(format!(
            "It {} to a report with a wrong signature.",
            answer.shown()
        ));
    }
    let text = stage.provoke_call("hanna", "Are you still there?")?;
    let call = stage.until(|stage| {
        let calls = stage.calls_for(&text)?;
        Ok(calls.into_iter().find(Call::is_accepted))
    })?;
    if call.is_none() {
        return breaks("It stopped after a report of an uninstallation whose signature is wrong.");
    }
    let answer = stage.report_uninstall(None)?;
    if !answer.is_success() {
        return not_tried(format!(
            "the program {} to the report of an uninstallation at its redirect address: take it there",
            answer.shown()
        ));
    }
    let text = stage.provoke_call("ida", "And now?")?;
    // What goes on does so at once.
    std::thread::sleep(QUIET);
    if !stage.calls_for(&text)?.is_empty() {
        return breaks("It still writes for an account that has uninstalled it.");
    }
    Ok(Verdict::holds())
}
