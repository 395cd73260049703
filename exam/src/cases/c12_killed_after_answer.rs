//! Case 12: what was answered with 200 outlives the program.

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 12,
        roles: BRIDGES,
        title: "It stores a callback before it answers 200",
        stimulus: "The program is killed between its 200 and its work, and started again.",
        expectation: "The message arrives at the customer.",
        sources: &[Source::Documents],
        mistake: "The program answers 200, and keeps the work in memory.",
        advice: "Write the callback to a disk before the answer, and go on with what is there at the start. The counterpart sends each callback once.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start("kill the program")?;
    stage.prove_signs()?;
    stage.slow_outside(1.0)?;
    let reply = stage.reply("Red ones.")?;
    let query = format!("until=callback.delivered&message={}", reply.id);
    if !stage.wait(&query)? {
        return breaks("It never answered 2xx to a callback while its messenger was slow.");
    }
    let is_done = stage.signs(&reply)?.times() > 0;
    stage.kill()?;
    stage.start_again()?;
    if is_done || stage.until_handled(&reply)?.is_some() {
        return Ok(Verdict::holds());
    }
    breaks(
        "It answered 200, was killed before it had delivered the message, and never delivered it after its restart: \
         the message is lost.",
    )
}
