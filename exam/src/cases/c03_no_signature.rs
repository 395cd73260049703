//! Case 3: a callback without a signature does nothing.

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::{Request, Stage};
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 3,
        roles: BRIDGES,
        title: "It does nothing for a callback without a whole signature",
        stimulus: "Callbacks without `X-Signature`, with an empty one, and with one of 39 digits.",
        expectation: "They do nothing, and the program goes on.",
        sources: &[Source::Protocol],
        mistake: "The program compares what is missing with what is missing, or fails on a header that is not there.",
        advice: "Treat a missing or malformed header as a wrong signature: answer 403.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let digits = "a".repeat(39);
    let signatures = [
        ("without a signature", None),
        ("with an empty signature", Some("")),
        ("with a signature of 39 digits", Some(digits.as_str())),
    ];
    let mut callbacks = Vec::new();
    for (mistake, signature) in signatures {
        let callback = stage.own_callback(mistake)?;
        let bare = Request::new("POST", stage.path()).json(callback.body.to_string());
        let request = match signature {
            Some(signature) => bare.header("X-Signature", signature),
            None => bare,
        };
        let answer = stage.exchange(&request);
        if answer.status.is_none() {
            return breaks(format!("It {} to a callback {mistake}.", answer.shown()));
        }
        callbacks.push((mistake, callback));
    }
    stage.require_work("After callbacks without a signature")?;
    for (mistake, callback) in callbacks {
        let signs = stage.signs(&callback.reply)?;
        if signs.times() > 0 {
            let words = signs.shown();
            return breaks(format!("It did what a callback {mistake} says: {words}."));
        }
    }
    Ok(Verdict::holds())
}
