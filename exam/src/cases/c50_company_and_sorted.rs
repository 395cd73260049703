//! Case 50: companies are no persons, and both ends of an unsorted lead are understood.

use std::time::Duration;

use serde_json::Value;

use crate::case::Case;
use crate::role::BOTS;
use crate::rule::{Rule, Source};
use crate::stage::{HookAttempt, Stage, with_value};
use crate::verdict::{Judgement, StopError, Verdict, breaks};

/// The time in which a program that takes a company for a person shows it.
const QUIET: Duration = Duration::from_secs(2);
/// The number of a company that the account does not have.
const COMPANY: &str = "2147480001";
/// The id of the request with the company.
const REQUEST: &str = "00000000-0000-4000-8000-000000000050";

pub(super) const CASE: Case = Case {
    rule: Rule {
        number: 50,
        roles: BOTS,
        title: "It takes no company for a person, and reads both ends of an unsorted lead",
        stimulus: "A company under `contacts[add]`, with `type=company`; a `delete_unsorted` of a lead that was accepted, with `accept_result`, and one that was declined, with `decline_result`.",
        expectation: "The program makes no call about the company as a contact. It answers both hooks with 2xx at once, and goes on with the next customer.",
        sources: &[Source::Code],
        mistake: "The program takes each item of `contacts` for a person, or reads `accept_result` of a lead that was declined.",
        advice: "Look at `contacts[add][0][type]` and at `unsorted[delete][0][action]` before you read the rest.",
    },
    judge,
};

fn judge(stage: &mut Stage) -> Judgement {
    stage.subscribe(&[
        "add_message",
        "add_contact",
        "add_unsorted",
        "update_unsorted",
        "delete_unsorted",
    ])?;
    let usual = stage.prove_answers()?;
    judge_company(stage)?;
    for (customer, action, method) in [("hanna", "accept", "POST"), ("ida", "decline", "DELETE")] {
        let text = format!("What becomes of {customer}?");
        stage.answers_to(customer, &text)?;
        let question = stage.until_hook("add_message", |hook| hook.field("/text") == text)?;
        let lead = question.field("/entity_id");
        let target = format!("/api/v4/leads/unsorted/{lead}/{action}");
        stage.as_user(method, &target, &Value::Null)?;
        let hook = stage.until_hook("delete_unsorted", |hook| hook.field("/uid") == lead)?;
        require_delivered(&hook, action)?;
    }
    stage.require_answers(usual, "After a lead was accepted and another one declined")?;
    Ok(Verdict::holds())
}

fn judge_company(stage: &mut Stage) -> Result<(), StopError> {
    let person = stage.until_hook("add_contact", |_| true)?;
    let company = [("type", "company"), ("name", "Northwind"), ("id", COMPANY)];
    let mut form = person.form;
    for (name, value) in company {
        form = with_value(&form, name, value);
    }
    let answer = stage.send_form(REQUEST, form);
    if answer.status.is_none() {
        return breaks(format!(
            "It {} to a company under contacts.",
            answer.shown()
        ));
    }
    std::thread::sleep(QUIET);
    let mut calls = stage.account_calls()?.into_iter();
    let call = calls.find(|call| {
        let is_about = call.what.contains(COMPANY) || call.text().contains(COMPANY);
        call.what.contains("/api/v4/contacts") && is_about
    });
    match call {
        Some(call) => breaks(format!("It took a company for a person: {}.", call.what)),
        None => Ok(()),
    }
}

fn require_delivered(hook: &HookAttempt, action: &str) -> Result<(), StopError> {
    if hook.is_delivered() {
        return Ok(());
    }
    breaks(format!(
        "It does not take a delete_unsorted with the action {action}: {}.",
        hook.outcome
    ))
}
