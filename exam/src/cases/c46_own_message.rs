//! Case 46: a bot does not answer itself.

use std::time::Duration;

use crate::case::Case;
use crate::role::BOTS;
use crate::rule::{Rule, Source};
use crate::stage::{LOOP_MAX, Stage};
use crate::verdict::{Judgement, Verdict, breaks};

/// The time in which a program that answers itself does so.
const WATCH: Duration = Duration::from_secs(2);

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 46,
        roles: BOTS,
        title: "It does not answer its own messages",
        stimulus: "The program is subscribed to `add_outgoing_message`, too, and gets the hook of its own answer, whose `author[type]` is `bot`. The exam stops a loop after 5 answers.",
        expectation: "It sends nothing for it.",
        sources: &[Source::Code],
        mistake: "The program answers whatever has a text, and talks to itself until its quota is used up.",
        advice: "Answer `message[add]` alone, and leave out messages whose `author[type]` is `bot`.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    let usual = stage.prove_answers()?;
    stage.subscribe(&["add_message", "add_outgoing_message"])?;
    stage.writes("hanna", "Do you hear yourself?")?;
    if stage.until_answer("hanna")?.is_none() {
        return breaks("It answers no customer when the hooks have outgoing messages, too.");
    }
    let answer = stage.answers("hanna")?.into_iter().next();
    let id = answer.map(|answer| answer.id).unwrap_or_default();
    stage.until_hook("add_outgoing_message", |hook| {
        hook.field("/id") == id && hook.field("/author/type") == "bot"
    })?;
    stage.until_within(WATCH, |stage| {
        Ok((stage.answers("hanna")?.len() > LOOP_MAX).then_some(()))
    })?;
    let count = stage.answers("hanna")?.len();
    if count > LOOP_MAX {
        stage.end_hooks()?;
        return breaks(format!(
            "It answers its own messages: {count} for one question. The exam has stopped the loop."
        ));
    }
    if count > usual {
        return breaks(format!(
            "It got the hook of its own answer, and the customer got {count} answers in the place of {usual}."
        ));
    }
    stage.require_answers(usual, "After the hook of its own answer")?;
    Ok(Verdict::holds())
}
