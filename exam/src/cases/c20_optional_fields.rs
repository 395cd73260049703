//! Case 20: optional fields may be absent, null or empty.

use serde_json::Value;

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

/// The optional fields, each with the object that it is in.
const OPTIONAL: [(&str, &str); 12] = [
    ("/message/receiver", "name"),
    ("/message/receiver", "phone"),
    ("/message/receiver", "email"),
    ("/message/sender", "name"),
    ("/message", "source"),
    ("/message/message", "markup"),
    ("/message/message", "tag"),
    ("/message/message", "media"),
    ("/message/message", "thumbnail"),
    ("/message/message", "file_name"),
    ("/message/message", "file_size"),
    ("/message/message", "media_group_id"),
];

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 20,
        roles: BRIDGES,
        title: "It takes callbacks whose optional fields are absent, null or empty",
        stimulus: "Three callbacks: with all optional fields absent, `null`, and empty.",
        expectation: "Each is answered with 2xx and done once.",
        sources: &[Source::Code],
        mistake: "The program reads `receiver.phone` or `message.message.media` without asking whether it is there.",
        advice: "Read each optional field with a default, and treat `null` and `\"\"` as absent.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    for form in ["absent", "null", "empty"] {
        let mut callback = stage.own_callback(&format!("All optional fields {form}."))?;
        for (parent, field) in OPTIONAL {
            let Some(object) = callback
                .body
                .pointer_mut(parent)
                .and_then(Value::as_object_mut)
            else {
                continue;
            };
            match form {
                "absent" => drop(object.remove(field)),
                "null" => drop(object.insert(field.to_owned(), Value::Null)),
                _ => drop(object.insert(field.to_owned(), Value::from(""))),
            }
        }
        let request = stage.callback_request(callback.body.to_string());
        let answer = stage.exchange(&request);
        if !answer.is_success() {
            return breaks(format!(
                "It {} when optional fields are {form}.",
                answer.shown()
            ));
        }
        let story = format!("The optional fields of a callback were {form}");
        stage.judge_done_once(&callback.reply, &story)?;
    }
    Ok(Verdict::holds())
}
