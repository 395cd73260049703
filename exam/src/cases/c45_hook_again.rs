//! Case 45: a hook that comes again is answered to the customer once.

use serde_json::json;

use crate::case::Case;
use crate::role::BOTS;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, StopError, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 45,
        roles: BOTS,
        title: "It answers a customer once although the hook comes again",
        stimulus: "The same hook twice, with one `X-Amocrm-Requestid`; and a hook whose answer is lost, which comes again after 5 minutes.",
        expectation: "The customer gets one answer.",
        sources: &[Source::Documents],
        mistake: "The program remembers no ids of messages, and answers each request.",
        advice: "Store the id of the message (`message[add][0][id]`) with a unique key before the work, and answer 200 at once when it is there already.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    let usual = stage.prove_answers()?;
    let order = |fault: &str| json!({ "on": "hooks", "do": fault, "match": "add_message" });
    stage.fault(&order("duplicate"))?;
    let count = stage.answers_to("hanna", "Twice")?;
    require(count, usual, "A hook came twice")?;
    stage.fault(&order("answer_lost"))?;
    stage.writes("ida", "Lost")?;
    // Hooks of other events may have the text, too.
    stage.wait("until=hook.attempt&match=message[add][0][text]=Lost&count=2")?;
    stage.until_hook("add_message", |hook| {
        hook.field("/text") == "Lost" && hook.attempt == 2
    })?;
    let count = stage.settle("ida")?;
    require(
        count,
        usual,
        "The answer to a hook was lost, and it came again",
    )?;
    stage.require_answers(usual, "After hooks that came again")?;
    for customer in ["hanna", "ida"] {
        let count = stage.count_answers(customer)?;
        require(count, usual, "A hook came again")?;
    }
    Ok(Verdict::holds())
}

fn require(count: usize, usual: usize, story: &str) -> Result<(), StopError> {
    if count == usual {
        return Ok(());
    }
    breaks(format!(
        "{story}, and the customer got {count} answers in the place of {usual}."
    ))
}
