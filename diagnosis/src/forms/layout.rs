//! Layouts of JSON: blanks and line ends between its parts.

/// The text between the parts of a document.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Behind a comma, where no line ends.
    comma: &'static str,
    colon: &'static str,
    /// A line end and an indentation for each level; `None`: all in one line.
    lines: Option<(&'static str, &'static str)>,
    /// Arrays stay in one line.
    flat_arrays: bool,
    /// Behind the document.
    end: &'static str,
}

const COMPACT: Layout = Layout {
    comma: "",
    colon: ":",
    lines: None,
    flat_arrays: false,
    end: "",
};

const fn indented(end_of_line: &'static str, indentation: &'static str) -> Layout {
    Layout {
        colon: ": ",
        lines: Some((end_of_line, indentation)),
        ..COMPACT
    }
}

/// The layouts of common libraries, the most frequent ones first.
pub(super) const LAYOUTS: [Layout; 17] = [
    COMPACT,
    // Python.
    Layout {
        comma: " ",
        colon: ": ",
        ..COMPACT
    },
    // An encoder of Go ends each document with a line end.
    Layout {
        end: "\n",
        ..COMPACT
    },
    indented("\n", "  "),
    indented("\n", "    "),
    indented("\n", "\t"),
    indented("\r\n", "  "),
    indented("\r\n", "    "),
    indented("\r\n", "\t"),
    Layout {
        end: "\n",
        ..indented("\n", "  ")
    },
    Layout {
        end: "\n",
        ..indented("\n", "    ")
    },
    Layout {
        end: "\n",
        ..indented("\n", "\t")
    },
    // Jackson.
    Layout {
        comma: " ",
        colon: " : ",
        flat_arrays: true,
        ..indented("\n", "  ")
    },
    Layout {
        comma: " ",
        colon: " : ",
        flat_arrays: true,
        ..indented("\r\n", "  ")
    },
    Layout {
        colon: ": ",
        ..COMPACT
    },
    Layout {
        comma: " ",
        ..COMPACT
    },
    indented("\n", " "),
];

impl Layout {
    /// A compact text in this layout.
    pub(super) fn apply_to(self, compact: &str) -> String {
        let mut out = Writer {
            layout: self,
            text: String::with_capacity(compact.len()),
            open: Vec::new(),
        };
        let (mut inside, mut is_escaped) = (false, false);
        let mut letters = compact.chars().peekable();
        while let Some(letter) = letters.next() {
            if inside {
                out.text.push(letter);
                inside = is_escaped || letter != '"';
                is_escaped = !is_escaped && letter == '\\';
                continue;
            }
            match letter {
                '{' | '[' => out.begin(letter, letters.next_if(|next| matches!(next, '}' | ']'))),
                '}' | ']' => out.end(letter),
                ',' => out.comma(),
                ':' => out.text.push_str(self.colon),
                letter => {
                    inside = letter == '"';
                    out.text.push(letter);
                }
            }
        }
        out.text.push_str(self.end);
        out.text
    }
}

/// Writes a document in a layout.
struct Writer {
    layout: Layout,
    text: String,
    /// The brackets that are open.
    open: Vec<char>,
}

impl Writer {
    /// An opening bracket, with the closing one behind it if nothing stands between them.
    fn begin(&mut self, bracket: char, closing: Option<char>) {
        self.text.push(bracket);
        if let Some(closing) = closing {
            self.text.push(closing);
            return;
        }
        self.open.push(bracket);
        if self.is_flat() {
            self.text.push_str(self.layout.comma);
        } else {
            self.line();
        }
    }

    fn end(&mut self, bracket: char) {
        let is_flat = self.is_flat();
        self.open.pop();
        if is_flat {
            self.text.push_str(self.layout.comma);
        } else {
            self.line();
        }
        self.text.push(bracket);
    }

    fn comma(&mut self) {
        self.text.push(',');
        if self.layout.lines.is_none() || self.is_flat() {
            self.text.push_str(self.layout.comma);
        } else {
            self.line();
        }
    }

    /// Returns whether the innermost bracket is that of an array that stays in one line.
    fn is_flat(&self) -> bool {
        self.layout.flat_arrays && self.open.last() == Some(&'[')
    }

    fn line(&mut self) {
        if let Some((end, indentation)) = self.layout.lines {
            self.text.push_str(end);
            let is_level = |bracket: &&char| !self.layout.flat_arrays || **bracket != '[';
            let levels = self.open.iter().filter(is_level).count();
            self.text.push_str(&indentation.repeat(levels));
        }
    }
}
