//! Values of the configuration as messages show them.

use super::tree::Value;

/// The text in place of a secret.
pub(super) const MASKED: &str = "***";
/// Keys whose values are addresses. Whatever form one has been given, a password may be in it.
const ADDRESSES: [&str; 9] = [
    "to",
    "url",
    "public_url",
    "callback_url",
    "webhook_v1",
    "webhook_v2",
    "uninstall_hook",
    "redirect_uri",
    "redirect_uris",
];
/// Parts of the names of options that are secrets.
const SECRET_OPTIONS: [&str; 7] = ["pass", "pwd", "secret", "token", "key", "sig", "credential"];

/// The value of a key as TOML would have it, short enough for a line.
pub(super) fn show(key: &str, value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{:?}", shorten(&shown_text(key, text))),
        Value::Whole(number) => number.to_string(),
        Value::Switch(on) => on.to_string(),
        Value::Foreign(written) => shorten(written),
        Value::Table(_) => "{ … }".to_owned(),
        Value::List(items) => {
            let first = items.iter().take(4);
            let mut texts: Vec<String> = first.map(|item| show(key, &item.value)).collect();
            if items.len() > texts.len() {
                texts.push("…".to_owned());
            }
            format!("[{}]", texts.join(", "))
        }
    }
}

/// The text of a key without what may be a secret.
pub(super) fn shown_text(key: &str, text: &str) -> String {
    match text.split_once("://") {
        Some((scheme, rest)) if is_scheme(scheme) => without_secrets(scheme, rest),
        Some(_) => MASKED.to_owned(),
        None if ADDRESSES.contains(&key) && !is_word(text) => MASKED.to_owned(),
        None if names_secret(text) => MASKED.to_owned(),
        None => text.to_owned(),
    }
}

fn is_scheme(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    !text.is_empty() && text.bytes().all(fits)
}

/// A text such as `archive`, `db-1.internal` or a path.
fn is_word(text: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
    text.chars().all(fits)
}

/// A text such as `host=db password=x`.
fn names_secret(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.contains('=') && SECRET_OPTIONS.iter().any(|word| lower.contains(word))
}

/// An address may hold a password before its host, or a secret as an option behind it; neither is to be seen.
fn without_secrets(scheme: &str, rest: &str) -> String {
    let Some(address) = Address::split(rest) else {
        return format!("{scheme}://…");
    };
    let user = address.user.map_or("", |_| "…@");
    let options = if address.has_options { "?…" } else { "" };
    format!("{scheme}://{user}{}{options}", address.place)
}

/// The parts of an address behind its scheme.
pub(super) struct Address<'a> {
    user: Option<&'a str>,
    /// The hosts and the path.
    pub(super) place: &'a str,
    /// Options follow behind them.
    has_options: bool,
}

impl<'a> Address<'a> {
    /// `None`: with an `@` behind a `?` or a `#`, either may be of a password.
    pub(super) fn split(rest: &'a str) -> Option<Self> {
        let (user, rest) = match rest.rsplit_once('@') {
            Some((user, _)) if user.contains(['?', '#']) => return None,
            Some((user, rest)) => (Some(user), rest),
            None => (None, rest),
        };
        let (place, has_options) = match rest.split_once(['?', '#']) {
            Some((place, _)) => (place, true),
            None => (rest, false),
        };
        Some(Self {
            user,
            place,
            has_options,
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
