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

/// An address may hold a password before its host, or as an option behind it; neither is to be seen.
pub(super) fn without_user(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    // A password may have any letter, so the last of these ends it.
    let (user, rest) = match rest.rsplit_once('@') {
        Some((_, host)) => ("…@", host),
        None => ("", rest),
    };
    let (rest, options) = match rest.split_once('?') {
        Some((rest, options)) if options.contains("password") => (rest, "?…"),
        Some(_) | None => (rest, ""),
    };
    format!("{scheme}://{user}{rest}{options}")
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
