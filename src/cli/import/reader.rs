//! The lines of a file, one at a time and of bounded length, with a digest of everything that was read.

use std::io::{self, BufRead};

use sha2::{Digest, Sha256};

/// The longest line that is kept, in bytes: more than the largest body that a service takes by default.
pub(super) const LINE_BYTES_MAX: usize = 1 << 20;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: u64,
    /// The position in the file after the line break.
    pub(super) end: u64,
    /// The line without its line break; `None` when it is too long.
    pub(super) bytes: Option<Vec<u8>>,
}

/// A position in the file, with the digest of everything before it.
#[derive(Clone, Debug, Default)]
pub(super) struct FilePosition {
    /// The number of lines before it.
    pub(super) lines: u64,
    /// The number of bytes before it.
    pub(super) bytes: u64,
    digest: Sha256,
}

impl FilePosition {
    /// The digest of everything up to here, in hexadecimal.
    pub(super) fn digest(&self) -> String {
        hex::encode(self.digest.clone().finalize())
    }
}

/// Reads lines.
pub(super) struct Lines<R> {
    file: R,
    place: FilePosition,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(file: R) -> Self {
        Self {
            file,
            place: FilePosition::default(),
        }
    }

    /// The next line; `None` at the end of the file.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Some(Vec::new());
        let before = self.place.bytes;
        loop {
            let there = match self.file.fill_buf() {
                Ok(there) => there,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let newline = there.iter().position(|byte| *byte == b'\n');
            let piece_length = newline.map_or(there.len(), |at| at.saturating_add(1));
            let (piece, _) = there.split_at(piece_length);
            self.place.digest.update(piece);
            self.place.bytes = self.place.bytes.saturating_add(length(piece));
            keep(&mut bytes, piece);
            self.file.consume(piece_length);
            if newline.is_none() && piece_length > 0 {
                continue;
            }
            if self.place.bytes == before {
                return Ok(None);
            }
            self.place.lines = self.place.lines.saturating_add(1);
            return Ok(Some(Line {
                number: self.place.lines,
                end: self.place.bytes,
                bytes,
            }));
        }
    }

    /// Reads on to this place; false when the file ends before, or has no line break there.
    pub(super) fn skip_to(&mut self, bytes: u64, lines: u64) -> io::Result<bool> {
        while self.place.bytes < bytes {
            if self.next()?.is_none() {
                return Ok(false);
            }
        }
        Ok(self.place.bytes == bytes && self.place.lines == lines)
    }

    /// The position after the last line read.
    pub(super) fn place(&self) -> &FilePosition {
        &self.place
    }

    /// The digest of everything that was read, in hexadecimal.
    pub(super) fn digest(&self) -> String {
        self.place.digest()
    }
}

fn keep(kept: &mut Option<Vec<u8>>, piece: &[u8]) {
    let piece = piece.strip_suffix(b"\n").unwrap_or(piece);
    match kept {
        Some(line) if line.len().saturating_add(piece.len()) <= LINE_BYTES_MAX => {
            line.extend_from_slice(piece);
        }
        Some(_) | None => *kept = None,
    }
}

fn length(piece: &[u8]) -> u64 {
    u64::try_from(piece.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn all(text: &[u8], buffer: usize) -> Vec<Line> {
        let mut lines = Lines::new(BufReader::with_capacity(buffer, text));
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    #[test]
    fn lines_do_not_depend_on_the_buffer_size() {
        let text = b"one\n\nthree\r\nlast";
        let lines = all(text, 3);
        assert_eq!(lines, all(text, 1_000));
        let texts: Vec<_> = lines
            .iter()
            .map(|line| line.bytes.clone().unwrap())
            .collect();
        assert_eq!(texts, [&b"one"[..], b"", b"three\r", b"last"]);
        let ends: Vec<_> = lines.iter().map(|line| (line.number, line.end)).collect();
        assert_eq!(ends, [(1, 4), (2, 5), (3, 12), (4, 16)]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_not_stored() {
        let long = [vec![b'x'; LINE_BYTES_MAX + 1], b"\nshort\n".to_vec()].concat();
        let lines = all(&long, 4_096);
        assert_eq!(lines[0].bytes, None);
        assert_eq!(lines[1].bytes.as_deref(), Some(&b"short"[..]));
        let fits = [vec![b'x'; LINE_BYTES_MAX], b"\n".to_vec()].concat();
        assert!(all(&fits, 4_096)[0].bytes.is_some());
    }

    #[test]
    fn resuming_detects_a_changed_beginning() {
        let text = b"one\ntwo\nthree\n";
        let mut lines = Lines::new(&text[..]);
        lines.next().unwrap();
        lines.next().unwrap();
        let (place, digest) = (lines.place().clone(), lines.digest());
        let again = |text: &'static [u8]| {
            let mut lines = Lines::new(text);
            lines.skip_to(place.bytes, place.lines).unwrap() && lines.digest() == digest
        };
        assert!(again(b"one\ntwo\nthree\n"));
        assert!(again(b"one\ntwo\nanother end"));
        assert!(!again(b"one\nTwo\nthree\n"));
        assert!(!again(b"one\ntwothree\n"));
        assert!(!again(b"one\n"));
    }
}
