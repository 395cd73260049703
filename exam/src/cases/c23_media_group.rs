//! Case 23: the files of a group all arrive.

use serde_json::json;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 23,
        roles: BRIDGES,
        title: "It loses no file of a group",
        stimulus: "Three pictures with one `media_group_id`.",
        expectation: "All three are done, as a group or one by one.",
        sources: &[Source::Documents],
        mistake: "The program takes the group for a repeat of its first file.",
        advice: "Distinguish messages by `message.message.id` alone.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let mut replies = Vec::new();
    for number in 1..=3 {
        let name = format!("picture {number}");
        let mut callback = stage.own_callback(&name)?;
        let picture = json!({
            "id": callback.reply.id, "type": "picture", "text": name, "markup": null, "tag": "",
            "media": stage.picture_url()?, "thumbnail": "", "file_name": "tulip.png", "file_size": 68,
            "media_group_id": "8d2c0b32-5d8b-4a0e-9a7e-6f1d0c1b2a33",
        });
        callback.set("/message", "message", picture);
        let request = stage.callback_request(callback.body.to_string());
        let answer = stage.exchange(&request);
        if !answer.is_success() {
            return breaks(format!("It {} to a picture of a group.", answer.shown()));
        }
        replies.push(callback.reply);
    }
    for (number, reply) in replies.iter().enumerate() {
        let number = number + 1;
        match stage.until_handled(reply)? {
            None => return breaks(format!("Picture {number} of a group of 3 was never done.")),
            Some(signs) if signs.times() == 0 => {
                return breaks(format!(
                    "Picture {number} of a group of 3 was reported as an error: {}.",
                    signs.shown()
                ));
            }
            Some(_) => {}
        }
    }
    Ok(Verdict::holds())
}
