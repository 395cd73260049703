//! Case 15: a slow messenger does not delay the answer.

use std::time::{Duration, Instant};

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::{CallbackAttempt, Stage};
use crate::verdict::{Judgement, Verdict, breaks};

/// The time-out of the counterpart.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 15,
        roles: BRIDGES,
        title: "It answers within 5 seconds although its messenger is slow",
        stimulus: "The messenger of the program takes 8 seconds for a message.",
        expectation: "The callback is answered within 5 seconds.",
        sources: &[Source::Documents],
        mistake: "The program delivers inside of the request.",
        advice: "Store the callback, answer 200, and deliver afterwards.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.slow_outside(8.0)?;
    let start = Instant::now();
    let reply = stage.reply("Red ones.")?;
    let is_answered = stage.wait(&format!("until=callback.attempt&message={}", reply.id))?;
    let took = start.elapsed();
    stage.slow_outside(0.0)?;
    let attempts = stage.attempts(&reply.id)?;
    let is_delivered = is_answered && attempts.first().is_some_and(CallbackAttempt::is_delivered);
    if is_delivered && took < ANSWER_WITHIN {
        return Ok(Verdict::holds());
    }
    let seconds = took.as_secs_f64();
    breaks(format!(
        "Its messenger took 8 s for a message, and the callback had no 2xx within {seconds:.1} s."
    ))
}
