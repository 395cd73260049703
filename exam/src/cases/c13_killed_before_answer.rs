//! Case 13: a program that was killed before its 200 does the repeat once.

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::Judgement;

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 13,
        roles: BRIDGES,
        title: "It does a message once although it was killed before its answer",
        stimulus: "The program is killed as soon as it shows that a message has arrived at the customer, or, if it cannot show arrivals, as soon as it has answered. It is started again, and the callback comes again if it was not answered.",
        expectation: "One message at the customer.",
        sources: &[Source::Protocol],
        mistake: "The program delivers first, and remembers the delivery only in memory, or after its answer.",
        advice: "Store the callback before the work, and mark it as done in the same step as the delivery, as far as the messenger allows.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start("kill the program")?;
    stage.prove_signs()?;
    let reply = stage.reply("Red ones.")?;
    stage.until(|stage| {
        let signs = stage.signs(&reply)?;
        // Before it shows an arrival, it may not have the answer of the messenger, and a repeat would be no mistake.
        let is_delivered = match signs.arrivals {
            Some(_) => signs.is_shown(),
            None => signs.is_shown() || stage.is_answered(&reply)?,
        };
        Ok(is_delivered.then_some(()))
    })?;
    stage.kill()?;
    stage.start_again()?;
    stage.judge_done_once_over_kills(&reply, "The program was killed in the middle of a message")
}
