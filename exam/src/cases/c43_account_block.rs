//! Case 43: a form is read by its keys, wherever they stand and however they are encoded.

use crate::case::Case;
use crate::role::BOTS;
use crate::rule::{Rule, Source};
use crate::stage::{Stage, with_account_last, with_plain_brackets, with_small_letters};
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 43,
        roles: BOTS,
        title: "It reads a form by its keys, not by their order or their escapes",
        stimulus: "The same `add_message` with the account block first, with the account block last, with brackets as they are, and with `%5b` in the place of `%5B`.",
        expectation: "Each is answered as the usual one is.",
        sources: &[Source::Code],
        mistake: "The program takes the first key for the event, or searches the body for `message%5Badd%5D`.",
        advice: "Decode the body as a form first, and look the keys up by their names: `account[id]`, `message[add][0][id]`.",
    },
    judge,
};

/// A name for people, the customer, and the change of the form.
type Variant = (&'static str, &'static str, fn(&str) -> String);

const VARIANTS: [Variant; 3] = [
    ("the account block last", "hanna", with_account_last),
    ("brackets that are not escaped", "ida", with_plain_brackets),
    ("escapes in small letters", "rosa", with_small_letters),
];

fn judge(stage: &mut Stage) -> Judgement {
    let usual = stage.prove_answers()?;
    for (name, customer, change) in VARIANTS {
        let text = format!("Do you read this, {customer} asks?");
        let hook = stage.withhold(customer, &text)?;
        let answer = stage.send_form(&hook.request_id, change(&hook.form));
        let count = stage.settle(customer)?;
        if count != usual {
            return breaks(format!(
                "It {} to a form with {name}, and sent {count} answers; to the usual form it sends {usual}.",
                answer.shown()
            ));
        }
    }
    Ok(Verdict::holds())
}
