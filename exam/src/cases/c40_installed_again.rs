//! Case 40: an account installs the program again.

use serde_json::{Value, json};

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::{GIVE_CODE, Post, REDIRECT_PATH, Request, Stage};
use crate::verdict::{Judgement, Verdict, breaks, not_tried};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 40,
        roles: BRIDGES,
        title: "It works again when an account installs it again",
        stimulus: "The account uninstalls the client and installs it again: the browser comes with a new code.",
        expectation: "The program exchanges the code, connects the channel, and posts again.",
        sources: &[Source::Documents],
        mistake: "The program keeps the tokens that were revoked, or does not connect the channel again.",
        advice: "Treat each installation as the first one: exchange the code, store the tokens, connect.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.require_start(GIVE_CODE)?;
    stage.prove_posts()?;
    if !stage.report_uninstall(None)?.is_success() {
        return not_tried(
            "the program does not take the report of an uninstallation at its redirect address",
        );
    }
    let consent = stage.order("POST", "/users/ada/consent", &json!({}))?;
    let code = consent
        .get("code")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let target = format!("{REDIRECT_PATH}?code={code}&referer=example");
    let answer = stage.exchange(&Request::new("GET", target));
    if answer.status.is_none_or(|status| status >= 400) {
        return breaks(format!(
            "It {} to the browser with a new code.",
            answer.shown()
        ));
    }
    let text = stage.provoke_post("Are you back?")?;
    let post = stage.until(|stage| Ok(stage.posts(&text)?.into_iter().find(Post::is_stored)))?;
    let requests = stage.program_requests()?;
    let exchanges = requests
        .iter()
        .filter(|request| request.what.ends_with("/oauth2/access_token"));
    if !exchanges
        .clone()
        .any(|request| request.text().contains("authorization_code") && request.is_accepted())
        || exchanges.count() < 2
    {
        return breaks("It did not exchange the new code for tokens.");
    }
    if !requests
        .iter()
        .any(|request| request.what.ends_with("/connect"))
    {
        return breaks("It did not connect the channel again.");
    }
    if post.is_none() {
        return breaks("It posts nothing for an account that has installed it again.");
    }
    Ok(Verdict::holds())
}
