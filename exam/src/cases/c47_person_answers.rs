//! Case 47: a bot is silent when a person has answered.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::case::Case;
use crate::role::BOTS;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, StopError, Verdict, breaks, not_tried};

/// The time after which a refused answer is surely repeated, beyond that of another one.
const MARGIN: Duration = Duration::from_secs(1);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 47,
        roles: BOTS,
        title: "It is silent when a person answers first",
        stimulus: "The service refuses the program's answer with 429. Before it is repeated, a person answers, and the program gets the `add_outgoing_message` of that, whose `author[type]` is `internal`.",
        expectation: "The program sends nothing more for that question.",
        sources: &[Source::Code],
        mistake: "The program decides when the hook comes, and talks over the person who has answered meanwhile.",
        advice: "Look again right before each request to send: if a person has written in the talk since the question, leave it to them.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    let usual = stage.prove_answers()?;
    stage.subscribe(&["add_message", "add_outgoing_message"])?;
    refuse(stage, "hanna", "Is this hanna's turn?")?;
    let start = Instant::now();
    if stage.until_answer("hanna")?.is_none() {
        return not_tried(
            "the program gives up an answer that is refused with 429, so no person can come before its repeat: repeat it",
        );
    }
    let repeat = start.elapsed();
    let before = refuse_before(stage)?;
    std::thread::sleep(repeat + MARGIN);
    stage.require_answers(usual, "After a person had answered")?;
    let answers = stage.answers("ida")?;
    let count = answers.iter().filter(|it| it.id != before).count();
    if count > 0 {
        return breaks(format!(
            "A person had answered, and the program knew it. It still sent its own answer, {count}×."
        ));
    }
    Ok(Verdict::holds())
}

/// The answer of the program is refused until a person has answered, and the program knows it. Gives the person's message.
fn refuse_before(stage: &mut Stage) -> Result<String, StopError> {
    until_refused(stage, "ida", "Is this ida's turn?")?;
    let reply = stage.reply_to("ida", "This is Ada. I take over.")?;
    let hook = stage.until_hook("add_outgoing_message", |hook| hook.field("/id") == reply.id)?;
    stage.end_faults()?;
    if !hook.is_delivered() {
        return not_tried(format!(
            "the program did not take the hook of a person's answer, {}: answer 200 to add_outgoing_message",
            hook.outcome
        ));
    }
    Ok(reply.id)
}

/// The answer of the program is refused once.
fn refuse(stage: &mut Stage, customer: &str, text: &str) -> Result<(), StopError> {
    until_refused(stage, customer, text)?;
    stage.end_faults()?;
    Ok(())
}

/// A customer writes, and the answer of the program is refused from now on.
fn until_refused(stage: &mut Stage, customer: &str, text: &str) -> Result<(), StopError> {
    let fault = json!({ "on": "answers", "do": "rate_limited", "retry_after": 2, "times": 1000 });
    stage.fault_sends(&fault)?;
    stage.writes(customer, text)?;
    let hook = stage.until_hook("add_message", |hook| hook.field("/text") == text)?;
    match stage.until_refusal(hook.field("/talk_id"), 429)? {
        Some(()) => Ok(()),
        None => not_tried("the program did not try to answer a customer: nothing could be refused"),
    }
}
