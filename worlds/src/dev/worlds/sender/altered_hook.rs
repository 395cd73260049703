//! Hooks that a program must not take for its own.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use switchboard_actors::port::HookAttempt;

/// The account of a hook that is for another program: a number that no account of a world has.
const OTHER_ACCOUNT: [(&str, &str); 3] = [
    ("account[subdomain]", "another-shop"),
    ("account[id]", "2147480000"),
    ("account[_links][self]", "http://another-shop.invalid"),
];

/// With the account of another one in the place of its own; the rest is byte for byte the same.
pub(super) fn with_other_account(attempt: &HookAttempt) -> HookAttempt {
    let form = String::from_utf8_lossy(&attempt.body);
    let fields: Vec<_> = form.split('&').map(of_other_account).collect();
    HookAttempt {
        body: fields.join("&").into(),
        ..attempt.clone()
    }
}

fn of_other_account(field: &str) -> String {
    let (key, _) = field.split_once('=').unwrap_or((field, ""));
    let name = percent_decode_str(key).decode_utf8_lossy();
    let value = OTHER_ACCOUNT.iter().find(|(known, _)| *known == name);
    value.map_or_else(
        || field.to_owned(),
        |(_, value)| format!("{key}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)),
    )
}
