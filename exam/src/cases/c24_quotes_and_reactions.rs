//! Case 24: quotes, reactions and typing.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 24,
        roles: BRIDGES,
        title: "It shows or ignores quotes, reactions and typing",
        stimulus: "A reply that quotes a message, a reaction, its removal, and typing.",
        expectation: "The reply arrives. Typing and reactions make no message.",
        sources: &[Source::Documents],
        mistake: "The program takes each callback for a message.",
        advice: "Look for `message` and for `action` at the top, and ignore actions that the messenger does not have.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    let earlier = stage.prove_signs()?;
    let mut quote = stage.own_callback("I mean these.")?;
    let message = json!({ "id": earlier.id, "type": "text", "text": earlier.text });
    quote.set("/message", "reply_to", json!({ "message": message }));
    let account = quote.part("/account_id");
    let conversation = quote.part("/message/conversation");
    let user = quote.part("/message/sender");
    let reaction = |kind: &str| {
        json!({ "account_id": account, "time": 1, "action": { "reaction": {
            "msgid": earlier.id, "message": { "id": earlier.id }, "user": user,
            "conversation": conversation, "type": kind, "emoji": "🌷",
        } } })
    };
    let typing = json!({ "account_id": account, "time": 1, "action": { "typing": {
        "user": user, "conversation": conversation, "expired_at": 4_000_000_000_u64,
    } } });
    let before = stage.seen().map(|seen| seen.len());
    for (name, body) in [
        ("a reaction", reaction("react")),
        ("the removal of a reaction", reaction("unreact")),
        ("typing", typing),
    ] {
        let request = stage.callback_request(body.to_string());
        let answer = stage.exchange(&request);
        if answer.status.is_none_or(|status| status >= 500) {
            return breaks(format!("It {} to {name}.", answer.shown()));
        }
    }
    let request = stage.callback_request(quote.body.to_string());
    let answer = stage.exchange(&request);
    if !answer.is_success() {
        return breaks(format!(
            "It {} to a reply that quotes a message.",
            answer.shown()
        ));
    }
    stage.judge_done_once(&quote.reply, "A reply quoted another message")?;
    let after = stage.seen().map(|seen| seen.len());
    // The quote, and the message that showed that the program still works.
    if let (Some(before), Some(after)) = (before, after)
        && after > before + 2
    {
        return breaks("Typing or a reaction became a message at the customer.");
    }
    Ok(Verdict::holds())
}
