//! Case 17: a backlog does not end the program.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

/// The memory, in bytes, that a program may need in addition: a small one doubles quickly.
const ROOM: u64 = 64 << 20;

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 17,
        roles: BRIDGES,
        title: "It works off a backlog of 1,000 callbacks",
        stimulus: "After an hour of silence, 1,000 callbacks of 20 conversations.",
        expectation: "All are answered in their first attempt and arrive. The memory of the program stays below the double.",
        sources: &[Source::Inference],
        mistake: "The program keeps all callbacks in memory, or starts a thread for each.",
        advice: "Store the callbacks on a disk, and work with a fixed number of workers.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let before = stage.memory();
    stage.order("POST", "/advance", &json!({ "seconds": 3600 }))?;
    stage.require_crowd(50, "1,000 callbacks came at once")?;
    let (Some(before), Some(after)) = (before, stage.memory()) else {
        let remark = "Its memory is not measured: the exam did not start the program.".to_owned();
        return Ok(Verdict::Holds {
            remark: Some(remark),
        });
    };
    if after > 2 * before + ROOM {
        let (before, after) = (before >> 20, after >> 20);
        return breaks(format!(
            "It needed {before} MiB before 1,000 callbacks, and {after} MiB after them."
        ));
    }
    Ok(Verdict::holds())
}
