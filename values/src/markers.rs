//! Markers in the content of a template, and their values at the moment of sending.
//!
//! The content is read once from its beginning to its end, so a value that looks like a marker is text.

use serde::{Deserialize, Serialize};

/// The beginning of a marker.
const OPEN: &str = "{{";
/// The end of a marker.
const CLOSE: &str = "}}";
/// The longest marker, in bytes; a longer one is text.
const MARKER_MAX: usize = 128;
/// The bytes after which a text is too long for a message, so that nothing more is filled into it.
const FILLED_MAX: usize = 65_536;

/// A marker with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The marker with its braces.
    pub key: String,
    /// The value; empty when there is none.
    pub value: String,
}

/// The text of a template with the values of its markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledText {
    /// The text.
    pub text: String,
    /// Each marker once, in the order in which they appear first.
    pub parameters: Vec<Parameter>,
}

/// A piece of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'c> {
    /// Text as it is.
    Text(&'c str),
    /// The name of a marker, without its braces.
    Marker(&'c str),
}

/// The content with values in place of its markers; a marker without a value becomes nothing.
pub fn fill(content: &str, value: impl FnMut(&str) -> Option<String>) -> FilledText {
    filled(content, false, value)
}

/// The content with values in place of its markers, for a person who goes on with it: a marker without a value stays as it is.
pub fn fill_to_edit(content: &str, value: impl FnMut(&str) -> Option<String>) -> FilledText {
    filled(content, true, value)
}

fn filled(
    content: &str,
    shows_gaps: bool,
    mut value: impl FnMut(&str) -> Option<String>,
) -> FilledText {
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut text = String::with_capacity(content.len());
    for piece in pieces(content) {
        if text.len() > FILLED_MAX {
            break;
        }
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Marker(name) => {
                let key = format!("{OPEN}{name}{CLOSE}");
                let at = parameters.iter().position(|it| it.key == key);
                let at = at.unwrap_or_else(|| {
                    let value = value(name).unwrap_or_default();
                    parameters.push(Parameter { key, value });
                    parameters.len().saturating_sub(1)
                });
                let parameter = parameters.get(at);
                text.push_str(parameter.map_or("", |it| match it.value.as_str() {
                    "" if shows_gaps => &it.key,
                    value => value,
                }));
            }
        }
    }
    FilledText { text, parameters }
}

/// The pieces of a content, in their order.
fn pieces(content: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = content;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let end = after.find(CLOSE).filter(|end| *end <= MARKER_MAX);
        let name = end
            .and_then(|end| after.get(..end))
            .filter(|name| is_name(name));
        if let (Some(name), Some(end)) = (name, end) {
            pieces.push(Piece::Text(before));
            pieces.push(Piece::Marker(name));
            rest = after.get(end.saturating_add(CLOSE.len())..).unwrap_or("");
        } else {
            let length = before.len().saturating_add(1);
            // The second brace may begin a marker.
            pieces.push(Piece::Text(rest.get(..length).unwrap_or(rest)));
            rest = rest.get(length..).unwrap_or("");
        }
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// Returns whether this can be the name of a marker: letters, digits, dots and underscores.
fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    !name.is_empty() && name.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(content: &str) -> FilledText {
        fill(content, |name| match name {
            "contact.name" => Some("Ada".to_owned()),
            "evil" => Some("{{contact.name}}".to_owned()),
            _ => None,
        })
    }

    fn parameter(key: &str, value: &str) -> Parameter {
        Parameter {
            key: key.to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn each_marker_is_a_parameter_once_in_order() {
        let result = filled("{{b}} {{contact.name}}, {{contact.name}}{{b}}!");
        assert_eq!(result.text, " Ada, Ada!");
        let expected = [parameter("{{b}}", ""), parameter("{{contact.name}}", "Ada")];
        assert_eq!(result.parameters, expected);
    }

    #[test]
    fn a_value_that_looks_like_a_marker_is_text() {
        assert_eq!(filled("Hi {{evil}}").text, "Hi {{contact.name}}");
    }

    #[test]
    fn a_person_who_edits_the_text_sees_the_gaps() {
        let values = |name: &str| match name {
            "contact.name" => Some("Ada".to_owned()),
            "evil" => Some("{{contact.name}}{{b}}".to_owned()),
            _ => None,
        };
        let result = fill_to_edit("{{contact.name}}: {{b}}, {{evil}}", values);
        assert_eq!(result.text, "Ada: {{b}}, {{contact.name}}{{b}}");
        assert_eq!(result.parameters[1], parameter("{{b}}", ""));
    }

    #[test]
    fn a_text_that_is_too_long_is_not_filled_on() {
        let many = "{{a}}".repeat(13_000);
        let value = "v".repeat(FILLED_MAX);
        let text = fill(&many, |_| Some(value.clone())).text;
        assert!((FILLED_MAX + 1..=2 * FILLED_MAX).contains(&text.len()));
    }

    #[test]
    fn what_is_no_marker_stays() {
        for content in [
            "{{",
            "}}",
            "{{}}",
            "{{ a }}",
            "{{regexp./x/}}",
            "{a}",
            "{{é}}",
            "{{a",
        ] {
            assert_eq!(filled(content).text, content, "{content}");
            assert_eq!(filled(content).parameters, [], "{content}");
        }
        assert_eq!(filled("{{{contact.name}}}").text, "{Ada}");
        assert_eq!(filled("{{ {{contact.name}}").text, "{{ Ada");
        let long = format!("{{{{{}}}}}", "a".repeat(MARKER_MAX + 1));
        assert_eq!(filled(&long).text, long);
    }

    #[test]
    fn hostile_contents_are_read_in_one_pass() {
        let braces = "{".repeat(16_384);
        assert_eq!(filled(&braces).text, braces);
        let many = "{{a}}".repeat(3_276);
        assert_eq!(filled(&many).text, "");
    }
}
