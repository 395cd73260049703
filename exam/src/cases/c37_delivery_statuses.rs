//! Case 37: reports of delivery are right.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 37,
        roles: BRIDGES,
        title: "It reports delivery as the interface wants it",
        stimulus: "Replies that can be delivered, and one of a type that the program cannot know.",
        expectation: "The reports name the service's id of the message; 1 comes before 2; -1 has an error code from 901 to 905, and 905 a text.",
        sources: &[Source::Documents],
        mistake: "The program reports its own id, or -1 without a code.",
        advice: "Use `message.message.id` of the callback in the path, report 1 and then 2, and give 905 with a text for the account user.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let reply = stage.reply("Red ones.")?;
    stage.fault(&json!({ "on": "callbacks", "do": "unknown_type", "match": "A hologram" }))?;
    let hologram = stage.reply("A hologram.")?;
    stage.wait_quiet()?;
    stage.require_work("After a message of an unknown type")?;
    let signs = stage.until(|stage| {
        let signs = stage.signs(&reply)?;
        Ok((!signs.statuses.is_empty()).then_some(signs))
    })?;
    for (request, _) in stage.chat_requests()? {
        if request.what.ends_with("/delivery_status") && matches!(request.status, Some(400..=499)) {
            return breaks(format!(
                "The service refused its report «{}»: {}",
                request.what, request.answer
            ));
        }
    }
    let Some(signs) = signs else {
        return not_tried(
            "the program reports no delivery: account users never see whether a message has arrived",
        );
    };
    let codes: Vec<i64> = signs.statuses.iter().map(|status| status.code).collect();
    if codes.first() == Some(&2) && codes.contains(&1) {
        return breaks("It reported a message as read (2) before it was delivered (1).");
    }
    let failure = stage.signs(&hologram)?;
    if let Some(status) = failure.failure() {
        let is_known = status
            .error_code
            .is_some_and(|code| (901..=905).contains(&code));
        let needs_text = status.error_code == Some(905);
        let has_text = status.error.as_ref().is_some_and(|text| !text.is_empty());
        if !is_known || (needs_text && !has_text) {
            return breaks(
                "It reported -1 without an error code from 901 to 905, or 905 without a text.",
            );
        }
    }
    Ok(Verdict::holds())
}
