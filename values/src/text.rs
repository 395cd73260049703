//! Text that comes from outside, each kind with its own limits. A value of the type is the proof.
//!
//! Limits count characters unless bytes are named. Nothing is trimmed, folded or normalised: what was sent is
//! what is stored and shown. [`normal_form`] is for comparisons.

mod decimal_digit;
pub mod email;
pub mod file_name;
pub mod nearest;
pub mod normal_form;
pub mod phone_number;
pub mod search;
pub mod url;
mod user_name;

/// The text is not of the wanted kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct TextError {
    /// The form of a text of this kind.
    pub expected: &'static str,
}

/// Declares a kind of text: its name in a refusal, and its check.
#[macro_export]
macro_rules! bounded_text {
    ($($(#[$doc:meta])* $name:ident, $expected:literal, $fits:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        $crate::schema::schema_of!($name, { "type": "string" });

        impl $name {
            /// The text as it was given.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            fn check(text: &str) -> Result<(), $crate::text::TextError> {
                let fits: fn(&str) -> bool = $fits;
                if fits(text) {
                    Ok(())
                } else {
                    Err($crate::text::TextError { expected: $expected })
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::text::TextError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::check(text).map(|()| Self(text.to_owned()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::text::TextError;
            fn try_from(text: String) -> Result<Self, Self::Error> {
                Self::check(&text).map(|()| Self(text))
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }
    )*};
}
pub use bounded_text;

bounded_text! {
    /// The name of a person, as others see it: 1 to 255 characters, no control characters.
    Name, "a name of 1 to 255 characters without control characters",
    |text| is_line(text, 255);

    /// The name that an administrator gives a user, of at most 50 characters: letters of any script with their marks,
    /// digits, spaces, and the special characters `.`, `@`, `-` and `_`. It is no link, and has more than spaces.
    UserName, "a name of 1 to 50 letters, digits, spaces and . @ - _, that is no link; for an apostrophe, write the letter \u{2bc} (U+02BC)",
    |text| has_length(text, 50) && user_name::fits(text);

    /// The name of a role: 1 to 255 characters, no control characters, not blank.
    RoleName, "a name of 1 to 255 characters that is not blank and has no control characters",
    is_label;

    /// The name of a tag: the same.
    TagName, "a name of 1 to 255 characters that is not blank and has no control characters",
    is_label;

    /// The name of a custom field, or of a value that it offers: the same.
    FieldName, "a name of 1 to 255 characters that is not blank and has no control characters",
    is_label;

    /// The code of a custom field, or of a value that it offers: the same.
    FieldCode, "a code of 1 to 255 characters that is not blank and has no control characters",
    is_label;

    /// The name of a channel: the same.
    ChannelName, "a name of 1 to 255 characters that is not blank and has no control characters",
    is_label;

    /// The title of a scope, such as the number of a messenger: 1 to 255 characters, no control characters.
    Title, "a title of 1 to 255 characters without control characters",
    |text| is_line(text, 255);

    /// A phone number as its sender wrote it: 1 to 64 characters, no control characters. No format is required, since
    /// messengers write numbers in many formats.
    Phone, "a phone number of 1 to 64 characters without control characters",
    |text| is_line(text, 64);

    /// The name of a file: a label of 1 to 255 characters without control characters. Never used as a path.
    FileName, "a file name of 1 to 255 characters without control characters",
    |text| is_line(text, 255);

    /// A text that a program passes on about a form or a call: at most 1,024 characters, perhaps none.
    SubmittedText, "a text of at most 1,024 characters",
    |text| text.chars().nth(1_024).is_none();

    /// The text of a message: 1 to 65,536 bytes of UTF-8. Line breaks belong to a message. Other control characters
    /// (NUL included) come along in pasted text: they are kept, since JSON escapes them on the way out, and they do not
    /// harm a reader that shows text as text.
    MessageText, "a text of 1 to 65,536 bytes",
    |text| (1..=65_536).contains(&text.len());

    /// The entrance of an integration that a conversation comes through: 1 to 40 printable characters of ASCII.
    SourceId, "a source of 1 to 40 printable characters of ASCII",
    |text| has_length(text, 40) && text.bytes().all(|byte| matches!(byte, b' '..=b'~'));

    /// The integration's id of a post in a public network: 1 to 255 characters, no control characters.
    PostId, "an id of 1 to 255 characters without control characters",
    |text| is_line(text, 255);

    /// A messenger's id of a sticker: 1 to 255 characters, no control characters.
    StickerId, "an id of 1 to 255 characters without control characters",
    |text| is_line(text, 255);

    /// A reaction that people leave on messages: 1 to 32 characters, since one that is seen may be many that are sent.
    Emoji, "an emoji of 1 to 32 characters without control characters",
    |text| is_line(text, 32);

    /// A text about a fetched file: 1 to 600 characters, no control characters.
    FetchText, "a text of 1 to 600 characters without control characters",
    |text| is_line(text, 600);

    /// The name of a template: the same as that of a role.
    TemplateName, "a name of 1 to 255 characters that is not blank and has no control characters",
    is_label;

    /// The content of a template, with its markers: 1 to 16,384 bytes of UTF-8.
    TemplateContent, "a text of 1 to 16,384 bytes",
    |text| (1..=16_384).contains(&text.len());

    /// The name of a canned reply: the same as that of a role.
    CannedReplyName, "a name of 1 to 255 characters that is not blank and has no control characters",
    is_label;

    /// The name of a saved view: 1 to 100 characters, not blank, no control characters.
    SavedViewName, "a name of 1 to 100 characters that is not blank and has no control characters",
    |text| is_line(text, 100) && is_label(text);

    /// An integration's own id of a template: 1 to 255 characters, no control characters.
    TemplateExternalId, "an id of 1 to 255 characters without control characters",
    |text| is_line(text, 255);

    /// The text on a button: 1 to 255 characters, not blank, no control characters.
    ButtonText, "a text of 1 to 255 characters that is not blank and has no control characters",
    is_label;

    /// The value of a row of a list that a customer chose: 1 to 256 bytes.
    CallbackData, "a text of 1 to 256 bytes",
    |text| (1..=256).contains(&text.len());

    /// The header or the footer of a list message.
    ListLine, "a text of 1 to 60 characters that is not blank and has no control characters",
    |text| is_line(text, 60) && is_label(text);

    /// The text of a list message: 1 to 1,024 characters, control characters as in a message.
    ListBody, "a text of 1 to 1,024 characters that is not blank",
    |text| has_length(text, 1_024) && !text.trim().is_empty();

    /// The button that opens a list, the title of a section, or the title of a row.
    ListLabel, "a text of 1 to 24 characters that is not blank and has no control characters",
    |text| is_line(text, 24) && is_label(text);

    /// The description of a row of a list message.
    RowDescription, "a text of 1 to 72 characters that is not blank and has no control characters",
    |text| is_line(text, 72) && is_label(text);

    /// The header or the footer of a template for WhatsApp: at most 60 characters, perhaps none.
    WabaLine, "a text of at most 60 characters without control characters",
    |text| text.is_empty() || is_line(text, 60);

    /// The reason of a rejected template: at most 65,535 bytes, perhaps none.
    RejectReason, "a text of at most 65,535 bytes",
    |text| text.len() <= 65_535;

    /// The explanation of an integration about a message that it could not deliver, shown to account users: 1 to 1,024
    /// characters, control characters as in a message.
    ErrorText, "a text of 1 to 1,024 characters",
    |text| has_length(text, 1_024);
}

impl Default for WabaLine {
    /// Returns the empty text.
    fn default() -> Self {
        Self(String::new())
    }
}

impl Default for RejectReason {
    /// Returns the empty text.
    fn default() -> Self {
        Self(String::new())
    }
}

impl Default for SubmittedText {
    /// Returns the empty text, as a program has it that passes nothing on.
    fn default() -> Self {
        Self(String::new())
    }
}

impl FetchText {
    /// As much of a text as fits, control characters as spaces; a question mark when there is nothing.
    #[must_use]
    pub fn shortened(text: &str) -> Self {
        let line = |letter: char| if letter.is_control() { ' ' } else { letter };
        let line_text: String = text.chars().map(line).take(600).collect();
        Self(if line_text.is_empty() {
            "?".to_owned()
        } else {
            line_text
        })
    }
}

impl Name {
    /// The beginning of a text as one line, with a blank in place of each control character; `None` when nothing is left.
    #[must_use]
    pub fn shortened(text: &str) -> Option<Self> {
        let line = |letter: char| if letter.is_control() { ' ' } else { letter };
        let line_text: String = text.trim().chars().map(line).take(255).collect();
        line_text.parse().ok()
    }
}

/// Every name of a user is a name: a shorter one, of fewer characters.
impl From<UserName> for Name {
    fn from(name: UserName) -> Self {
        Self(name.0)
    }
}

/// Returns whether the text has 1 to `max` characters, none of them a control character.
#[must_use]
pub fn is_line(text: &str, max: usize) -> bool {
    has_length(text, max) && !has_control(text)
}

fn is_label(text: &str) -> bool {
    is_line(text, 255) && !text.trim().is_empty()
}

/// Returns whether the text has a control character. Most text is ASCII, of which many bytes are checked together.
fn has_control(text: &str) -> bool {
    if text.is_ascii() {
        let bytes = text.as_bytes().iter();
        bytes.fold(false, |found, byte| found | byte.is_ascii_control())
    } else {
        text.chars().any(char::is_control)
    }
}

/// 1 to `max` characters. Long text is not counted to its end.
fn has_length(text: &str, max: usize) -> bool {
    !text.is_empty() && (text.len() <= max || text.chars().nth(max).is_none())
}

/// The beginning of a text: as many whole characters as fit into `limit` bytes.
#[must_use]
pub fn beginning(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or_default()
}

/// The end of a text: as many whole characters as fit into `limit` bytes.
#[must_use]
pub fn ending(text: &str, limit: usize) -> &str {
    let mut begin = text.len().saturating_sub(limit);
    while !text.is_char_boundary(begin) {
        begin = begin.saturating_add(1);
    }
    text.get(begin..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text_has_whole_characters() {
        let text = "я".repeat(10);
        assert_eq!((ending(&text, 5), ending(&text, 0)), ("яя", ""));
        assert_eq!(ending("short", 10), "short");
    }

    #[test]
    fn limits_count_characters_and_not_bytes() {
        assert!("é".repeat(255).parse::<Name>().is_ok());
        assert!("é".repeat(256).parse::<Name>().is_err());
        assert!("".parse::<Name>().is_err());
        assert!("7".repeat(64).parse::<Phone>().is_ok());
        assert!("7".repeat(65).parse::<Phone>().is_err());
        assert!("😀".repeat(1_024).parse::<ErrorText>().is_ok());
        assert!("😀".repeat(1_025).parse::<ErrorText>().is_err());
    }

    #[test]
    fn the_name_of_a_role_or_a_channel_is_not_blank() {
        assert!("Менеджер <1>".parse::<RoleName>().is_ok());
        assert!("Messenger".parse::<ChannelName>().is_ok());
        for text in ["", " ", "\u{a0} ", "a\tb", &"x".repeat(256)] {
            assert!(text.parse::<RoleName>().is_err(), "{text:?}");
            assert!(text.parse::<ChannelName>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_label_is_one_line_without_control_characters() {
        for text in ["a\nb", "a\0b", "\u{7f}", "a\u{85}b"] {
            assert!(text.parse::<Name>().is_err(), "{text:?}");
            assert!(text.parse::<Title>().is_err(), "{text:?}");
            assert!(text.parse::<FileName>().is_err(), "{text:?}");
        }
        // Stored as labels; the program that shows or downloads them makes them harmless.
        for text in ["../../x", "con", "a\u{202e}b", "<b>", " "] {
            assert!(text.parse::<FileName>().is_ok(), "{text:?}");
        }
    }

    #[test]
    fn a_message_may_hold_anything_up_to_its_size_in_bytes() {
        assert!("a\nb\0\u{1b}[0m".parse::<MessageText>().is_ok());
        assert!("x".repeat(65_536).parse::<MessageText>().is_ok());
        assert!("x".repeat(65_537).parse::<MessageText>().is_err());
        assert!("😀".repeat(16_384).parse::<MessageText>().is_ok());
        assert!("😀".repeat(16_385).parse::<MessageText>().is_err());
        assert!("".parse::<MessageText>().is_err());
    }

    #[test]
    fn deserializing_validates_like_the_constructor() {
        let name: Name = serde_json::from_str("\"Ada\"").unwrap();
        assert_eq!(name.as_str(), "Ada");
        assert_eq!(serde_json::to_string(&name).unwrap(), "\"Ada\"");
        let error = serde_json::from_str::<Name>("\"\"").unwrap_err();
        assert!(error.to_string().contains("a name of 1 to 255"), "{error}");
    }
}
