//! Case 14: many callbacks at once.

use crate::case::Case;
use crate::rule::{Rule, Source};
use crate::stage::{Reply, Stage};
use crate::verdict::{Judgement, Verdict};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 14,
        title: "It takes 200 callbacks of 20 conversations at once",
        stimulus: "Ten replies in each of 20 conversations, all at once.",
        expectation: "Each is answered within 5 seconds, and done once, in order within its conversation.",
        sources: &[Source::Documents],
        mistake: "The program works on one request after the other, or on all of them without order.",
        advice: "Store the callback, answer, and let one worker at a time deliver in each conversation.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let customers: Vec<String> = (1..=20).map(|number| format!("customer-{number}")).collect();
    for customer in &customers {
        stage.writes(customer, "Hello")?;
    }
    let mut conversations = vec![Vec::new(); customers.len()];
    for round in 1..=10 {
        for (customer, replies) in customers.iter().zip(&mut conversations) {
            let text = format!("{round} of 10 for {customer}.");
            replies.push(stage.reply_to(customer, &text)?);
        }
    }
    stage.wait_quiet()?;
    let replies: Vec<Reply> = conversations.iter().flatten().cloned().collect();
    stage.require_first_attempts(&replies, "200 callbacks came at once")?;
    stage.require_arrivals(&conversations, "200 callbacks came at once")?;
    Ok(Verdict::holds())
}
