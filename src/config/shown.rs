//! Values of the configuration as messages show them.

use super::tree::Value;

/// A value as TOML would have it, short enough for a line.
pub(super) fn show(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{:?}", shorten(&without_user(text))),
        Value::Whole(number) => number.to_string(),
        Value::Switch(on) => on.to_string(),
        Value::Foreign(written) => shorten(written),
        Value::Table(_) => "{ … }".to_owned(),
        Value::List(items) => {
            let mut shown: Vec<String> =
                items.iter().take(4).map(|item| show(&item.value)).collect();
            if items.len() > shown.len() {
                shown.push("…".to_owned());
            }
            format!("[{}]", shown.join(", "))
        }
    }
}

/// An address may hold a password where none is allowed; it is not to be seen for that.
fn without_user(text: &str) -> String {
    match text.split_once("://") {
        Some((scheme, rest)) => match rest.rsplit_once('@') {
            Some((_, host)) => format!("{scheme}://…@{host}"),
            None => text.to_owned(),
        },
        None => text.to_owned(),
    }
}

/// The beginning of a text, on one line.
pub(super) fn shorten(text: &str) -> String {
    let plain = |letter: char| if letter.is_control() { '?' } else { letter };
    let mut short: String = text.chars().take(60).map(plain).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}
