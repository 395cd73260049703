//! The same JSON in other bytes: what a signer signed that made the body twice.

use serde_json::Value;

/// The same JSON in the forms that common libraries write: in its own order of keys and in the sorted one.
pub(super) fn forms(body: &[u8]) -> Vec<String> {
    let (Ok(value), Ok(text)) = (
        serde_json::from_slice::<Value>(body),
        std::str::from_utf8(body),
    ) else {
        return Vec::new();
    };
    let mut forms = vec![serde_json::to_string_pretty(&value).unwrap_or_default()];
    for compact in [compact(text), value.to_string()] {
        for plain in [spaced(&compact), compact] {
            forms.push(escaped(&plain));
            forms.push(escaped(&plain).replace('/', "\\/"));
            forms.push(plain.replace('/', "\\/"));
            forms.push(plain);
        }
    }
    forms
}

/// Without blanks outside of strings, and without escapes that JSON does not ask for.
fn compact(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '"' => inside = !inside,
            '\\' if inside => {
                out.push_str(&unescaped(&mut rest));
                continue;
            }
            blank if !inside && blank.is_ascii_whitespace() => continue,
            _ => {}
        }
        out.push(letter);
    }
    out
}

/// What stands behind a backslash, escaped only if it must be.
fn unescaped(rest: &mut std::str::Chars<'_>) -> String {
    let unit = |rest: &mut std::str::Chars<'_>| {
        let digits: String = rest.by_ref().take(4).collect();
        u16::from_str_radix(&digits, 16).unwrap_or_default()
    };
    match rest.next() {
        Some('/') => "/".to_owned(),
        Some('u') => {
            let mut units = vec![unit(rest)];
            if units
                .first()
                .is_some_and(|first| (0xd800..0xdc00).contains(first))
            {
                let mut ahead = rest.clone();
                if ahead.next() == Some('\\') && ahead.next() == Some('u') {
                    units.push(unit(&mut ahead));
                    *rest = ahead;
                }
            }
            let text = String::from_utf16_lossy(&units);
            if text
                .chars()
                .any(|letter| letter.is_control() || letter == '"' || letter == '\\')
            {
                units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
            } else {
                text
            }
        }
        Some(other) => format!("\\{other}"),
        None => String::new(),
    }
}

/// With a blank behind each comma and colon outside of strings, as Python writes JSON.
fn spaced(compact: &str) -> String {
    let (mut text, mut inside, mut escaped) = (String::new(), false, false);
    for letter in compact.chars() {
        text.push(letter);
        match letter {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            ',' | ':' if !inside => text.push(' '),
            _ => {}
        }
    }
    text
}

/// With everything beyond ASCII as `\uXXXX`.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if letter.is_ascii() {
            out.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}
