//! Case 18: requests that are no callbacks do not end the program.

use crate::case::Case;
use crate::role::BRIDGES;
use crate::rule::{Rule, Source};
use crate::stage::{Request, Stage};
use crate::verdict::{Judgement, Verdict, breaks};

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 18,
        roles: BRIDGES,
        title: "It lives after requests that are no callbacks",
        stimulus: "A GET, an empty body, a plain text and a body that is no JSON, each with its right signature.",
        expectation: "It answers each, and goes on. 4xx is best.",
        sources: &[Source::Documents],
        mistake: "The program reads fields of a document that is not there.",
        advice: "Answer 405 to other methods, and 400 to what cannot be read.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.prove_signs()?;
    let path = stage.path().to_owned();
    let secret = stage.fact("/channel/secret").to_owned();
    let requests = [
        ("a GET", Request::new("GET", &path)),
        ("an empty body", Request::new("POST", &path).json("")),
        (
            "a plain text",
            Request::new("POST", &path)
                .header("Content-Type", "text/plain")
                .body("hello"),
        ),
        (
            "a body that is no JSON",
            Request::new("POST", &path).json("{\"message\":"),
        ),
        ("a list", Request::new("POST", &path).json("[]")),
    ];
    let mut failures = Vec::new();
    for (name, request) in requests {
        let answer = stage.exchange(&request.signed(&secret));
        match answer.status {
            None => return breaks(format!("It {} to {name}.", answer.shown())),
            Some(500..) => failures.push(format!("{} to {name}", answer.shown())),
            Some(_) => {}
        }
    }
    stage.require_work("After requests that are no callbacks")?;
    if failures.is_empty() {
        return Ok(Verdict::holds());
    }
    Ok(Verdict::Warns {
        why: format!(
            "It {}: the service would send that again.",
            failures.join(", ")
        ),
    })
}
