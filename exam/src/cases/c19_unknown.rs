//! Case 19: what a program does not know yet.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 19,
        roles: BRIDGES,
        title: "It lives with types, fields and actions that it does not know",
        stimulus: "A message with a field more, a message of the type `hologram`, and a callback with an unknown action.",
        expectation: "The field changes nothing. The type is answered with 2xx, best with the delivery status -1 and the error 905. The action is answered.",
        sources: &[Source::Documents, Source::Protocol],
        mistake: "The program fails on a type that it does not know, and the service sends the callback again and again.",
        advice: "Ignore what is unknown. Report a message that cannot be delivered with the status -1, the error code 905 and a text.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.fault(&json!({ "on": "callbacks", "do": "unknown_field" }))?;
    let reply = stage.reply("Red ones.")?;
    stage.judge_done_once(&reply, "A callback had an unknown field")?;
    stage.fault(&json!({ "on": "callbacks", "do": "unknown_type" }))?;
    let hologram = stage.reply("A hologram.")?;
    stage.wait_quiet()?;
    stage.require_first_attempts(
        std::slice::from_ref(&hologram),
        "A message had an unknown type",
    )?;
    let callback = stage.own_callback("An action.")?;
    let account = callback.part("/account_id");
    let action = json!({ "account_id": account, "time": 1, "action": { "hologram": {} } });
    let request = stage.callback_request(action.to_string());
    let answer = stage.exchange(&request);
    if answer.status.is_none_or(|status| status >= 500) {
        return breaks(format!(
            "It {} to a callback with an unknown action.",
            answer.shown()
        ));
    }
    stage.require_work("After a type and an action that it does not know")?;
    let signs = stage.signs(&hologram)?;
    if signs.failure().is_none() && signs.times() > 0 {
        return Ok(Verdict::Warns {
            why: "It said that it had delivered a message of a type that it cannot know."
                .to_owned(),
        });
    }
    Ok(Verdict::holds())
}
