//! Secrets in JSON. The text stays as it was sent, but for the values of secrets.

use serde::de::IgnoredAny;

use super::{MARK, note};
use crate::requests::operations::FieldNames;

/// Returns whether this is JSON.
pub(super) fn is_valid(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// JSON, or its beginning, whose secrets are replaced. Each byte is read twice at most, however deep it is nested.
pub(super) fn masked(text: &str, fields: &FieldNames, seen: &mut Vec<String>) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(quote) = rest.find('"') {
        let (before, from) = split(rest, quote);
        let (string, behind) = split(from, string_length(from));
        masked.push_str(before);
        masked.push_str(string);
        rest = behind;
        let value = behind.trim_start().strip_prefix(':').map(str::trim_start);
        // A string before a colon is a name; one that is cut is followed by nothing.
        let Some(value) = value else { continue };
        let name: String = serde_json::from_str(string).unwrap_or_default();
        if !fields.is_secret(&name) || value.starts_with("null") {
            continue;
        }
        let (between, _) = split(behind, behind.len().saturating_sub(value.len()));
        let (secret, behind) = split(value, value_length(value));
        let of_text: String = serde_json::from_str(secret).unwrap_or_else(|_| secret.to_owned());
        note(seen, &of_text);
        masked.push_str(between);
        masked.extend(["\"", MARK, "\""]);
        rest = behind;
    }
    masked.push_str(rest);
    masked
}

/// The text before and from this place on; all of it before, if it has no such place.
fn split(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// The length of the string that the text begins with, with its quotes.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().enumerate().skip(1).find(|(_, byte)| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at.saturating_add(1))
}

/// The length of the value that the text begins with.
fn value_length(text: &str) -> usize {
    match text.bytes().next() {
        Some(b'"') => string_length(text),
        Some(b'{' | b'[') => nested_length(text),
        Some(_) | None => {
            let ends =
                |letter: char| matches!(letter, ',' | '}' | ']') || letter.is_ascii_whitespace();
            text.find(ends).unwrap_or(text.len())
        }
    }
}

/// The length of the object or the array that the text begins with.
fn nested_length(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0_usize);
    while let Some(byte) = text.as_bytes().get(at) {
        let length = match byte {
            b'"' => string_length(text.get(at..).unwrap_or_default()),
            _ => 1,
        };
        at = at.saturating_add(length);
        match byte {
            b'{' | b'[' => depth = depth.saturating_add(1),
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requests::operations;

    fn mask(text: &str) -> (String, Vec<String>) {
        let mut secrets = Vec::new();
        let masked = masked(text, &operations::fields(None).sent, &mut secrets);
        (masked, secrets)
    }

    #[test]
    fn values_of_secrets_are_replaced_at_every_depth() {
        let cases = [
            (
                r#"{"a":1.50, "password" : "x\"y" ,"b":[]}"#,
                r#"{"a":1.50, "password" : "***" ,"b":[]}"#,
            ),
            (
                r#"[{"pass\u0077ord":1},{"token":null}]"#,
                r#"[{"pass\u0077ord":"***"},{"token":null}]"#,
            ),
            (
                r#"{"secret":{"a":["}"],"b":"\\"},"c":"code"}"#,
                r#"{"secret":"***","c":"code"}"#,
            ),
            (
                r#"{"code":[1,[2]],"code":true}"#,
                r#"{"code":"***","code":"***"}"#,
            ),
            (r#""password""#, r#""password""#),
            (r#"["password",":","x"]"#, r#"["password",":","x"]"#),
        ];
        for (text, expected) in cases {
            let (masked, _) = mask(text);
            assert_eq!(masked, expected);
            assert!(is_valid(&masked));
        }
        assert_eq!(mask(r#"{"password":"x\"yz"}"#).1, ["x\"yz"]);
    }

    /// Wherever a text is cut, nothing of a secret is left.
    #[test]
    fn secrets_in_the_beginning_of_a_text_are_replaced() {
        let text = r#"{"a":{"password":"9\"9\\"},"secret":[9,{"x":"9"}],"token":99,"é":1}"#;
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            let (masked, _) = mask(text.get(..end).unwrap());
            assert!(!masked.contains('9'), "{end}: {masked}");
        }
    }

    #[test]
    fn deep_nesting_is_read_once() {
        let deep = format!(
            "{{\"secret\":{}{}}}",
            "[".repeat(500_000),
            "]".repeat(500_000)
        );
        assert_eq!(mask(&deep).0, r#"{"secret":"***"}"#);
        let many = "{\"secret\":".repeat(100_000);
        assert!(mask(&many).0.len() < 50);
    }
}
