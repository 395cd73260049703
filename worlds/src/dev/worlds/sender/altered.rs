//! Callbacks as a fault changes them: other bodies that are signed rightly, and right bodies with other signatures.

use bytes::Bytes;
use serde_json::{Map, Value};
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::signature::{SharedSecret, sign_body};
use switchboard_actors::port::Attempt;

/// The length of the text of a huge callback, in bytes.
const HUGE: usize = 1 << 20;
/// The account of a callback that is for another integration.
const OTHER_ACCOUNT: [u8; 16] = [0x5a; 16];

/// With a signature over something else.
pub(super) fn with_bad_signature(attempt: &Attempt, secret: &SharedSecret) -> Attempt {
    let wrong = sign_body(secret, b"another body");
    with_signature(attempt, wrong.to_string())
}

/// Signed with another secret, as before it was changed.
pub(super) fn with_old_secret(attempt: &Attempt) -> Attempt {
    match "the-secret-before".parse() {
        Ok(old) => with_signature(attempt, sign_body(&old, &attempt.body).to_string()),
        Err(_never) => attempt.clone(),
    }
}

/// For another account than any that the program has connected.
pub(super) fn with_other_scope(attempt: &Attempt, secret: &SharedSecret) -> Attempt {
    let other = AccountId::from_random(OTHER_ACCOUNT).to_string();
    with_body(attempt, secret, |body| insert(body, "account_id", other))
}

/// With a field that receivers do not know.
pub(super) fn with_unknown_field(attempt: &Attempt, secret: &SharedSecret) -> Attempt {
    let value = "a field that receivers do not know";
    with_body(attempt, secret, |body| {
        insert(body, "unknown_field", value.to_owned())
    })
}

/// With a message of a type that receivers do not know.
pub(super) fn with_unknown_type(attempt: &Attempt, secret: &SharedSecret) -> Attempt {
    with_body(attempt, secret, |body| {
        change_content(body, "type", "hologram".to_owned());
    })
}

/// With a very long text.
pub(super) fn huge(attempt: &Attempt, secret: &SharedSecret) -> Attempt {
    with_body(attempt, secret, |body| {
        change_content(body, "text", "long ".repeat(HUGE / 5));
    })
}

/// Changes what was written: the innermost `message` of the body.
fn change_content(fields: &mut Map<String, Value>, name: &str, value: String) {
    match fields.get_mut("message") {
        Some(Value::Object(inner)) => change_content(inner, name, value),
        _ => insert(fields, name, value),
    }
}

fn insert(fields: &mut Map<String, Value>, name: &str, value: String) {
    fields.insert(name.to_owned(), value.into());
}

fn with_signature(attempt: &Attempt, signature: String) -> Attempt {
    Attempt {
        signature,
        ..attempt.clone()
    }
}

fn with_body(
    attempt: &Attempt,
    secret: &SharedSecret,
    change: impl FnOnce(&mut Map<String, Value>),
) -> Attempt {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(&attempt.body) else {
        return attempt.clone();
    };
    change(&mut fields);
    let body: Bytes = Value::Object(fields).to_string().into();
    Attempt {
        signature: sign_body(secret, &body).to_string(),
        body,
        ..attempt.clone()
    }
}
