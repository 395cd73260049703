//! Case 27: texts are only texts.

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::Stage;
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 27,
        roles: BRIDGES,
        title: "It passes hostile texts as texts",
        stimulus: "Replies with `{{7*7}}`, a script, a path, and characters that turn the direction of writing.",
        expectation: "Each arrives as it was written.",
        sources: &[Source::Protocol],
        mistake: "The program puts texts into templates, pages or paths.",
        advice: "Never evaluate a text. Escape it where it is shown, and choose file names yourself.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    for text in [
        "{{7*7}} ${7*7} <%= 7*7 %>",
        "<script>alert(1)</script> <b>bold</b>",
        "../../etc/passwd",
        "\u{202e}txt.exe \u{2066}hidden\u{2069}",
        "'; DROP TABLE messages; --",
    ] {
        let reply = stage.reply(text)?;
        stage.judge_done_once(&reply, "A text looked like code")?;
        if let Some(arrival) = stage.seen_text(&reply)
            && arrival != text
        {
            return breaks(format!("The text «{text}» arrived as «{arrival}»."));
        }
    }
    Ok(Verdict::holds())
}
