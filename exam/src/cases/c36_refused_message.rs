//! Case 36: one refused message does not stop the others.

use std::time::Duration;

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::{Post, Stage};
use crate::verdict::{Judgement, Verdict, breaks};

/// The time in which a program that repeats for ever shows it.
const QUIET: Duration = Duration::from_secs(2);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 36,
        roles: BRIDGES,
        title: "It leaves a message that is refused, and goes on",
        stimulus: "The service answers one post with 400.",
        expectation: "The program does not repeat it for ever, and posts the next message of the conversation.",
        sources: &[Source::Protocol],
        mistake: "The program repeats the refused message for ever, and the conversation stands still.",
        advice: "Report a message that was answered with 4xx (but for 401, 402, 403, 408 and 429), and go on with the next one.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_posts()?;
    let target = stage.send_target();
    let fault =
        json!({ "on": "answers", "do": "status", "status": 400, "times": 100, "match": target });
    stage.fault(&fault)?;
    let bad_text = stage.provoke_post("A message that is refused.")?;
    let first = stage.until(|stage| Ok(stage.posts(&bad_text)?.into_iter().next()))?;
    if first.is_none() {
        return stage.no_post("when it was answered with 400");
    }
    std::thread::sleep(QUIET);
    stage.end_faults()?;
    let repeats = stage.posts(&bad_text)?.len();
    let next = stage.provoke_post("The next message.")?;
    let post = stage.until(|stage| {
        let posts = stage.posts(&next)?;
        Ok(posts.into_iter().find(Post::is_stored))
    })?;
    if post.is_none() {
        return breaks(
            "After a message that was refused with 400, it posted no other within 20 s.",
        );
    }
    if repeats > 5 {
        return breaks(format!(
            "It sent a message {repeats} times within 2 s that was refused with 400."
        ));
    }
    Ok(Verdict::holds())
}
