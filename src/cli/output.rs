//! What a command prints, and how it ends.

use std::io::{self, IsTerminal as _, StdoutLock, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use switchboard_network::printable::{self, PrintableWriter};

use crate::config::problem::ConfigErrors;
use crate::config::program::NAME;
use crate::exit_code::Exit;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandFailure {
    /// The flags do not say enough, or contradict each other.
    #[error("error: {0}")]
    Usage(String),
    /// The configuration is wrong.
    #[error("{0}")]
    Config(#[from] ConfigErrors),
    /// It was tried and did not work.
    #[error("error: {0}")]
    Failed(String),
    /// The service cannot be reached.
    #[error("error: {0}")]
    Unreachable(String),
    /// It did not work, and everything has been said.
    #[error("")]
    Told,
    /// The reader of the output has closed it.
    #[error("")]
    Unread,
    /// It was done, everything has been said, and the result has an exit code of its own.
    #[error("")]
    Found(Exit),
}

impl CommandFailure {
    pub(super) fn failed(what: &str, error: impl std::fmt::Display) -> Self {
        Self::Failed(format!("{what}: {error}"))
    }

    /// Standard output does not take what is printed. Who reads only the beginning of it, as `head` does, wants no more.
    pub(super) fn unprinted(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Unread
        } else {
            Self::failed("cannot write to standard output", error)
        }
    }

    /// Says it on stderr and gives the exit code.
    pub(super) fn print(self) -> ExitCode {
        let exit = match &self {
            Self::Usage(_) | Self::Config(_) => Exit::Invalid,
            Self::Failed(_) | Self::Told => Exit::Failed,
            Self::Unreachable(_) => Exit::Unreachable,
            Self::Unread => Exit::Done,
            Self::Found(exit) => *exit,
        };
        if !matches!(self, Self::Told | Self::Unread | Self::Found(_)) {
            complain(&self.to_string());
        }
        exit.into()
    }
}

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
    let error = clap::Error::raw(ErrorKind::Io, format!("{message}\n"));
    // The colours are those of a command.
    let error = error.with_cmd(&clap::Command::new(NAME));
    error.print().unwrap_or_default();
}

/// A line of data, there at once: the reader may be waiting for it.
pub(super) fn print(line: &str) -> Result<(), CommandFailure> {
    let mut stdout = Stdout::open();
    writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .map_err(|error| CommandFailure::unprinted(&error))
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
