//! Case 25: the text of messages with buttons arrives.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 25,
        roles: BRIDGES,
        title: "It delivers the text of messages with buttons, lists and templates",
        stimulus: "A reply with buttons, one with a list, and one by a template.",
        expectation: "The text of each arrives at least.",
        sources: &[Source::Documents],
        mistake: "The program looks at `markup` first, and forgets the text when it does not know the form.",
        advice: "Deliver `text` always, and add what the messenger can show.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let buttons = json!({ "mode": "inline", "buttons": [[{ "text": "Yes" }, { "text": "Site", "url": "https://example.com" }]] });
    let list = json!({ "list_message": { "header": "Flowers", "body": "Choose one", "footer": "", "button": "Open", "sections": [
        { "title": "Tulips", "rows": [{ "callback_data": "red", "title": "Red", "description": "" }] },
    ] } });
    let template = json!({ "id": 7, "external_id": "greeting", "content": "Hello {{name}}", "params": [{ "key": "name", "value": "Bo" }] });
    for (name, field, value) in [
        ("buttons", "markup", buttons),
        ("a list", "markup", list),
        ("a template", "template", template),
    ] {
        let text = format!("A text with {name}.");
        let mut callback = stage.own_callback(&text)?;
        callback.set("/message/message", field, value);
        let request = stage.callback_request(callback.body.to_string());
        let answer = stage.exchange(&request);
        if !answer.is_success() {
            return breaks(format!("It {} to a reply with {name}.", answer.shown()));
        }
        stage.judge_done_once(&callback.reply, &format!("A reply had {name}"))?;
        if let Some(arrival) = stage.seen_text(&callback.reply)
            && !arrival.contains(&text)
        {
            return breaks(format!(
                "The text of a reply with {name} arrived as «{arrival}»."
            ));
        }
    }
    Ok(Verdict::holds())
}
