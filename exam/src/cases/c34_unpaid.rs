//! Case 34: answers that are no JSON.

use std::time::Duration;

use serde_json::json;

use crate::case::Case;
use crate::role::BOTH;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

/// The time in which a program that hammers shows it.
const QUIET: Duration = Duration::from_secs(2);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 34,
        roles: BOTH,
        title: "It lives when an account is unpaid or its address is blocked",
        stimulus: "The service answers calls with 402, and with a page of HTML and 403.",
        expectation: "The program does not read a page as JSON, does not hammer, and goes on.",
        sources: &[Source::Complaints],
        mistake: "The program parses each answer as JSON and ends on the first `<`.",
        advice: "Look at the status and the content type before you parse. Stop sending for a while, and try again later.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_calls()?;
    for (fault, status, customer) in [
        ("ip_blocked_html", 403, "rosa"),
        ("account_unpaid", 402, "otto"),
    ] {
        let text = format!("Is anybody there, at {status}?");
        let order = json!({ "on": "answers", "do": fault, "times": 1000 });
        stage.fault_calls(&order)?;
        stage.says(customer, &text)?;
        let refusal = stage.until(|stage| {
            let calls = stage.calls_for(&text)?;
            let is_refused = calls.iter().any(|call| call.status == Some(status));
            Ok(is_refused.then_some(()))
        })?;
        match (refusal, status) {
            (Some(()), _) => {}
            (None, 403) => return not_tried("the program sent nothing for a customer's message"),
            // It has stopped after the page, as it should.
            (None, _) => break,
        }
        std::thread::sleep(QUIET);
        let calls = stage.calls_for(&text)?.len();
        stage.end_faults()?;
        if calls > 5 {
            return breaks(format!(
                "It sent the same message {calls} times within 2 s after {status}."
            ));
        }
        stage.require_work(&format!("After an answer of {status}"))?;
    }
    Ok(Verdict::holds())
}
