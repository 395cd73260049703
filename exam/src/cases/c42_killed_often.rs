//! Case 42: a program that is killed often loses nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::case::Case;
use crate::role::{BOTH, Role};
use crate::rule::{Rule, Source};
use crate::stage::{CUSTOMER, Post, Reply, Stage, count_repeats};
use crate::verdict::{Judgement, StopError, Verdict, breaks};

/// The times that the program is killed.
const ROUNDS: u64 = 10;
/// The time in which a bot that answers more than once does so.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 42,
        roles: BOTH,
        title: "It loses nothing although it is killed again and again",
        stimulus: "Replies and messages of customers, for a bot messages of customers alone, while the program is killed ten times, each time a few of its steps later.",
        expectation: "Each message arrives, in both directions, and a bot answers each. What comes twice has the same id. A message may come to the customer twice only as after a lost answer of a messenger without a key against duplicates: directly behind itself, never a third time, and after at most half of the kills.",
        sources: &[Source::Protocol],
        mistake: "Something is only in memory between two steps.",
        advice: "Store each step before the answer that promises it, and go on from there at the start. Record that a message has arrived directly behind the answer of the messenger.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start("kill the program")?;
    match stage.role() {
        Role::Bridge => judge_bridge(stage),
        Role::Bot => judge_bot(stage),
    }
}

/// Kills the program after a few of its steps, and starts it again.
fn kill_once(stage: &mut Stage, round: u64) -> Result<(), StopError> {
    // Moments between nothing and a few steps of the program.
    std::thread::sleep(Duration::from_millis(round * 37 % 90));
    stage.kill()?;
    stage.start_again()
}

fn judge_bot(stage: &mut Stage) -> Judgement {
    let usual = stage.prove_answers()?;
    let customers: Vec<String> = (0..ROUNDS).map(|round| format!("otto-{round}")).collect();
    for (round, customer) in (0..).zip(&customers) {
        stage.writes(customer, "Are you still there?")?;
        kill_once(stage, round)?;
    }
    stage.wait_quiet()?;
    for customer in &customers {
        if stage.until_answer(customer)?.is_none() {
            return breaks("A customer never got an answer after the program was killed.");
        }
    }
    // What is answered twice is answered at once.
    std::thread::sleep(PAUSE);
    for customer in &customers {
        let count = stage.count_answers(customer)?;
        if count != usual {
            return breaks(format!(
                "A customer got {count} answers in the place of {usual} when the program was killed."
            ));
        }
    }
    Ok(Verdict::holds())
}

fn judge_bridge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.prove_posts()?;
    let mut replies = Vec::new();
    let mut texts = Vec::new();
    for round in 0..ROUNDS {
        replies.push(stage.reply(&format!("Reply {round}."))?);
        let text = format!("Question {round}.");
        stage.says(CUSTOMER, &text)?;
        texts.push(text);
        kill_once(stage, round)?;
    }
    stage.wait_quiet()?;
    for reply in &replies {
        if stage.until_handled(reply)?.is_none() {
            return breaks(format!(
                "«{}» never arrived after the program was killed.",
                reply.text
            ));
        }
    }
    let repeats = judge_repeats(stage, &replies)?;
    for text in &texts {
        let of_text = stage.until(|stage| {
            let posts = stage.posts(text)?;
            Ok(posts.iter().any(Post::is_stored).then_some(posts))
        })?;
        let Some(posts) = of_text else {
            return breaks(format!(
                "The customer's «{text}» was lost when the program was killed."
            ));
        };
        let ids: BTreeSet<&str> = posts.iter().map(|post| post.msgid.as_str()).collect();
        if ids.len() > 1 {
            return breaks(format!("The customer's «{text}» was posted with two ids."));
        }
    }
    Ok(Verdict::Holds {
        remark: (repeats > 0).then(|| {
            format!(
                "{repeats} of {ROUNDS} messages came to the customer twice, as after a lost answer of the messenger."
            )
        }),
    })
}

/// Returns the number of messages that came to the customer twice for want of an answer of the messenger, as far as the program
/// says what has arrived.
fn judge_repeats(stage: &mut Stage, replies: &[Reply]) -> Result<usize, StopError> {
    // What was on its way again is over then.
    stage.require_work("After the program was killed again and again")?;
    let arrivals = stage.seen().unwrap_or_default();
    let texts: Vec<&str> = arrivals
        .iter()
        .filter_map(|it| replies.iter().find(|reply| reply.id == it.msgid))
        .map(|reply| reply.text.as_str())
        .collect();
    count_repeats(&texts, replies.len())
        .or_else(|error| breaks(format!("{error}. The program was killed {ROUNDS} times.")))
}
