//! Case 48: the keys of forms are data.

use crate::case::Case;
use crate::role::BOTS;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 48,
        roles: BOTS,
        title: "It lives after forms with hostile keys",
        stimulus: "Forms with `__proto__` and `constructor`, with the index `[999999999]`, with 1,000 fields, with 5,000 brackets in a key, and with a key that is a text and a list at once.",
        expectation: "The program answers in HTTP, sends nothing for them, and goes on with the next customer.",
        sources: &[Source::Protocol],
        mistake: "The program builds objects and lists as the keys say, and a key makes it fail or use up its memory.",
        advice: "Take the keys that you know by their whole names, and bound their number. Never make a list as long as an index says.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    let usual = stage.prove_answers()?;
    let question = stage.until_hook("add_message", |_| true)?;
    let talk = question.field("/talk_id").to_owned();
    let before = stage.sends(&talk)?.len();
    let account = stage.account_fields()?;
    for (number, (name, keys)) in hostile_keys(&talk).into_iter().enumerate() {
        let form = format!("{account}&{keys}");
        let request_id = format!("00000000-0000-4000-8000-{number:012}");
        let answer = stage.send_form(&request_id, form);
        if !stage.is_alive() {
            return breaks(format!("It ended at a form with {name}."));
        }
        if answer.status.is_none() {
            return breaks(format!("It {} to a form with {name}.", answer.shown()));
        }
    }
    stage.require_answers(usual, "After forms with hostile keys")?;
    if stage.sends(&talk)?.len() > before {
        return breaks("It sent a message for a form with hostile keys that has no message.");
    }
    Ok(Verdict::holds())
}

/// Keys that no hook has, each with a name for people. None of the forms has a message with a text and a talk.
fn hostile_keys(talk: &str) -> Vec<(&'static str, String)> {
    let fields: Vec<String> = (0..1_000)
        .map(|number| format!("message[add][0][field_{number}]={number}"))
        .collect();
    let proto = format!(
        "__proto__[talk_id]={talk}&__proto__[text]=x&constructor[prototype][talk_id]={talk}\
         &message[__proto__][talk_id]={talk}&message[add][0][__proto__][text]=x"
    );
    vec![
        ("the key __proto__", proto),
        (
            "the index 999999999",
            "message[add][999999999][text]=x".to_owned(),
        ),
        ("1,000 fields", fields.join("&")),
        (
            "5,000 brackets in a key",
            format!("message[add]{}=x", "[a]".repeat(5_000)),
        ),
        (
            "a key that is a text and a list",
            "message=x&message[add]=x&message[add][0]=x&message[add][0][id][a]=x".to_owned(),
        ),
    ]
}
