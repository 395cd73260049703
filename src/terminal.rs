//! The output of this process for people and programs: lines on standard error, data on standard output.

use std::io::{self, IsTerminal as _, StdoutLock, Write};

use clap::error::ErrorKind;
use switchboard_network::printable::{self, PrintableWriter};

use crate::config::program::NAME;

/// Prints a line for the user. A missing reader is no error. Texts of others may be in it, so nothing in it moves a cursor.
pub(crate) fn say(line: &str) {
    writeln!(io::stderr().lock(), "{}", printable::lines(line)).unwrap_or_default();
}

/// Prints why something did not work, in the colours of the parser's errors where the terminal shows colours.
pub(crate) fn complain(text: &str) {
    let text = printable::lines(text);
    let Some(message) = text.strip_prefix("error: ") else {
        return say(&text);
    };
    // The colours are those of a command.
    let error =
        clap::Error::raw(ErrorKind::Io, format!("{message}\n")).with_cmd(&clap::Command::new(NAME));
    error.print().unwrap_or_default();
}

/// Standard output for data. A program gets the data as they are. A terminal gets nothing that it would obey: what is
/// treacherous is written as an escape of JSON, so that a document stays the same.
#[derive(Debug)]
pub(crate) struct Stdout(PrintableWriter<StdoutLock<'static>>);

impl Stdout {
    pub(crate) fn open() -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        Self(PrintableWriter::new(stdout.lock(), is_terminal))
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Rows with columns of equal width; no blanks at the end of a line.
pub(crate) fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(widths);
        let line: String = cells
            .map(|(cell, width)| format!("{cell:width$}  "))
            .collect();
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}
