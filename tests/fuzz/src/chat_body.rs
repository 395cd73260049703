//! Every body of the chat interface, by the rules of both generations.

use std::fmt::Debug;

use switchboard_actors::domain::id::MessageId;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::wire::chat_body::Rules;
use switchboard_actors::wire::chat_body::send::{self, Posted};
use switchboard_actors::wire::chat_body::{
    chats, connect, delivery_status, disconnect, react, typing,
};
use switchboard_actors::wire::json::BodyError;

use super::body::{alike, are_told, respelled, sorted};

const NOW: UnixMillis = UnixMillis::new(1_700_000_000_000);

/// Reads the bytes as the body of each operation.
pub fn check(data: &[u8]) {
    let text = respelled(data);
    let other = text.as_deref();
    for rules in [Rules::V2019, Rules::Current] {
        reads(data, other, |body| send::parse_event(body, rules, NOW));
        reads(data, other, |body| connect::parse(body, rules));
        reads(data, other, |body| disconnect::parse(body, rules));
        let message = MessageId::from_bytes([7; 16]);
        reads(data, other, |body| {
            delivery_status::parse(body, rules, message)
        });
        only_new_messages_are_messages(data, rules);
    }
    reads(data, other, chats::parse);
    reads(data, other, react::parse);
    reads(data, other, typing::parse);
}

/// A body is a value, or there is at least one reason with its place; and another spelling of it is the same.
fn reads<T: Debug + PartialEq>(
    body: &[u8],
    other: Option<&[u8]>,
    parse: impl Fn(&[u8]) -> Result<T, BodyError>,
) {
    let read = parse(body);
    if let Err(BodyError::Invalid(violations)) = &read {
        are_told(violations);
    }
    let is_json = !matches!(read, Err(BodyError::NotJson(_)));
    assert!(!is_json || other.is_some(), "read as JSON and is none");
    let (true, Some(other)) = (is_json, other) else {
        return;
    };
    match (read, parse(other)) {
        (Err(BodyError::Invalid(one)), Err(BodyError::Invalid(other))) => {
            alike(&sorted(&one), &sorted(&other));
        }
        (one, other) => alike(&one, &other),
    }
}

/// Stored messages are read with the narrower of the two readers; it must never see less than the wider one did.
fn only_new_messages_are_messages(body: &[u8], rules: Rules) {
    let narrow = send::parse(body, rules, NOW).ok();
    let wide = match send::parse_event(body, rules, NOW) {
        Ok(Posted::Message(message)) => Some(*message),
        Ok(Posted::Edit(_)) | Err(_) => None,
    };
    assert_eq!(narrow, wide);
}
