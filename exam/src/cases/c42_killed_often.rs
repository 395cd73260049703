//! Case 42: a program that is killed often loses nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::case::Case;
use crate::rule::{Rule, Source};
use crate::stage::{CUSTOMER, Post, Stage};
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 42,
        title: "It loses nothing although it is killed again and again",
        stimulus: "Replies and messages of customers, while the program is killed ten times at moments that the seed chooses.",
        expectation: "Each message arrives, in both directions. What comes twice has the same id.",
        sources: &[Source::Protocol],
        mistake: "Something is only in memory between two steps.",
        advice: "Store each step before the answer that promises it, and go on from there at the start.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    stage.prove_posts()?;
    let mut replies = Vec::new();
    let mut texts = Vec::new();
    for round in 0_u64..10 {
        replies.push(stage.reply(&format!("Reply {round}."))?);
        let text = format!("Question {round}.");
        stage.says(CUSTOMER, &text)?;
        texts.push(text);
        // Moments between nothing and a few steps of the program.
        std::thread::sleep(Duration::from_millis(round * 37 % 90));
        stage.kill();
        stage.start_again()?;
    }
    stage.wait_quiet()?;
    for reply in &replies {
        match stage.until_handled(reply)? {
            None => {
                return breaks(format!(
                    "«{}» never arrived after the program was killed.",
                    reply.text
                ));
            }
            Some(signs) if signs.arrivals.is_some_and(|arrivals| arrivals > 1) => {
                return breaks(format!(
                    "«{}» arrived twice after the program was killed.",
                    reply.text
                ));
            }
            Some(_) => {}
        }
    }
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
    Ok(Verdict::holds())
}
