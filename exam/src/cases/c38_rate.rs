//! Rule 38: a program stays below the rate of the counterpart.

use std::time::{Duration, Instant};

use crate::case::Case;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

/// The most requests of a second.
const PER_SECOND: usize = 7;
const SECOND: Duration = Duration::from_secs(1);
/// The time in which requests are counted.
const WATCH: Duration = Duration::from_secs(4);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 38,
        title: "It makes at most 7 requests a second",
        stimulus: "Ten customers write three messages each, all at once.",
        expectation: "No second has more than 7 requests of the program, with some margin.",
        sources: &[Source::Documents],
        mistake: "The program sends as fast as messages arrive, and the counterpart blocks its address.",
        advice: "Let all requests to the service pass one limiter: 7 tokens, 7 more each second.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_posts()?;
    let known = stage.program_requests()?.len();
    for number in 1..=3 {
        for customer in 1..=10 {
            stage.says(&format!("crowd-{customer}"), &format!("Question {number}"))?;
        }
    }
    let mut arrivals = Vec::new();
    let mut before = Instant::now();
    stage.until_within(WATCH, |stage| {
        let start = Instant::now();
        let count = stage.program_requests()?.len().saturating_sub(known);
        let arrival = Arrival {
            after: before,
            until: Instant::now(),
        };
        arrivals.resize(count.max(arrivals.len()), arrival);
        before = start;
        Ok::<Option<()>, _>(None)
    })?;
    if arrivals.len() < 8 {
        return not_tried("the program made fewer than 8 requests for 30 messages");
    }
    let most = arrivals.iter().enumerate().map(|(place, first)| {
        let later = arrivals.iter().skip(place);
        let is_surely_within = |it: &&Arrival| it.until.duration_since(first.after) < SECOND;
        later.take_while(is_surely_within).count()
    });
    let most = most.max().unwrap_or_default();
    // A full bucket may empty at once before the first second has passed.
    if most > 2 * PER_SECOND {
        return breaks(format!("It made {most} requests within one second."));
    }
    Ok(Verdict::holds())
}

/// The time between two looks at the journal, in which a request came.
#[derive(Clone, Copy)]
struct Arrival {
    after: Instant,
    until: Instant,
}
