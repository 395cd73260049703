//! JSON without what its meaning does not need.

/// The text without blanks outside of strings, and without escapes that JSON does not ask for.
pub(in super::super) fn compact(text: &str) -> String {
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

/// Returns the character behind a backslash, escaped only if it must be.
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
            if let Some(short) = short_escape(&text) {
                return short.to_owned();
            }
            if text.chars().any(char::is_control) {
                units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
            } else {
                text
            }
        }
        Some(other) => format!("\\{other}"),
        None => String::new(),
    }
}

/// The escape of a control character that has one of two signs.
fn short_escape(text: &str) -> Option<&'static str> {
    match text {
        "\u{8}" => Some("\\b"),
        "\t" => Some("\\t"),
        "\n" => Some("\\n"),
        "\u{c}" => Some("\\f"),
        "\r" => Some("\\r"),
        "\"" => Some("\\\""),
        "\\" => Some("\\\\"),
        _ => None,
    }
}

/// The tokens of a compact text: brackets, commas, colons, strings with their quotes, numbers and words.
pub(in super::super) fn tokens(compact: &str) -> impl Iterator<Item = &str> {
    let mut rest = compact;
    std::iter::from_fn(move || {
        let length = match rest.chars().next()? {
            '"' => string_length(rest),
            '{' | '}' | '[' | ']' | ',' | ':' => 1,
            _ => rest
                .find(['{', '}', '[', ']', ',', ':', '"'])
                .unwrap_or(rest.len()),
        };
        let (token, behind) = rest.split_at_checked(length)?;
        rest = behind;
        Some(token)
    })
}

/// The bytes of the string that a text begins with.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return place.saturating_add(1),
            _ => {}
        }
    }
    text.len()
}

/// The value of a field of the object that a compact text is.
pub(in super::super) fn member<'t>(object: &'t str, key: &str) -> Option<&'t str> {
    let key = serde_json::to_string(key).ok()?;
    let (mut depth, mut place, mut begin) = (0_usize, 0_usize, None);
    let mut before = "";
    for token in tokens(object) {
        match (token, begin) {
            ("," | "}", Some(begin)) if depth == 1 => return object.get(begin..place),
            (":", None) if depth == 1 && before == key => begin = Some(place.saturating_add(1)),
            ("{" | "[", _) => depth = depth.saturating_add(1),
            ("}" | "]", _) => depth = depth.saturating_sub(1),
            (_, _) => {}
        }
        place = place.saturating_add(token.len());
        before = token;
    }
    None
}
