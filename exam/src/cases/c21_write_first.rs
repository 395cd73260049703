//! Case 21: a conversation that an account user starts.

use serde_json::{Value, json};

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::{Post, Reply, Stage};
use crate::verdict::{Judgement, Verdict, breaks};

const GREETING: &str = "Your tulips are here.";
const ANSWER: &str = "I shall come at nine.";

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 21,
        roles: BRIDGES,
        title: "It joins a conversation that an account user has started",
        stimulus: "An account user writes first, to a phone number: the callback has no `conversation.client_id`. Then the customer answers.",
        expectation: "The message arrives. The customer's answer has `conversation_ref_id` and `sender.ref_id`, so it lands in the same conversation.",
        sources: &[Source::Documents],
        mistake: "The program needs `conversation.client_id`, or posts the answer as a new conversation.",
        advice: "Keep `conversation.id` and `receiver.id` of the callback, and send them as `conversation_ref_id` and `sender.ref_id` with the first answer.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let phone = stage.own_phone();
    let scope = stage.fact("/scope_id").to_owned();
    let body = json!({ "scope_id": scope, "phone": phone, "text": GREETING });
    let answer = stage.as_user("POST", "/inbox/v1/conversations", &body)?;
    let id = |pointer: &str| {
        answer
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let conversation = id("/conversation/id");
    let reply = Reply {
        id: id("/message/id"),
        text: GREETING.to_owned(),
    };
    stage.wait_quiet()?;
    stage.require_first_attempts(std::slice::from_ref(&reply), "An account user wrote first")?;
    if stage.until_handled(&reply)?.is_none() {
        return breaks("A message of an account user who writes first was never done.");
    }
    stage.says(&phone, ANSWER)?;
    let post = stage.until(|stage| {
        let posts = stage.posts(ANSWER)?;
        Ok(posts.into_iter().find(Post::is_stored))
    })?;
    let Some(post) = post else {
        return breaks("The answer of the customer was never posted.");
    };
    if post.field("/payload/conversation_ref_id") != conversation {
        return breaks(
            "The answer of the customer has no `conversation_ref_id` of the conversation: it began another one.",
        );
    }
    if post.field("/payload/sender/ref_id").is_empty() {
        return breaks(
            "The answer of the customer has no `sender.ref_id`: it is another person here.",
        );
    }
    Ok(Verdict::holds())
}
