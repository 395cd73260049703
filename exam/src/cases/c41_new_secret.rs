//! Case 41: a rotation of the secret loses nothing.

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::{Request, Stage};
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

/// The secret after the rotation.
const NEXT_SECRET: &str = "0123456789abcdef0123456789abcdef01234567";

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 41,
        roles: BRIDGES,
        title: "It accepts both secrets while the operator changes the secret",
        stimulus: "The program is started with `SWITCHBOARD_CHANNEL_SECRET_NEXT`. Callbacks are signed with the old secret, and then with the new one.",
        expectation: "Each callback is done once.",
        sources: &[Source::Inference],
        mistake: "The program knows one secret, and refuses callbacks for as long as it takes to change it.",
        advice: "Verify with each secret that is valid, and forget the old one when the rotation is over.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start("start the program with a second secret")?;
    stage.prove_signs()?;
    stage.kill()?;
    stage.start_with_next_secret(NEXT_SECRET)?;
    let old = stage.fact("/channel/secret").to_owned();
    for (name, secret) in [("old", old.as_str()), ("new", NEXT_SECRET)] {
        let callback = stage.own_callback(&format!("Signed with the {name} secret."))?;
        let request = Request::new("POST", stage.path()).json(callback.body.to_string());
        let answer = stage.exchange(&request.signed(secret));
        let is_done = answer.is_success() && stage.until_handled(&callback.reply)?.is_some();
        if !is_done && name == "new" {
            return not_tried(
                "the program does not read SWITCHBOARD_CHANNEL_SECRET_NEXT: it cannot know the new secret",
            );
        }
        if !answer.is_success() {
            return breaks(format!(
                "It {} to a callback with the {name} secret during the rotation.",
                answer.shown()
            ));
        }
        if !is_done {
            return breaks(format!("A callback with the {name} secret was never done."));
        }
    }
    Ok(Verdict::holds())
}
