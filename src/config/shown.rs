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
    let Some(Address {
        user,
        place,
        options,
    }) = Address::of(rest)
    else {
        return format!("{scheme}://…");
    };
    let user = user.map_or("", |_| "…@");
    let options = match options {
        Some(options) if options.contains("password") => "?…".to_owned(),
        Some(options) => format!("?{options}"),
        None => String::new(),
    };
    format!("{scheme}://{user}{place}{options}")
}

/// The parts of an address behind its scheme.
pub(super) struct Address<'a> {
    user: Option<&'a str>,
    /// The hosts and the path.
    pub(super) place: &'a str,
    options: Option<&'a str>,
}

impl<'a> Address<'a> {
    /// `None`: with an `@` behind a `?`, either may be of a password.
    pub(super) fn of(rest: &'a str) -> Option<Self> {
        let (user, rest) = match rest.rsplit_once('@') {
            Some((user, _)) if user.contains('?') => return None,
            Some((user, rest)) => (Some(user), rest),
            None => (None, rest),
        };
        let (place, options) = match rest.split_once('?') {
            Some((place, options)) => (place, Some(options)),
            None => (rest, None),
        };
        Some(Self {
            user,
            place,
            options,
        })
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
