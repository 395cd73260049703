//! Bodies as the journal shows them: cut, and without secrets.

use serde_json::Value;
use switchboard_actors::domain::text::beginning;

/// So many bytes of a body are shown.
const SHOWN: usize = 4_096;
/// Fields whose values are secret.
const SECRETS: [&str; 8] = [
    "access_token",
    "client_secret",
    "csrf_token",
    "password",
    "password_confirm",
    "refresh_token",
    "secret",
    "token",
];

/// A body as the journal shows it.
pub(super) fn shown(body: &[u8]) -> String {
    if let Ok(mut json) = serde_json::from_slice::<Value>(body) {
        // What has no secret is shown as it is, so that a signature can be checked.
        return match (mask(&mut json), std::str::from_utf8(body)) {
            (false, Ok(text)) => cut(text.to_owned()),
            (_, _) => cut(json.to_string()),
        };
    }
    match std::str::from_utf8(body) {
        // A form, perhaps with a secret.
        Ok(text) if SECRETS.iter().any(|name| text.contains(name)) => {
            format!("{} bytes, not shown: they may hold a secret", body.len())
        }
        Ok(text) => cut(text.to_owned()),
        Err(_) => format!("{} bytes that are no text", body.len()),
    }
}

/// Takes the secrets out; whether there were any.
fn mask(value: &mut Value) -> bool {
    match value {
        Value::Object(fields) => {
            // Elsewhere a code names what is wrong.
            let has_code = fields.contains_key("client_secret");
            let mut was_masked = false;
            for (name, value) in fields {
                let is_secret = SECRETS.contains(&name.as_str()) || has_code && name == "code";
                if is_secret && value.is_string() {
                    *value = Value::from("***");
                    was_masked = true;
                } else {
                    was_masked |= mask(value);
                }
            }
            was_masked
        }
        Value::Array(items) => {
            let masked = items.iter_mut().map(mask);
            masked.filter(|was_masked| *was_masked).count() > 0
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn cut(text: String) -> String {
    if text.len() <= SHOWN {
        return text;
    }
    format!("{}…", beginning(&text, SHOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_and_long_bodies_are_cut() {
        let body = br#"{"client_secret":"abc","user":{"password":"x","name":"Ada"},"token":7}"#;
        let shown_body = shown(body);
        assert!(!shown_body.contains("abc") && !shown_body.contains("\"x\""));
        assert!(shown_body.contains("Ada"), "{shown_body}");
        assert!(!shown(b"client_secret=abc&code=d").contains("abc"));
        assert!(!shown(br#"{"client_secret":"abc","code":"def"}"#).contains("def"));
        let plain = r#"{ "z": 1, "errors": [{ "code": "FieldMissing" }] }"#;
        assert_eq!(shown(plain.as_bytes()), plain);
        assert_eq!(shown(&[0xff, 0xfe]), "2 bytes that are no text");
        assert_eq!(shown("я".repeat(4_096).as_bytes()).chars().count(), 2_049);
    }
}
