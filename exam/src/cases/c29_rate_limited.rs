//! Case 29: a program waits as long as the answer says.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

/// The time that the answer names.
const RETRY_AFTER: Duration = Duration::from_secs(3);
/// The first post is seen a little after it came.
const MARGIN: Duration = Duration::from_millis(300);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 29,
        roles: BRIDGES,
        title: "It waits as long as Retry-After says",
        stimulus: "The service answers a post with 429 and `Retry-After: 3`.",
        expectation: "The program waits for at least 3 seconds, and posts the same message then.",
        sources: &[Source::Protocol, Source::Documents],
        mistake: "The program repeats at once, or drops the message.",
        advice: "Wait for the seconds of `Retry-After`, and send the same message with the same `msgid`.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_posts()?;
    let target = stage.send_target();
    let fault = json!({ "on": "answers", "do": "rate_limited", "retry_after": 3, "match": target });
    stage.fault(&fault)?;
    let begin = Instant::now();
    let text = stage.provoke_post("Have you any roses?")?;
    let first = stage.until(|stage| Ok(stage.posts(&text)?.into_iter().next()))?;
    let Some(first) = first else {
        return stage.no_post("when it was answered with 429");
    };
    // A program may do all of it, and wait, while its customer writes.
    let is_over = stage.posts(&text)?.len() > 1;
    let start = if is_over { begin } else { Instant::now() };
    let second = stage.until(|stage| Ok(stage.posts(&text)?.into_iter().nth(1)))?;
    let pause = start.elapsed();
    let Some(second) = second else {
        return breaks("It dropped a message that was answered with 429.");
    };
    if second.msgid != first.msgid {
        return breaks("It sent the message again with another msgid after 429.");
    }
    if pause < RETRY_AFTER - MARGIN {
        let seconds = pause.as_secs_f64();
        return breaks(format!(
            "It sent again after {seconds:.1} s, where Retry-After said 3 s."
        ));
    }
    Ok(Verdict::holds())
}
