//! Case 35: a program works although its clock and that of the service differ.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::{Post, Stage};
use crate::verdict::{Judgement, StopError, Verdict, breaks};

/// Differences in seconds: within what the interface allows, and beyond it.
const ALLOWED: u32 = 600;
const TOO_MUCH: u32 = 1_200;
/// The words by one of which an operator finds the cause. Logs have a time in each line, so that word says nothing.
const NAMES: [&str; 3] = ["clock", "skew", "drift"];

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 35,
        roles: BRIDGES,
        title: "It loses nothing while its clock is wrong, and names the clock",
        stimulus: "The clock of the service is 10 minutes ahead of that of the machine, and then 20 minutes behind it, in `Date` of its \
                   answers, too. Then it is right again.",
        expectation: "All messages are posted, the last one at the latest when the clock is right, and the program writes that the clock is wrong.",
        sources: &[Source::Documents],
        mistake: "The program takes a refused date for a refused message, and drops it.",
        advice: "Do not drop a message that was answered with 403: its signature, its date or the secret is wrong. Compare `Date` of the \
                 answer with your clock, write the difference to your log, and sign again.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_posts()?;
    set_clock(stage, "clock_ahead", ALLOWED)?;
    let text = stage.provoke_post("Have you any lilies?")?;
    if stored_post(stage, &text)?.is_none() {
        return breaks("It posted no message while the clock of the service was 10 minutes ahead.");
    }
    set_clock(stage, "clock_behind", TOO_MUCH)?;
    let log_before = stage.output();
    let text = stage.provoke_post("Have you any violets?")?;
    let first = stage.until(|stage| Ok(stage.posts(&text)?.into_iter().next()))?;
    let Some(first) = first else {
        return stage.no_post(
            "when a request was refused because the clock of the service was 20 minutes behind",
        );
    };
    // The current generation signs a date, and that of 2019 none.
    if first.is_stored() {
        let remark =
            "its clock was never in its way: it signs no date, or had set its clock by the answers";
        return Ok(Verdict::Holds {
            remark: Some(remark.to_owned()),
        });
    }
    if stored_post(stage, &text)?.is_none() {
        // A person sets the clock.
        stage.end_faults()?;
        if stored_post(stage, &text)?.is_none() {
            return breaks(
                "It dropped a message that was refused because the clock of the service was 20 minutes behind.",
            );
        }
    }
    if !stage.runs_already() && !names_the_clock(stage, &log_before) {
        return Ok(Verdict::Warns {
            why: "It posted the message, and wrote nothing of the clock.".to_owned(),
        });
    }
    Ok(Verdict::holds())
}

/// Sets the clock of the service, which all of its answers show.
fn set_clock(stage: &Stage, fault: &str, seconds: u32) -> Result<(), StopError> {
    stage.end_faults()?;
    let fault = json!({ "on": "answers", "do": fault, "seconds": seconds, "times": 100_000 });
    Ok(stage.fault(&fault)?)
}

fn stored_post(stage: &mut Stage, text: &str) -> Result<Option<Post>, StopError> {
    stage.until(|stage| {
        let posts = stage.posts(text)?;
        Ok(posts.into_iter().find(Post::is_stored))
    })
}

/// Returns whether the program has written of the clock behind what it had written before.
fn names_the_clock(stage: &Stage, log_before: &str) -> bool {
    let log = stage.output();
    let news = log.strip_prefix(log_before).unwrap_or(&log).to_lowercase();
    NAMES.iter().any(|name| news.contains(name))
}
