//! The output of a command, and its end.

use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::config::problem::ConfigErrors;
use crate::exit_code::Exit;
pub(super) use crate::terminal::{Stdout, complain, say};

/// The reason why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
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

impl CliError {
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

/// A line of data, there at once: the reader may be waiting for it.
pub(super) fn print(line: &str) -> Result<(), CliError> {
    let mut stdout = Stdout::open();
    writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .map_err(|error| CliError::unprinted(&error))
}
