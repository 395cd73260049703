//! Every bad body of the table is refused for exactly its reasons, and no bytes at all make the parser panic.
use proptest::prelude::*;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::wire::chat_body::{
    Rules, chats, connect, delivery_status, disconnect, react, send, typing,
};
use switchboard_actors::wire::json::BodyError;

use self::table::{Expected, cases, valid_bodies};

#[path = "../../../tests/data/bad_chat_requests.rs"]
mod table;

const OPERATIONS: [&str; 10] = [
    "send",
    "connect",
    "disconnect",
    "delivery_status",
    "today",
    "edit",
    "status_today",
    "chats",
    "typing",
    "react",
];

fn parse(operation: &str, body: &[u8]) -> Result<(), BodyError> {
    let now = UnixMillis::from_secs(1_700_000_000);
    let in_path = "079e44fb-fc22-476b-9e8a-421b688ec53b".parse().unwrap();
    match operation {
        "send" => send::parse(body, Rules::V2019, now).map(|_| ()),
        "connect" => connect::parse(body, Rules::V2019).map(|_| ()),
        "disconnect" => disconnect::parse(body, Rules::V2019).map(|_| ()),
        "delivery_status" => delivery_status::parse(body, Rules::V2019, in_path).map(|_| ()),
        "today" | "edit" => send::parse_event(body, Rules::Current, now).map(|_| ()),
        "status_today" => delivery_status::parse(body, Rules::Current, in_path).map(|_| ()),
        "chats" => chats::parse(body).map(|_| ()),
        "typing" => typing::parse(body).map(|_| ()),
        "react" => react::parse(body).map(|_| ()),
        other => panic!("there is no operation {other}"),
    }
}

#[test]
fn each_bad_request_is_refused_for_exactly_its_reasons() {
    let cases = cases();
    assert!(cases.len() > 420, "{} cases were read", cases.len());
    for case in cases {
        let place = format!("[{}] {}", case.operation, case.name);
        let place_and_words = match parse(&case.operation, &case.body) {
            Ok(()) => panic!("{place}: accepted"),
            Err(BodyError::NotJson(error)) => {
                let (line, column) = error.place.unwrap_or((1, 1));
                assert!(line >= 1 && column >= 1, "{place}");
                assert_eq!(error.place.is_none(), error.reason == "the body is empty");
                Expected::NotJson
            }
            Err(BodyError::Invalid(violations)) => {
                let mut faults: Vec<(String, String)> = violations
                    .kept()
                    .iter()
                    .map(|violation| (violation.path.clone(), violation.code.to_string()))
                    .collect();
                faults.sort();
                Expected::Violations(faults)
            }
        };
        assert_eq!(place_and_words, case.expected, "{place}");
    }
}

#[test]
fn error_messages_contain_no_internal_terms() {
    for case in cases() {
        let error = parse(&case.operation, &case.body).unwrap_err().to_string();
        let place = format!("[{}] {}: {error}", case.operation, case.name);
        assert!(!error.chars().any(char::is_control), "{place}");
        assert!(error.len() < 400, "{place}");
        for word in ["serde", "struct", "EOF", "Option", "visitor", "i64", "u64"] {
            assert!(!error.contains(word), "{place}");
        }
    }
}

#[test]
fn the_valid_bodies_behind_the_bad_ones_are_accepted() {
    let valid = valid_bodies();
    assert_eq!(valid.len(), OPERATIONS.len());
    for (operation, body) in valid {
        assert_eq!(parse(&operation, body.as_bytes()), Ok(()), "{operation}");
    }
}

/// A valid body in which bytes were changed, doubled or cut away.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let bodies: Vec<String> = valid_bodies().into_values().collect();
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..6), 1..8);
    (prop::sample::select(bodies), changes).prop_map(|(body, changes)| {
        let mut body = body.into_bytes();
        for (place, byte, how) in changes {
            let place = place.index(body.len());
            match how {
                0 => body[place] = byte,
                1 => body.insert(place, byte),
                2 => drop(body.remove(place)),
                3 => body[place] = b"{}[]\":,\\019eu-."[usize::from(byte) % 15],
                4 => body.truncate(place.max(1)),
                _ => body.extend_from_within(place..),
            }
            if body.is_empty() {
                body.push(byte);
            }
        }
        body
    })
}

proptest! {
    #[test]
    fn random_bytes_cause_no_panic(body in prop::collection::vec(any::<u8>(), 0..512)) {
        for operation in OPERATIONS {
            prop_assert!(parse(operation, &body).is_err());
        }
    }

    #[test]
    fn mutated_bodies_cause_no_panic(body in mutated()) {
        for operation in OPERATIONS {
            if let Err(error) = parse(operation, &body) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}
