//! The consequences of failures.

use std::time::Duration;

use crate::api::{ApiError, Refusal};
use crate::outbound::status::{Attempt, Report, Verdict, judge, pause};

const HOUR: Duration = Duration::from_secs(3_600);
const IN_CHAT: Attempt = Attempt {
    chat: Some(7),
    age: Duration::ZERO,
    tries: 0,
    upload: 0,
};
const IN_GROUP: Attempt = Attempt {
    chat: Some(-7),
    ..IN_CHAT
};

fn refusal(code: u16, description: &str) -> Refusal {
    Refusal {
        code,
        description: description.to_owned(),
        retry_after: None,
        migrate_to: None,
    }
}

fn verdict(code: u16, description: &str, attempt: Attempt) -> Verdict {
    judge(&ApiError::Refused(refusal(code, description)), &attempt)
}

fn report(verdict: &Verdict) -> &Report {
    let Verdict::Report(report) = verdict else {
        panic!("it is a report: {verdict:?}");
    };
    report
}

fn code(verdict: &Verdict) -> u16 {
    report(verdict).code
}

#[test]
fn each_refusal_has_its_code() {
    for (status, words, attempt, expected) in [
        (403, "Forbidden: bot was blocked by the user", IN_CHAT, 905),
        (403, "Forbidden: user is deactivated", IN_CHAT, 905),
        (
            403,
            "Forbidden: bot was kicked from the group chat",
            IN_GROUP,
            901,
        ),
        (400, "Bad Request: chat not found", IN_CHAT, 904),
        (401, "Unauthorized", IN_CHAT, 902),
        (404, "Not Found", IN_CHAT, 902),
        (400, "Bad Request: BUTTON_DATA_INVALID", IN_CHAT, 905),
        (413, "Request Entity Too Large", IN_CHAT, 905),
        (302, "", IN_CHAT, 905),
    ] {
        assert_eq!(
            code(&verdict(status, words, attempt)),
            expected,
            "{status} {words}"
        );
    }
}

#[test]
fn the_text_of_a_report_says_why() {
    let blocked = verdict(403, "Forbidden: bot was blocked by the user", IN_CHAT);
    let refusal = verdict(400, "Bad Request: BUTTON_DATA_INVALID", IN_CHAT);
    for (verdict, words) in [
        (blocked, "blocked the bot"),
        (refusal, "BUTTON_DATA_INVALID"),
    ] {
        let text = &report(&verdict).text;
        assert!(text.contains(words), "{text}");
    }
    let long = verdict(400, &"я".repeat(900), IN_CHAT);
    assert!(report(&long).text.len() <= 900);
}

#[test]
fn an_unchanged_message_is_done() {
    let words = "Bad Request: message is not modified: specified new message content";
    assert_eq!(verdict(400, words, IN_CHAT), Verdict::Done);
}

#[test]
fn a_wait_is_for_the_chat_that_the_call_names() {
    let mut refusal = refusal(429, "Too Many Requests: retry after 30");
    refusal.retry_after = Some(Duration::from_secs(30));
    let error = ApiError::Refused(refusal);
    assert_eq!(
        judge(&error, &IN_CHAT),
        Verdict::WaitChat(Duration::from_secs(30))
    );
    let nameless = Attempt {
        chat: None,
        ..IN_CHAT
    };
    assert_eq!(
        judge(&error, &nameless),
        Verdict::WaitAll(Duration::from_secs(30))
    );
    assert_eq!(
        verdict(429, "", IN_CHAT),
        Verdict::WaitChat(Duration::from_secs(1))
    );
}

#[test]
fn what_passes_by_itself_is_tried_for_an_hour() {
    let errors = [
        ApiError::Refused(refusal(429, "Too Many Requests")),
        ApiError::Refused(refusal(502, "Bad Gateway")),
        ApiError::Lost("reset".to_owned()),
        ApiError::Unreachable("no route".to_owned()),
    ];
    for error in errors {
        let young = Attempt {
            age: HOUR - Duration::from_secs(1),
            tries: 2,
            ..IN_CHAT
        };
        assert_eq!(
            judge(&error, &young),
            Verdict::WaitChat(Duration::from_secs(4)),
            "{error}"
        );
        let old = Attempt { age: HOUR, ..young };
        assert_eq!(code(&judge(&error, &old)), 903, "{error}");
    }
    assert_eq!(pause(99), Duration::from_secs(60));
}

#[test]
fn a_move_is_followed() {
    let mut refusal = refusal(
        400,
        "Bad Request: group chat was upgraded to a supergroup chat",
    );
    refusal.migrate_to = Some(-1007);
    assert_eq!(
        judge(&ApiError::Refused(refusal.clone()), &IN_GROUP),
        Verdict::Migrate(-1007)
    );
    // Not for ever.
    refusal.migrate_to = Some(-7);
    assert_eq!(code(&judge(&ApiError::Refused(refusal), &IN_GROUP)), 905);
}

#[test]
fn a_lost_answer_repeats_all_but_large_files() {
    let loss = ApiError::Lost("reset".to_owned());
    let with = |upload: u64| judge(&loss, &Attempt { upload, ..IN_CHAT });
    assert_eq!(with(0), Verdict::WaitChat(Duration::from_secs(1)));
    assert_eq!(with(1 << 20), Verdict::WaitChat(Duration::from_secs(1)));
    let large = with((1 << 20) + 1);
    assert_eq!(code(&large), 905);
    assert!(report(&large).text.contains("may have arrived"));
    // One that never left is repeated whatever its size.
    let unsent = ApiError::Unreachable("no route".to_owned());
    let attempt = Attempt {
        upload: 40 << 20,
        ..IN_CHAT
    };
    assert_eq!(
        judge(&unsent, &attempt),
        Verdict::WaitChat(Duration::from_secs(1))
    );
}
