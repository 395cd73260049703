//! Case 28: a post whose answer was lost is repeated with the same id.

use std::collections::BTreeSet;

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 28,
        roles: BRIDGES,
        title: "It repeats a post with the same msgid when its answer was lost",
        stimulus: "A customer writes in the program's messenger. The service stores the post, and its answer is lost.",
        expectation: "The program posts the message again with the same `msgid`. There is one message here.",
        sources: &[Source::Protocol],
        mistake: "The program makes another id for the repeat, or gives up.",
        advice: "Choose the `msgid` once, store it with the message before the first attempt, and repeat the same bytes until there is an answer.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_posts()?;
    let target = stage.send_target();
    stage.fault(&json!({ "on": "answers", "do": "lost_after_commit", "match": target }))?;
    let text = stage.provoke_post("Have you any roses?")?;
    let posts = stage.until(|stage| {
        let posts = stage.posts(&text)?;
        Ok((posts.len() >= 2).then_some(posts))
    })?;
    let Some(posts) = posts else {
        return breaks("It did not repeat a post within 20 s whose answer was lost.");
    };
    let ids: BTreeSet<&str> = posts.iter().map(|post| post.msgid.as_str()).collect();
    if ids.len() > 1 {
        let list: Vec<&str> = ids.into_iter().collect();
        return breaks(format!(
            "It repeated a post with another msgid: {}. The customer's message is here twice.",
            list.join(", ")
        ));
    }
    Ok(Verdict::holds())
}
