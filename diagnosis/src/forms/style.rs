//! Spellings of strings in JSON: which characters a library writes as escapes.

/// The digits of an escape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    Lower,
    Upper,
}

/// The characters that a library writes as `\uXXXX`, besides those that must be.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Letters beyond ASCII; `None`: as they are.
    letters: Option<Digits>,
    /// Characters beyond the first plane, such as emoji, where the other letters stay.
    astral: Option<Digits>,
    /// These signs of ASCII, in these digits.
    signs: (&'static str, Digits),
    /// The two line ends of Unicode.
    line_ends: bool,
    /// A slash gets a backslash.
    slash: bool,
}

const PLAIN: Style = Style {
    letters: None,
    astral: None,
    signs: ("", Digits::Lower),
    line_ends: false,
    slash: false,
};

/// The spellings of common libraries, the most frequent ones first.
pub(super) const STYLES: [Style; 15] = [
    PLAIN,
    // Python, and PHP with unescaped slashes.
    Style {
        letters: Some(Digits::Lower),
        ..PLAIN
    },
    // PHP.
    Style {
        letters: Some(Digits::Lower),
        slash: true,
        ..PLAIN
    },
    Style {
        slash: true,
        ..PLAIN
    },
    // Go, Rails.
    Style {
        signs: ("<>&", Digits::Lower),
        line_ends: true,
        ..PLAIN
    },
    // Jackson.
    Style {
        letters: Some(Digits::Upper),
        ..PLAIN
    },
    // System.Text.Json.
    Style {
        letters: Some(Digits::Upper),
        signs: ("<>&'+`\"", Digits::Upper),
        ..PLAIN
    },
    // The same with all letters allowed.
    Style {
        astral: Some(Digits::Upper),
        signs: ("<>&'+`\"", Digits::Upper),
        line_ends: true,
        ..PLAIN
    },
    // Gson.
    Style {
        signs: ("<>&='", Digits::Lower),
        line_ends: true,
        ..PLAIN
    },
    // PHP with unescaped letters.
    Style {
        line_ends: true,
        ..PLAIN
    },
    Style {
        line_ends: true,
        slash: true,
        ..PLAIN
    },
    // PHP with the escapes for HTML.
    Style {
        letters: Some(Digits::Lower),
        signs: ("<>&'\"", Digits::Upper),
        slash: true,
        ..PLAIN
    },
    Style {
        letters: Some(Digits::Upper),
        slash: true,
        ..PLAIN
    },
    // Go with letters escaped, and the serialisers of scripts in pages.
    Style {
        letters: Some(Digits::Lower),
        signs: ("<>&", Digits::Lower),
        ..PLAIN
    },
    Style {
        letters: Some(Digits::Lower),
        signs: ("<>&'", Digits::Lower),
        ..PLAIN
    },
];

impl Style {
    /// A compact text in this spelling.
    pub(super) fn apply_to(self, compact: &str) -> String {
        let (mut out, mut inside) = (String::with_capacity(compact.len()), false);
        let mut letters = compact.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => {
                    inside = !inside;
                    out.push('"');
                }
                '\\' => self.push_escape(letters.next(), &mut out),
                letter if inside => self.push(letter, &mut out),
                letter => out.push(letter),
            }
        }
        out
    }

    fn push(self, letter: char, out: &mut String) {
        let (signs, of_signs) = self.signs;
        let is_line_end = matches!(letter, '\u{2028}' | '\u{2029}');
        let digits = if letter.is_ascii() {
            signs.contains(letter).then_some(of_signs)
        } else if is_line_end && self.line_ends && self.letters.is_none() {
            Some(of_signs)
        } else if letter > '\u{ffff}' {
            self.letters.or(self.astral)
        } else {
            self.letters
        };
        match digits {
            Some(digits) => push_units(letter, digits, out),
            None if self.slash && letter == '/' => out.push_str("\\/"),
            None => out.push(letter),
        }
    }

    /// Writes the character behind a backslash.
    fn push_escape(self, escape: Option<char>, out: &mut String) {
        let (signs, digits) = self.signs;
        match escape {
            Some('"') if signs.contains('"') => push_units('"', digits, out),
            Some(escape) => out.extend(['\\', escape]),
            None => out.push('\\'),
        }
    }
}

fn push_units(letter: char, digits: Digits, out: &mut String) {
    for unit in letter.encode_utf16(&mut [0; 2]) {
        out.push_str(&match digits {
            Digits::Lower => format!("\\u{unit:04x}"),
            Digits::Upper => format!("\\u{unit:04X}"),
        });
    }
}
