//! A writer whose reader may be a terminal.

use std::io::{self, Write};

use super::{escaped, is_treacherous};

/// The control character with which a program gives orders to a terminal.
const ESCAPE: char = '\u{1b}';

/// Writes bytes as they are, or, for a terminal, as text without anything that it would obey.
#[derive(Debug)]
pub struct PrintableWriter<W: Write> {
    writer: W,
    is_terminal: bool,
    /// The text has orders to the terminal of its own, such as colours.
    keeps_escape: bool,
    /// The beginning of a character of which more is to come.
    begun: Vec<u8>,
}

impl<W: Write> PrintableWriter<W> {
    pub fn new(writer: W, is_terminal: bool) -> Self {
        Self {
            writer,
            is_terminal,
            keeps_escape: false,
            begun: Vec::new(),
        }
    }

    /// As [`PrintableWriter::new`], for text that has colours already and whose own texts have no `ESCAPE` any more.
    pub fn with_colours(writer: W, is_terminal: bool) -> Self {
        Self {
            keeps_escape: true,
            ..Self::new(writer, is_terminal)
        }
    }

    fn write_text(&mut self, text: &str) -> io::Result<()> {
        let keeps_escape = self.keeps_escape;
        let output = escaped(text, |letter| {
            let is_kept = matches!(letter, '\n' | '\t') || keeps_escape && letter == ESCAPE;
            !is_kept && is_treacherous(letter)
        });
        self.writer.write_all(output.as_bytes())
    }

    /// Writes the text in these bytes; gives the beginning of a character at their end.
    fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.write_text(chunk.valid())?;
            let invalid = chunk.invalid();
            let is_last = chunks.peek().is_none();
            if is_last && is_beginning(invalid) {
                return Ok(invalid.to_vec());
            }
            if !invalid.is_empty() {
                self.write_text("\u{fffd}")?;
            }
        }
        Ok(Vec::new())
    }
}

/// Returns true if more bytes could make a character of these.
fn is_beginning(bytes: &[u8]) -> bool {
    match str::from_utf8(bytes) {
        Err(error) => error.error_len().is_none(),
        Ok(_) => false,
    }
}

impl<W: Write> Write for PrintableWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.writer.write(bytes);
        }
        let mut text = std::mem::take(&mut self.begun);
        text.extend_from_slice(bytes);
        self.begun = self.write_bytes(&text)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\u{9b}b\u{202e}ы\u{7f}\u{1b}[2J\ttab\n";

    fn written(mut writer: PrintableWriter<Vec<u8>>, text: &[u8], step: usize) -> String {
        for part in text.chunks(step) {
            writer.write_all(part).unwrap();
        }
        String::from_utf8(writer.writer).unwrap()
    }

    #[test]
    fn a_terminal_gets_nothing_that_it_would_obey() {
        let output = "a\\u009bb\\u202eы\\u007f\\u001b[2J\ttab\n";
        for step in 1..8 {
            let terminal = PrintableWriter::new(Vec::new(), true);
            assert_eq!(written(terminal, TEXT.as_bytes(), step), output);
            let program = PrintableWriter::new(Vec::new(), false);
            assert_eq!(written(program, TEXT.as_bytes(), step), TEXT);
        }
        let coloured = PrintableWriter::with_colours(Vec::new(), true);
        let with_colours = output.replace("\\u001b", "\u{1b}");
        assert_eq!(written(coloured, TEXT.as_bytes(), 3), with_colours);
    }

    #[test]
    fn bytes_that_are_no_text_become_replacement_characters() {
        let terminal = PrintableWriter::new(Vec::new(), true);
        assert_eq!(
            written(terminal, b"a\xffb\xe2\x80c", 1),
            "a\u{fffd}b\u{fffd}c"
        );
    }
}
