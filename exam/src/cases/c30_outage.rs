//! Case 30: an outage loses nothing.

use std::time::Duration;

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

/// The longest time until a program has sent all again.
const OUTAGE_MAX: Duration = Duration::from_secs(60);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 30,
        roles: BRIDGES,
        title: "It loses nothing in an outage, and keeps the order",
        stimulus: "While four customers write twice each, the service answers with 500, with a page of 502, with half an answer, and not at all.",
        expectation: "All messages are posted afterwards, in order within each conversation.",
        sources: &[Source::Protocol],
        mistake: "The program gives up after some attempts, or lets later messages overtake.",
        advice: "Keep messages on a disk until the service has them, and send those of one conversation one after the other.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_posts()?;
    let target = stage.send_target();
    for fault in ["bad_gateway_html", "truncated", "lost_before_commit"] {
        stage.fault(&json!({ "on": "answers", "do": fault, "times": 2, "match": target }))?;
    }
    stage.fault(
        &json!({ "on": "answers", "do": "status", "status": 500, "times": 2, "match": target }),
    )?;
    let mut texts = Vec::new();
    for turn in ["First", "Second"] {
        for customer in ["dora", "emil", "fritz", "gina"] {
            let text = format!("{turn} of {customer}.");
            stage.says(customer, &text)?;
            texts.push(text);
        }
    }
    let all = stage.until_within(OUTAGE_MAX, |stage| {
        let posts = stage.posts(" of ")?;
        let is_stored = |text: &&String| {
            posts
                .iter()
                .any(|post| post.is_stored() && post.text == **text)
        };
        Ok(texts.iter().all(|text| is_stored(&text)).then_some(()))
    })?;
    let posts = stage.posts(" of ")?;
    if all.is_none() {
        let count = posts.iter().filter(|post| post.is_stored()).count();
        return breaks(format!(
            "{count} of 8 messages were posted within 60 s after the outage."
        ));
    }
    for customer in ["dora", "emil", "fritz", "gina"] {
        let place = |turn: &str| {
            let text = format!("{turn} of {customer}.");
            posts
                .iter()
                .position(|post| post.is_stored() && post.text == text)
        };
        if place("First") > place("Second") {
            return breaks(format!(
                "The second message of {customer} overtook the first one."
            ));
        }
    }
    Ok(Verdict::holds())
}
