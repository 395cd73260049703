//! Case 38: a program stays below the rate of the counterpart.

use std::time::{Duration, Instant};

use crate::case::Case;
use crate::role::BOTH;
use crate::rule::{Rule, Source};
use crate::stage::{Calm, Stage};
use crate::verdict::{Judgement, StopError, Verdict, breaks, not_tried};

/// The most requests of a second.
const PER_SECOND: f64 = 7.0;
/// Requests that were under way before.
const MARGIN: f64 = 3.0;
/// The time in which requests are counted.
const WATCH: Duration = Duration::from_secs(4);
/// Each customer of a crowd.
const CUSTOMERS: u32 = 10;
const MESSAGES: u32 = 6;
/// On a busy machine a program without a limit may be slow as well, so it is tried with so many crowds.
const CROWDS: u32 = 3;

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 38,
        roles: BOTH,
        title: "It makes at most 7 requests a second",
        stimulus: "Ten customers write six messages each, all at once.",
        expectation: "The program makes at most 7 requests a second, and 7 at once, with some margin.",
        sources: &[Source::Documents],
        mistake: "The program sends as fast as messages arrive, and the counterpart blocks its address.",
        advice: "Let all requests to the service pass one limiter: 7 tokens, 7 more each second.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_calls()?;
    let mut most = 0;
    for crowd in 1..=CROWDS {
        let calm = Calm::begin();
        most = most.max(watch(stage, crowd)?);
        if calm.has_lasted() {
            break;
        }
    }
    if most < 8 {
        return not_tried(format!(
            "the program made fewer than 8 requests for {} messages",
            CUSTOMERS * MESSAGES
        ));
    }
    Ok(Verdict::holds())
}

/// A crowd writes. Gives the number of requests that follow; ends the case when they are too many.
fn watch(stage: &mut Stage, crowd: u32) -> Result<usize, StopError> {
    let before = stage.program_requests()?.len();
    let customers: Vec<String> = (1..=CUSTOMERS)
        .map(|number| format!("crowd-{crowd}-{number}"))
        .collect();
    let texts: Vec<String> = (1..=MESSAGES)
        .map(|number| format!("Question {number}"))
        .collect();
    let start = Instant::now();
    stage.all_say(&customers, &texts)?;
    let mut most = 0;
    let too_many = stage.until_within(WATCH, |stage| {
        let count = stage.program_requests()?.len().saturating_sub(before);
        most = most.max(count);
        let seconds = start.elapsed().as_secs_f64();
        // What came late was sent earlier: on a busy machine too, so many may have come since the first question.
        let limit = PER_SECOND * (seconds + 1.0) + MARGIN;
        let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        Ok((count > limit).then_some((count, seconds)))
    })?;
    if let Some((count, seconds)) = too_many {
        return breaks(format!(
            "It made {count} requests in the {seconds:.1} s after the first of {} messages.",
            CUSTOMERS * MESSAGES
        ));
    }
    Ok(most)
}
