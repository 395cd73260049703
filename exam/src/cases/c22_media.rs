//! Case 22: a file that cannot be fetched is reported.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 22,
        roles: BRIDGES,
        title: "It reports a file that it cannot fetch",
        stimulus: "Pictures whose address answers 404, 403, as a page, and with half of the file.",
        expectation: "Each is reported with the status -1 and a reason. Other messages go on.",
        sources: &[Source::Documents],
        mistake: "The program reports the message as delivered, or tries for ever.",
        advice: "Fetch with limits of time and size, check status, type and length, and report -1 with 905 and a text.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let faults = [
        (
            "404",
            json!({ "on": "media", "do": "status", "status": 404, "times": 100 }),
        ),
        (
            "403",
            json!({ "on": "media", "do": "status", "status": 403, "times": 100 }),
        ),
        (
            "a page",
            json!({ "on": "media", "do": "wrong_type", "times": 100 }),
        ),
        (
            "half of the file",
            json!({ "on": "media", "do": "truncated", "times": 100 }),
        ),
    ];
    for (name, fault) in faults {
        stage.fault(&fault)?;
        let reply = stage.reply_with_picture()?;
        stage.wait_quiet()?;
        let signs = stage.until_handled(&reply)?;
        let requests = stage.program_requests()?;
        let is_fetched = requests
            .iter()
            .any(|request| request.what.starts_with("GET /media/"));
        if !is_fetched {
            return not_tried("the program does not fetch files: it may pass their addresses on");
        }
        stage.end_faults()?;
        match signs {
            None => {
                return breaks(format!(
                    "It said nothing about a picture whose address gives {name}."
                ));
            }
            Some(signs) if signs.failure().is_none() => {
                return breaks(format!(
                    "It did a message whose picture gives {name}: {}.",
                    signs.shown()
                ));
            }
            Some(_) => {}
        }
        stage.require_work("After a picture that cannot be fetched")?;
    }
    Ok(Verdict::holds())
}
