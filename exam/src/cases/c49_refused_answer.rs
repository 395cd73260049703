//! Case 49: a talk that is closed, and a quota that is used up.

use std::time::Duration;

use serde_json::json;

use crate::case::Case;
use crate::role::BOTS;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, StopError, Verdict, breaks, not_tried};

/// The time in which a program that hammers shows it.
const QUIET: Duration = Duration::from_secs(3);
/// The requests after which a program does not stop: one, and a repeat that is in vain.
const TRIES_MAX: usize = 2;

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 49,
        roles: BOTS,
        title: "It stops when a talk is closed or the quota is used up",
        stimulus: "The service refuses `send_message`, or the run of a salesbot, with 422 «Talk is closed», since a person has closed the talk, and then with 402 «Over chat API limit».",
        expectation: "The program stops for that talk, says so, and does not send the message again and again. It answers in other talks after 422.",
        sources: &[Source::Documents],
        mistake: "The program repeats whatever is not 2xx.",
        advice: "422 is about this talk: leave the message, and log it. 402 is about the account: stop sending, log it, and look again much later.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    let usual = stage.prove_answers()?;
    let output = stage.output();
    let text = "Is this talk open?";
    let hook = stage.withhold("hanna", text)?;
    let talk = hook.field("/talk_id").to_owned();
    let target = format!("/api/v4/talks/{talk}/close");
    stage.as_user("POST", &target, &json!({ "force_close": true }))?;
    stage.send_form(&hook.request_id, hook.form.clone());
    require_stop(stage, &talk, 422)?;
    let says_so = stage.output() != output;
    stage.require_answers(usual, "After an answer in a closed talk")?;
    let fault = json!({ "on": "answers", "do": "over_chat_limit", "times": 1000 });
    stage.fault_sends(&fault)?;
    let text = "Have you any answers left?";
    stage.writes("ida", text)?;
    let hook = stage.until_hook("add_message", |hook| hook.field("/text") == text)?;
    require_stop(stage, hook.field("/talk_id"), 402)?;
    stage.end_faults()?;
    stage.require_hooks("After its quota was used up")?;
    if says_so {
        return Ok(Verdict::holds());
    }
    Ok(Verdict::Warns {
        why: "It stops after 422, and writes nothing about it to its output: its operator cannot know that the customer got no answer."
            .to_owned(),
    })
}

/// The program is refused, and tries no more.
fn require_stop(stage: &mut Stage, talk: &str, status: u16) -> Result<(), StopError> {
    if stage.until_refusal(talk, status)?.is_none() {
        return not_tried(format!(
            "the program did not try to answer, and so was not refused with {status}: nothing shows what it does then"
        ));
    }
    std::thread::sleep(QUIET);
    let tries = stage.sends(talk)?.len();
    if tries > TRIES_MAX {
        return breaks(format!(
            "It tried {tries} times within 3 s to send a message that is refused with {status}."
        ));
    }
    Ok(())
}
